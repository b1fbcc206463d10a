// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "hw_model/kernels/mac_conv.h"
#include "hw_model/kernels/mac_drain.h"
#include "hw_model/kernels/mac_patches.h"
#include "hw_model/kernels/parallel_tasks.h"
#include "hw_model/kernels/scratch.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kBlockRows =
        48;  // chosen: whole register tiles of every backend, patches fit the L2 cache
constexpr std::size_t kBlockColumns =
        256;  // chosen: enough tasks for a few threads when there are few rows
constexpr std::size_t kBlockWords =
        1024;  // chosen: two panels of a step of the reduction fit the L2 cache
static_assert(kBlockColumns % (2 * kPanelColumns) == 0);

constexpr std::size_t divideUp(std::size_t value, std::size_t by) {
    return (value + by - 1) / by;
}

class NormalConvolution {
  public:
    NormalConvolution(const MacBackend& backend, const MacConv& work, std::byte* sram,
                      std::byte* accumulators)
        : backend_(backend),
          work_(work),
          filter_(sram + work.filterSram),
          accumulators_(accumulators + work.accumulatorOffset),
          patches_(work, sram, backend),
          drain_(work, sram, backend),
          rows_(std::size_t{work.outputHeight} * work.outputWidth),
          columns_(work.outputChannels),
          operations_(std::uint64_t{rows_} * columns_ * patches_.depth()) {}

    void run() {
        packFilter();
        const std::size_t rowBlocks = divideUp(rows_, kBlockRows);
        // Many rows: a task computes all channels of some rows and drains them at once. Few: tasks
        // share the channels.
        const std::size_t columnBlocks =
                rowBlocks >= kEnoughTasks ? 1 : divideUp(columns_, kBlockColumns);
        const bool drainsAtOnce = columnBlocks == 1 && !overwritesInput(work_);
        const bool isPrivate = drainsAtOnce && !keepsSums(work_);
        std::byte* const sums = isPrivate ? nullptr : sumsOfAll();
        forEachTask(rowBlocks * columnBlocks, operations_, [&](std::size_t task) {
            const std::size_t row = task / columnBlocks * kBlockRows;
            const std::size_t rows = std::min(kBlockRows, rows_ - row);
            const std::size_t width = columnBlocks == 1 ? columns_ : kBlockColumns;
            const std::size_t column = task % columnBlocks * width;
            std::byte* const blockSums =
                    isPrivate ? sumsOfTask() : sums + row * columns_ * sizeof(std::int32_t);
            multiply(row, rows, column, std::min(width, columns_ - column), blockSums);
            if (drainsAtOnce) {
                drain_.run(blockSums, row, rows);
            }
        });
        if (!drainsAtOnce) {
            drain_.run(sums, 0, rows_);
        }
    }

  private:
    static constexpr std::size_t kEnoughTasks =
            4;  // chosen: row blocks that keep a few threads busy

    std::byte* sumsOfAll() const {
        thread_local Scratch<std::int32_t> scratch;
        return keepsSums(work_) ? accumulators_
                                : reinterpret_cast<std::byte*>(scratch.reserve(rows_ * columns_));
    }

    std::byte* sumsOfTask() const {
        thread_local Scratch<std::int32_t> scratch;
        return reinterpret_cast<std::byte*>(scratch.reserve(kBlockRows * columns_));
    }

    void packFilter() {
        thread_local Scratch<std::uint32_t> scratch;
        const std::size_t panelCount = divideUp(columns_, kPanelColumns);
        panelStride_ = patches_.words() * kPanelColumns;
        panels_ = scratch.reserve(panelCount * panelStride_);
        const std::uint64_t operations = std::uint64_t{columns_} * patches_.depth();
        forEachTask(panelCount, operations, [&](std::size_t panel) { packPanel(panel); });
    }

    void packPanel(std::size_t panel) const {
        thread_local Scratch<std::uint32_t> scratch;
        const std::size_t words = patches_.words();
        std::uint32_t* filters = scratch.reserve(kPanelColumns * words);
        for (std::size_t r = 0; r < kPanelColumns; ++r) {
            readFilter(panel * kPanelColumns + r, filters + r * words);
        }
        backend_.packPanel(filters, words, words, panels_ + panel * panelStride_);
    }

    // The filter of one output channel as words, zeros beyond the last channel.
    void readFilter(std::size_t channel, std::uint32_t* words) const {
        const std::size_t depth = patches_.depth();
        if (channel >= columns_) {
            std::memset(words, 0, patches_.words() * sizeof(std::uint32_t));
        } else if (work_.filterType == ElementType::kFloat32) {
            std::memcpy(words, filter_ + channel * depth * sizeof(float), depth * sizeof(float));
        } else {
            words[patches_.words() - 1] = 0;  // the half word behind an odd depth
            backend_.widen(filter_ + channel * depth, depth, work_.filterType == ElementType::kInt8,
                           work_.filterZeroPoint, reinterpret_cast<std::byte*>(words));
        }
    }

    void multiply(std::size_t row, std::size_t rows, std::size_t column, std::size_t columns,
                  std::byte* sums) const {
        thread_local Scratch<std::uint32_t> scratch;
        const std::size_t words = patches_.words();
        GemmBlock block{.left = nullptr,
                        .leftStride = words * sizeof(std::uint32_t),
                        .panels = panels_ + column / kPanelColumns * panelStride_,
                        .panelStride = panelStride_,
                        .words = 0,
                        .accumulators = sums + column * sizeof(std::uint32_t),
                        .accumulatorStride = columns_,
                        .rows = rows,
                        .columns = columns,
                        .accumulate = (work_.flags & kMacAccumulate) != 0};
        if (patches_.isDirect()) {
            block.left = patches_.directRow(row);
            block.leftStride = patches_.directStride();
        } else {
            std::uint32_t* left = scratch.reserve(kBlockRows * words);
            patches_.write(row, rows, left);
            block.left = reinterpret_cast<const std::byte*>(left);
        }
        const auto gemm =
                work_.inputType == ElementType::kFloat32 ? backend_.gemmFloat : backend_.gemmInt16;
        for (std::size_t k = 0; k < words; k += kBlockWords) {
            block.words = std::min(kBlockWords, words - k);
            gemm(block);
            block.left += block.words * sizeof(std::uint32_t);
            block.panels += block.words * kPanelColumns;
            block.accumulate = true;
        }
    }

    const MacBackend& backend_;
    const MacConv& work_;
    const std::byte* filter_;
    std::byte* accumulators_;
    Patches patches_;
    Drain drain_;
    std::size_t rows_;
    std::size_t columns_;
    std::uint64_t operations_;
    std::uint32_t* panels_ = nullptr;
    std::size_t panelStride_ = 0;
};

}  // namespace

void normalConvolution(const MacBackend& backend, const MacConv& work, std::byte* sram,
                       std::byte* accumulators) {
    NormalConvolution(backend, work, sram, accumulators).run();
}

}  // namespace vnpu::hw::kernels
