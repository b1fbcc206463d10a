// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/context_mover.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/local_memory.h"
#include "firmware/core/base/register_io.h"
#include "hw_model/regs/operand_checks.h"
#include "hw_model/regs/row_extent.h"

namespace vnpu::fw {
namespace {

/// The smallest part of a split transfer. chosen: on the shipped configurations its bytes take ten
/// times the latency of the slowest memory, and about the latency of the fastest.
constexpr std::uint64_t kLeastTransferBytes = 4096;

constexpr std::uint64_t roundUp(std::uint64_t bytes) {
    return (bytes + kSaveAlignment - 1) / kSaveAlignment * kSaveAlignment;
}

/// The offset of the live accumulators in the area: after all ranges.
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

/// `blocks` extended by all blocks of each reload that writes to any of them.
std::uint64_t closeOverReloads(const KeptContext& kept, std::uint64_t blocks) {
    for (std::uint64_t before = 0; before != blocks;) {
        before = blocks;
        for (const std::uint64_t written : kept.reloadBlocks) {
            blocks |= (written & blocks) != 0 ? written : 0;
        }
    }
    return blocks;
}

}  // namespace

std::uint64_t contextBytes(const hw::Checkpoint& checkpoint, std::uint32_t dspStateBytes) {
    const std::uint64_t end = accumulatorPlace(checkpoint) + checkpoint.accumulatorBytes;
    return dspStateBytes == 0 ? end : roundUp(end) + dspStateBytes;
}

void ContextMover::readDeviceLimits(std::uint64_t sramBytes) {
    sramBytes_ = sramBytes;
    dspStateBytes_ = regs::ConfigDspState::kBytes.get(readRegister<regs::ConfigDspState>(port_));
}

Stop ContextMover::save(const Job& job, const SaveArea& header, std::uint64_t blocks,
                        const hw::ValidationLimits& limits, KeptContext& kept) {
    savedBytes_ = 0;
    kept = {.checkpoint = header.checkpoint};
    if ((job.sramBlocks() & ~blocks) != 0) {
        failure_ = findReloadBlocks(job, limits, kept);
        if (failure_ != hw::JobStatus::kOk) {
            return Stop::kEngineError;
        }
    }
    const std::uint64_t saved = closeOverReloads(kept, blocks) & job.sramBlocks();
    VNPU_TRY(throughArea(job, contextBytes(header.checkpoint, header.dspStateBytes),
                         [&] { return moveAll(header, saved, Direction::kSave); }));
    port_.charge(kSaveHeaderCycles);
    failure_ = writeValue(port_, job.context, job.slot.saveAddress, header);
    if (failure_ != hw::JobStatus::kOk) {
        return Stop::kEngineError;
    }
    savedBytes_ += sizeof(SaveArea);
    kept.blocks = job.sramBlocks() & ~saved;
    return Stop::kNone;
}

Stop ContextMover::saveKept(const Job& job, std::uint64_t blocks, KeptContext& kept) {
    savedBytes_ = 0;
    const std::uint64_t saved = closeOverReloads(kept, blocks) & kept.blocks;
    VNPU_TRY(throughArea(job, contextBytes(kept.checkpoint, 0),
                         [&] { return moveRanges(kept.checkpoint, saved, Direction::kSave); }));
    kept.blocks &= ~saved;
    return Stop::kNone;
}

/// The blocks that each reload of the checkpoint writes.
hw::JobStatus ContextMover::findReloadBlocks(const Job& job, const hw::ValidationLimits& limits,
                                             KeptContext& kept) {
    for (std::uint32_t i = 0; i < kept.checkpoint.reloadCount; ++i) {
        hw::DmaTransfer work{};
        VNPU_TRY(readTransfer(job, kept.checkpoint.reloads[i], limits, work));
        const std::uint64_t begin = work.destination.offset;
        const std::uint64_t bytes =
                hw::rowExtent(work.rowBytes, work.counts, work.destinationStrides);
        kept.reloadBlocks[i] = hw::sramBlocksOf(begin, begin + bytes, sramBytes_);
    }
    return hw::JobStatus::kOk;
}

hw::JobStatus ContextMover::readHeader(const Job& job, SaveArea& header) {
    port_.charge(kSaveHeaderCycles);
    return readValue(port_, job.context, job.slot.saveAddress, header);
}

Stop ContextMover::restore(const Job& job, const SaveArea& header,
                           const hw::ValidationLimits& limits, const KeptContext& kept) {
    VNPU_TRY(reload(job, header.checkpoint, limits, kept));
    const std::uint64_t saved = job.sramBlocks() & ~kept.blocks;
    return throughArea(job, contextBytes(header.checkpoint, header.dspStateBytes),
                       [&] { return moveAll(header, saved, Direction::kRestore); });
}

// A range may contain bytes of a reload between its live ones, so ranges are restored after all
// reloads.
Stop ContextMover::reload(const Job& job, const hw::Checkpoint& checkpoint,
                          const hw::ValidationLimits& limits, const KeptContext& kept) {
    channel_ = 0;
    reloadedBytes_ = 0;
    for (std::uint32_t i = 0; i < checkpoint.reloadCount; ++i) {
        if ((kept.reloadBlocks[i] & kept.blocks) != 0) {
            continue;  // still on the chip
        }
        hw::DmaTransfer work{};
        failure_ = readTransfer(job, checkpoint.reloads[i], limits, work);
        VNPU_TRY(failure_ == hw::JobStatus::kOk ? push(work) : Stop::kEngineError);
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
    VNPU_TRY(readValue(port_, job.context, job.slot.commandAddress + offset, command));
    if (command.header.opcode != hw::Opcode::kDmaTransfer ||
        command.header.sizeBytes != sizeof(command) ||
        command.work.destination.space != hw::kSpaceSram) {
        return hw::JobStatus::kBadOpcode;
    }
    work = command.work;
    return hw::validateCommand({&command.header, payloadOf(command), offset}, limits);
}

/// Moves pieces with the save area as the only region.
template <typename Move>
Stop ContextMover::throughArea(const Job& job, std::uint64_t areaBytes, Move move) {
    failure_ = hw::JobStatus::kOk;
    if (areaBytes > job.slot.saveBytes) {
        failure_ = hw::JobStatus::kOutOfRegion;
        return Stop::kEngineError;
    }
    const LocalRegion area{job.slot.saveAddress, job.slot.saveBytes};
    std::memcpy(port_.localMemory().data() + kSaveRegionOffset, &area, sizeof(area));
    writeRegister<regs::JobRegionTable>(port_, kSaveRegionOffset);
    channel_ = 0;
    Stop stop = move();
    if (stop == Stop::kNone) {
        stop = dispatcher_.drain();
    }
    writeRegister<regs::JobRegionTable>(port_, kRegionTableOffset);
    return stop;
}

Stop ContextMover::moveAll(const SaveArea& header, std::uint64_t blocks, Direction direction) {
    const hw::Checkpoint& checkpoint = header.checkpoint;
    VNPU_TRY(moveRanges(checkpoint, blocks, direction));
    const std::uint64_t accumulators = accumulatorPlace(checkpoint);
    VNPU_TRY(movePiece({{hw::kSpaceAccumulators, 0, 0, checkpoint.accumulatorOffset},
                        accumulators,
                        checkpoint.accumulatorBytes},
                       direction));
    const std::uint64_t dspState = accumulators + roundUp(checkpoint.accumulatorBytes);
    return movePiece({{hw::kSpaceDspState, 0, 0, 0}, dspState, header.dspStateBytes}, direction);
}

/// Moves the parts of the ranges in `blocks`. In the save area each range has its full size,
/// whichever parts are moved.
Stop ContextMover::moveRanges(const hw::Checkpoint& checkpoint, std::uint64_t blocks,
                              Direction direction) {
    std::uint64_t place = sizeof(SaveArea);
    for (std::uint32_t i = 0; i < checkpoint.rangeCount; ++i) {
        const hw::SramRange& range = checkpoint.ranges[i];
        VNPU_TRY(moveBlocks({{hw::kSpaceSram, 0, 0, range.offset}, place, range.sizeBytes}, blocks,
                            direction));
        place += roundUp(range.sizeBytes);
    }
    return Stop::kNone;
}

/// The pieces of a range that lie in runs of `blocks`.
Stop ContextMover::moveBlocks(const Piece& range, std::uint64_t blocks, Direction direction) {
    if (blocks == hw::kAllSramBlocks) {
        return movePiece(range, direction);
    }
    const std::uint64_t blockBytes = hw::sramBlockBytes(sramBytes_);
    const std::uint64_t first = range.onChip.offset;
    const std::uint64_t end = first + range.sizeBytes;
    const auto isIn = [&](std::uint64_t offset) {
        return (blocks >> (offset / blockBytes) & 1) != 0;
    };
    for (std::uint64_t begin = first; begin < end;) {
        const bool moves = isIn(begin);
        std::uint64_t next = begin;
        while (next < end && isIn(next) == moves) {
            next = std::min((next / blockBytes + 1) * blockBytes, end);
        }
        Piece piece = range;
        piece.onChip.offset = begin;
        piece.areaOffset += begin - first;
        piece.sizeBytes = next - begin;
        if (moves) {
            VNPU_TRY(movePiece(piece, direction));
        }
        begin = next;
    }
    return Stop::kNone;
}

// Splits a long piece into equal parts, one for each channel.
Stop ContextMover::movePiece(const Piece& piece, Direction direction) {
    const std::uint64_t part =
            std::max(kLeastTransferBytes,
                     roundUp((piece.sizeBytes + hw::kDmaChannelCount - 1) / hw::kDmaChannelCount));
    for (std::uint64_t done = 0; done < piece.sizeBytes; done += part) {
        hw::DmaTransfer work{};
        work.source = piece.onChip;
        work.source.offset += done;
        work.destination.offset = piece.areaOffset + done;
        if (direction == Direction::kRestore) {
            std::swap(work.source, work.destination);
        }
        work.rowBytes = static_cast<std::uint32_t>(std::min(part, piece.sizeBytes - done));
        std::fill(std::begin(work.counts), std::end(work.counts), 1U);
        VNPU_TRY(push(work));
    }
    if (direction == Direction::kSave) {
        const bool isRange = piece.onChip.space == hw::kSpaceSram;
        savedBytes_ += isRange ? roundUp(piece.sizeBytes) : piece.sizeBytes;
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
    return dispatcher_.push({&command.header, payloadOf(command), kNoCommand});
}

}  // namespace vnpu::fw
