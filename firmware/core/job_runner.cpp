// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/job_runner.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "firmware/api/save_area.h"
#include "firmware/core/cycle_costs.h"
#include "firmware/core/register_io.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::fw {
namespace {

using hw::JobStatus;

/// Whether [address, address + sizeBytes) is not empty and lies in the device's virtual address
/// space.
bool isVirtualRange(std::uint64_t address, std::uint64_t sizeBytes) {
    return sizeBytes != 0 && address < hw::kVirtualAddressLimit &&
           sizeBytes <= hw::kVirtualAddressLimit - address;
}

/// None, or room for the header at least; what a checkpoint needs is known when it comes.
bool isSaveAreaSane(const JobSlot& slot) {
    if (slot.saveAddress == 0) {
        return slot.saveBytes == 0;
    }
    return slot.saveAddress % kSaveAlignment == 0 && slot.saveBytes >= sizeof(SaveArea) &&
           isVirtualRange(slot.saveAddress, slot.saveBytes);
}

bool isSlotSane(const JobSlot& slot) {
    const std::uint64_t tableBytes = std::uint64_t{slot.regionCount} * sizeof(RegionEntry);
    return slot.jobId != 0 && slot.commandAddress % 8 == 0 && slot.commandBytes % 8 == 0 &&
           isVirtualRange(slot.commandAddress, slot.commandBytes) &&
           slot.regionTableAddress % 8 == 0 && slot.regionCount <= hw::kMaxRegions &&
           isVirtualRange(slot.regionTableAddress, tableBytes) && slot.flags == 0 &&
           slot.commandStreamVersion == hw::kCommandStreamVersion && isSaveAreaSane(slot) &&
           slot.level <= kMaxLevel && slot.reserved0 == 0 &&
           std::ranges::all_of(slot.reserved, [](std::uint64_t word) { return word == 0; });
}

bool isRegionSane(const RegionEntry& entry) {
    return isVirtualRange(entry.address, entry.sizeBytes) &&
           (entry.flags & ~kRegionWritable) == 0 && entry.reserved == 0;
}

}  // namespace

void JobRunner::readDeviceLimits() {
    constexpr std::uint64_t kKib = 1024;
    limits_.sramBytes = kKib * regs::ConfigSram::kKib.get(readRegister<regs::ConfigSram>(port_));
    limits_.accumulatorBytes =
            kKib * regs::ConfigAccumulator::kKib.get(readRegister<regs::ConfigAccumulator>(port_));
}

JobResult JobRunner::run(const Job& job) {
    port_.charge(kJobSetupCycles);
    result_ = {};
    context_ = job.context;
    loopTimeoutCycles_ = job.slot.loopTimeoutCycles;
    hasBegun_.reset();
    dispatcher_.start(job.context, job.slot.jobId);
    result_.startCycle = readCycles(port_);

    JobStatus status = job.slotStatus;
    if (status == JobStatus::kOk && !isSlotSane(job.slot)) {
        status = JobStatus::kBadJob;
    }
    if (status == JobStatus::kOk) {
        status = readRegions(job);
    }
    if (status == JobStatus::kOk) {
        status = runStream(job);
    }
    if (status != JobStatus::kOk) {
        dispatcher_.abort();
        result_.faultAddress = releaseFault();
    }
    if (status == JobStatus::kMmuFault) {
        writeRegister<regs::IrqRaise>(port_, regs::IrqStatus::kFault.mask());
    } else {
        result_.faultAddress = 0;
    }
    result_.status = status;
    result_.endCycle = readCycles(port_);
    return result_;
}

JobStatus JobRunner::readRegions(const Job& job) {
    const std::uint32_t count = job.slot.regionCount;
    std::array<RegionEntry, hw::kMaxRegions> entries{};
    const auto bytes = std::as_writable_bytes(std::span(entries).first(count));
    const JobStatus status = port_.readMemory(context_, job.slot.regionTableAddress, bytes);
    if (status != JobStatus::kOk) {
        return status;
    }
    std::byte* table = port_.localMemory().data() + kRegionTableOffset;
    std::memset(table, 0, kRegionTableBytes);
    for (std::uint32_t i = 0; i < count; ++i) {
        port_.charge(kRegionCycles);
        const RegionEntry& entry = entries[i];
        if (!isRegionSane(entry)) {
            return JobStatus::kBadJob;
        }
        const bool isWritable = (entry.flags & kRegionWritable) != 0;
        const LocalRegion local{entry.address | (isWritable ? 0 : hw::kRegionReadOnly),
                                entry.sizeBytes};
        std::memcpy(table + i * sizeof(local), &local, sizeof(local));
        regionAddresses_[i] = entry.address;
        regionBytes_[i] = entry.sizeBytes;
        regionWritable_[i] = isWritable ? 1 : 0;
    }
    limits_.regionBytes = std::span(regionBytes_).first(count);
    limits_.regionWritable = std::span(regionWritable_).first(count);
    return JobStatus::kOk;
}

JobStatus JobRunner::runStream(const Job& job) {
    fetcher_.start({context_, job.slot.commandAddress, job.slot.commandBytes});
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
    JobStatus status = hw::validateCommand(command, limits_);
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
    ++result_.commandCount;
    if (command.header->engine != hw::Engine::kController) {
        return statusOf(dispatcher_.push(command));
    }
    return runControl(command, isEnd);
}

JobStatus JobRunner::runControl(const hw::CommandView& command, bool& isEnd) {
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
            return JobStatus::kOk;  // kNop, and kCheckpoint, which is counted only
    }
}

JobStatus JobRunner::writeTimestamp(const hw::CommandView& command) {
    const hw::MemoryRef destination = command.as<hw::Timestamp>().destination;
    const std::uint64_t cycles = readCycles(port_);
    const JobStatus status = writeValue(
            port_, context_, regionAddresses_[destination.space] + destination.offset, cycles);
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
    hasBegun_.set(work.loop);
    loopStarts_[work.loop] = readCycles(port_);
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
    if (!hasBegun_[work.loop]) {
        return JobStatus::kBadOperand;
    }
    const bool isLate = loopTimeoutCycles_ != 0 &&
                        readCycles(port_) - loopStarts_[work.loop] > loopTimeoutCycles_;
    return isLate ? JobStatus::kLoopTimeout : JobStatus::kOk;
}

JobStatus JobRunner::readCondition(const hw::Branch& work, bool& holds) {
    if ((work.flags & hw::kBranchAlways) != 0) {
        holds = true;
        return JobStatus::kOk;
    }
    std::uint8_t value = 0;
    const hw::MemoryRef& at = work.condition;
    const JobStatus status =
            readValue(port_, context_, regionAddresses_[at.space] + at.offset, value);
    holds = (value != 0) != ((work.flags & hw::kBranchIfFalse) != 0);
    return status;
}

JobStatus JobRunner::statusOf(Stop stop) {
    switch (stop) {
        case Stop::kNone:
            return JobStatus::kOk;
        case Stop::kEngineError:
            return readEngineError();
        case Stop::kAborted:
        case Stop::kReset:
            break;
    }
    return JobStatus::kAborted;
}

JobStatus JobRunner::readEngineError() {
    const std::uint32_t error = readRegister<regs::EngineError>(port_);
    const auto status = static_cast<JobStatus>(regs::EngineError::kStatus.get(error));
    result_.failingCommand = dispatcher_.unfinishedCommand(regs::EngineError::kEngine.get(error));
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
