// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "hw_model/kernels/operators/convolution_products.h"
#include "hw_model/kernels/parallel_tasks.h"
#include "hw_model/kernels/scratch.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kBlockRows = 48;      // chosen: whole register tiles of every backend
constexpr std::size_t kBlockColumns = 256;  // chosen: tasks for a few threads where rows are few
constexpr std::size_t kBlockWords = 1024;   // chosen: two panels of a step fit the L2 cache
constexpr std::size_t kEnoughTasks = 4;     // chosen: row blocks that keep a few threads busy
constexpr std::size_t kMaxPatchWords = std::size_t{1} << 22;  // chosen: 16 MiB a thread
static_assert(kBlockColumns % kPanelColumns == 0);

constexpr std::size_t divideUp(std::size_t value, std::size_t by) {
    return (value + by - 1) / by;
}

/// The outputs of one plan of rows and one of columns: rows of the left operand are their pixels,
/// steps of the reduction their taps, channel by channel.
class PlanProduct {
  public:
    PlanProduct(const Convolution& convolution, const AxisPlan& rows, const AxisPlan& columns,
                const ConvolutionDrain& drain, std::byte* output)
        : conv_(convolution),
          rowPlan_(rows),
          columnPlan_(columns),
          drain_(drain),
          output_(output),
          elementBytes_(convolution.isFloat() ? sizeof(float) : sizeof(std::uint8_t)),
          patchBytes_(convolution.isFloat() ? sizeof(float) : sizeof(std::int16_t)),
          inputs_(convolution.groupInputs()),
          outputs_(convolution.groupOutputs()),
          depth_(rows.taps.size() * columns.taps.size() * inputs_),
          words_(convolution.isFloat() ? depth_ : divideUp(depth_, 2)),
          pixels_(std::size_t{convolution.inputShape.batches} *
                  static_cast<std::size_t>(rows.outputs * columns.outputs)),
          panelStride_(words_ * kPanelColumns),
          groupPanels_(divideUp(outputs_, kPanelColumns)),
          isDirect_(readsPixelByPixel()) {}

    std::uint64_t panelWords() const {
        return std::uint64_t{conv_.groups} * groupPanels_ * panelStride_;
    }

    void run() {
        packFilter();
        const std::size_t blockRows =
                std::clamp<std::size_t>(kMaxPatchWords / words_, 1, kBlockRows);
        const std::size_t rowBlocks = divideUp(pixels_, blockRows);
        const std::size_t width =
                rowBlocks * conv_.groups >= kEnoughTasks ? outputs_ : kBlockColumns;
        const std::size_t columnBlocks = divideUp(outputs_, width);
        const std::uint64_t operations = std::uint64_t{pixels_} * outputs_ * conv_.groups * depth_;
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
    struct Pixel {
        std::size_t batch;
        std::int64_t y, x;  // numbers in the plans
    };

    Pixel pixelAt(std::size_t row) const {
        const auto width = static_cast<std::size_t>(columnPlan_.outputs);
        const auto height = static_cast<std::size_t>(rowPlan_.outputs);
        return {.batch = row / width / height,
                .y = static_cast<std::int64_t>(row / width % height),
                .x = static_cast<std::int64_t>(row % width)};
    }

    // Whether output pixel i reads input pixel i and no other, as words.
    bool readsPixelByPixel() const {
        const auto isIdentity = [](const AxisPlan& plan, std::uint32_t extent) {
            return plan.taps.size() == 1 && plan.taps[0].input == 0 && plan.inputStep == 1 &&
                   plan.outputs == extent;
        };
        return conv_.isFloat() && isIdentity(rowPlan_, conv_.inputShape.height) &&
               isIdentity(columnPlan_, conv_.inputShape.width);
    }

    void packFilter() {
        panels_.resize(panelWords());
        const std::uint64_t operations = std::uint64_t{conv_.groups} * outputs_ * depth_;
        forEachTask(conv_.groups * groupPanels_, operations, [&](std::size_t panel) {
            thread_local Scratch<std::uint32_t> scratch;
            std::uint32_t* filters = scratch.reserve(kPanelColumns * words_);
            const std::size_t group = panel / groupPanels_;
            const std::size_t first = panel % groupPanels_ * kPanelColumns;
            for (std::size_t r = 0; r < kPanelColumns; ++r) {
                readFilter(group, first + r, filters + r * words_);
            }
            bestBackend().packPanel(reinterpret_cast<const std::byte*>(filters),
                                    words_ * sizeof(std::uint32_t), words_, panels_.data() + panel * panelStride_);
        });
    }

    // The filter of one output channel tap by tap, zeros beyond the last channel.
    void readFilter(std::size_t group, std::size_t channel, std::uint32_t* words) const {
        if (channel >= outputs_) {
            std::memset(words, 0, words_ * sizeof(std::uint32_t));
            return;
        }
        words[words_ - 1] = 0;  // the half word behind an odd depth
        auto* destination = reinterpret_cast<std::byte*>(words);
        const auto output = static_cast<std::int64_t>(group * outputs_ + channel);
        for (const AxisPlan::Tap& row : rowPlan_.taps) {
            for (const AxisPlan::Tap& column : columnPlan_.taps) {
                const std::int64_t tap =
                        (output * conv_.filterHeight + row.filter) * conv_.filterWidth +
                        column.filter;
                const std::byte* source =
                        conv_.filter + static_cast<std::size_t>(tap) * inputs_ * elementBytes_;
                toWords(source, inputs_, conv_.filterType, conv_.filterZeroPoint, destination);
                destination += inputs_ * patchBytes_;
            }
        }
    }

    static void toWords(const std::byte* source, std::size_t count, ElementType type,
                        std::int32_t zeroPoint, std::byte* destination) {
        if (type == ElementType::kFloat32) {
            std::memcpy(destination, source, count * sizeof(float));
        } else {
            bestBackend().widen(source, count, type == ElementType::kInt8, zeroPoint, destination);
        }
    }

    void computeBlock(const Block& block) const {
        thread_local Scratch<std::uint32_t> patchScratch;
        thread_local Scratch<std::int32_t> sumScratch;
        std::int32_t* sums = sumScratch.reserve(block.rows * block.columns);
        const std::size_t panel = block.group * groupPanels_ + block.column / kPanelColumns;
        GemmBlock product{.left = nullptr,
                          .leftStride = words_ * sizeof(std::uint32_t),
                          .panels = panels_.data() + panel * panelStride_,
                          .panelStride = panelStride_,
                          .words = 0,
                          .accumulators = reinterpret_cast<std::byte*>(sums),
                          .accumulatorStride = block.columns,
                          .rows = block.rows,
                          .columns = block.columns,
                          .accumulate = false};
        if (isDirect_) {
            product.leftStride = conv_.inputShape.channels * sizeof(float);
            product.left = conv_.input + block.row * product.leftStride +
                           block.group * inputs_ * sizeof(float);
        } else {
            std::uint32_t* patches = patchScratch.reserve(block.rows * words_);
            for (std::size_t row = 0; row < block.rows; ++row) {
                writePatch(pixelAt(block.row + row), block.group, patches + row * words_);
            }
            product.left = reinterpret_cast<const std::byte*>(patches);
        }
        multiply(product);
        drainBlock(block, reinterpret_cast<const std::byte*>(sums));
    }

    void multiply(GemmBlock product) const {
        const auto gemm = conv_.isFloat() ? bestBackend().gemmFloat : bestBackend().gemmInt16;
        for (std::size_t k = 0; k < words_; k += kBlockWords) {
            product.words = std::min(kBlockWords, words_ - k);
            gemm(product);
            product.left += product.words * sizeof(std::uint32_t);
            product.panels += product.words * kPanelColumns;
            product.accumulate = true;
        }
    }

    // The input under the filter; taps outside the input are zero.
    void writePatch(const Pixel& pixel, std::size_t group, std::uint32_t* words) const {
        words[words_ - 1] = 0;
        auto* destination = reinterpret_cast<std::byte*>(words);
        const std::size_t tapBytes = inputs_ * patchBytes_;
        const std::size_t rowBytes = columnPlan_.taps.size() * tapBytes;
        const std::size_t pixelBytes = conv_.inputShape.channels * elementBytes_;
        for (const AxisPlan::Tap& row : rowPlan_.taps) {
            const std::int64_t y = pixel.y * rowPlan_.inputStep + row.input;
            if (y < 0 || y >= conv_.inputShape.height) {
                std::memset(destination, 0, rowBytes);
            } else {
                const std::size_t firstPixel =
                        (pixel.batch * conv_.inputShape.height + static_cast<std::size_t>(y)) *
                        conv_.inputShape.width;
                const std::byte* source =
                        conv_.input + firstPixel * pixelBytes + group * inputs_ * elementBytes_;
                writePatchRow(source, pixelBytes, pixel.x * columnPlan_.inputStep, destination);
            }
            destination += rowBytes;
        }
    }

    void writePatchRow(const std::byte* source, std::size_t pixelBytes, std::int64_t firstColumn,
                       std::byte* destination) const {
        const std::size_t tapBytes = inputs_ * patchBytes_;
        const std::size_t taps = columnPlan_.taps.size();
        for (std::size_t t = 0; t < taps;) {
            const std::int64_t x = firstColumn + columnPlan_.taps[t].input;
            std::size_t count = 1;
            if (x < 0 || x >= conv_.inputShape.width) {
                std::memset(destination, 0, tapBytes);
            } else {
                count = neighboursInside(t, x);
                toWords(source + static_cast<std::size_t>(x) * pixelBytes, count * inputs_,
                        conv_.type, conv_.inputZeroPoint, destination);
            }
            destination += count * tapBytes;
            t += count;
        }
    }

    // How many taps from `first` on, which reads column x, read pixels that lie behind each other.
    std::size_t neighboursInside(std::size_t first, std::int64_t x) const {
        if (conv_.groups != 1) {
            return 1;
        }
        const auto& taps = columnPlan_.taps;
        std::size_t end = first + 1;
        while (end < taps.size() && taps[end].input == taps[end - 1].input + 1 &&
               ++x < conv_.inputShape.width) {
            ++end;
        }
        return end - first;
    }

    // Pixels of a row are evenly spaced.
    void drainBlock(const Block& block, const std::byte* sums) const {
        const std::size_t pixelBytes = conv_.outputShape.channels * elementBytes_;
        const std::size_t channel = block.group * outputs_ + block.column;
        for (std::size_t row = 0; row < block.rows;) {
            const Pixel pixel = pixelAt(block.row + row);
            const std::size_t count = std::min(
                    block.rows - row, static_cast<std::size_t>(columnPlan_.outputs - pixel.x));
            const std::size_t y = pixel.batch * conv_.outputShape.height +
                                  static_cast<std::size_t>(rowPlan_.outputAt(pixel.y));
            const std::size_t at = y * conv_.outputShape.width +
                                   static_cast<std::size_t>(columnPlan_.outputAt(pixel.x));
            drain_.run(sums + row * block.columns * sizeof(std::int32_t), count, channel,
                       block.columns, output_ + at * pixelBytes + channel * elementBytes_,
                       static_cast<std::size_t>(columnPlan_.outputStep) * pixelBytes);
            row += count;
        }
    }

    const Convolution& conv_;
    const AxisPlan& rowPlan_;
    const AxisPlan& columnPlan_;
    const ConvolutionDrain& drain_;
    std::byte* output_;
    std::size_t elementBytes_, patchBytes_;
    std::size_t inputs_, outputs_;  // channels of a group
    std::size_t depth_, words_;     // of the reduction
    std::size_t pixels_;
    std::size_t panelStride_, groupPanels_;
    bool isDirect_;
    std::vector<std::uint32_t> panels_;
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
    const std::size_t pixelBytes =
            channels * (convolution.isFloat() ? sizeof(float) : sizeof(std::uint8_t));
    for (std::size_t pixel = 0; pixel < convolution.outputShape.pixels(); ++pixel) {
        drain.run(reinterpret_cast<const std::byte*>(sums.data()), 1, 0, channels,
                  output + pixel * pixelBytes, pixelBytes);
    }
}

}  // namespace

JobStatus convolveGroups(OperatorCall& call, const Convolution& convolution,
                         const ConvolutionDrain& drain, std::byte* output) {
    if (!isCovered(convolution.rows, convolution.outputShape.height) ||
        !isCovered(convolution.columns, convolution.outputShape.width)) {
        fillWithBias(convolution, drain, output);
    }
    for (const AxisPlan& rows : convolution.rows) {
        for (const AxisPlan& columns : convolution.columns) {
            PlanProduct product(convolution, rows, columns, drain, output);
            if (product.panelWords() > kMaxFilterWords) {
                return call.refuse(fmt::format("filter takes {} words, expected at most {}",
                                               product.panelWords(), kMaxFilterWords));
            }
            product.run();
        }
    }
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
