// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "hw_model/kernels/mac/mac_panels.h"
#include "hw_model/kernels/operators/window/convolution_patches.h"
#include "hw_model/kernels/operators/window/convolution_products.h"
#include "hw_model/kernels/support/fixed_point.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/kernels/support/scratch.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kGroupRows = 48;       // chosen: whole register tiles of every backend
constexpr std::size_t kGroupColumns = 256;   // chosen: tasks for a few threads where rows are few
constexpr std::size_t kGroupWords = 1024;    // chosen: two panels of a step fit the L2 cache
constexpr std::size_t kEnoughRowBlocks = 4;  // chosen: row blocks that keep a few threads busy
constexpr std::size_t kMaxPatchWords = std::size_t{1} << 22;  // chosen: 16 MiB a thread
static_assert(kGroupColumns % kPanelColumns == 0);

/// The outputs of one plan of rows and one of columns as products of matrices, one for each group.
class PlanProduct {
  public:
    PlanProduct(const Convolution& convolution, const WordFormat& format, const AxisPlan& rows,
                const AxisPlan& columns, const ConvolutionDrain& drain, std::byte* output)
        : conv_(convolution),
          format_(format),
          rowPlan_(rows),
          columnPlan_(columns),
          drain_(drain),
          output_(output),
          patches_(convolution, format, rows, columns),
          outputs_(convolution.groupOutputs()),
          words_(patches_.words()),
          pixels_(patches_.count()),
          panelWords_(words_ * kPanelColumns),
          groupPanels_(divideUp(outputs_, kPanelColumns)) {}

    std::uint64_t filterWords() const {
        return std::uint64_t{conv_.groups} * groupPanels_ * panelWords_;
    }

    void run() {
        packFilter();
        const std::size_t blockRows =
                std::clamp<std::size_t>(kMaxPatchWords / words_, 1, kGroupRows);
        const std::size_t rowBlocks = divideUp(pixels_, blockRows);
        const std::size_t width =
                rowBlocks * conv_.groups >= kEnoughRowBlocks ? outputs_ : kGroupColumns;
        const std::size_t columnBlocks = divideUp(outputs_, width);
        const std::uint64_t operations =
                std::uint64_t{pixels_} * outputs_ * conv_.groups * patches_.depth();
        forEachTask(conv_.groups * rowBlocks * columnBlocks, operations, [&](std::size_t task) {
            const std::size_t column = task % columnBlocks * width;
            const std::size_t row = task / columnBlocks % rowBlocks * blockRows;
            computeBlock({.group = task / columnBlocks / rowBlocks,
                          .row = row,
                          .rows = std::min(blockRows, pixels_ - row),
                          .column = column,
                          .columns = std::min(width, outputs_ - column)});
        });
    }

  private:
    struct Block {
        std::size_t group, row, rows, column, columns;
    };

    void packFilter() {
        const std::vector<std::byte> gathered = gatherFilter();
        const std::byte* filter = gathered.empty() ? conv_.filter : gathered.data();
        const std::size_t depth = patches_.depth();
        panels_.resize(filterWords());
        columnOffsets_.resize(conv_.groups * groupPanels_ * kPanelColumns);
        const std::uint64_t operations = std::uint64_t{conv_.groups} * outputs_ * depth;
        forEachTask(conv_.groups * groupPanels_, operations, [&](std::size_t panel) {
            const std::size_t group = panel / groupPanels_;
            const FilterPanels panels(
                    {.elements = filter + group * outputs_ * depth * conv_.elementBytes(),
                     .channels = outputs_,
                     .depth = depth,
                     .elementBytes = conv_.elementBytes()},
                    bestBackend(), format_);
            panels.pack(panel % groupPanels_, 0, words_, panels_.data() + panel * panelWords_,
                        columnOffsets_.data() + panel * kPanelColumns);
        });
    }

    // The taps of the plans, in their order; empty where that is the filter as it is.
    std::vector<std::byte> gatherFilter() const {
        const auto isWhole = [](const AxisPlan& plan, std::int64_t extent) {
            std::int64_t next = 0;
            return static_cast<std::int64_t>(plan.taps.size()) == extent &&
                   std::all_of(plan.taps.begin(), plan.taps.end(),
                               [&](const AxisPlan::Tap& tap) { return tap.filter == next++; });
        };
        if (isWhole(rowPlan_, conv_.filterHeight) && isWhole(columnPlan_, conv_.filterWidth)) {
            return {};
        }
        const std::size_t tapBytes = conv_.groupInputs() * conv_.elementBytes();
        const auto channels = static_cast<std::int64_t>(conv_.outputShape.channels);
        std::vector<std::byte> filter(conv_.outputShape.channels * patches_.depth() *
                                      conv_.elementBytes());
        std::byte* end = filter.data();
        for (std::int64_t channel = 0; channel < channels; ++channel) {
            for (const AxisPlan::Tap& row : rowPlan_.taps) {
                for (const AxisPlan::Tap& column : columnPlan_.taps) {
                    const std::int64_t tap =
                            (channel * conv_.filterHeight + row.filter) * conv_.filterWidth +
                            column.filter;
                    std::memcpy(end, conv_.filter + static_cast<std::size_t>(tap) * tapBytes,
                                tapBytes);
                    end += tapBytes;
                }
            }
        }
        return filter;
    }

    void computeBlock(const Block& block) const {
        thread_local Scratch<std::byte> patchScratch;
        thread_local Scratch<std::int32_t> sumScratch;
        std::int32_t* sums = sumScratch.reserve(block.rows * block.columns);
        const std::size_t panel = block.group * groupPanels_ + block.column / kPanelColumns;
        GemmBlock product{.left = nullptr,
                          .leftStride = patches_.strideBytes(),
                          .panels = panels_.data() + panel * panelWords_,
                          .panelStride = panelWords_,
                          .words = 0,
                          .accumulators = reinterpret_cast<std::byte*>(sums),
                          .accumulatorStride = block.columns,
                          .rows = block.rows,
                          .columns = block.columns,
                          .accumulate = false};
        product.columnOffsets = columnOffsets_.data() + panel * kPanelColumns;
        if (patches_.isDirect()) {
            product.left = patches_.direct(block.row, block.group);
        } else {
            std::byte* patches = patchScratch.reserve(block.rows * patches_.strideBytes());
            patches_.write(block.row, block.rows, block.group, patches);
            product.left = patches;
        }
        product.rowOffsets = rowOffsets(product);
        multiply(product);
        drainBlock(block, reinterpret_cast<const std::byte*>(sums));
    }

    // What the filter's zero point adds to the products of bytes.
    const std::int32_t* rowOffsets(const GemmBlock& product) const {
        if (!format_.isBytes() || format_.filterZeroPoint() == 0) {
            return nullptr;
        }
        thread_local Scratch<std::int32_t> scratch;
        std::int32_t* offsets = scratch.reserve(product.rows);
        for (std::size_t row = 0; row < product.rows; ++row) {
            const std::int32_t sum = bestBackend().sumBytes(product.left + row * product.leftStride,
                                                            patches_.depth());
            offsets[row] = wrappingMultiply(-format_.filterZeroPoint(), sum);
        }
        return offsets;
    }

    void multiply(GemmBlock product) const {
        for (std::size_t k = 0; k < words_; k += kGroupWords) {
            product.words = std::min(kGroupWords, words_ - k);
            format_.multiply(product);
            product.left += product.words * sizeof(std::uint32_t);
            product.panels += product.words * kPanelColumns;
            product.accumulate = true;
            product.rowOffsets = nullptr;
            product.columnOffsets = nullptr;
        }
    }

    // Pixels of a row are evenly spaced.
    void drainBlock(const Block& block, const std::byte* sums) const {
        const std::size_t pixelBytes = conv_.outputShape.channels * conv_.elementBytes();
        const std::size_t channel = block.group * outputs_ + block.column;
        for (std::size_t row = 0; row < block.rows;) {
            const PatchPixel pixel = patches_.pixelAt(block.row + row);
            const std::size_t count = std::min(
                    block.rows - row, static_cast<std::size_t>(columnPlan_.outputs - pixel.x));
            const std::size_t y = pixel.batch * conv_.outputShape.rows +
                                  static_cast<std::size_t>(rowPlan_.outputAt(pixel.y));
            const std::size_t at = y * conv_.outputShape.columns +
                                   static_cast<std::size_t>(columnPlan_.outputAt(pixel.x));
            drain_.run(sums + row * block.columns * sizeof(std::int32_t), count, channel,
                       block.columns, output_ + at * pixelBytes + channel * conv_.elementBytes(),
                       static_cast<std::size_t>(columnPlan_.outputStep) * pixelBytes);
            row += count;
        }
    }

    const Convolution& conv_;
    const WordFormat& format_;
    const AxisPlan& rowPlan_;
    const AxisPlan& columnPlan_;
    const ConvolutionDrain& drain_;
    std::byte* output_;
    ConvolutionPatches patches_;
    std::size_t outputs_;  // channels of a group
    std::size_t words_;
    std::size_t pixels_;
    std::size_t panelWords_, groupPanels_;
    std::vector<std::uint32_t> panels_;
    std::vector<std::int32_t> columnOffsets_;
};

bool isCovered(const std::vector<AxisPlan>& plans, std::int64_t outputs) {
    return std::accumulate(plans.begin(), plans.end(), std::int64_t{0},
                           [](std::int64_t sum, const AxisPlan& plan) {
                               return sum + plan.outputs;
                           }) == outputs;
}

/// What outputs are that no tap reaches.
void fillWithBias(const Convolution& convolution, const ConvolutionDrain& drain,
                  std::byte* output) {
    const std::size_t channels = convolution.outputShape.channels;
    const std::vector<std::int32_t> sums(channels, 0);  // as floats zero, too
    const std::size_t pixelBytes = channels * convolution.elementBytes();
    for (std::size_t pixel = 0; pixel < convolution.outputShape.pixels(); ++pixel) {
        drain.run(reinterpret_cast<const std::byte*>(sums.data()), 1, 0, channels,
                  output + pixel * pixelBytes, pixelBytes);
    }
}

}  // namespace

JobStatus convolveGroups(OperatorCall& call, const Convolution& convolution,
                         const ConvolutionDrain& drain, std::byte* output) {
    if (!isCovered(convolution.rows, convolution.outputShape.rows) ||
        !isCovered(convolution.columns, convolution.outputShape.columns)) {
        fillWithBias(convolution, drain, output);
    }
    const WordFormat format(WordFormat::Operands{.inputType = convolution.type,
                                                 .inputZeroPoint = convolution.inputZeroPoint,
                                                 .filterType = convolution.filterType,
                                                 .filterZeroPoint = convolution.filterZeroPoint},
                            bestBackend());
    for (const AxisPlan& rows : convolution.rows) {
        for (const AxisPlan& columns : convolution.columns) {
            PlanProduct product(convolution, format, rows, columns, drain, output);
            if (product.filterWords() > kMaxFilterWords) {
                return call.refuse(fmt::format("filter takes {} words, expected at most {}",
                                               product.filterWords(), kMaxFilterWords));
            }
            product.run();
        }
    }
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
