// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_patches.h"

#include <algorithm>
#include <cstring>

namespace vnpu::hw::kernels {
namespace {

// Whether all taps of output i lie inside the input.
bool isInside(const ConvolutionAxis& axis, std::int64_t i) {
    const std::int64_t first = i * axis.stride - axis.padding;
    return first >= 0 && first + (axis.taps - 1) * axis.dilation < axis.input;
}

// Whether the axis has a single tap that always lies inside the input.
bool readsWithin(const ConvolutionAxis& axis) {
    return axis.taps == 1 && isInside(axis, 0) && isInside(axis, axis.output - 1);
}

// Bytes between the pixels that a 1 x 1 filter reads for consecutive output pixels; 0 for other
// filters, and if the pixels are not evenly spaced.
std::size_t pixelStep(const Convolution& c) {
    const PixelStrides& strides = c.inputStrides;
    const bool isPointwise = readsWithin(c.rows) && readsWithin(c.columns);
    return isPointwise
                   ? evenStep(c,
                              {.image = strides.image,
                               .row = static_cast<std::size_t>(c.rows.stride) * strides.row,
                               .pixel = static_cast<std::size_t>(c.columns.stride) * strides.pixel})
                   : 0;
}

// The pixel of a 1 x 1 filter's first output.
const std::byte* firstPixel(const Convolution& c) {
    return c.input + static_cast<std::size_t>(-c.rows.padding) * c.inputStrides.row +
           static_cast<std::size_t>(-c.columns.padding) * c.inputStrides.pixel;
}

const std::byte* endOfInput(const Convolution& c) {
    const PixelStrides& strides = c.inputStrides;
    return c.input + (c.images - 1) * strides.image +
           static_cast<std::size_t>(c.rows.input - 1) * strides.row +
           static_cast<std::size_t>(c.columns.input - 1) * strides.pixel +
           c.inputChannels * c.elementBytes();
}

// Rows at multiples of this distance share few sets of the L1 cache and evict each other while a
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

Patches::Patches(const Convolution& convolution, const WordFormat& format)
    : conv_(convolution),
      format_(format),
      inputBytes_(convolution.elementBytes()),
      inputEnd_(endOfInput(convolution)),
      filterRowSteps_(static_cast<std::size_t>(convolution.columns.taps) *
                      convolution.inputChannels),
      filterRowCopy_(format.shortCopy(filterRowSteps_)),
      depth_(static_cast<std::size_t>(convolution.rows.taps) * filterRowSteps_),
      words_(format.wordsFor(depth_)),
      isDense_(convolution.columns.dilation == 1 &&
               convolution.inputStrides.pixel == convolution.inputChannels * inputBytes_),
      pixelStride_(pixelStep(convolution)),
      firstPixel_(pixelStride_ != 0 ? firstPixel(convolution) : nullptr),
      isDirect_(format.isInputAsIs() && depth_ == words_ * format.steps() && pixelStride_ != 0 &&
                !sharesCacheSets(pixelStride_)),
      stride_(isDirect_ ? pixelStride_ : strideOf(words_)) {}

void Patches::write(std::size_t first, std::size_t count, std::byte* destination) const {
    if (stride_ == depth_ * format_.stepBytes() && pixelStride_ == depth_ * inputBytes_) {
        format_.copyInput(firstPixel_ + first * pixelStride_, count * depth_, destination);
        return;
    }
    if (pixelStride_ != 0) {
        const std::size_t bytes = depth_ * format_.stepBytes();
        for (std::size_t row = first; row < first + count; ++row) {
            format_.copyInput(firstPixel_ + row * pixelStride_, depth_, destination);
            pad(destination + bytes, words_ * sizeof(std::uint32_t) - bytes);
            destination += stride_;
        }
        return;
    }
    const auto width = static_cast<std::size_t>(conv_.columns.output);
    const auto height = static_cast<std::size_t>(conv_.rows.output);
    std::size_t x = first % width;
    std::size_t y = first / width % height;
    const std::byte* image = conv_.input + first / width / height * conv_.inputStrides.image;
    while (count > 0) {
        const std::size_t pixels = std::min(count, width - x);
        writePixels(image, static_cast<std::int64_t>(y), static_cast<std::int64_t>(x),
                    static_cast<std::int64_t>(x + pixels), destination);
        destination += pixels * stride_;
        count -= pixels;
        x = 0;
        if (++y == height) {
            y = 0;
            image += conv_.inputStrides.image;
        }
    }
}

void Patches::writePixels(const std::byte* image, std::int64_t y, std::int64_t x, std::int64_t end,
                          std::byte* destination) const {
    while (x < end) {
        std::int64_t next = x;
        if (isDense_ && filterRowCopy_ && isInside(conv_.rows, y) && isInside(conv_.columns, x)) {
            next = writeInside(image, y, x, end, destination);
        }
        if (next == x) {
            writeRow(image, y, x, destination);
            ++next;
        }
        destination += static_cast<std::size_t>(next - x) * stride_;
        x = next;
    }
}

std::int64_t Patches::writeInside(const std::byte* image, std::int64_t y, std::int64_t x,
                                  std::int64_t end, std::byte* destination) const {
    const ConvolutionAxis& rows = conv_.rows;
    const ConvolutionAxis& columns = conv_.columns;
    const WordFormat::ShortCopy copy = *filterRowCopy_;
    const auto taps = static_cast<std::size_t>(rows.taps);
    const std::size_t rowStep = static_cast<std::size_t>(rows.dilation) * conv_.inputStrides.row;
    const std::size_t step = static_cast<std::size_t>(columns.stride) * conv_.inputStrides.pixel;
    const std::byte* source =
            image +
            static_cast<std::size_t>(y * rows.stride - rows.padding) * conv_.inputStrides.row +
            static_cast<std::size_t>(x * columns.stride - columns.padding) *
                    conv_.inputStrides.pixel;
    // The pixels before the edge of the input and before its last bytes.
    const std::size_t read = (taps - 1) * rowStep + copy.bytes + WordFormat::kSlackBytes;
    const auto readable = static_cast<std::size_t>(inputEnd_ - source);
    if (readable < read) {
        return x;
    }
    const auto beforeEdge = (columns.input - columns.taps + columns.padding) / columns.stride + 1;
    end = std::min({end, beforeEdge, x + static_cast<std::int64_t>((readable - read) / step) + 1});
    const std::uint32_t padding =
            std::to_integer<std::uint32_t>(format_.inputPadding()) * 0x01010101U;
    for (; x < end; ++x) {
        // Each copy may write into what the next one writes.
        std::byte* to = destination;
        for (std::size_t tap = 0; tap < taps; ++tap) {
            copy(source + tap * rowStep, to);
            to += copy.bytes;
        }
        std::memcpy(to, &padding, sizeof(padding));
        destination += stride_;
        source += step;
    }
    return end;
}

void Patches::pad(std::byte* destination, std::size_t bytes) const {
    std::memset(destination, std::to_integer<int>(format_.inputPadding()), bytes);
}

void Patches::writeRow(const std::byte* image, std::int64_t y, std::int64_t x,
                       std::byte* destination) const {
    const ConvolutionAxis& rows = conv_.rows;
    const ConvolutionAxis& columns = conv_.columns;
    const std::int64_t top = y * rows.stride - rows.padding;
    const std::int64_t left = x * columns.stride - columns.padding;
    const std::size_t filterRowBytes = filterRowSteps_ * format_.stepBytes();
    const bool isOneRun = isDense_ && isInside(columns, x);
    const std::size_t firstPixel = static_cast<std::size_t>(left) * conv_.inputStrides.pixel;
    std::byte* end = destination;
    for (std::int64_t ky = 0; ky < rows.taps; ++ky) {
        const std::int64_t row = top + ky * rows.dilation;
        if (row < 0 || row >= rows.input) {
            pad(end, filterRowBytes);
            end += filterRowBytes;
            continue;
        }
        const std::byte* source = image + static_cast<std::size_t>(row) * conv_.inputStrides.row;
        if (isOneRun) {
            format_.copyInput(source + firstPixel, filterRowSteps_, end, inputEnd_);
        } else {
            writeFilterRow(source, left, end);
        }
        end += filterRowBytes;
    }
    // Pads the last word.
    pad(end, words_ * sizeof(std::uint32_t) - depth_ * format_.stepBytes());
}

void Patches::writeFilterRow(const std::byte* row, std::int64_t firstColumn,
                             std::byte* destination) const {
    const std::size_t channels = conv_.inputChannels;
    const std::int64_t taps = conv_.columns.taps;
    const std::int64_t width = conv_.columns.input;
    const auto pixelAt = [&](std::int64_t column) {
        return row + static_cast<std::size_t>(column) * conv_.inputStrides.pixel;
    };
    if (isDense_) {
        // One run of pixels, clipped to the input.
        const std::int64_t before = std::clamp<std::int64_t>(-firstColumn, 0, taps);
        const std::int64_t end = std::clamp<std::int64_t>(width - firstColumn, before, taps);
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
        const std::int64_t column = firstColumn + kx * conv_.columns.dilation;
        std::byte* tap =
                destination + static_cast<std::size_t>(kx) * channels * format_.stepBytes();
        if (column >= 0 && column < width) {
            format_.copyInput(pixelAt(column), channels, tap);
        } else {
            pad(tap, channels * format_.stepBytes());
        }
    }
}

}  // namespace vnpu::hw::kernels
