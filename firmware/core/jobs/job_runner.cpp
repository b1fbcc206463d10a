// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/job_runner.h"

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"
#include "firmware/core/jobs/job_checks.h"

namespace vnpu::fw {

using hw::JobStatus;

void JobRunner::readDeviceLimits() {
    regions_.readDeviceLimits();
    mover_.setSramBytes(regions_.limits().sramBytes);
    dspStateBytes_ = regs::ConfigDspState::kBytes.get(readRegister<regs::ConfigDspState>(port_));
}

TurnEnd JobRunner::run(HeadJob& head) {
    beginTurn(head);
    JobProgress& progress = head.progress;
    if (!progress.hasStarted) {
        progress.hasStarted = true;
        progress.startCycle = phaseStart_;
    }
    JobStatus status = prepare();
    if (status == JobStatus::kOk) {
        status = runStream();
    }
    return endTurn(status);
}

TurnEnd JobRunner::saveKept(HeadJob& head, std::uint64_t blocks) {
    beginTurn(head);
    const Stop stop = mover_.saveKept(head.job, blocks, head.progress.kept);
    return endTurn(leaveSaved(stop));
}

void JobRunner::beginTurn(HeadJob& head) {
    port_.charge(kJobSetupCycles);
    head_ = &head;
    end_ = TurnEnd::kDone;
    result_ = {};
    loops_.reset();
    dispatcher_.start(head.job.context, head.job.slot.jobId, rings_.keptBlocks());
    phaseStart_ = readCycles(port_);
    passedCycle_ = phaseStart_;
    holdEnd_ = 0;
    head.progress.runStartCycle = phaseStart_;
    isRunning_ = !head.progress.isSaved;
}

TurnEnd JobRunner::endTurn(JobStatus status) {
    stopRunning();
    switch (end_) {
        case TurnEnd::kDone:
            finish(status);
            break;
        case TurnEnd::kPreempted:
            break;
        case TurnEnd::kStopped:
            discard();
            break;
    }
    return end_;
}

JobStatus JobRunner::prepare() {
    const Job& job = head_->job;
    JobStatus status = job.slotStatus;
    if (status == JobStatus::kOk && !isSlotSane(job.slot)) {
        status = JobStatus::kBadJob;
    }
    if (status == JobStatus::kOk) {
        status = regions_.load(job);
    }
    if (status != JobStatus::kOk) {
        return status;
    }
    fetcher_.start({job.context, job.slot.commandAddress, job.slot.commandBytes});
    return head_->progress.isSaved ? resume() : JobStatus::kOk;
}

/// The time since the last call belongs to the job or, while its context moves, to the switch.
void JobRunner::stopRunning() {
    const std::uint64_t now = readCycles(port_);
    JobProgress& progress = head_->progress;
    if (isRunning_) {
        progress.executedCycles += now - phaseStart_;
        progress.attemptCycles += now - phaseStart_;
    } else {
        progress.switchCycles += now - phaseStart_;
    }
    phaseStart_ = now;
    progress.runStartCycle = now;
}

/// What the job has done is lost: it begins from the start.
void JobRunner::discard() {
    dispatcher_.abort();
    (void)releaseFault();
    JobProgress& progress = head_->progress;
    progress.isSaved = false;
    progress.kept = {};
    progress.wastedCycles += progress.attemptCycles;
    progress.attemptCycles = 0;
    ++progress.restarts;
}

void JobRunner::finish(JobStatus status) {
    if (status == JobStatus::kEngineHang) {
        dumper_.writeHang(head_->job.ring, result_.failingEngine);
    }
    if (status != JobStatus::kOk) {
        dispatcher_.abort();
        const bool isBusy = regs::Status::kBusy.get(readRegister<regs::Status>(port_)) != 0;
        result_.isDeviceStuck = isBusy;
        result_.faultAddress = releaseFault();
    }
    if (status == JobStatus::kMmuFault) {
        writeRegister<regs::IrqRaise>(port_, regs::IrqStatus::kFault.mask());
    } else {
        result_.faultAddress = 0;
    }
    result_.status = status;
    result_.endCycle = phaseStart_;
}

JobStatus JobRunner::runStream() {
    bool isEnd = false;
    for (std::uint32_t count = 1; !isEnd; ++count) {
        hw::CommandView command;
        const std::uint32_t offset = fetcher_.offset();
        JobStatus status = fetcher_.next(command);
        if (status != JobStatus::kOk) {
            result_.failingCommand = offset;
            return status;
        }
        port_.charge(kCommandCycles);
        status = runCommand(command, isEnd);
        if (status == JobStatus::kOk && count % kCommandsPerPoll == 0) {
            status = statusOf(dispatcher_.service());
        }
        if (status != JobStatus::kOk) {
            return status;
        }
    }
    return JobStatus::kOk;
}

JobStatus JobRunner::runCommand(const hw::CommandView& command, bool& isEnd) {
    JobStatus status = hw::validateCommand(command, regions_.limits());
    if (status == JobStatus::kOk) {
        status = dispatcher_.checkWaits(*command.header);
    }
    if (status == JobStatus::kOk && command.header->opcode == hw::Opcode::kEnd &&
        !fetcher_.isAtEnd()) {
        status = JobStatus::kBadCommandSize;  // the slot and the stream disagree about its length
    }
    if (status != JobStatus::kOk) {
        result_.failingCommand = static_cast<std::uint32_t>(command.offset);
        return status;
    }
    ++head_->progress.commandCount;
    if (command.header->engine != hw::Engine::kController) {
        return statusOf(dispatcher_.push(command));
    }
    return runControl(command, isEnd);
}

JobStatus JobRunner::runControl(const hw::CommandView& command, bool& isEnd) {
    if (command.header->opcode == hw::Opcode::kCheckpoint) {
        return runCheckpoint(command);
    }
    const Stop stop = dispatcher_.waitForTokens(*command.header);
    if (stop != Stop::kNone) {
        return statusOf(stop);
    }
    switch (command.header->opcode) {
        case hw::Opcode::kEnd:
            isEnd = true;
            return statusOf(dispatcher_.drain());
        case hw::Opcode::kBarrier:
            return statusOf(dispatcher_.drain());
        case hw::Opcode::kTimestamp:
            return writeTimestamp(command);
        case hw::Opcode::kSegment:
            return startSegment();
        case hw::Opcode::kLoop:
            return startLoop(command.as<hw::Loop>());
        case hw::Opcode::kBranch:
            return runBranch(command);
        default:
            return JobStatus::kOk;  // kNop
    }
}

JobStatus JobRunner::statusOf(Stop stop) {
    switch (stop) {
        case Stop::kNone:
            return JobStatus::kOk;
        case Stop::kEngineError:
            return readEngineError();
        case Stop::kPreempted:
            if (!head_->progress.isSaved) {
                return leave(TurnEnd::kStopped);
            }
            // A context that is on its way back is still whole in memory.
            dispatcher_.abort();
            (void)releaseFault();
            return leave(TurnEnd::kPreempted);
        case Stop::kEngineHang:
            result_.failingEngine = dispatcher_.hungEngine();
            result_.failingCommand = dispatcher_.unfinishedCommand(result_.failingEngine);
            return JobStatus::kEngineHang;
        case Stop::kAborted:
        case Stop::kReset:
            break;
    }
    return JobStatus::kAborted;
}

/// Ends the turn; the status is only to get out.
JobStatus JobRunner::leave(TurnEnd end) {
    end_ = end;
    return JobStatus::kAborted;
}

JobStatus JobRunner::readEngineError() {
    const std::uint32_t error = readRegister<regs::EngineError>(port_);
    const auto status = static_cast<JobStatus>(regs::EngineError::kStatus.get(error));
    result_.failingEngine = regs::EngineError::kEngine.get(error);
    result_.failingCommand = dispatcher_.unfinishedCommand(result_.failingEngine);
    // The interrupt without a reason would be a fault of the device: the engines stand still all
    // the same.
    return status == JobStatus::kOk ? JobStatus::kEngineHang : status;
}

/// A job that failed for another reason may have faulted too: its record must not be taken for the
/// next job's.
std::uint64_t JobRunner::releaseFault() {
    if (regs::MmuFaultInfo::kValid.get(readRegister<regs::MmuFaultInfo>(port_)) == 0) {
        return 0;
    }
    const std::uint64_t low = readRegister<regs::MmuFaultAddressLo>(port_);
    const std::uint64_t high = readRegister<regs::MmuFaultAddressHi>(port_);
    writeRegister<regs::MmuFaultInfo>(port_, 0);
    return low | (high << 32);
}

}  // namespace vnpu::fw
