// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "hw_model/kernels/mac/mac_backend.h"
#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/scratch.h"

namespace vnpu::hw::kernels {
namespace {

// 8-bit products are computed with a float matrix product. Floats represent every integer up to
// 2^24, so a sum of products is exact in any order as long as its terms cannot exceed that in
// total.
constexpr std::size_t kExactInteger = std::size_t{1} << 24;
constexpr std::size_t kMaxDifference =
        255;  // difference of two 8-bit values: an element and its zero point
constexpr std::size_t kEigenWords = 128;
constexpr std::size_t kEigenSteps = 2 * kEigenWords;
static_assert(kEigenSteps * kMaxDifference * kMaxDifference <= kExactInteger);

constexpr std::size_t kEigenRows = 56;  // chosen: the rows that a convolution passes at a time
constexpr std::size_t kEigenPanels =
        4;  // chosen: 64 KiB of filter, which the L2 cache holds together with its packed copy
constexpr std::size_t kEigenColumns = kEigenPanels * kPanelColumns;

using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatMap = Eigen::Map<FloatMatrix, Eigen::AlignedMax>;

FloatMap mapMatrix(float* values, std::size_t rows, std::size_t columns) {
    return {values, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

// The two 16-bit halves of a word: even and odd step of the reduction.
float evenStep(std::uint32_t word) {
    return static_cast<float>(static_cast<std::int32_t>(word << 16) >> 16);
}
float oddStep(std::uint32_t word) {
    return static_cast<float>(static_cast<std::int32_t>(word) >> 16);
}

// [rows][steps] from rows of words.
void readLeft(const GemmBlock& g, std::size_t row, std::size_t rows, std::size_t word,
              std::size_t words, float* left) {
    for (std::size_t r = 0; r < rows; ++r) {
        const std::byte* source = g.left + (row + r) * g.leftStride + word * sizeof(std::uint32_t);
        for (std::size_t k = 0; k < words; ++k) {
            const auto pair = loadElement<std::uint32_t>(source, k);
            left[2 * k] = evenStep(pair);
            left[2 * k + 1] = oddStep(pair);
        }
        left += 2 * words;
    }
}

// [steps][columns] from neighboring panels.
void readPanels(const GemmBlock& g, std::size_t firstPanel, std::size_t panelCount,
                std::size_t word, std::size_t words, float* right) {
    const std::size_t columns = panelCount * kPanelColumns;
    for (std::size_t p = 0; p < panelCount; ++p) {
        const std::uint32_t* panel =
                g.panels + (firstPanel + p) * g.panelStride + word * kPanelColumns;
        float* destination = right + p * kPanelColumns;
        for (std::size_t k = 0; k < words; ++k) {
            for (std::size_t c = 0; c < kPanelColumns; ++c) {
                destination[c] = evenStep(panel[c]);
                destination[columns + c] = oddStep(panel[c]);
            }
            panel += kPanelColumns;
            destination += 2 * columns;
        }
    }
}

void addProducts(const float* products, std::size_t count, bool accumulate,
                 std::byte* accumulators) {
    for (std::size_t c = 0; c < count; ++c) {
        const std::int32_t before = accumulate ? loadElement<std::int32_t>(accumulators, c) : 0;
        storeElement(accumulators, c, wrappingAdd(before, static_cast<std::int32_t>(products[c])));
    }
}

// All columns, some rows, some words of the reduction.
void gemmRows(const GemmBlock& g, std::size_t row, std::size_t rows, std::size_t word,
              std::size_t words, bool accumulate) {
    thread_local Scratch<float> scratch;
    float* left = scratch.reserve((kEigenRows + kEigenColumns) * kEigenSteps +
                                  kEigenRows * kEigenColumns);
    float* right = left + kEigenRows * kEigenSteps;
    float* products = right + kEigenColumns * kEigenSteps;
    readLeft(g, row, rows, word, words, left);
    for (std::size_t column = 0; column < g.columns; column += kEigenColumns) {
        const std::size_t count = std::min(kEigenColumns, g.columns - column);
        const std::size_t panelCount = (count + kPanelColumns - 1) / kPanelColumns;
        const std::size_t width = panelCount * kPanelColumns;
        readPanels(g, column / kPanelColumns, panelCount, word, words, right);
        mapMatrix(products, rows, width).noalias() =
                mapMatrix(left, rows, 2 * words) * mapMatrix(right, 2 * words, width);
        for (std::size_t r = 0; r < rows; ++r) {
            std::byte* destination = g.accumulators + ((row + r) * g.accumulatorStride + column) *
                                                              sizeof(std::int32_t);
            addProducts(products + r * width, count, accumulate, destination);
        }
    }
}

void gemmInt16(const GemmBlock& g) {
    for (std::size_t row = 0; row < g.rows; row += kEigenRows) {
        const std::size_t rows = std::min(kEigenRows, g.rows - row);
        for (std::size_t word = 0; word < g.words; word += kEigenWords) {
            const std::size_t words = std::min(kEigenWords, g.words - word);
            gemmRows(g, row, rows, word, words, g.accumulate || word != 0);
        }
    }
}

void gemmFloat(const GemmBlock& g) {
    std::array<float, kPanelColumns> acc{};
    for (std::size_t column = 0; column < g.columns; column += kPanelColumns) {
        const std::uint32_t* panel = g.panels + column / kPanelColumns * g.panelStride;
        const std::size_t count = std::min(kPanelColumns, g.columns - column);
        for (std::size_t row = 0; row < g.rows; ++row) {
            std::byte* destination =
                    g.accumulators + (row * g.accumulatorStride + column) * sizeof(float);
            acc.fill(0.0F);
            if (g.accumulate) {
                std::memcpy(acc.data(), destination, count * sizeof(float));
            }
            for (std::size_t k = 0; k < g.words; ++k) {
                const auto a = loadElement<float>(g.left + row * g.leftStride, k);
                for (std::size_t c = 0; c < kPanelColumns; ++c) {
                    acc[c] =
                            std::fma(a, std::bit_cast<float>(panel[k * kPanelColumns + c]), acc[c]);
                }
            }
            std::memcpy(destination, acc.data(), count * sizeof(float));
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

void packPanel(const std::byte* rows, std::size_t strideBytes, std::size_t words,
               std::uint32_t* panel) {
    for (std::size_t k = 0; k < words; ++k) {
        for (std::size_t r = 0; r < kPanelColumns; ++r) {
            panel[k * kPanelColumns + r] = loadElement<std::uint32_t>(rows + r * strideBytes, k);
        }
    }
}

void drainInt8(const DrainRun& run) {
    for (std::size_t pixel = 0; pixel < run.pixels; ++pixel) {
        const std::byte* acc =
                run.accumulators + pixel * run.accumulatorStep * sizeof(std::int32_t);
        std::byte* output = run.output + pixel * run.outputStep;
        for (std::size_t c = 0; c < run.channels; ++c) {
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
        const std::byte* acc = run.accumulators + pixel * run.accumulatorStep * sizeof(float);
        std::byte* output = run.output + pixel * run.outputStep;
        for (std::size_t c = 0; c < run.channels; ++c) {
            storeElement(output, c,
                         clamp(loadElement<float>(acc, c) + std::bit_cast<float>(run.bias[c])));
        }
    }
}

}  // namespace

const MacBackend kEigenBackend = {.name = "eigen",
                                  .level = ProcessorLevel::kBase,
                                  .widen = widen,
                                  .packPanel = packPanel,
                                  .gemmColumns = 4 * kEigenColumns,
                                  .gemmFloat = gemmFloat,
                                  .gemmInt16 = gemmInt16,
                                  .gemmInt8 = nullptr,
                                  .sumPanel = nullptr,
                                  .sumBytes = nullptr,
                                  .depthwiseInt8 = depthwiseInt8,
                                  .depthwiseFloat = depthwise<float>,
                                  .drainInt8 = drainInt8,
                                  .drainFloat = drainFloat};

}  // namespace vnpu::hw::kernels
