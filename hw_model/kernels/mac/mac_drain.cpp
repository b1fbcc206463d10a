// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_drain.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/scratch.h"

namespace vnpu::hw::kernels {

Drain::Drain(const MacConv& work, std::byte* sram, const MacBackend& backend)
    : work_(work),
      output_(sram + work.outputSram),
      kernel_(work.inputType == ElementType::kFloat32 ? backend.drainFloat : backend.drainInt8) {
    if ((work.flags & kMacDrain) != 0) {
        readTables(sram);
    }
}

void Drain::readTables(const std::byte* sram) {
    thread_local Scratch<std::int32_t> scratch;
    const OutputStage& stage = work_.outputStage;
    const std::size_t channels = work_.outputChannels;
    const bool isFloat = work_.inputType == ElementType::kFloat32;
    tables_ = scratch.reserve(4 * channels);
    if ((stage.flags & kOutputHasBias) != 0) {
        std::memcpy(tables_, sram + stage.biasSram, channels * sizeof(std::int32_t));
    } else {
        // Minus zero is the float that changes nothing when added.
        std::fill_n(tables_, channels, isFloat ? std::bit_cast<std::int32_t>(-0.0F) : 0);
    }
    if (isFloat) {
        return;
    }
    const bool perChannel = (stage.flags & kOutputPerChannel) != 0;
    for (std::size_t c = 0; c < channels; ++c) {
        const std::int32_t multiplier =
                perChannel ? loadElement<std::int32_t>(sram + stage.scaleSram, 2 * c)
                           : stage.multiplier;
        const std::int32_t shift =
                perChannel ? loadElement<std::int32_t>(sram + stage.scaleSram, 2 * c + 1)
                           : stage.shift;
        tables_[channels + c] = multiplier;
        tables_[2 * channels + c] = std::clamp(shift, 0, 31);
        tables_[3 * channels + c] = -std::clamp(shift, -31, 0);
        if (multiplier == std::numeric_limits<std::int32_t>::min()) {
            kernel_ = kGenericBackend.drainInt8;  // the others leave out the saturation
        }
    }
}

void Drain::run(Channels part, std::size_t first, std::size_t count) const {
    if ((work_.flags & kMacDrain) == 0) {
        return;
    }
    const std::size_t width = work_.outputWidth;
    const std::size_t step = work_.outputPixelBytes;
    std::byte* const output = output_ + part.firstChannel * elementBytes(work_.outputType);
    if (width == 1 || work_.outputRowBytes == step * width) {
        const std::size_t even = width == 1 ? work_.outputRowBytes : step;
        runPixels(part, count, output + first * even, even);
        return;
    }
    while (count > 0) {
        const std::size_t row = first / width;
        const std::size_t column = first % width;
        const std::size_t pixels = std::min(count, width - column);
        runPixels(part, pixels, output + row * work_.outputRowBytes + column * step, step);
        part.sums += pixels * part.step * sizeof(std::int32_t);
        first += pixels;
        count -= pixels;
    }
}

void Drain::runPixels(const Channels& part, std::size_t count, std::byte* output,
                      std::size_t outputStep) const {
    const std::size_t channels = work_.outputChannels;
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
             .zeroPoint = work_.outputStage.zeroPoint,
             .clampMin = work_.outputStage.clampMin,
             .clampMax = work_.outputStage.clampMax});
}

}  // namespace vnpu::hw::kernels
