// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/mac/mac_backend.h"
#include "hw_model/kernels/mac/mac_words.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// One axis of a convolution: tap k of output i reads input i * stride - padding + k * dilation, or
/// zero where there is no such input. The padding may be negative.
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

    /// Of dense images.
    static PixelStrides dense(std::size_t rows, std::size_t columns, std::size_t pixelBytes) {
        return {.image = rows * columns * pixelBytes,
                .row = columns * pixelBytes,
                .pixel = pixelBytes};
    }
};

/// A convolution of images in memory: what a command of the MAC array, a whole operator, or a part
/// of one computes. Operands need no alignment.
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
    /// Elements of the input's size; null: the sums are not drained.
    std::byte* output = nullptr;
    PixelStrides outputStrides;
    OutputStage stage{};                // of which the offsets and flags are not read
    const std::byte* bias = nullptr;    // int32 or float32 per output channel, or null
    const std::byte* scales = nullptr;  // {multiplier, shift} per output channel, or null
    /// Sums [pixels][output channels] that other commands see; null: they are kept nowhere.
    std::byte* sums = nullptr;
    bool accumulate = false;  // to `sums`, instead of starting from zero
    bool overwritesInput = false;

    std::size_t pixels() const {
        return images * static_cast<std::size_t>(rows.output * columns.output);
    }
    std::size_t taps() const { return static_cast<std::size_t>(rows.taps * columns.taps); }
    bool isFloat() const { return types.inputType == ElementType::kFloat32; }
    /// Of input, filter and output alike.
    std::size_t elementBytes() const { return hw::elementBytes(types.inputType); }
    /// Without `overwritesInput`, a block of sums is drained as soon as it is complete.
    bool drainsAtOnce() const { return !overwritesInput; }
    /// Whether the sums need no memory beyond the block that is being computed.
    bool hasPrivateSums() const { return sums == nullptr && drainsAtOnce(); }
};

/// Computes a convolution; oneTBB workers may take part. The bits depend neither on them nor on the
/// backend. Any thread.
void convolve(const MacBackend& backend, const Convolution& convolution);

/// The two kinds, by isDepthwise.
void convolveNormal(const MacBackend& backend, const Convolution& convolution);
void convolveDepthwise(const MacBackend& backend, const Convolution& convolution);

/// Bytes from each output pixel to the next, or between what the pixels read, if `steps` are those
/// from one image, row and column of outputs to the next; 0 if the pixels are not evenly spaced.
std::size_t evenStep(const Convolution& convolution, const PixelStrides& steps);

}  // namespace vnpu::hw::kernels
