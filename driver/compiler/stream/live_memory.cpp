// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/live_memory.h"

#include <algorithm>
#include <variant>

#include "driver/compiler/ir/accesses.h"

namespace vnpu::driver {
namespace {

/// Rows of bytes that a command writes to SRAM, exactly.
struct WrittenRows {
    std::uint64_t begin = 0;
    std::uint64_t rowBytes = 0;
    std::uint64_t counts[3] = {1, 1, 1};
    std::uint64_t strides[3] = {0, 0, 0};
};

void remove(ByteSet& set, WrittenRows rows) {
    // Rows without gaps between them are one.
    for (int d = 2; d >= 0 && (rows.counts[d] == 1 || rows.strides[d] == rows.rowBytes); --d) {
        rows.rowBytes *= rows.counts[d];
        rows.counts[d] = 1;
    }
    for (std::uint64_t i = 0; i < rows.counts[0]; ++i) {
        for (std::uint64_t j = 0; j < rows.counts[1]; ++j) {
            const std::uint64_t outer = rows.begin + i * rows.strides[0] + j * rows.strides[1];
            for (std::uint64_t k = 0; k < rows.counts[2]; ++k) {
                const std::uint64_t begin = outer + k * rows.strides[2];
                set.remove(begin, begin + rows.rowBytes);
            }
        }
    }
}

/// Of a transfer or a fill.
template <typename Work>
void removeRows(ByteSet& set, const Work& work) {
    if (work.destination.space != hw::kSpaceSram) {
        return;
    }
    WrittenRows rows{work.destination.offset, work.rowBytes};
    std::copy_n(work.counts, 3, rows.counts);
    std::copy_n(work.destinationStrides, 3, rows.strides);
    remove(set, rows);
}

void removeWritten(ByteSet& set, const hw::DmaTransfer& work) {
    removeRows(set, work);
}

void removeWritten(ByteSet& set, const hw::DmaFill& work) {
    removeRows(set, work);
}

void removeWritten(ByteSet& set, const hw::MacConv& work) {
    if ((work.flags & hw::kMacDrain) != 0) {
        remove(set,
               {.begin = work.outputSram,
                .rowBytes = std::uint64_t{work.outputChannels} * hw::elementBytes(work.outputType),
                .counts = {1, work.outputHeight, work.outputWidth},
                .strides = {0, work.outputRowBytes, work.outputPixelBytes}});
    }
}

/// Outputs of the vector unit are dense. The DSP and the controller write memory only.
template <typename VectorWork>
void removeWritten(ByteSet& set, const VectorWork& work) {
    for (const Access& access : accessesOf(work)) {
        if (access.isWrite) {
            set.remove(access.begin, access.end);
        }
    }
}

template <typename Work>
void addRead(ByteSet& set, const Work& work) {
    for (const Access& access : accessesOf(work)) {
        if (!access.isWrite && access.space == hw::kSpaceSram) {
            set.add(access.begin, access.end);
        }
    }
}

}  // namespace

template <typename Work>
void LiveMemory::step(const Work& work) {
    removeWritten(sram_, work);
    addRead(sram_, work);
}

void LiveMemory::step(const hw::MacConv& work) {
    removeWritten(sram_, work);
    addRead(sram_, work);
    // No command may read the accumulators after a command of several blocks.
    const std::uint64_t end =
            hw::blocksOf(work).count() > 1
                    ? UINT64_MAX
                    : work.accumulatorOffset + std::uint64_t{work.outputHeight} * work.outputWidth *
                                                       work.outputChannels * sizeof(std::int32_t);
    if ((work.flags & hw::kMacAccumulate) != 0) {
        accumulators_.add(work.accumulatorOffset, end);
    } else {
        accumulators_.remove(work.accumulatorOffset, end);
    }
}

void LiveMemory::stepBack(const Payload& payload) {
    std::visit([this](const auto& work) { step(work); }, payload);
}

bool LiveMemory::unite(const LiveMemory& other) {
    const bool isNew = sram_.unite(other.sram_);
    return accumulators_.unite(other.accumulators_) || isNew;
}

void LiveMemory::describe(hw::Checkpoint& checkpoint) const {
    for (const Span64& span : sram_.spans(hw::kMaxLiveRanges)) {
        checkpoint.ranges[checkpoint.rangeCount++] = {static_cast<std::uint32_t>(span.begin),
                                                      static_cast<std::uint32_t>(span.size())};
    }
    for (const Span64& span : accumulators_.spans(1)) {
        checkpoint.accumulatorOffset = static_cast<std::uint32_t>(span.begin);
        checkpoint.accumulatorBytes = static_cast<std::uint32_t>(span.size());
    }
}

}  // namespace vnpu::driver
