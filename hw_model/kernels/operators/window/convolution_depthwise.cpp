// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw_model/kernels/operators/window/convolution_products.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/kernels/support/scratch.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::uint64_t kProductCost =
        8;  // chosen: a depthwise product costs about eight of a matrix's
constexpr std::size_t kRunBytes = 1 << 18;  // chosen: repeated channels stay in the L2 cache

class DepthwiseProduct {
  public:
    DepthwiseProduct(const Convolution& convolution, const ConvolutionDrain& drain,
                     std::byte* output)
        : conv_(convolution),
          rows_(convolution.rows.front()),
          columns_(convolution.columns.front()),
          drain_(drain),
          output_(output),
          elementBytes_(convolution.isFloat() ? sizeof(float) : sizeof(std::uint8_t)),
          channels_(convolution.outputShape.channels),
          multiplier_(channels_ / convolution.inputShape.channels),
          filterTaps_(rows_.taps.size() * columns_.taps.size()) {}

    void run() {
        readWeights();
        const std::size_t height = conv_.outputShape.rows;
        const std::size_t width = conv_.outputShape.columns;
        const std::size_t rows = conv_.outputShape.batches * height;
        forEachTask(rows, kProductCost * filterTaps_ * channels_ * width * rows,
                    [&](std::size_t row) {
                        computeRow(row / height, static_cast<std::int64_t>(row % height),
                                   output_ + row * width * channels_ * elementBytes_);
                    });
    }

  private:
    // Taps [first, end) of an axis that lie inside the input.
    struct TapRange {
        std::size_t first, end;
        bool operator==(const TapRange&) const = default;
    };

    static TapRange tapsInside(const AxisPlan& plan, std::int64_t output, std::int64_t extent) {
        const auto before = [&](std::int64_t limit) {
            const auto at = std::partition_point(
                    plan.taps.begin(), plan.taps.end(), [&](const AxisPlan::Tap& tap) {
                        return output * plan.inputStep + tap.input < limit;
                    });
            return static_cast<std::size_t>(at - plan.taps.begin());
        };
        return {.first = before(0), .end = before(extent)};
    }

    // As the backends want them: [taps][channels], float bits or the 16-bit difference to the zero
    // point.
    void readWeights() {
        const std::size_t count = filterTaps_ * channels_;
        weights_.resize(count);
        if (conv_.isFloat()) {
            std::memcpy(weights_.data(), conv_.filter, count * sizeof(float));
            return;
        }
        std::vector<std::int16_t> differences(count);
        bestBackend().widen(conv_.filter, count, conv_.filterType == ElementType::kInt8,
                            conv_.filterZeroPoint,
                            reinterpret_cast<std::byte*>(differences.data()));
        std::transform(differences.begin(), differences.end(), weights_.begin(),
                       [](std::int16_t difference) {
                           return static_cast<std::int32_t>(static_cast<std::uint16_t>(difference));
                       });
    }

    // Pixels whose windows lie alike in the input are one run, as far as repeated channels fit.
    void computeRow(std::size_t batch, std::int64_t y, std::byte* output) const {
        const TapRange rows = tapsInside(rows_, y, conv_.inputShape.rows);
        const auto columnsAt = [&](std::int64_t x) {
            return tapsInside(columns_, x, conv_.inputShape.columns);
        };
        const std::int64_t longest = multiplier_ == 1
                                             ? conv_.outputShape.columns
                                             : static_cast<std::int64_t>(std::max<std::size_t>(
                                                       1, kRunBytes / (filterTaps_ * channels_)));
        for (std::int64_t x = 0; x < conv_.outputShape.columns;) {
            const TapRange columns = columnsAt(x);
            std::int64_t end = x + 1;
            while (end < conv_.outputShape.columns && end - x < longest &&
                   columnsAt(end) == columns) {
                ++end;
            }
            computeRun(
                    {.batch = batch, .y = y, .x = x, .pixels = static_cast<std::size_t>(end - x)},
                    rows, columns, output);
            x = end;
        }
    }

    struct Run {
        std::size_t batch;
        std::int64_t y, x;
        std::size_t pixels;
    };

    void computeRun(const Run& run, TapRange rows, TapRange columns, std::byte* output) const {
        thread_local Scratch<const std::byte*> tapScratch;
        thread_local Scratch<const std::int32_t*> weightScratch;
        thread_local Scratch<std::int32_t> sumScratch;
        const std::byte** taps = tapScratch.reserve(filterTaps_);
        const std::int32_t** weights = weightScratch.reserve(filterTaps_);
        std::int32_t* sums = sumScratch.reserve(run.pixels * channels_);
        std::size_t count = 0;
        for (std::size_t ky = rows.first; ky < rows.end; ++ky) {
            for (std::size_t kx = columns.first; kx < columns.end; ++kx) {
                taps[count] = pixelUnder(run, ky, kx);
                weights[count] = weights_.data() + (ky * columns_.taps.size() + kx) * channels_;
                ++count;
            }
        }
        const std::size_t pixelBytes = conv_.inputShape.channels * elementBytes_;
        std::size_t pixelStep = static_cast<std::size_t>(columns_.inputStep) * pixelBytes;
        if (multiplier_ != 1) {
            repeatChannels(taps, count, run.pixels, pixelStep);
            pixelStep = channels_ * elementBytes_;
        }
        multiply({.taps = taps,
                  .weights = weights,
                  .tapCount = count,
                  .pixels = run.pixels,
                  .pixelStep = pixelStep,
                  .firstChannel = 0,
                  .channels = channels_,
                  .accumulators = reinterpret_cast<std::byte*>(sums),
                  .accumulate = false,
                  .isSigned = conv_.type == ElementType::kInt8,
                  .zeroPoint = conv_.inputZeroPoint});
        drain_.run(reinterpret_cast<const std::byte*>(sums), run.pixels, 0, channels_,
                   output + static_cast<std::size_t>(run.x) * channels_ * elementBytes_,
                   channels_ * elementBytes_);
    }

    const std::byte* pixelUnder(const Run& run, std::size_t ky, std::size_t kx) const {
        const std::int64_t y = run.y * rows_.inputStep + rows_.taps[ky].input;
        const std::int64_t x = run.x * columns_.inputStep + columns_.taps[kx].input;
        const std::size_t row = run.batch * conv_.inputShape.rows + static_cast<std::size_t>(y);
        return conv_.input + (row * conv_.inputShape.columns + static_cast<std::size_t>(x)) *
                                     conv_.inputShape.channels * elementBytes_;
    }

    void multiply(const DepthwiseRun& run) const {
        const MacBackend& backend = bestBackend();
        conv_.isFloat() ? backend.depthwiseFloat(run) : backend.depthwiseInt8(run);
    }

    // Points the taps to copies of their pixels in which output channel c reads channel c.
    void repeatChannels(const std::byte** taps, std::size_t count, std::size_t pixels,
                        std::size_t pixelStep) const {
        thread_local Scratch<std::byte> scratch;
        const std::size_t copyBytes = pixels * channels_ * elementBytes_;
        std::byte* copies = scratch.reserve(count * copyBytes);
        for (std::size_t t = 0; t < count; ++t) {
            std::byte* copy = copies + t * copyBytes;
            for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
                repeatPixel(taps[t] + pixel * pixelStep, copy + pixel * channels_ * elementBytes_);
            }
            taps[t] = copy;
        }
    }

    void repeatPixel(const std::byte* source, std::byte* destination) const {
        const std::size_t inputs = conv_.inputShape.channels;
        if (conv_.isFloat()) {
            for (std::size_t c = 0; c < inputs; ++c) {
                std::fill_n(reinterpret_cast<float*>(destination) + c * multiplier_, multiplier_,
                            reinterpret_cast<const float*>(source)[c]);
            }
        } else {
            for (std::size_t c = 0; c < inputs; ++c) {
                std::fill_n(destination + c * multiplier_, multiplier_, source[c]);
            }
        }
    }

    const Convolution& conv_;
    const AxisPlan& rows_;
    const AxisPlan& columns_;
    const ConvolutionDrain& drain_;
    std::byte* output_;
    std::size_t elementBytes_;
    std::size_t channels_;
    std::size_t multiplier_;
    std::size_t filterTaps_;
    std::vector<std::int32_t> weights_;
};

}  // namespace

JobStatus convolveDepthwise(OperatorCall& call, const Convolution& convolution,
                            const ConvolutionDrain& drain, std::byte* output) {
    const std::uint64_t words = convolution.outputShape.channels *
                                static_cast<std::uint64_t>(convolution.filterHeight) *
                                static_cast<std::uint64_t>(convolution.filterWidth);
    if (words > kMaxFilterWords) {
        return call.refuse(
                fmt::format("filter takes {} words, expected at most {}", words, kMaxFilterWords));
    }
    DepthwiseProduct(convolution, drain, output).run();
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
