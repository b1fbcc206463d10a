// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/checkpoint_runner.h"

#include <algorithm>
#include <utility>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"

namespace vnpu::fw {

void CheckpointRunner::begin() {
    holdEnd_ = 0;
    passedCycle_ = parts_.turn.phaseStart();
}

Step CheckpointRunner::visit(const hw::CommandView& command) {
    const auto checkpoint = command.as<hw::Checkpoint>();
    const bool wasReached = parts_.dispatcher.isReached(*command.header);
    VNPU_TRY(parts_.turn.stepOf(parts_.dispatcher.waitForTokens(*command.header)));
    if (!parts_.scheduler.isPreemptive()) {
        return Step::goOn();
    }
    parts_.port.charge(kCheckpointCycles);
    parts_.turn.progress().contextBytes = contextBytes(checkpoint, 0);
    parts_.turn.progress().reloadBytes = checkpoint.reloadBytes;
    // If the waits were reached before this call, the time counts from the last checkpoint.
    const std::uint64_t now = readCycles(parts_.port);
    if (checkpoint.holdCycles != 0) {
        holdEnd_ = (wasReached ? passedCycle_ : now) + checkpoint.holdCycles;
    }
    const Step step = stayAt(checkpoint, parts_.scheduler.forcesSave(checkpoint));
    passedCycle_ = std::max(now, std::exchange(holdEnd_, 0));
    return step;
}

Step CheckpointRunner::stayAt(const hw::Checkpoint& checkpoint, bool isForced) {
    Dispatcher& dispatcher = parts_.dispatcher;
    const auto isWanted = [&] { return isForced || parts_.scheduler.wantsSave(checkpoint); };
    while (true) {
        while (!isWanted()) {
            if (!parts_.scheduler.mayWantSave(checkpoint)) {
                return Step::goOn();
            }
            const bool isDspBusy = dispatcher.isDspBusy();
            if (!isDspBusy && (holdEnd_ == 0 || readCycles(parts_.port) >= holdEnd_)) {
                return Step::goOn();
            }
            VNPU_TRY(parts_.turn.stepOf(isDspBusy ? dispatcher.waitForDsp()
                                                  : dispatcher.waitUntil(holdEnd_)));
        }
        VNPU_TRY(parts_.turn.stepOf(dispatcher.settle()));
        if (isWanted()) {
            return save(checkpoint, isForced);
        }
        // The scheduler withdrew the request while the engines finished.
        dispatcher.continueDsp();
    }
}

/// If one other job is to run, the data in SRAM that it does not use is kept on the chip.
Step CheckpointRunner::save(const hw::Checkpoint& checkpoint, bool isForced) {
    JobTurn& turn = parts_.turn;
    turn.enter(JobTurn::Phase::kSwitching);
    const Dispatcher::StoppedOperator stopped = parts_.dispatcher.stoppedOperator();
    SaveArea area{};
    area.magic = kSaveMagic;
    area.nextCommand = parts_.fetcher.offset();
    area.jobId = turn.job().slot.jobId;
    area.checkpoint = checkpoint;
    parts_.dispatcher.copyTokens(area.tokens);
    parts_.loops.save(area, turn.phaseStart());
    area.dspCommand = stopped.command;
    area.dspStateBytes = stopped.command == kNoDspCommand ? 0 : parts_.mover.dspStateBytes();
    area.dspDoneCycles = stopped.doneCycles;
    area.dspDoneBytes = stopped.doneBytes;
    const std::uint64_t blocks = isForced ? hw::kAllSramBlocks : parts_.scheduler.wantedBlocks();
    const Stop stop = parts_.mover.save(turn.job(), area, blocks, parts_.regions.limits(),
                                        turn.progress().kept);
    if (stop == Stop::kNone) {
        turn.progress().isSaved = true;
        ++turn.progress().preemptions;
    }
    return leaveSaved(stop);
}

Step CheckpointRunner::saveKept(std::uint64_t blocks) {
    return leaveSaved(
            parts_.mover.saveKept(parts_.turn.job(), blocks, parts_.turn.progress().kept));
}

/// Ends the turn after a save.
Step CheckpointRunner::leaveSaved(Stop stop) {
    if (stop == Stop::kEngineError) {
        return parts_.turn.giveUpMove(parts_.mover.failure());
    }
    VNPU_TRY(parts_.turn.stepOf(stop));
    parts_.turn.progress().savedBytes += parts_.mover.savedBytes();
    return Step::leave(TurnEnd::kPreempted);
}

}  // namespace vnpu::fw
