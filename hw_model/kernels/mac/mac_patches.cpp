// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_patches.h"

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

// Rows a multiple of this apart lie in few sets of a first-level cache and evict each other while a
// register tile reads a dozen of them at once.
constexpr std::size_t kConflictBytes = 2048;  // chosen: 64 sets of 64 bytes hold two such rows
constexpr std::size_t kCacheLine = 64;

bool sharesCacheSets(std::size_t stride) {
    return stride % kConflictBytes == 0;
}

std::size_t strideOf(std::size_t words) {
    const std::size_t bytes = words * sizeof(std::uint32_t);
    return sharesCacheSets(bytes) ? bytes + kCacheLine : bytes;
}

}  // namespace

Patches::Patches(const MacConv& work, const std::byte* sram, const WordFormat& format)
    : work_(work),
      format_(format),
      input_(sram + work.inputSram),
      inputBytes_(elementBytes(work.inputType)),
      inputEnd_(input_ + std::size_t{work.inputHeight} * work.inputRowBytes),
      filterRowSteps_(std::size_t{work.filterWidth} * work.inputChannels),
      depth_(work.filterHeight * filterRowSteps_),
      words_(format.wordsFor(depth_)),
      isDense_(work.dilationWidth == 1 && work.inputPixelBytes == work.inputChannels * inputBytes_),
      pixelStride_(isPointwise(work) ? evenStride(work) : 0),
      isDirect_(format.isInputAsIs() && depth_ == words_ * format.steps() && pixelStride_ != 0 &&
                !sharesCacheSets(pixelStride_)),
      stride_(isDirect_ ? pixelStride_ : strideOf(words_)) {}

void Patches::write(std::size_t first, std::size_t count, std::byte* destination) const {
    if (stride_ == depth_ * format_.stepBytes() && pixelStride_ == depth_ * inputBytes_) {
        format_.copyInput(input_ + first * pixelStride_, count * depth_, destination);
        return;
    }
    if (pixelStride_ != 0) {
        const std::size_t bytes = depth_ * format_.stepBytes();
        for (std::size_t row = first; row < first + count; ++row) {
            format_.copyInput(input_ + row * pixelStride_, depth_, destination);
            pad(destination + bytes, words_ * sizeof(std::uint32_t) - bytes);
            destination += stride_;
        }
        return;
    }
    std::size_t y = first / work_.outputWidth;
    std::size_t x = first % work_.outputWidth;
    for (std::size_t row = 0; row < count; ++row) {
        writeRow(y, x, destination);
        destination += stride_;
        if (++x == work_.outputWidth) {
            x = 0;
            ++y;
        }
    }
}

void Patches::pad(std::byte* destination, std::size_t bytes) const {
    std::memset(destination, std::to_integer<int>(format_.inputPadding()), bytes);
}

void Patches::writeRow(std::size_t y, std::size_t x, std::byte* destination) const {
    const std::int64_t top = static_cast<std::int64_t>(y) * work_.strideHeight - work_.padTop;
    const std::int64_t left = static_cast<std::int64_t>(x) * work_.strideWidth - work_.padLeft;
    const std::size_t filterRowBytes = filterRowSteps_ * format_.stepBytes();
    const bool isInside = isDense_ && left >= 0 && left + work_.filterWidth <= work_.inputWidth;
    const std::size_t firstPixel = static_cast<std::size_t>(left) * work_.inputPixelBytes;
    std::byte* end = destination;
    for (std::int64_t ky = 0; ky < work_.filterHeight; ++ky) {
        const std::int64_t row = top + ky * work_.dilationHeight;
        if (row < 0 || row >= work_.inputHeight) {
            pad(end, filterRowBytes);
        } else if (isInside) {
            const std::byte* source =
                    input_ + static_cast<std::size_t>(row) * work_.inputRowBytes + firstPixel;
            format_.copyInput(source, filterRowSteps_, end, inputEnd_);
        } else {
            writeFilterRow(row, left, end);
        }
        end += filterRowBytes;
    }
    // What is left of the last word.
    pad(end, words_ * sizeof(std::uint32_t) - depth_ * format_.stepBytes());
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
    if (isDense_) {
        // One run of pixels, cut to the input.
        const std::int64_t before = std::clamp<std::int64_t>(-firstColumn, 0, taps);
        const std::int64_t end =
                std::clamp<std::int64_t>(work_.inputWidth - firstColumn, before, taps);
        const auto inside = static_cast<std::size_t>(end - before);
        const std::size_t bytesBefore =
                static_cast<std::size_t>(before) * channels * format_.stepBytes();
        const std::size_t bytesEnd = static_cast<std::size_t>(end) * channels * format_.stepBytes();
        pad(destination, bytesBefore);
        if (inside != 0) {
            format_.copyInput(pixelAt(firstColumn + before), inside * channels,
                              destination + bytesBefore);
        }
        pad(destination + bytesEnd,
            static_cast<std::size_t>(taps - end) * channels * format_.stepBytes());
        return;
    }
    for (std::int64_t kx = 0; kx < taps; ++kx) {
        const std::int64_t column = firstColumn + kx * dilation;
        std::byte* tap =
                destination + static_cast<std::size_t>(kx) * channels * format_.stepBytes();
        if (column >= 0 && column < work_.inputWidth) {
            format_.copyInput(pixelAt(column), channels, tap);
        } else {
            pad(tap, channels * format_.stepBytes());
        }
    }
}

}  // namespace vnpu::hw::kernels
