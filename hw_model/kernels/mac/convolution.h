// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/mac/mac_backend.h"
#include "hw_model/kernels/mac/mac_words.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// One axis of a convolution: tap k of output i reads input i * stride - padding + k * dilation, or
/// zero if that position lies outside the input. The padding may be negative.
struct ConvolutionAxis {
    std::int64_t input = 1;
    std::int64_t taps = 1;
    std::int64_t output = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t padding = 0;
};

/// Bytes from one image, row or pixel to the next; channels are dense.
struct PixelStrides {
    std::size_t image = 0;
    std::size_t row = 0;
    std::size_t pixel = 0;

    /// The strides of dense images.
    static PixelStrides dense(std::size_t rows, std::size_t columns, std::size_t pixelBytes) {
        return {.image = rows * columns * pixelBytes,
                .row = columns * pixelBytes,
                .pixel = pixelBytes};
    }
};

/// A convolution of images in memory: all or part of a MAC array command or of a whole operator.
/// Operands need no alignment.
struct Convolution {
    WordFormat::Operands types;
    std::size_t images = 1;
    ConvolutionAxis rows, columns;
    std::size_t inputChannels = 1;
    std::size_t outputChannels = 1;
    bool isDepthwise = false;
    std::size_t depthMultiplier = 1;  // depthwise: output channel c reads input channel c / this
    const std::byte* input = nullptr;
    PixelStrides inputStrides;
    /// [outputs][filter rows][filter columns][inputs]; depthwise: [rows][columns][outputs].
    const std::byte* filter = nullptr;
    /// Elements have the same size as those of the input; null: the sums are not drained.
    std::byte* output = nullptr;
    PixelStrides outputStrides;
    OutputStage stage{};                // without its offsets and flags
    const std::byte* bias = nullptr;    // int32 or float32 per output channel, or null
    const std::byte* scales = nullptr;  // {multiplier, shift} per output channel, or null
    /// Sums [pixels][output channels] shared with other commands; null: sums are not kept.
    std::byte* sums = nullptr;
    bool accumulate = false;  // to `sums`, instead of starting from zero
    bool overwritesInput = false;

    std::size_t pixels() const {
        return images * static_cast<std::size_t>(rows.output * columns.output);
    }
    std::size_t taps() const { return static_cast<std::size_t>(rows.taps * columns.taps); }
    bool isFloat() const { return types.inputType == ElementType::kFloat32; }
    /// The same for input, filter and output.
    std::size_t elementBytes() const { return hw::elementBytes(types.inputType); }
    /// Without `overwritesInput`, a block of sums is drained as soon as it is complete.
    bool drainsAtOnce() const { return !overwritesInput; }
    /// Whether the sums need no memory except for the block in progress.
    bool hasPrivateSums() const { return sums == nullptr && drainsAtOnce(); }
};

/// Computes a convolution; oneTBB workers may take part. The result is bit-identical for every
/// backend and number of threads. Any thread.
void convolve(const MacBackend& backend, const Convolution& convolution);

/// The two kinds of convolution, selected by isDepthwise.
void convolveNormal(const MacBackend& backend, const Convolution& convolution);
void convolveDepthwise(const MacBackend& backend, const Convolution& convolution);

/// The distance in bytes between consecutive output pixels (or the positions that they read) for
/// the given strides of image, row and column; 0 if the pixels are not evenly spaced.
std::size_t evenStep(const Convolution& convolution, const PixelStrides& steps);

}  // namespace vnpu::hw::kernels
