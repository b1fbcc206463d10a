// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/stream_runner.h"

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"
#include "hw_model/regs/operand_checks.h"

namespace vnpu::fw {

using hw::JobStatus;

Step StreamRunner::run() {
    for (std::uint32_t count = 1;; ++count) {
        hw::CommandView command;
        const std::uint32_t offset = parts_.fetcher.offset();
        VNPU_TRY(parts_.turn.stepOf(parts_.fetcher.next(command), offset));
        parts_.port.charge(kCommandCycles);
        const bool isEnd = command.header->opcode == hw::Opcode::kEnd;
        VNPU_TRY(runCommand(command));
        if (count % kCommandsPerPoll == 0) {
            VNPU_TRY(parts_.turn.stepOf(parts_.dispatcher.service()));
        }
        if (isEnd) {
            return Step::finish(JobStatus::kOk);
        }
    }
}

JobStatus StreamRunner::check(const hw::CommandView& command) const {
    VNPU_TRY(hw::validateCommand(command, parts_.regions.limits()));
    VNPU_TRY(parts_.dispatcher.checkWaits(*command.header));
    // The slot and the stream may disagree about its length.
    const bool isEarlyEnd = command.header->opcode == hw::Opcode::kEnd && !parts_.fetcher.isAtEnd();
    return isEarlyEnd ? JobStatus::kBadCommandSize : JobStatus::kOk;
}

Step StreamRunner::runCommand(const hw::CommandView& command) {
    VNPU_TRY(parts_.turn.stepOf(check(command), static_cast<std::uint32_t>(command.offset)));
    ++parts_.turn.progress().commandCount;
    if (command.header->engine != hw::Engine::kController) {
        return parts_.turn.stepOf(parts_.dispatcher.push(command));
    }
    return runControl(command);
}

Step StreamRunner::runControl(const hw::CommandView& command) {
    if (command.header->opcode == hw::Opcode::kCheckpoint) {
        return checkpoints_.visit(command);
    }
    VNPU_TRY(parts_.turn.stepOf(parts_.dispatcher.waitForTokens(*command.header)));
    switch (command.header->opcode) {
        case hw::Opcode::kEnd:
        case hw::Opcode::kBarrier:
            return parts_.turn.stepOf(parts_.dispatcher.drain());
        case hw::Opcode::kTimestamp:
            return writeTimestamp(command);
        case hw::Opcode::kSegment:
            return startSegment();
        case hw::Opcode::kLoop:
            return startLoop(command.as<hw::Loop>());
        case hw::Opcode::kBranch:
            return runBranch(command);
        default:
            return Step::goOn();  // kNop
    }
}

Step StreamRunner::writeTimestamp(const hw::CommandView& command) {
    const hw::MemoryRef destination = command.as<hw::Timestamp>().destination;
    const std::uint64_t cycles = readCycles(parts_.port);
    const JobStatus status = writeValue(parts_.port, parts_.turn.job().context,
                                        parts_.regions.addressOf(destination), cycles);
    return parts_.turn.stepOf(status, static_cast<std::uint32_t>(command.offset));
}

Step StreamRunner::startSegment() {
    parts_.port.charge(kSegmentCycles);
    return parts_.turn.stepOf(parts_.dispatcher.restart());
}

Step StreamRunner::startLoop(const hw::Loop& work) {
    VNPU_TRY(startSegment());
    parts_.port.charge(kLoopCycles);
    parts_.loops.begin(work.loop, readCycles(parts_.port));
    return Step::goOn();
}

Step StreamRunner::runBranch(const hw::CommandView& command) {
    // The command lies in the fetch buffer, which seek() may overwrite.
    const auto work = command.as<hw::Branch>();
    const auto offset = static_cast<std::uint32_t>(command.offset);
    VNPU_TRY(startSegment());
    VNPU_TRY(parts_.turn.stepOf(parts_.dispatcher.service()));
    parts_.port.charge(kBranchCycles);
    return parts_.turn.stepOf(branch(work), offset);
}

JobStatus StreamRunner::branch(const hw::Branch& work) {
    bool holds = true;
    VNPU_TRY(checkLoop(work));
    VNPU_TRY(readCondition(work, holds));
    return holds && !parts_.fetcher.seek(work.target) ? JobStatus::kTruncatedStream
                                                      : JobStatus::kOk;
}

JobStatus StreamRunner::checkLoop(const hw::Branch& work) const {
    if ((work.flags & hw::kBranchLoops) == 0) {
        return JobStatus::kOk;
    }
    if (!parts_.loops.hasBegun(work.loop)) {
        return JobStatus::kBadOperand;
    }
    const std::uint64_t limit = parts_.turn.job().slot.loopTimeoutCycles;
    const bool isLate =
            limit != 0 && parts_.loops.cyclesOf(work.loop, readCycles(parts_.port)) > limit;
    return isLate ? JobStatus::kLoopTimeout : JobStatus::kOk;
}

JobStatus StreamRunner::readCondition(const hw::Branch& work, bool& holds) const {
    if ((work.flags & hw::kBranchAlways) != 0) {
        holds = true;
        return JobStatus::kOk;
    }
    std::uint8_t value = 0;
    const JobStatus status = readValue(parts_.port, parts_.turn.job().context,
                                       parts_.regions.addressOf(work.condition), value);
    holds = (value != 0) != ((work.flags & hw::kBranchIfFalse) != 0);
    return status;
}

}  // namespace vnpu::fw
