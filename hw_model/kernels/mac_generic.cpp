// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "hw_model/kernels/element_access.h"
#include "hw_model/kernels/mac_backend.h"

namespace vnpu::hw::kernels {
namespace {

struct PairArithmetic {
    using Value = std::int32_t;
    // Both halves of two words multiplied and added.
    static std::int32_t multiplyAdd(std::int32_t acc, std::uint32_t a, std::uint32_t b) {
        const auto low = [](std::uint32_t word) {
            return std::int32_t{static_cast<std::int16_t>(word & 0xFFFFU)};
        };
        const std::int32_t products = wrappingAdd(low(a) * low(b), low(a >> 16) * low(b >> 16));
        return wrappingAdd(acc, products);
    }
};

struct FloatArithmetic {
    using Value = float;
    static float multiplyAdd(float acc, std::uint32_t a, std::uint32_t b) {
        return std::fma(std::bit_cast<float>(a), std::bit_cast<float>(b), acc);
    }
};

template <typename Arithmetic>
void gemm(const GemmBlock& g) {
    using Value = typename Arithmetic::Value;
    std::array<Value, kPanelColumns> acc;
    for (std::size_t column = 0; column < g.columns; column += kPanelColumns) {
        const std::uint32_t* panel = g.panels + column / kPanelColumns * g.panelStride;
        const std::size_t count = std::min(kPanelColumns, g.columns - column);
        for (std::size_t row = 0; row < g.rows; ++row) {
            std::byte* destination =
                    g.accumulators + (row * g.accumulatorStride + column) * sizeof(Value);
            acc.fill(Value{0});
            if (g.accumulate) {
                std::memcpy(acc.data(), destination, count * sizeof(Value));
            }
            for (std::size_t k = 0; k < g.words; ++k) {
                const auto a = loadElement<std::uint32_t>(g.left + row * g.leftStride, k);
                for (std::size_t c = 0; c < kPanelColumns; ++c) {
                    acc[c] = Arithmetic::multiplyAdd(acc[c], a, panel[k * kPanelColumns + c]);
                }
            }
            std::memcpy(destination, acc.data(), count * sizeof(Value));
        }
    }
}

template <typename Input>
void depthwise(const DepthwiseRun& run) {
    using Value = std::conditional_t<std::is_floating_point_v<Input>, float, std::int32_t>;
    for (std::size_t pixel = 0; pixel < run.pixels; ++pixel) {
        std::byte* acc = run.accumulators + pixel * run.channels * sizeof(Value);
        if (!run.accumulate) {
            std::memset(acc + run.firstChannel * sizeof(Value), 0,
                        (run.channels - run.firstChannel) * sizeof(Value));
        }
        for (std::size_t tap = 0; tap < run.tapCount; ++tap) {
            const std::byte* source = run.taps[tap] + pixel * run.pixelStep;
            for (std::size_t c = run.firstChannel; c < run.channels; ++c) {
                const auto value = loadElement<Input>(source, c);
                const std::int32_t weight = run.weights[tap][c];
                const auto sum = loadElement<Value>(acc, c);
                if constexpr (std::is_floating_point_v<Input>) {
                    storeElement<float>(acc, c, std::fma(value, std::bit_cast<float>(weight), sum));
                } else {
                    const auto low = static_cast<std::int16_t>(weight);
                    storeElement<std::int32_t>(acc, c,
                                               wrappingAdd(sum, (value - run.zeroPoint) * low));
                }
            }
        }
    }
}

void depthwiseInt8(const DepthwiseRun& run) {
    run.isSigned ? depthwise<std::int8_t>(run) : depthwise<std::uint8_t>(run);
}

void widen(const std::byte* source, std::size_t count, bool isSigned, std::int32_t zeroPoint,
           std::byte* destination) {
    // A signed byte is the byte with its top bit flipped, less 128.
    const std::uint8_t flip = isSigned ? 0x80 : 0;
    const std::int32_t offset = zeroPoint + (isSigned ? 128 : 0);
    for (std::size_t i = 0; i < count; ++i) {
        const auto byte =
                static_cast<std::uint8_t>(std::to_integer<std::uint8_t>(source[i]) ^ flip);
        storeElement(destination, i, static_cast<std::int16_t>(byte - offset));
    }
}

void packPanel(const std::uint32_t* rows, std::size_t strideWords, std::size_t words,
               std::uint32_t* panel) {
    for (std::size_t k = 0; k < words; ++k) {
        for (std::size_t r = 0; r < kPanelColumns; ++r) {
            panel[k * kPanelColumns + r] = rows[r * strideWords + k];
        }
    }
}

void drainInt8(const DrainRun& run) {
    for (std::size_t pixel = 0; pixel < run.pixels; ++pixel) {
        const std::byte* acc = run.accumulators + pixel * run.channels * sizeof(std::int32_t);
        std::byte* output = run.output + pixel * run.outputStep;
        for (std::size_t c = run.firstChannel; c < run.channels; ++c) {
            const std::int32_t biased = wrappingAdd(loadElement<std::int32_t>(acc, c), run.bias[c]);
            const std::int32_t scaled = multiplyByQuantizedMultiplier(
                    biased, run.multiplier[c], run.leftShift[c] - run.rightShift[c]);
            const std::int32_t level = wrappingAdd(scaled, run.zeroPoint);
            output[c] =
                    static_cast<std::byte>(std::min(std::max(level, run.clampMin), run.clampMax));
        }
    }
}

void drainFloat(const DrainRun& run) {
    const FloatClamp clamp(run.clampMin, run.clampMax);
    for (std::size_t pixel = 0; pixel < run.pixels; ++pixel) {
        const std::byte* acc = run.accumulators + pixel * run.channels * sizeof(float);
        std::byte* output = run.output + pixel * run.outputStep;
        for (std::size_t c = run.firstChannel; c < run.channels; ++c) {
            storeElement(output, c,
                         clamp(loadElement<float>(acc, c) + std::bit_cast<float>(run.bias[c])));
        }
    }
}

bool isAlwaysSupported() {
    return true;
}

}  // namespace

const MacBackend kGenericBackend = {.name = "generic",
                                    .isSupported = isAlwaysSupported,
                                    .widen = widen,
                                    .packPanel = packPanel,
                                    .gemmInt16 = gemm<PairArithmetic>,
                                    .gemmFloat = gemm<FloatArithmetic>,
                                    .depthwiseInt8 = depthwiseInt8,
                                    .depthwiseFloat = depthwise<float>,
                                    .drainInt8 = drainInt8,
                                    .drainFloat = drainFloat};

}  // namespace vnpu::hw::kernels
