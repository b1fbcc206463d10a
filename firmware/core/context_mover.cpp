// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/context_mover.h"

#include <algorithm>
#include <cstring>

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

Stop ContextMover::restore(const Job& job, const SaveArea& header) {
    return moveAll(job, header, Direction::kRestore);
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
        hw::MemoryRef chip = onChip;
        chip.offset += done;
        const hw::MemoryRef area{0, 0, 0, areaOffset + done};
        const auto bytes = static_cast<std::uint32_t>(std::min(part, sizeBytes - done));
        const Stop stop = direction == Direction::kSave ? pushTransfer(chip, area, bytes)
                                                        : pushTransfer(area, chip, bytes);
        if (stop != Stop::kNone) {
            return stop;
        }
    }
    return Stop::kNone;
}

Stop ContextMover::pushTransfer(const hw::MemoryRef& from, const hw::MemoryRef& to,
                                std::uint32_t sizeBytes) {
    port_.charge(kCommandCycles);
    TransferCommand command{};
    command.header.opcode = hw::Opcode::kDmaTransfer;
    command.header.sizeBytes = sizeof(command);
    command.header.engine = static_cast<hw::Engine>(channel_);
    command.header.operation = hw::kNoOperation;
    command.work.source = from;
    command.work.destination = to;
    command.work.rowBytes = sizeBytes;
    std::fill(std::begin(command.work.counts), std::end(command.work.counts), 1U);
    channel_ = (channel_ + 1) % hw::kDmaChannelCount;
    return dispatcher_.push({&command.header, reinterpret_cast<const std::byte*>(&command.work),
                             JobResult::kNoCommand});
}

}  // namespace vnpu::fw
