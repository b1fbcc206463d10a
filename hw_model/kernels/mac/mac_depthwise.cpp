// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "hw_model/kernels/mac/mac_conv.h"
#include "hw_model/kernels/mac/mac_drain.h"
#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/kernels/support/scratch.h"

namespace vnpu::hw::kernels {
namespace {

// Taps [first, end) of one filter axis that fall inside the input.
struct TapRange {
    std::int64_t first;
    std::int64_t end;

    bool operator==(const TapRange&) const = default;
};

TapRange tapsInside(std::int64_t start, std::int64_t dilation, std::int64_t taps,
                    std::int64_t size) {
    const std::int64_t first = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
    const std::int64_t end = start >= size ? 0 : (size - start + dilation - 1) / dilation;
    return {.first = std::min(first, taps), .end = std::clamp(end, std::min(first, taps), taps)};
}

class DepthwiseConvolution {
  public:
    DepthwiseConvolution(const MacBackend& backend, const MacConv& work, std::byte* sram,
                         std::byte* accumulators)
        : work_(work),
          sram_(sram),
          accumulators_(accumulators + work.accumulatorOffset),
          isFloat_(work.inputType == ElementType::kFloat32),
          kernel_(isFloat_ ? backend.depthwiseFloat : backend.depthwiseInt8),
          backend_(backend),
          drain_(work, sram, backend),
          channels_(work.outputChannels),
          taps_(std::size_t{work.filterHeight} * work.filterWidth),
          pixelBytes_(work.inputPixelBytes),
          rowBytes_(work.inputRowBytes),
          input_(sram + work.inputSram) {}

    void run() {
        readWeights();
        if (work_.depthMultiplier != 1) {
            repeatChannels();
        }
        const std::size_t width = work_.outputWidth;
        const bool drainsAtOnce = !overwritesInput(work_);
        const bool isPrivate = drainsAtOnce && !keepsSums(work_);
        std::byte* const sums = isPrivate ? nullptr : sumsOf(work_.outputHeight);
        const std::uint64_t operations =
                kDepthwiseCost * taps_ * channels_ * width * work_.outputHeight;
        const std::size_t rowsPerTask = std::max<std::size_t>(
                1, kTaskOperations / (kDepthwiseCost * taps_ * channels_ * width + 1));
        const std::size_t tasks = (work_.outputHeight + rowsPerTask - 1) / rowsPerTask;
        forEachTask(tasks, operations, [&](std::size_t task) {
            const std::size_t first = task * rowsPerTask;
            const std::size_t end = std::min<std::size_t>(first + rowsPerTask, work_.outputHeight);
            for (std::size_t y = first; y < end; ++y) {
                std::byte* const rowSums =
                        isPrivate ? sumsOf(1) : sums + y * width * channels_ * sizeof(std::int32_t);
                computeRow(y, rowSums);
                if (drainsAtOnce) {
                    drain_.run(rowSums, y * width, width);
                }
            }
        });
        if (!drainsAtOnce) {
            drain_.run(sums, 0, width * work_.outputHeight);
        }
    }

  private:
    static constexpr std::uint64_t kTaskOperations =
            1'000'000;  // chosen: half of what is worth a second thread

    // Room for the sums of so many output rows, from the first one on.
    std::byte* sumsOf(std::size_t rows) const {
        thread_local Scratch<std::int32_t> scratch;
        return keepsSums(work_) ? accumulators_
                                : reinterpret_cast<std::byte*>(
                                          scratch.reserve(rows * work_.outputWidth * channels_));
    }

    // Weights as the backends want them: [taps][channels], float bits or the 16-bit difference to
    // the zero point.
    void readWeights() {
        thread_local Scratch<std::int32_t> scratch;
        thread_local Scratch<std::int16_t> narrow;
        const std::byte* filter = sram_ + work_.filterSram;
        const std::size_t count = taps_ * channels_;
        weights_ = scratch.reserve(count);
        if (isFloat_) {
            std::memcpy(weights_, filter, count * sizeof(float));
            return;
        }
        std::int16_t* differences = narrow.reserve(count);
        backend_.widen(filter, count, work_.filterType == ElementType::kInt8, work_.filterZeroPoint,
                       reinterpret_cast<std::byte*>(differences));
        for (std::size_t i = 0; i < count; ++i) {
            weights_[i] = static_cast<std::uint16_t>(differences[i]);
        }
    }

    // A copy of the input in which output channel c reads channel c.
    void repeatChannels() {
        thread_local Scratch<std::byte> scratch;
        const std::size_t bytes = elementBytes(work_.inputType);
        const std::size_t pixelBytes = channels_ * bytes;
        std::byte* copy =
                scratch.reserve(std::size_t{work_.inputHeight} * work_.inputWidth * pixelBytes);
        std::byte* end = copy;
        for (std::size_t y = 0; y < work_.inputHeight; ++y) {
            for (std::size_t x = 0; x < work_.inputWidth; ++x) {
                const std::byte* source = input_ + y * rowBytes_ + x * pixelBytes_;
                repeatPixel(source, bytes, end);
                end += pixelBytes;
            }
        }
        input_ = copy;
        pixelBytes_ = pixelBytes;
        rowBytes_ = work_.inputWidth * pixelBytes;
    }

    void repeatPixel(const std::byte* source, std::size_t bytes, std::byte* destination) const {
        for (std::size_t c = 0; c < channels_; ++c) {
            std::memcpy(destination + c * bytes, source + c / work_.depthMultiplier * bytes, bytes);
        }
    }

    // Pixels whose windows lie alike in the input are one run.
    void computeRow(std::size_t y, std::byte* sums) const {
        const std::int64_t top = static_cast<std::int64_t>(y) * work_.strideHeight - work_.padTop;
        const TapRange rows =
                tapsInside(top, work_.dilationHeight, work_.filterHeight, work_.inputHeight);
        const auto columnsAt = [&](std::size_t x) {
            return tapsInside(leftOf(x), work_.dilationWidth, work_.filterWidth, work_.inputWidth);
        };
        std::size_t x = 0;
        while (x < work_.outputWidth) {
            const TapRange columns = columnsAt(x);
            std::size_t end = x + 1;
            while (end < work_.outputWidth && columnsAt(end) == columns) {
                ++end;
            }
            computeRun(sums + x * channels_ * sizeof(std::int32_t), end - x, top, leftOf(x), rows,
                       columns);
            x = end;
        }
    }

    std::int64_t leftOf(std::size_t x) const {
        return static_cast<std::int64_t>(x) * work_.strideWidth - work_.padLeft;
    }

    void computeRun(std::byte* sums, std::size_t pixels, std::int64_t top, std::int64_t left,
                    TapRange rows, TapRange columns) const {
        thread_local Scratch<const std::byte*> tapScratch;
        thread_local Scratch<const std::int32_t*> weightScratch;
        const std::byte** taps = tapScratch.reserve(taps_);
        const std::int32_t** weights = weightScratch.reserve(taps_);
        std::size_t count = 0;
        for (std::int64_t ky = rows.first; ky < rows.end; ++ky) {
            const auto row = static_cast<std::size_t>(top + ky * work_.dilationHeight);
            for (std::int64_t kx = columns.first; kx < columns.end; ++kx) {
                const auto column = static_cast<std::size_t>(left + kx * work_.dilationWidth);
                taps[count] = input_ + row * rowBytes_ + column * pixelBytes_;
                weights[count] = weights_ +
                                 static_cast<std::size_t>(ky * work_.filterWidth + kx) * channels_;
                ++count;
            }
        }
        kernel_({.taps = taps,
                 .weights = weights,
                 .tapCount = count,
                 .pixels = pixels,
                 .pixelStep = work_.strideWidth * pixelBytes_,
                 .firstChannel = 0,
                 .channels = channels_,
                 .accumulators = sums,
                 .accumulate = (work_.flags & kMacAccumulate) != 0,
                 .isSigned = work_.inputType == ElementType::kInt8,
                 .zeroPoint = work_.inputZeroPoint});
    }

    const MacConv& work_;
    std::byte* sram_;
    std::byte* accumulators_;
    bool isFloat_;
    void (*kernel_)(const DepthwiseRun&);
    const MacBackend& backend_;
    Drain drain_;
    std::size_t channels_;
    std::size_t taps_;
    std::size_t pixelBytes_;
    std::size_t rowBytes_;
    const std::byte* input_;
    std::int32_t* weights_ = nullptr;
};

}  // namespace

void depthwiseConvolution(const MacBackend& backend, const MacConv& work, std::byte* sram,
                          std::byte* accumulators) {
    DepthwiseConvolution(backend, work, sram, accumulators).run();
}

}  // namespace vnpu::hw::kernels
