// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "hw_model/kernels/fixed_point.h"
#include "hw_model/kernels/mac_conv.h"
#include "hw_model/kernels/mac_drain.h"
#include "hw_model/kernels/mac_panels.h"
#include "hw_model/kernels/mac_patches.h"
#include "hw_model/kernels/mac_words.h"
#include "hw_model/kernels/parallel_tasks.h"
#include "hw_model/kernels/scratch.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kBlockRows =
        56;  // chosen: whole register tiles of every backend, patches fit the L2 cache
constexpr std::size_t kBlockColumns =
        256;  // chosen: enough tasks for a few threads when there are few rows
constexpr std::size_t kBlockWords =
        1024;  // chosen: two panels of a step of the reduction fit the L2 cache
constexpr std::size_t kEnoughTasks = 4;  // chosen: row blocks that keep a few threads busy
static_assert(kBlockColumns % kPanelColumns == 0);

constexpr std::size_t divideUp(std::size_t value, std::size_t by) {
    return (value + by - 1) / by;
}

class NormalConvolution {
  public:
    NormalConvolution(const MacBackend& backend, const MacConv& work, std::byte* sram,
                      std::byte* accumulators)
        : backend_(backend),
          work_(work),
          accumulators_(accumulators + work.accumulatorOffset),
          format_(work, backend),
          patches_(work, sram, format_),
          filter_(work, sram, backend, format_),
          drain_(work, sram, backend),
          rows_(std::size_t{work.outputHeight} * work.outputWidth),
          columns_(work.outputChannels),
          words_(patches_.words()),
          operations_(std::uint64_t{rows_} * columns_ * patches_.depth()),
          drainsAtOnce_(!overwritesInput(work)),
          isPrivate_(drainsAtOnce_ && !keepsSums(work)) {}

    void run() {
        const std::size_t rowBlocks = divideUp(rows_, kBlockRows);
        const std::size_t blockRows = divideUp(rows_, std::max<std::size_t>(rowBlocks, 1));
        // Many rows: a task computes all channels of some rows. Few: tasks share the channels.
        const std::size_t columnBlocks =
                rowBlocks >= kEnoughTasks ? 1 : divideUp(columns_, kBlockColumns);
        const std::size_t width = columnBlocks == 1 ? columns_ : kBlockColumns;
        // A filter that is used once is packed where it is used, in the cache.
        if (rowBlocks > 1) {
            packFilter();
        }
        sums_ = isPrivate_ ? nullptr : sumsOfAll();
        forEachTask(rowBlocks * columnBlocks, operations_, [&](std::size_t task) {
            const std::size_t row = task / columnBlocks * blockRows;
            const std::size_t column = task % columnBlocks * width;
            computeBlock(row, std::min(blockRows, rows_ - row), column,
                         std::min(column + width, columns_));
        });
        if (!drainsAtOnce_) {
            drain_.run(sums_, 0, rows_);
        }
    }

  private:
    std::byte* sumsOfAll() const {
        thread_local Scratch<std::int32_t> scratch;
        return keepsSums(work_) ? accumulators_
                                : reinterpret_cast<std::byte*>(scratch.reserve(rows_ * columns_));
    }

    void packFilter() {
        thread_local Scratch<std::uint32_t> panelScratch;
        thread_local Scratch<std::int32_t> offsetScratch;
        const std::size_t panelCount = divideUp(columns_, kPanelColumns);
        panels_ = panelScratch.reserve(panelCount * words_ * kPanelColumns);
        offsets_ = offsetScratch.reserve(panelCount * kPanelColumns);
        const std::uint64_t operations = std::uint64_t{columns_} * patches_.depth();
        forEachTask(panelCount, operations, [&](std::size_t panel) {
            filter_.pack(panel, 0, words_, panels_ + panel * words_ * kPanelColumns,
                         offsets_ + panel * kPanelColumns);
        });
    }

    // Some rows of columns [column, end), a few columns at a time: their sums stay in the
    // first-level cache until they are drained.
    void computeBlock(std::size_t row, std::size_t rows, std::size_t column,
                      std::size_t end) const {
        thread_local Scratch<std::int32_t> scratch;
        GemmBlock block{.left = leftOf(row, rows),
                        .leftStride = patches_.stride(),
                        .panels = nullptr,
                        .panelStride = 0,
                        .words = 0,
                        .accumulators = nullptr,
                        .accumulatorStride = isPrivate_ ? backend_.gemmColumns : columns_,
                        .rows = rows,
                        .columns = 0,
                        .accumulate = (work_.flags & kMacAccumulate) != 0};
        block.rowOffsets = rowOffsetsOf(block);
        for (; column < end; column += backend_.gemmColumns) {
            block.columns = std::min(backend_.gemmColumns, end - column);
            block.accumulators =
                    isPrivate_ ? reinterpret_cast<std::byte*>(
                                         scratch.reserve(kBlockRows * backend_.gemmColumns))
                               : sums_ + (row * columns_ + column) * sizeof(std::int32_t);
            multiply(block, column);
            if (drainsAtOnce_) {
                drain_.run({.sums = block.accumulators,
                            .step = block.accumulatorStride,
                            .firstChannel = column,
                            .channels = block.columns},
                           row, rows);
            }
        }
    }

    // The whole reduction, in parts whose panels the second-level cache holds.
    void multiply(GemmBlock block, std::size_t column) const {
        for (std::size_t k = 0; k < words_; k += kBlockWords) {
            block.words = std::min(kBlockWords, words_ - k);
            if (panels_ != nullptr) {
                block.panelStride = words_ * kPanelColumns;
                block.panels =
                        panels_ + column / kPanelColumns * block.panelStride + k * kPanelColumns;
                block.columnOffsets = k == 0 ? offsets_ + column : nullptr;
                format_.multiply(block);
            } else {
                multiplyUnpacked(block, column, k);
            }
            block.left += block.words * sizeof(std::uint32_t);
            block.accumulate = true;
            block.rowOffsets = nullptr;
        }
    }

    void multiplyUnpacked(GemmBlock& block, std::size_t column, std::size_t firstWord) const {
        thread_local Scratch<std::uint32_t> panelScratch;
        thread_local Scratch<std::int32_t> offsetScratch;
        std::int32_t* offsets = offsetScratch.reserve(backend_.gemmColumns);
        std::uint32_t* panels = panelScratch.reserve(block.words * backend_.gemmColumns);
        for (std::size_t c = 0; c < block.columns; c += kPanelColumns) {
            filter_.pack((column + c) / kPanelColumns, firstWord, block.words,
                         panels + c * block.words, offsets + c);
        }
        block.panels = panels;
        block.panelStride = block.words * kPanelColumns;
        block.columnOffsets = offsets;
        format_.multiply(block);
    }

    const std::byte* leftOf(std::size_t row, std::size_t rows) const {
        if (patches_.isDirect()) {
            return patches_.directRow(row);
        }
        thread_local Scratch<std::byte> scratch;
        std::byte* left = scratch.reserve(kBlockRows * patches_.stride() + Patches::kSlackBytes);
        patches_.write(row, rows, left);
        return left;
    }

    const std::int32_t* rowOffsetsOf(const GemmBlock& block) const {
        if (!format_.isBytes() || filter_.rowFactor() == 0) {
            return nullptr;
        }
        thread_local Scratch<std::int32_t> scratch;
        std::int32_t* offsets = scratch.reserve(kBlockRows);
        for (std::size_t row = 0; row < block.rows; ++row) {
            offsets[row] = wrappingMultiply(
                    filter_.rowFactor(),
                    backend_.sumBytes(block.left + row * block.leftStride, patches_.depth()));
        }
        return offsets;
    }

    const MacBackend& backend_;
    const MacConv& work_;
    std::byte* accumulators_;
    WordFormat format_;
    Patches patches_;
    FilterPanels filter_;
    Drain drain_;
    std::size_t rows_;
    std::size_t columns_;
    std::size_t words_;
    std::uint64_t operations_;
    bool drainsAtOnce_;
    bool isPrivate_;                   // the sums are nobody else's
    std::byte* sums_ = nullptr;        // of all, if not private
    std::uint32_t* panels_ = nullptr;  // all of them, if packed in advance
    std::int32_t* offsets_ = nullptr;
};

}  // namespace

void normalConvolution(const MacBackend& backend, const MacConv& work, std::byte* sram,
                       std::byte* accumulators) {
    NormalConvolution(backend, work, sram, accumulators).run();
}

}  // namespace vnpu::hw::kernels
