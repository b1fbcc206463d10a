// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/job_turn.h"

#include <utility>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"

namespace vnpu::fw {

using hw::JobStatus;

void JobTurn::begin(HeadJob& head, std::uint64_t keptBlocks) {
    port_.charge(kJobSetupCycles);
    head_ = &head;
    result_ = {};
    dispatcher_.start(head.job.context, head.job.slot.jobId, keptBlocks);
    phaseStart_ = readCycles(port_);
    head.progress.runStartCycle = phaseStart_;
    phase_ = head.progress.isSaved ? Phase::kSwitching : Phase::kExecuting;
}

void JobTurn::enter(Phase phase) {
    const std::uint64_t now = readCycles(port_);
    JobProgress& progress = head_->progress;
    if (phase_ == Phase::kExecuting) {
        progress.executedCycles += now - phaseStart_;
        progress.attemptCycles += now - phaseStart_;
    } else {
        progress.switchCycles += now - phaseStart_;
    }
    phaseStart_ = now;
    progress.runStartCycle = now;
    phase_ = phase;
}

Step JobTurn::stepOf(Stop stop) {
    switch (stop) {
        case Stop::kNone:
            return Step::goOn();
        case Stop::kEngineError:
            return Step::finish(readEngineError());
        case Stop::kPreempted:
            if (!head_->progress.isSaved) {
                return Step::leave(TurnEnd::kStopped);
            }
            // A context that is being restored is still complete in memory.
            dispatcher_.abort();
            (void)releaseFault();
            return Step::leave(TurnEnd::kPreempted);
        case Stop::kEngineHang:
            result_.failingEngine = dispatcher_.hungEngine();
            result_.failingCommand = dispatcher_.unfinishedCommand(result_.failingEngine);
            return Step::finish(JobStatus::kEngineHang);
        case Stop::kAborted:
        case Stop::kReset:
            break;
    }
    return Step::finish(JobStatus::kAborted);
}

Step JobTurn::stepOf(JobStatus status, std::uint32_t commandOffset) {
    if (status != JobStatus::kOk) {
        result_.failingCommand = commandOffset;
    }
    return Step::of(status);
}

Step JobTurn::giveUpSave(JobStatus why, std::uint32_t engine) {
    head_->progress.contextStatus = why;
    head_->progress.contextEngine = engine;
    result_.failingCommand = kNoCommand;
    log_.add(LogEvent::kSaveFailed, head_->job.ring, head_->job.slot.jobId);
    return Step::leave(TurnEnd::kStopped);
}

Step JobTurn::giveUpMove(JobStatus failure) {
    if (failure != JobStatus::kOk) {
        return giveUpSave(failure);
    }
    const JobStatus status = readEngineError();
    return giveUpSave(status, std::exchange(result_.failingEngine, kNoEngine));
}

void JobTurn::noteResumed() {
    port_.trace("resumed", head_->job.slot.jobId);
    log_.add(LogEvent::kJobResumed, head_->job.ring, head_->job.slot.jobId);
}

JobStatus JobTurn::readEngineError() {
    const std::uint32_t error = readRegister<regs::EngineError>(port_);
    const auto status = static_cast<JobStatus>(regs::EngineError::kStatus.get(error));
    result_.failingEngine = regs::EngineError::kEngine.get(error);
    result_.failingCommand = dispatcher_.unfinishedCommand(result_.failingEngine);
    // An interrupt without a reason is a fault of the device; the engines have stopped in either
    // case.
    return status == JobStatus::kOk ? JobStatus::kEngineHang : status;
}

std::uint64_t JobTurn::releaseFault() {
    if (regs::MmuFaultInfo::kValid.get(readRegister<regs::MmuFaultInfo>(port_)) == 0) {
        return 0;
    }
    const std::uint64_t low = readRegister<regs::MmuFaultAddressLo>(port_);
    const std::uint64_t high = readRegister<regs::MmuFaultAddressHi>(port_);
    writeRegister<regs::MmuFaultInfo>(port_, 0);
    return low | (high << 32);
}

}  // namespace vnpu::fw
