// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_drain.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/scratch.h"

namespace vnpu::hw::kernels {

Drain::Drain(const Convolution& convolution, const MacBackend& backend)
    : conv_(convolution),
      kernel_(convolution.isFloat() ? backend.drainFloat : backend.drainInt8),
      evenStep_(evenStep(convolution, convolution.outputStrides)) {
    if (convolution.output != nullptr) {
        readTables();
    }
}

void Drain::readTables() {
    thread_local Scratch<std::int32_t> scratch;
    const OutputStage& stage = conv_.stage;
    const std::size_t channels = conv_.outputChannels;
    tables_ = scratch.reserve(4 * channels);
    if (conv_.bias != nullptr) {
        std::memcpy(tables_, conv_.bias, channels * sizeof(std::int32_t));
    } else {
        // Adding minus zero changes no float.
        std::fill_n(tables_, channels, conv_.isFloat() ? std::bit_cast<std::int32_t>(-0.0F) : 0);
    }
    if (conv_.isFloat()) {
        return;
    }
    const auto scaleAt = [&](std::size_t index, std::int32_t ofTensor) {
        return conv_.scales == nullptr ? ofTensor : loadElement<std::int32_t>(conv_.scales, index);
    };
    for (std::size_t c = 0; c < channels; ++c) {
        const std::int32_t multiplier = scaleAt(2 * c, stage.multiplier);
        const std::int32_t shift = scaleAt(2 * c + 1, stage.shift);
        tables_[channels + c] = multiplier;
        tables_[2 * channels + c] = std::clamp(shift, 0, 31);
        tables_[3 * channels + c] = -std::clamp(shift, -31, 0);
        if (multiplier == std::numeric_limits<std::int32_t>::min()) {
            kernel_ = kEigenBackend.drainInt8;  // the other backends omit the saturation
        }
    }
}

void Drain::run(Channels part, std::size_t first, std::size_t count) const {
    if (conv_.output == nullptr) {
        return;
    }
    const PixelStrides& strides = conv_.outputStrides;
    std::byte* const output = conv_.output + part.firstChannel * conv_.elementBytes();
    if (evenStep_ != 0) {
        runPixels(part, count, output + first * evenStep_, evenStep_);
        return;
    }
    const auto width = static_cast<std::size_t>(conv_.columns.output);
    const auto height = static_cast<std::size_t>(conv_.rows.output);
    while (count > 0) {
        const std::size_t row = first / width;
        const std::size_t column = first % width;
        const std::size_t pixels = std::min(count, width - column);
        runPixels(part, pixels,
                  output + row / height * strides.image + row % height * strides.row +
                          column * strides.pixel,
                  strides.pixel);
        part.sums += pixels * part.step * sizeof(std::int32_t);
        first += pixels;
        count -= pixels;
    }
}

void Drain::runPixels(const Channels& part, std::size_t count, std::byte* output,
                      std::size_t outputStep) const {
    const std::size_t channels = conv_.outputChannels;
    const std::int32_t* tables = tables_ + part.firstChannel;
    kernel_({.accumulators = part.sums,
             .accumulatorStep = part.step,
             .output = output,
             .outputStep = outputStep,
             .pixels = count,
             .channels = part.channels,
             .bias = tables,
             .multiplier = tables + channels,
             .leftShift = tables + 2 * channels,
             .rightShift = tables + 3 * channels,
             .zeroPoint = conv_.stage.zeroPoint,
             .clampMin = conv_.stage.clampMin,
             .clampMax = conv_.stage.clampMax});
}

}  // namespace vnpu::hw::kernels
