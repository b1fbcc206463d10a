// SPDX-License-Identifier: Apache-2.0
// What a preempted job leaves behind, and how it goes on.
#include "firmware/core/jobs/job_runner.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"
#include "firmware/core/jobs/job_checks.h"

namespace vnpu::fw {

using hw::JobStatus;

JobStatus JobRunner::runCheckpoint(const hw::CommandView& command) {
    const auto checkpoint = command.as<hw::Checkpoint>();
    const bool wasReached = dispatcher_.isReached(*command.header);
    const Stop stop = dispatcher_.waitForTokens(*command.header);
    if (stop != Stop::kNone) {
        return statusOf(stop);
    }
    if (!scheduler_.isPreemptive()) {
        return JobStatus::kOk;
    }
    port_.charge(kCheckpointCycles);
    head_->progress.contextBytes = contextBytes(checkpoint, 0);
    head_->progress.reloadBytes = checkpoint.reloadBytes;
    // When exactly the waits were reached is not known where they were before anyone looked: behind
    // the last checkpoint.
    const std::uint64_t now = readCycles(port_);
    if (checkpoint.holdCycles != 0) {
        holdEnd_ = (wasReached ? passedCycle_ : now) + checkpoint.holdCycles;
    }
    const JobStatus status = stayAt(checkpoint, scheduler_.forcesSave(checkpoint));
    passedCycle_ = std::max(now, std::exchange(holdEnd_, 0));
    return status;
}

JobStatus JobRunner::stayAt(const hw::Checkpoint& checkpoint, bool isForced) {
    const auto isWanted = [&] { return isForced || scheduler_.wantsSave(checkpoint); };
    while (true) {
        while (!isWanted()) {
            if (!scheduler_.mayWantSave(checkpoint)) {
                return JobStatus::kOk;
            }
            const bool isDspBusy = dispatcher_.isDspBusy();
            if (!isDspBusy && (holdEnd_ == 0 || readCycles(port_) >= holdEnd_)) {
                return JobStatus::kOk;
            }
            const JobStatus status = statusOf(isDspBusy ? dispatcher_.waitForDsp()
                                                        : dispatcher_.waitUntil(holdEnd_));
            if (status != JobStatus::kOk) {
                return status;
            }
        }
        const JobStatus status = statusOf(dispatcher_.settle());
        if (status != JobStatus::kOk) {
            return status;
        }
        if (isWanted()) {
            return save(checkpoint, isForced);
        }
        // The wish has gone while the engines came to their end.
        dispatcher_.continueDsp();
    }
}

/// For the sake of one other job, what that does not use is kept on the chip.
JobStatus JobRunner::save(const hw::Checkpoint& checkpoint, bool isForced) {
    stopRunning();
    isRunning_ = false;
    const Dispatcher::StoppedOperator stopped = dispatcher_.stoppedOperator();
    SaveArea area{};
    area.magic = kSaveMagic;
    area.nextCommand = fetcher_.offset();
    area.jobId = head_->job.slot.jobId;
    area.checkpoint = checkpoint;
    dispatcher_.copyTokens(area.tokens);
    loops_.save(area, phaseStart_);
    area.dspCommand = stopped.command;
    area.dspStateBytes = stopped.command == kNoDspCommand ? 0 : dspStateBytes_;
    area.dspDoneCycles = stopped.doneCycles;
    area.dspDoneBytes = stopped.doneBytes;
    JobProgress& progress = head_->progress;
    const std::uint64_t blocks = isForced ? hw::kAllSramBlocks : scheduler_.wantedBlocks();
    const Stop stop = mover_.save(head_->job, area, blocks, regions_.limits(), progress.kept);
    if (stop == Stop::kNone) {
        progress.isSaved = true;
        ++progress.preemptions;
    }
    return leaveSaved(stop);
}

/// Ends the turn behind a save.
JobStatus JobRunner::leaveSaved(Stop stop) {
    if (stop == Stop::kEngineError) {
        return giveUpMove();
    }
    if (stop != Stop::kNone) {
        return statusOf(stop);
    }
    head_->progress.savedBytes += mover_.savedBytes();
    return leave(TurnEnd::kPreempted);
}

/// A context did not get through between chip and memory.
JobStatus JobRunner::giveUpMove() {
    if (mover_.failure() != JobStatus::kOk) {
        return giveUpSave(mover_.failure());
    }
    const JobStatus status = readEngineError();
    return giveUpSave(status, std::exchange(result_.failingEngine, kNoEngine));
}

JobStatus JobRunner::giveUpSave(JobStatus why, std::uint32_t engine) {
    head_->progress.contextStatus = why;
    head_->progress.contextEngine = engine;
    result_.failingCommand = kNoCommand;
    log_.add(LogEvent::kSaveFailed, head_->job.ring, head_->job.slot.jobId);
    return leave(TurnEnd::kStopped);
}

/// Nothing that stands in the save area is believed: the driver can write there.
JobStatus JobRunner::resume() {
    SaveArea area{};
    if (const JobStatus read = mover_.readHeader(head_->job, area); read != JobStatus::kOk) {
        return giveUpSave(read);
    }
    if (area.magic != kSaveMagic || area.jobId != head_->job.slot.jobId ||
        !areTokensSane(area, head_->progress) || !isDspStateSane(area, dspStateBytes_) ||
        findCheckpoint(area) != JobStatus::kOk) {
        return giveUpSave(JobStatus::kBadOperand);
    }
    const Stop stop = mover_.restore(head_->job, area, regions_.limits(), head_->progress.kept);
    if (stop == Stop::kEngineError) {
        return giveUpMove();
    }
    if (stop != Stop::kNone) {
        return statusOf(stop);
    }
    dispatcher_.loadTokens(area.tokens);
    const JobStatus status = resumeDsp(area);
    if (status != JobStatus::kOk) {
        return end_ == TurnEnd::kDone ? giveUpSave(status) : status;
    }
    stopRunning();
    passedCycle_ = phaseStart_;
    isRunning_ = true;
    head_->progress.isSaved = false;
    head_->progress.kept = {};
    head_->progress.reloadedBytes += mover_.reloadedBytes();
    loops_.restore(area, phaseStart_);
    port_.trace("resumed", area.jobId);
    log_.add(LogEvent::kJobResumed, head_->job.ring, area.jobId);
    return stayAt(area.checkpoint, false);
}

/// Starts the operator that was half done; then the stream goes on behind the checkpoint.
JobStatus JobRunner::resumeDsp(const SaveArea& area) {
    if (area.dspCommand == kNoDspCommand) {
        return JobStatus::kOk;
    }
    hw::CommandView command;
    if (area.dspCommand % 8 != 0 || !fetcher_.seek(area.dspCommand) ||
        fetcher_.next(command) != JobStatus::kOk ||
        hw::validateCommand(command, regions_.limits()) != JobStatus::kOk ||
        command.header->opcode != hw::Opcode::kDspOperator ||
        dispatcher_.checkWaits(*command.header) != JobStatus::kOk) {
        return JobStatus::kBadOpcode;
    }
    dispatcher_.loadDspProgress({area.dspCommand, area.dspDoneCycles, area.dspDoneBytes});
    const JobStatus status = statusOf(dispatcher_.push(command));
    return status == JobStatus::kOk && !fetcher_.seek(area.nextCommand)
                   ? JobStatus::kTruncatedStream
                   : status;
}

/// Goes on behind the checkpoint, if the stream has there what was saved.
JobStatus JobRunner::findCheckpoint(const SaveArea& area) {
    constexpr std::uint32_t kBytes = sizeof(hw::CommandHeader) + sizeof(hw::Checkpoint);
    if (area.nextCommand < kBytes || area.nextCommand % 8 != 0 ||
        !fetcher_.seek(area.nextCommand - kBytes)) {
        return JobStatus::kTruncatedStream;
    }
    hw::CommandView command;
    JobStatus status = fetcher_.next(command);
    if (status == JobStatus::kOk) {
        status = hw::validateCommand(command, regions_.limits());
    }
    if (status != JobStatus::kOk || command.header->opcode != hw::Opcode::kCheckpoint) {
        return JobStatus::kBadOpcode;
    }
    const auto checkpoint = command.as<hw::Checkpoint>();
    return std::memcmp(&checkpoint, &area.checkpoint, sizeof(checkpoint)) == 0
                   ? JobStatus::kOk
                   : JobStatus::kBadOperand;
}

}  // namespace vnpu::fw
