// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/job_resumer.h"

#include <cstring>

#include "firmware/core/jobs/job_checks.h"

namespace vnpu::fw {

using hw::JobStatus;

Step JobResumer::resume() {
    JobTurn& turn = parts_.turn;
    SaveArea area{};
    if (const JobStatus read = parts_.mover.readHeader(turn.job(), area); read != JobStatus::kOk) {
        return turn.giveUpSave(read);
    }
    if (!matches(area)) {
        return turn.giveUpSave(JobStatus::kBadOperand);
    }
    JobProgress& progress = turn.progress();
    const Stop stop =
            parts_.mover.restore(turn.job(), area, parts_.regions.limits(), progress.kept);
    if (stop == Stop::kEngineError) {
        return turn.giveUpMove(parts_.mover.failure());
    }
    VNPU_TRY(turn.stepOf(stop));
    parts_.dispatcher.loadTokens(area.tokens);
    if (const Step step = resumeDsp(area); step.end) {
        return step.end == TurnEnd::kDone ? turn.giveUpSave(step.status) : step;
    }
    turn.enter(JobTurn::Phase::kExecuting);
    checkpoints_.begin();
    progress.isSaved = false;
    progress.kept = {};
    progress.reloadedBytes += parts_.mover.reloadedBytes();
    parts_.loops.restore(area, turn.phaseStart());
    turn.noteResumed();
    return checkpoints_.stayAt(area.checkpoint, false);
}

bool JobResumer::matches(const SaveArea& area) {
    return area.magic == kSaveMagic && area.jobId == parts_.turn.job().slot.jobId &&
           areTokensSane(area, parts_.turn.progress()) &&
           isDspStateSane(area, parts_.mover.dspStateBytes()) &&
           findCheckpoint(area) == JobStatus::kOk;
}

/// Moves the fetcher to the command after the checkpoint, if the stream contains that checkpoint.
JobStatus JobResumer::findCheckpoint(const SaveArea& area) {
    constexpr std::uint32_t kBytes = sizeof(hw::CommandHeader) + sizeof(hw::Checkpoint);
    if (area.nextCommand < kBytes || area.nextCommand % 8 != 0 ||
        !parts_.fetcher.seek(area.nextCommand - kBytes)) {
        return JobStatus::kTruncatedStream;
    }
    hw::CommandView command;
    JobStatus status = parts_.fetcher.next(command);
    if (status == JobStatus::kOk) {
        status = hw::validateCommand(command, parts_.regions.limits());
    }
    if (status != JobStatus::kOk || command.header->opcode != hw::Opcode::kCheckpoint) {
        return JobStatus::kBadOpcode;
    }
    const auto checkpoint = command.as<hw::Checkpoint>();
    return std::memcmp(&checkpoint, &area.checkpoint, sizeof(checkpoint)) == 0
                   ? JobStatus::kOk
                   : JobStatus::kBadOperand;
}

/// Starts the unfinished operator again; then the stream continues after the checkpoint.
Step JobResumer::resumeDsp(const SaveArea& area) {
    if (area.dspCommand == kNoDspCommand) {
        return Step::goOn();
    }
    hw::CommandView command;
    if (area.dspCommand % 8 != 0 || !parts_.fetcher.seek(area.dspCommand) ||
        parts_.fetcher.next(command) != JobStatus::kOk ||
        hw::validateCommand(command, parts_.regions.limits()) != JobStatus::kOk ||
        command.header->opcode != hw::Opcode::kDspOperator ||
        parts_.dispatcher.checkWaits(*command.header) != JobStatus::kOk) {
        return Step::finish(JobStatus::kBadOpcode);
    }
    parts_.dispatcher.loadDspProgress({area.dspCommand, area.dspDoneCycles, area.dspDoneBytes});
    VNPU_TRY(parts_.turn.stepOf(parts_.dispatcher.push(command)));
    return parts_.fetcher.seek(area.nextCommand) ? Step::goOn()
                                                 : Step::finish(JobStatus::kTruncatedStream);
}

}  // namespace vnpu::fw
