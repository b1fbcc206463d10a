// SPDX-License-Identifier: Apache-2.0
// The control commands of a stream.
#include "firmware/core/jobs/job_runner.h"

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"

namespace vnpu::fw {

using hw::JobStatus;

JobStatus JobRunner::writeTimestamp(const hw::CommandView& command) {
    const hw::MemoryRef destination = command.as<hw::Timestamp>().destination;
    const std::uint64_t cycles = readCycles(port_);
    const JobStatus status =
            writeValue(port_, head_->job.context, regions_.addressOf(destination), cycles);
    if (status != JobStatus::kOk) {
        result_.failingCommand = static_cast<std::uint32_t>(command.offset);
    }
    return status;
}

JobStatus JobRunner::startSegment() {
    port_.charge(kSegmentCycles);
    return statusOf(dispatcher_.restart());
}

JobStatus JobRunner::startLoop(const hw::Loop& work) {
    const JobStatus status = startSegment();
    if (status != JobStatus::kOk) {
        return status;
    }
    port_.charge(kLoopCycles);
    loops_.begin(work.loop, readCycles(port_));
    return JobStatus::kOk;
}

JobStatus JobRunner::runBranch(const hw::CommandView& command) {
    // The command lies in the fetch buffer, which seek() may overwrite.
    const auto work = command.as<hw::Branch>();
    const auto offset = static_cast<std::uint32_t>(command.offset);
    JobStatus status = startSegment();
    if (status == JobStatus::kOk) {
        status = statusOf(dispatcher_.service());
    }
    if (status != JobStatus::kOk) {
        return status;  // not of this command
    }
    port_.charge(kBranchCycles);
    bool holds = true;
    status = checkLoop(work);
    if (status == JobStatus::kOk) {
        status = readCondition(work, holds);
    }
    if (status == JobStatus::kOk && holds && !fetcher_.seek(work.target)) {
        status = JobStatus::kTruncatedStream;
    }
    if (status != JobStatus::kOk) {
        result_.failingCommand = offset;
    }
    return status;
}

JobStatus JobRunner::checkLoop(const hw::Branch& work) {
    if ((work.flags & hw::kBranchLoops) == 0) {
        return JobStatus::kOk;
    }
    if (!loops_.hasBegun(work.loop)) {
        return JobStatus::kBadOperand;
    }
    const std::uint64_t limit = head_->job.slot.loopTimeoutCycles;
    const bool isLate = limit != 0 && loops_.cyclesOf(work.loop, readCycles(port_)) > limit;
    return isLate ? JobStatus::kLoopTimeout : JobStatus::kOk;
}

JobStatus JobRunner::readCondition(const hw::Branch& work, bool& holds) {
    if ((work.flags & hw::kBranchAlways) != 0) {
        holds = true;
        return JobStatus::kOk;
    }
    std::uint8_t value = 0;
    const JobStatus status =
            readValue(port_, head_->job.context, regions_.addressOf(work.condition), value);
    holds = (value != 0) != ((work.flags & hw::kBranchIfFalse) != 0);
    return status;
}

}  // namespace vnpu::fw
