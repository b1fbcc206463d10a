// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac_patches.h"

#include <algorithm>
#include <cstring>

namespace vnpu::hw::kernels {
namespace {

// A 1 x 1 filter without padding reads exactly one input pixel for an output pixel.
bool isPointwise(const MacConv& w) {
    return w.filterHeight == 1 && w.filterWidth == 1 && w.padTop == 0 && w.padLeft == 0 &&
           std::uint64_t{w.outputHeight - 1} * w.strideHeight < w.inputHeight &&
           std::uint64_t{w.outputWidth - 1} * w.strideWidth < w.inputWidth;
}

// Bytes between the pixels that consecutive output pixels read, or 0 if they are not evenly spaced.
std::size_t evenStride(const MacConv& w) {
    const std::size_t across = std::size_t{w.strideWidth} * w.inputPixelBytes;
    const std::size_t down = std::size_t{w.strideHeight} * w.inputRowBytes;
    if (w.outputWidth == 1) {
        return down;
    }
    return w.outputHeight == 1 || down == across * w.outputWidth ? across : 0;
}

}  // namespace

Patches::Patches(const MacConv& work, const std::byte* sram, const MacBackend& backend)
    : work_(work),
      backend_(backend),
      input_(sram + work.inputSram),
      isFloat_(work.inputType == ElementType::kFloat32),
      inputBytes_(elementBytes(work.inputType)),
      patchBytes_(isFloat_ ? sizeof(float) : sizeof(std::int16_t)),
      depth_(std::size_t{work.filterHeight} * work.filterWidth * work.inputChannels),
      words_(isFloat_ ? depth_ : (depth_ + 1) / 2),
      isContiguous_(false),
      isDirect_(false),
      directStride_(isPointwise(work) ? evenStride(work) : 0) {
    isDirect_ = isFloat_ && directStride_ != 0;
    isContiguous_ = depth_ * patchBytes_ == words_ * sizeof(std::uint32_t) &&
                    directStride_ == depth_ * inputBytes_;
}

void Patches::write(std::size_t first, std::size_t count, std::uint32_t* destination) const {
    auto* bytes = reinterpret_cast<std::byte*>(destination);
    if (isContiguous_) {
        copy(input_ + first * directStride_, count * depth_, bytes);
        return;
    }
    for (std::size_t row = 0; row < count; ++row) {
        writeRow(first + row, bytes + row * words_ * sizeof(std::uint32_t));
    }
}

void Patches::writeRow(std::size_t pixel, std::byte* destination) const {
    const std::int64_t y = static_cast<std::int64_t>(pixel / work_.outputWidth);
    const std::int64_t x = static_cast<std::int64_t>(pixel % work_.outputWidth);
    const std::int64_t top = y * work_.strideHeight - work_.padTop;
    const std::int64_t left = x * work_.strideWidth - work_.padLeft;
    const std::size_t filterRowBytes =
            std::size_t{work_.filterWidth} * work_.inputChannels * patchBytes_;
    std::byte* end = destination;
    for (std::int64_t ky = 0; ky < work_.filterHeight; ++ky) {
        const std::int64_t row = top + ky * work_.dilationHeight;
        if (row >= 0 && row < work_.inputHeight) {
            writeFilterRow(row, left, end);
        } else {
            std::memset(end, 0, filterRowBytes);
        }
        end += filterRowBytes;
    }
    // The half word behind an odd number of 16-bit elements.
    std::memset(end, 0, words_ * sizeof(std::uint32_t) - depth_ * patchBytes_);
}

void Patches::writeFilterRow(std::int64_t row, std::int64_t firstColumn,
                             std::byte* destination) const {
    const std::size_t channels = work_.inputChannels;
    const std::int64_t taps = work_.filterWidth;
    const std::int64_t dilation = work_.dilationWidth;
    const std::byte* source = input_ + static_cast<std::size_t>(row) * work_.inputRowBytes;
    const auto pixelAt = [&](std::int64_t column) {
        return source + static_cast<std::size_t>(column) * work_.inputPixelBytes;
    };
    if (dilation == 1 && work_.inputPixelBytes == channels * inputBytes_) {
        // One run of pixels, cut to the input.
        const std::int64_t before = std::clamp<std::int64_t>(-firstColumn, 0, taps);
        const std::int64_t end =
                std::clamp<std::int64_t>(work_.inputWidth - firstColumn, before, taps);
        const auto inside = static_cast<std::size_t>(end - before);
        const std::size_t bytesBefore = static_cast<std::size_t>(before) * channels * patchBytes_;
        const std::size_t bytesEnd = static_cast<std::size_t>(end) * channels * patchBytes_;
        std::memset(destination, 0, bytesBefore);
        if (inside != 0) {
            copy(pixelAt(firstColumn + before), inside * channels, destination + bytesBefore);
        }
        std::memset(destination + bytesEnd, 0,
                    static_cast<std::size_t>(taps - end) * channels * patchBytes_);
        return;
    }
    for (std::int64_t kx = 0; kx < taps; ++kx) {
        const std::int64_t column = firstColumn + kx * dilation;
        std::byte* tap = destination + static_cast<std::size_t>(kx) * channels * patchBytes_;
        if (column >= 0 && column < work_.inputWidth) {
            copy(pixelAt(column), channels, tap);
        } else {
            std::memset(tap, 0, channels * patchBytes_);
        }
    }
}

void Patches::copy(const std::byte* source, std::size_t elements, std::byte* destination) const {
    if (isFloat_) {
        std::memcpy(destination, source, elements * sizeof(float));
    } else {
        backend_.widen(source, elements, work_.inputType == ElementType::kInt8,
                       work_.inputZeroPoint, destination);
    }
}

}  // namespace vnpu::hw::kernels
