// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "hw_model/kernels/mac/convolution.h"
#include "hw_model/kernels/mac/mac_conv.h"
#include "hw_model/kernels/mac/mac_drain.h"
#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/kernels/support/scratch.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::hw::kernels {
namespace {

// Taps [first, end) of one filter axis that fall inside the input.
struct TapRange {
    std::int64_t first;
    std::int64_t end;

    bool operator==(const TapRange&) const = default;
};

TapRange tapsInside(const ConvolutionAxis& axis, std::int64_t output) {
    const std::int64_t start = output * axis.stride - axis.padding;
    const auto tapsBefore = [&](std::int64_t limit) {
        return limit <= start ? std::int64_t{0}
                              : (limit - start + axis.dilation - 1) / axis.dilation;
    };
    const std::int64_t first = std::min(tapsBefore(0), axis.taps);
    return {.first = first, .end = std::clamp(tapsBefore(axis.input), first, axis.taps)};
}

// The input position of a tap that lies inside the input.
std::size_t inputAt(const ConvolutionAxis& axis, std::int64_t output, std::int64_t tap) {
    return static_cast<std::size_t>(output * axis.stride - axis.padding + tap * axis.dilation);
}

class DepthwiseConvolution {
  public:
    DepthwiseConvolution(const MacBackend& backend, const Convolution& convolution)
        : conv_(convolution),
          kernel_(convolution.isFloat() ? backend.depthwiseFloat : backend.depthwiseInt8),
          backend_(backend),
          drain_(convolution, backend),
          channels_(convolution.outputChannels),
          taps_(convolution.taps()),
          height_(static_cast<std::size_t>(convolution.rows.output)),
          width_(static_cast<std::size_t>(convolution.columns.output)) {}

    void run() {
        readWeights();
        const bool isPrivate = conv_.hasPrivateSums();
        const std::size_t rows = conv_.images * height_;
        std::byte* const sums = isPrivate ? nullptr : sumsOf(rows);
        const std::uint64_t rowOperations = kDepthwiseCost * taps_ * channels_ * width_;
        const std::size_t rowsPerTask =
                std::max<std::size_t>(1, kTaskOperations / (rowOperations + 1));
        forEachTask(divideUp(rows, rowsPerTask), rowOperations * rows, [&](std::size_t task) {
            const std::size_t end = std::min((task + 1) * rowsPerTask, rows);
            for (std::size_t row = task * rowsPerTask; row < end; ++row) {
                std::byte* const rowSums =
                        isPrivate ? sumsOf(1)
                                  : sums + row * width_ * channels_ * sizeof(std::int32_t);
                computeRow(row, rowSums);
                if (conv_.drainsAtOnce()) {
                    drain_.run(rowSums, row * width_, width_);
                }
            }
        });
        if (!conv_.drainsAtOnce()) {
            drain_.run(sums, 0, width_ * rows);
        }
    }

  private:
    static constexpr std::uint64_t kTaskOperations =
            1'000'000;  // chosen: half of the work that is worth a second thread
    static constexpr std::size_t kRepeatedBytes =
            1 << 18;  // chosen: repeated channels stay in the L2 cache

    // Memory for the sums of `rows` output rows, beginning with the first row.
    std::byte* sumsOf(std::size_t rows) const {
        thread_local Scratch<std::int32_t> scratch;
        return conv_.sums != nullptr
                       ? conv_.sums
                       : reinterpret_cast<std::byte*>(scratch.reserve(rows * width_ * channels_));
    }

    // Writes the weights in the backends' format: [taps][channels], float bits or the 16-bit
    // difference to the zero point.
    void readWeights() {
        thread_local Scratch<std::int32_t> scratch;
        thread_local Scratch<std::int16_t> narrow;
        const std::size_t count = taps_ * channels_;
        weights_ = scratch.reserve(count);
        if (conv_.isFloat()) {
            std::memcpy(weights_, conv_.filter, count * sizeof(float));
            return;
        }
        std::int16_t* differences = narrow.reserve(count);
        backend_.widen(conv_.filter, count, conv_.types.filterType == ElementType::kInt8,
                       conv_.types.filterZeroPoint, reinterpret_cast<std::byte*>(differences));
        for (std::size_t i = 0; i < count; ++i) {
            weights_[i] = static_cast<std::uint16_t>(differences[i]);
        }
    }

    struct Run {
        std::int64_t y, x;  // of the first output pixel
        std::size_t pixels;
        TapRange rows, columns;
    };

    // Consecutive pixels with the same taps inside the input form one run, as long as repeated
    // channels fit.
    void computeRow(std::size_t row, std::byte* sums) const {
        const std::byte* image = conv_.input + row / height_ * conv_.inputStrides.image;
        const std::size_t longest =
                conv_.depthMultiplier == 1
                        ? width_
                        : std::max<std::size_t>(1, kRepeatedBytes / (taps_ * channels_));
        const auto columnsAt = [&](std::size_t x) {
            return tapsInside(conv_.columns, static_cast<std::int64_t>(x));
        };
        Run run{};
        run.y = static_cast<std::int64_t>(row % height_);
        run.rows = tapsInside(conv_.rows, run.y);
        for (std::size_t x = 0; x < width_; x += run.pixels) {
            run.x = static_cast<std::int64_t>(x);
            run.columns = columnsAt(x);
            run.pixels = 1;
            while (x + run.pixels < width_ && run.pixels < longest &&
                   columnsAt(x + run.pixels) == run.columns) {
                ++run.pixels;
            }
            computeRun(run, image, sums + x * channels_ * sizeof(std::int32_t));
        }
    }

    void computeRun(const Run& run, const std::byte* image, std::byte* sums) const {
        thread_local Scratch<const std::byte*> tapScratch;
        thread_local Scratch<const std::int32_t*> weightScratch;
        const std::byte** taps = tapScratch.reserve(taps_);
        const std::int32_t** weights = weightScratch.reserve(taps_);
        std::size_t count = 0;
        for (std::int64_t ky = run.rows.first; ky < run.rows.end; ++ky) {
            for (std::int64_t kx = run.columns.first; kx < run.columns.end; ++kx) {
                taps[count] = image + inputAt(conv_.rows, run.y, ky) * conv_.inputStrides.row +
                              inputAt(conv_.columns, run.x, kx) * conv_.inputStrides.pixel;
                weights[count] = weights_ +
                                 static_cast<std::size_t>(ky * conv_.columns.taps + kx) * channels_;
                ++count;
            }
        }
        std::size_t pixelStep =
                static_cast<std::size_t>(conv_.columns.stride) * conv_.inputStrides.pixel;
        if (conv_.depthMultiplier != 1) {
            repeatChannels(taps, count, run.pixels, pixelStep);
            pixelStep = channels_ * conv_.elementBytes();
        }
        kernel_({.taps = taps,
                 .weights = weights,
                 .tapCount = count,
                 .pixels = run.pixels,
                 .pixelStep = pixelStep,
                 .firstChannel = 0,
                 .channels = channels_,
                 .accumulators = sums,
                 .accumulate = conv_.accumulate,
                 .isSigned = conv_.types.inputType == ElementType::kInt8,
                 .zeroPoint = conv_.types.inputZeroPoint});
    }

    // Copies the pixels so that output channel c reads channel c, and points the taps to the
    // copies.
    void repeatChannels(const std::byte** taps, std::size_t count, std::size_t pixels,
                        std::size_t pixelStep) const {
        thread_local Scratch<std::byte> scratch;
        const std::size_t pixelBytes = channels_ * conv_.elementBytes();
        std::byte* copy = scratch.reserve(count * pixels * pixelBytes);
        for (std::size_t t = 0; t < count; ++t) {
            const std::byte* source = std::exchange(taps[t], copy);
            for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
                conv_.isFloat() ? repeatPixel<std::uint32_t>(source, copy)
                                : repeatPixel<std::uint8_t>(source, copy);
                source += pixelStep;
                copy += pixelBytes;
            }
        }
    }

    template <typename T>
    void repeatPixel(const std::byte* source, std::byte* destination) const {
        for (std::size_t c = 0, input = 0; c < channels_; ++input) {
            const std::size_t end = std::min(c + conv_.depthMultiplier, channels_);
            const T value = loadElement<T>(source, input);
            for (; c < end; ++c) {
                storeElement(destination, c, value);
            }
        }
    }

    const Convolution& conv_;
    void (*kernel_)(const DepthwiseRun&);
    const MacBackend& backend_;
    Drain drain_;
    std::size_t channels_;
    std::size_t taps_;
    std::size_t height_, width_;  // of the output
    std::int32_t* weights_ = nullptr;
};

}  // namespace

void convolveDepthwise(const MacBackend& backend, const Convolution& convolution) {
    DepthwiseConvolution(backend, convolution).run();
}

}  // namespace vnpu::hw::kernels
