// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <optional>

#include "hw_model/kernels/mac/convolution.h"
#include "hw_model/kernels/mac/mac_drain.h"
#include "hw_model/kernels/mac/mac_panels.h"
#include "hw_model/kernels/mac/mac_patches.h"
#include "hw_model/kernels/support/fixed_point.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/kernels/support/scratch.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kBlockRows =
        56;  // chosen: whole register tiles of every backend, patches fit the L2 cache
constexpr std::size_t kMaxPatchWords = std::size_t{1} << 22;  // chosen: 16 MiB a thread
constexpr std::size_t kBlockWords =
        1024;  // chosen: two panels of a step of the reduction fit the L2 cache
constexpr std::size_t kTaskRows =
        2 * kBlockRows;  // chosen: packing a filter costs as much as six rows of products; with few
                         // rows, the next layer runs where its input is cached
constexpr std::size_t kTaskWords = 1U << 17;  // chosen: packed, half of an L2 cache
constexpr std::size_t kTaskColumns = 256;     // chosen: the patches of a task serve many columns
constexpr std::size_t kColumnUnit =
        64;  // chosen: whole cache lines of outputs, so that tasks write no line together
constexpr std::size_t kEnoughTasks = 8;  // chosen: a few threads end at about the same time

// The largest part, at most `most`, when `whole` is divided evenly.
constexpr std::size_t evenPart(std::size_t whole, std::size_t most) {
    return divideUp(whole, divideUp(whole, most));
}

// How the products are divided among tasks. Each task packs the filters of its columns itself:
// fetching lines that another processor has just written is slower than computing them.
struct TaskShape {
    std::size_t rows;
    std::size_t columns;
};

TaskShape taskShape(std::size_t rows, std::size_t columns, std::size_t words, bool isParallel) {
    TaskShape shape{.rows = isParallel ? evenPart(rows, kTaskRows) : rows, .columns = columns};
    std::size_t most = kTaskColumns;
    if (shape.rows > kBlockRows) {
        most = std::max(kTaskWords / words / kColumnUnit, std::size_t{1}) * kColumnUnit;
    }
    if (isParallel) {
        const std::size_t parts = divideUp(kEnoughTasks, divideUp(rows, shape.rows));
        most = std::min(most, divideUp(divideUp(columns, parts), kColumnUnit) * kColumnUnit);
    }
    shape.columns = std::min(columns, most);
    return shape;
}

class NormalConvolution {
  public:
    NormalConvolution(const MacBackend& backend, const Convolution& convolution)
        : backend_(backend),
          conv_(convolution),
          format_(convolution.types, backend),
          patches_(convolution, format_),
          filter_({.elements = convolution.filter,
                   .channels = convolution.outputChannels,
                   .depth = patches_.depth(),
                   .elementBytes = convolution.elementBytes()},
                  backend, format_),
          drain_(convolution, backend),
          rows_(convolution.pixels()),
          columns_(convolution.outputChannels),
          words_(patches_.words()),
          blockRows_(std::clamp<std::size_t>(kMaxPatchWords / words_, 1, kBlockRows)),
          operations_(std::uint64_t{rows_} * columns_ * patches_.depth()),
          isPrivate_(convolution.hasPrivateSums()) {}

    void run() {
        const TaskShape shape = taskShape(rows_, columns_, words_, isShared(operations_));
        const std::size_t columnParts = divideUp(columns_, shape.columns);
        const std::size_t tasks = divideUp(rows_, shape.rows) * columnParts;
        sums_ = isPrivate_ ? nullptr : sumsOfAll();
        forEachTask(tasks, operations_, [&](std::size_t task) {
            const std::size_t row = task / columnParts * shape.rows;
            const std::size_t column = task % columnParts * shape.columns;
            computeTask(row, std::min(row + shape.rows, rows_), column,
                        std::min(column + shape.columns, columns_));
        });
        if (!conv_.drainsAtOnce()) {
            drain_.run(sums_, 0, rows_);
        }
    }

  private:
    std::byte* sumsOfAll() const {
        thread_local Scratch<std::int32_t> scratch;
        return conv_.sums != nullptr
                       ? conv_.sums
                       : reinterpret_cast<std::byte*>(scratch.reserve(rows_ * columns_));
    }

    // Panels of columns from `first` on, with all words of each.
    struct Packed {
        std::size_t first;
        const std::uint32_t* panels;
        const std::int32_t* offsets;
        std::size_t next;  // the column to fetch meanwhile; beyond the last: none
    };

    void computeTask(std::size_t row, std::size_t rowEnd, std::size_t column,
                     std::size_t columnEnd) const {
        // A filter that is used only once is packed where it is used, in the cache.
        std::optional<Packed> packed;
        if (rowEnd - row > blockRows_) {
            packed = packColumns(column, columnEnd);
        }
        const std::size_t blockRows = evenPart(rowEnd - row, blockRows_);
        for (; row < rowEnd; row += blockRows) {
            if (packed && row + blockRows >= rowEnd) {
                packed->next = columnEnd;  // the next task's
            }
            computeBlock(row, std::min(blockRows, rowEnd - row), column, columnEnd, packed);
        }
    }

    Packed packColumns(std::size_t column, std::size_t end) const {
        thread_local Scratch<std::uint32_t> panelScratch;
        thread_local Scratch<std::int32_t> offsetScratch;
        const std::size_t count = divideUp(end - column, kPanelColumns);
        std::uint32_t* panels = panelScratch.reserve(count * words_ * kPanelColumns);
        std::int32_t* offsets = offsetScratch.reserve(count * kPanelColumns);
        for (std::size_t i = 0; i < count; ++i) {
            filter_.pack(column / kPanelColumns + i, 0, words_, panels + i * words_ * kPanelColumns,
                         offsets + i * kPanelColumns);
        }
        return {.first = column, .panels = panels, .offsets = offsets, .next = columns_};
    }

    // Computes some rows of columns [column, end), a few columns at a time, so that their sums stay
    // in the L1 cache until they are drained.
    void computeBlock(std::size_t row, std::size_t rows, std::size_t column, std::size_t end,
                      const std::optional<Packed>& packed) const {
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
                        .accumulate = conv_.accumulate};
        block.rowOffsets = rowOffsetsOf(block);
        for (; column < end; column += backend_.gemmColumns) {
            block.columns = std::min(backend_.gemmColumns, end - column);
            block.accumulators =
                    isPrivate_ ? reinterpret_cast<std::byte*>(
                                         scratch.reserve(kBlockRows * backend_.gemmColumns))
                               : sums_ + (row * columns_ + column) * sizeof(std::int32_t);
            multiply(block, column, packed);
            if (conv_.drainsAtOnce()) {
                drain_.run({.sums = block.accumulators,
                            .step = block.accumulatorStride,
                            .firstChannel = column,
                            .channels = block.columns},
                           row, rows);
            }
        }
    }

    // The whole reduction, in parts whose panels fit the L2 cache.
    void multiply(GemmBlock block, std::size_t column, const std::optional<Packed>& packed) const {
        for (std::size_t k = 0; k < words_; k += kBlockWords) {
            block.words = std::min(kBlockWords, words_ - k);
            if (packed) {
                const std::size_t offset = column - packed->first;
                block.panelStride = words_ * kPanelColumns;
                block.panels = packed->panels + offset * words_ + k * kPanelColumns;
                block.columnOffsets = k == 0 ? packed->offsets + offset : nullptr;
                block.next = filter_.source((packed->next + offset) / kPanelColumns, k);
                block.nextStride = filter_.channelBytes();
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
        const std::size_t nextWord = firstWord + block.words;
        block.next = nextWord < words_
                             ? filter_.source(column / kPanelColumns, nextWord)
                             : filter_.source((column + block.columns) / kPanelColumns, 0);
        block.nextStride = filter_.channelBytes();
        format_.multiply(block);
    }

    const std::byte* leftOf(std::size_t row, std::size_t rows) const {
        if (patches_.isDirect()) {
            return patches_.directRow(row);
        }
        thread_local Scratch<std::byte> scratch;
        std::byte* left = scratch.reserve(blockRows_ * patches_.stride() + Patches::kSlackBytes);
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
    const Convolution& conv_;
    WordFormat format_;
    Patches patches_;
    FilterPanels filter_;
    Drain drain_;
    std::size_t rows_;
    std::size_t columns_;
    std::size_t words_;
    std::size_t blockRows_;  // rows multiplied at a time
    std::uint64_t operations_;
    bool isPrivate_;             // no other command uses the sums
    std::byte* sums_ = nullptr;  // of all, if not private
};

}  // namespace

void convolveNormal(const MacBackend& backend, const Convolution& convolution) {
    NormalConvolution(backend, convolution).run();
}

}  // namespace vnpu::hw::kernels
