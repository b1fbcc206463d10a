// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/context_mover.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "firmware/core/cycle_costs.h"
#include "firmware/core/local_memory.h"
#include "firmware/core/register_io.h"

namespace vnpu::fw {
namespace {

/// No transfer is split below this. chosen: its bytes take ten times its latency on the shipped
/// configurations with the slowest memory, and about as long with the fastest.
constexpr std::uint64_t kLeastTransferBytes = 4096;

constexpr std::uint64_t roundUp(std::uint64_t bytes) {
    return (bytes + kSaveAlignment - 1) / kSaveAlignment * kSaveAlignment;
}

/// Where the live accumulators lie in the area: behind all ranges.
std::uint64_t accumulatorPlace(const hw::Checkpoint& checkpoint) {
    std::uint64_t place = sizeof(SaveArea);
    for (std::uint32_t i = 0; i < checkpoint.rangeCount; ++i) {
        place += roundUp(checkpoint.ranges[i].sizeBytes);
    }
    return place;
}

struct TransferCommand {
    hw::CommandHeader header;
    hw::DmaTransfer work;
};
static_assert(sizeof(TransferCommand) == sizeof(hw::CommandHeader) + sizeof(hw::DmaTransfer));

const std::byte* payloadOf(const TransferCommand& command) {
    return reinterpret_cast<const std::byte*>(&command.work);
}

}  // namespace

std::uint64_t contextBytes(const hw::Checkpoint& checkpoint, std::uint32_t dspStateBytes) {
    const std::uint64_t end = accumulatorPlace(checkpoint) + checkpoint.accumulatorBytes;
    return dspStateBytes == 0 ? end : roundUp(end) + dspStateBytes;
}

Stop ContextMover::save(const Job& job, const SaveArea& header) {
    const Stop stop = moveAll(job, header, Direction::kSave);
    if (stop != Stop::kNone) {
        return stop;
    }
    port_.charge(kSaveHeaderCycles);
    failure_ = writeValue(port_, job.context, job.slot.saveAddress, header);
    return failure_ == hw::JobStatus::kOk ? Stop::kNone : Stop::kEngineError;
}

hw::JobStatus ContextMover::readHeader(const Job& job, SaveArea& header) {
    port_.charge(kSaveHeaderCycles);
    return readValue(port_, job.context, job.slot.saveAddress, header);
}

Stop ContextMover::restore(const Job& job, const SaveArea& header,
                           const hw::ValidationLimits& limits) {
    const Stop stop = reload(job, header.checkpoint, limits);
    return stop != Stop::kNone ? stop : moveAll(job, header, Direction::kRestore);
}

// A range may hold bytes of a reload between its live ones: it comes behind all of them.
Stop ContextMover::reload(const Job& job, const hw::Checkpoint& checkpoint,
                          const hw::ValidationLimits& limits) {
    channel_ = 0;
    reloadedBytes_ = 0;
    for (std::uint32_t i = 0; i < checkpoint.reloadCount; ++i) {
        hw::DmaTransfer work{};
        failure_ = readTransfer(job, checkpoint.reloads[i], limits, work);
        const Stop stop = failure_ == hw::JobStatus::kOk ? push(work) : Stop::kEngineError;
        if (stop != Stop::kNone) {
            return stop;
        }
        reloadedBytes_ +=
                std::uint64_t{work.rowBytes} * work.counts[0] * work.counts[1] * work.counts[2];
    }
    return checkpoint.reloadCount == 0 ? Stop::kNone : dispatcher_.drain();
}

hw::JobStatus ContextMover::readTransfer(const Job& job, std::uint32_t offset,
                                         const hw::ValidationLimits& limits,
                                         hw::DmaTransfer& work) {
    TransferCommand command{};
    if (std::uint64_t{offset} + sizeof(command) > job.slot.commandBytes) {
        return hw::JobStatus::kTruncatedStream;
    }
    port_.charge(kBlockCycles);
    const hw::JobStatus read =
            readValue(port_, job.context, job.slot.commandAddress + offset, command);
    if (read != hw::JobStatus::kOk) {
        return read;
    }
    if (command.header.opcode != hw::Opcode::kDmaTransfer ||
        command.header.sizeBytes != sizeof(command) ||
        command.work.destination.space != hw::kSpaceSram) {
        return hw::JobStatus::kBadOpcode;
    }
    work = command.work;
    return hw::validateCommand({&command.header, payloadOf(command), offset}, limits);
}

Stop ContextMover::moveAll(const Job& job, const SaveArea& header, Direction direction) {
    failure_ = hw::JobStatus::kOk;
    if (contextBytes(header.checkpoint, header.dspStateBytes) > job.slot.saveBytes) {
        failure_ = hw::JobStatus::kOutOfRegion;
        return Stop::kEngineError;
    }
    const LocalRegion area{job.slot.saveAddress, job.slot.saveBytes};
    std::memcpy(port_.localMemory().data() + kSaveRegionOffset, &area, sizeof(area));
    writeRegister<regs::JobRegionTable>(port_, kSaveRegionOffset);
    channel_ = 0;
    Stop stop = moveRanges(header, direction);
    if (stop == Stop::kNone) {
        stop = dispatcher_.drain();
    }
    writeRegister<regs::JobRegionTable>(port_, kRegionTableOffset);
    return stop;
}

Stop ContextMover::moveRanges(const SaveArea& header, Direction direction) {
    const hw::Checkpoint& checkpoint = header.checkpoint;
    std::uint64_t place = sizeof(SaveArea);
    const auto move = [&](const hw::MemoryRef& onChip, std::uint64_t sizeBytes) {
        const Stop stop = moveRange(onChip, place, sizeBytes, direction);
        place += roundUp(sizeBytes);
        return stop;
    };
    for (std::uint32_t i = 0; i < checkpoint.rangeCount; ++i) {
        const hw::SramRange& range = checkpoint.ranges[i];
        const Stop stop = move({hw::kSpaceSram, 0, 0, range.offset}, range.sizeBytes);
        if (stop != Stop::kNone) {
            return stop;
        }
    }
    const Stop stop = move({hw::kSpaceAccumulators, 0, 0, checkpoint.accumulatorOffset},
                           checkpoint.accumulatorBytes);
    return stop != Stop::kNone ? stop : move({hw::kSpaceDspState, 0, 0, 0}, header.dspStateBytes);
}

// In as many parts as there are channels: each has an equal share of a long range.
Stop ContextMover::moveRange(const hw::MemoryRef& onChip, std::uint64_t areaOffset,
                             std::uint64_t sizeBytes, Direction direction) {
    const std::uint64_t part =
            std::max(kLeastTransferBytes,
                     roundUp((sizeBytes + hw::kDmaChannelCount - 1) / hw::kDmaChannelCount));
    for (std::uint64_t done = 0; done < sizeBytes; done += part) {
        hw::DmaTransfer work{};
        work.source = onChip;
        work.source.offset += done;
        work.destination.offset = areaOffset + done;
        if (direction == Direction::kRestore) {
            std::swap(work.source, work.destination);
        }
        work.rowBytes = static_cast<std::uint32_t>(std::min(part, sizeBytes - done));
        std::fill(std::begin(work.counts), std::end(work.counts), 1U);
        const Stop stop = push(work);
        if (stop != Stop::kNone) {
            return stop;
        }
    }
    return Stop::kNone;
}

Stop ContextMover::push(const hw::DmaTransfer& work) {
    port_.charge(kCommandCycles);
    TransferCommand command{};
    command.header.opcode = hw::Opcode::kDmaTransfer;
    command.header.sizeBytes = sizeof(command);
    command.header.engine = static_cast<hw::Engine>(channel_);
    command.header.operation = hw::kNoOperation;
    command.work = work;
    channel_ = (channel_ + 1) % hw::kDmaChannelCount;
    return dispatcher_.push({&command.header, payloadOf(command), JobResult::kNoCommand});
}

}  // namespace vnpu::fw
