// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hw_model/kernels/kernels.h"
#include "hw_model/kernels/support/element_access.h"
#include "hw_model/kernels/support/exponential.h"
#include "hw_model/kernels/support/fixed_exponential.h"

namespace vnpu::hw::kernels {
namespace {

// One run of `axis` elements, `inner` apart.
template <typename T>
struct Line {
    const std::byte* input;
    std::byte* output;
    std::size_t length;
    std::size_t step;

    T load(std::size_t i) const { return loadElement<T>(input, i * step); }
    void store(std::size_t i, T value) const { storeElement<T>(output, i * step, value); }

    T greatest() const {
        T most = load(0);
        for (std::size_t i = 1; i < length; ++i) {
            most = std::max(most, load(i));
        }
        return most;
    }
};

// e^(beta*scale*-difference) for every difference between two bytes, 0 for those below diffMin.
using ExponentialTable = std::array<std::int32_t, 256>;

ExponentialTable makeExponentials(const VecSoftmax& work) {
    ExponentialTable table{};
    for (std::int32_t distance = 0; distance < 256; ++distance) {
        if (-distance < work.diffMin) {
            break;
        }
        const std::int32_t scaled = multiplyByQuantizedMultiplier(-distance, work.inputMultiplier,
                                                                  std::max(work.inputLeftShift, 0));
        table[static_cast<std::size_t>(distance)] = fixedExponential(scaled);
    }
    return table;
}

template <typename T>
void softmaxLine(const VecSoftmax& work, const ExponentialTable& exponentials,
                 const Line<T>& line) {
    constexpr int kSumIntegerBits = 12;
    const std::int32_t most = +line.greatest();
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < line.length; ++i) {
        const auto distance = static_cast<std::size_t>(most - line.load(i));
        sum = wrappingAdd(sum, roundingDivideByPowerOfTwo(exponentials[distance], kSumIntegerBits));
    }
    const FixedReciprocal reciprocal = fixedReciprocal(sum, kSumIntegerBits);
    const int shift = std::clamp(reciprocal.integerBits + 31 - 8, 0, 31);
    constexpr std::int32_t kLow = +std::numeric_limits<T>::min();
    constexpr std::int32_t kHigh = std::numeric_limits<T>::max();
    for (std::size_t i = 0; i < line.length; ++i) {
        const std::int32_t distance = most - line.load(i);
        std::int32_t level = kLow;
        if (-distance >= work.diffMin) {
            const std::int32_t product = roundingDoublingHighMultiply(
                    reciprocal.value, exponentials[static_cast<std::size_t>(distance)]);
            level = std::clamp(roundingDivideByPowerOfTwo(product, shift) + kLow, kLow, kHigh);
        }
        line.store(i, static_cast<T>(level));
    }
}

void softmaxLine(const VecSoftmax& work, const Line<float>& line) {
    const float most = line.greatest();
    double sum = 0;
    for (std::size_t i = 0; i < line.length; ++i) {
        const float power = exponential((line.load(i) - most) * work.beta);
        line.store(i, power);
        sum += static_cast<double>(power);
    }
    for (std::size_t i = 0; i < line.length; ++i) {
        const float power = loadElement<float>(line.output, i * line.step);
        line.store(i, static_cast<float>(static_cast<double>(power) / sum));
    }
}

template <typename T, typename Function>
void forEachLine(const VecSoftmax& work, std::byte* sram, Function&& function) {
    for (std::size_t i = 0; i < work.outer; ++i) {
        for (std::size_t j = 0; j < work.inner; ++j) {
            const std::size_t offset = (i * work.axis * work.inner + j) * sizeof(T);
            function(Line<T>{.input = sram + work.inputSram + offset,
                             .output = sram + work.outputSram + offset,
                             .length = work.axis,
                             .step = work.inner});
        }
    }
}

template <typename T>
void softmaxBytes(const VecSoftmax& work, std::byte* sram) {
    const ExponentialTable exponentials = makeExponentials(work);
    forEachLine<T>(work, sram, [&](const Line<T>& line) { softmaxLine(work, exponentials, line); });
}

}  // namespace

void vecSoftmax(const VecSoftmax& work, std::byte* sram) {
    switch (work.type) {
        case ElementType::kInt8:
            return softmaxBytes<std::int8_t>(work, sram);
        case ElementType::kUint8:
            return softmaxBytes<std::uint8_t>(work, sram);
        case ElementType::kFloat32:
            return forEachLine<float>(work, sram,
                                      [&](const Line<float>& line) { softmaxLine(work, line); });
        case ElementType::kInt32:
            return;  // the validator refuses such commands
    }
}

}  // namespace vnpu::hw::kernels
