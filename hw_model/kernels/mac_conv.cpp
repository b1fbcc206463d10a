// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hw_model/kernels/element_access.h"
#include "hw_model/kernels/kernels.h"

namespace vnpu::hw::kernels {
namespace {

template <typename Input, typename Filter, typename Accumulator>
Accumulator dotProduct(const MacConv& w, const std::byte* sram, std::uint32_t y, std::uint32_t x,
                       std::uint32_t c, Accumulator acc) {
    const bool depthwise = (w.flags & kMacDepthwise) != 0;
    const std::uint32_t depth = depthwise ? 1 : w.inputChannels;
    for (std::int64_t ky = 0; ky < w.filterHeight; ++ky) {
        for (std::int64_t kx = 0; kx < w.filterWidth; ++kx) {
            const std::int64_t row =
                    std::int64_t{y} * w.strideHeight - w.padTop + ky * w.dilationHeight;
            const std::int64_t column =
                    std::int64_t{x} * w.strideWidth - w.padLeft + kx * w.dilationWidth;
            const bool inside =
                    row >= 0 && row < w.inputHeight && column >= 0 && column < w.inputWidth;
            for (std::uint32_t k = 0; k < depth; ++k) {
                const std::uint32_t channel = depthwise ? c / w.depthMultiplier : k;
                const auto tap = static_cast<std::size_t>(ky * w.filterWidth + kx);
                const std::size_t filterIndex =
                        depthwise
                                ? tap * w.outputChannels + c
                                : (std::size_t{c} * w.filterHeight * w.filterWidth + tap) * depth +
                                          k;
                const auto weight = loadElement<Filter>(sram + w.filterSram, filterIndex);
                if constexpr (std::is_floating_point_v<Input>) {
                    const float value =
                            inside ? loadElement<float>(sram + w.inputSram +
                                                                static_cast<std::size_t>(row) *
                                                                        w.inputRowBytes +
                                                                static_cast<std::size_t>(column) *
                                                                        w.inputPixelBytes,
                                                        channel)
                                   : 0.0F;
                    acc = std::fma(value, weight, acc);
                } else {
                    const std::int32_t value =
                            inside ? loadElement<Input>(sram + w.inputSram +
                                                                static_cast<std::size_t>(row) *
                                                                        w.inputRowBytes +
                                                                static_cast<std::size_t>(column) *
                                                                        w.inputPixelBytes,
                                                        channel) -
                                             w.inputZeroPoint
                                   : 0;
                    acc = wrappingAdd(acc, wrappingMultiply(value, weight - w.filterZeroPoint));
                }
            }
        }
    }
    return acc;
}

template <typename Accumulator>
void drain(const MacConv& w, std::byte* sram, std::byte* output, std::uint32_t c, Accumulator acc) {
    const OutputStage& s = w.outputStage;
    if ((s.flags & kOutputHasBias) != 0) {
        const auto bias = loadElement<Accumulator>(sram + s.biasSram, c);
        if constexpr (std::is_floating_point_v<Accumulator>) {
            acc += bias;
        } else {
            acc = wrappingAdd(acc, bias);
        }
    }
    if constexpr (std::is_floating_point_v<Accumulator>) {
        storeElement<float>(output, c, FloatClamp(s)(acc));
    } else {
        OutputStage one = s;
        if ((s.flags & kOutputPerChannel) != 0) {
            one.multiplier = loadElement<std::int32_t>(sram + s.scaleSram, 2 * std::size_t{c});
            one.shift = loadElement<std::int32_t>(sram + s.scaleSram, 2 * std::size_t{c} + 1);
        }
        storeElement<std::uint8_t>(output, c,
                                   static_cast<std::uint8_t>(applyOutputStage(one, acc)));
    }
}

template <typename Input, typename Filter>
void run(const MacConv& w, std::byte* sram, std::byte* accumulators) {
    using Accumulator = std::conditional_t<std::is_floating_point_v<Input>, float, std::int32_t>;
    std::byte* acc = accumulators + w.accumulatorOffset;
    std::size_t index = 0;
    for (std::uint32_t y = 0; y < w.outputHeight; ++y) {
        for (std::uint32_t x = 0; x < w.outputWidth; ++x) {
            for (std::uint32_t c = 0; c < w.outputChannels; ++c, ++index) {
                const Accumulator start = (w.flags & kMacAccumulate) != 0
                                                  ? loadElement<Accumulator>(acc, index)
                                                  : Accumulator{0};
                storeElement<Accumulator>(
                        acc, index,
                        dotProduct<Input, Filter, Accumulator>(w, sram, y, x, c, start));
                if ((w.flags & kMacDrain) != 0) {
                    drain<Accumulator>(w, sram,
                                       sram + w.outputSram + std::size_t{y} * w.outputRowBytes +
                                               std::size_t{x} * w.outputPixelBytes,
                                       c, loadElement<Accumulator>(acc, index));
                }
            }
        }
    }
}

}  // namespace

void macConv(const MacConv& work, std::byte* sram, std::byte* accumulators) {
    if (work.inputType == ElementType::kFloat32) {
        return run<float, float>(work, sram, accumulators);
    }
    const bool s = work.inputType == ElementType::kInt8;
    const bool f = work.filterType == ElementType::kInt8;
    if (s) {
        f ? run<std::int8_t, std::int8_t>(work, sram, accumulators)
          : run<std::int8_t, std::uint8_t>(work, sram, accumulators);
    } else {
        f ? run<std::uint8_t, std::int8_t>(work, sram, accumulators)
          : run<std::uint8_t, std::uint8_t>(work, sram, accumulators);
    }
}

}  // namespace vnpu::hw::kernels
