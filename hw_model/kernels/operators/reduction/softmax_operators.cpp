// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/operators/real_functions.h"
#include "hw_model/kernels/operators/reduction/normalization_lines.h"
#include "hw_model/kernels/support/exponential.h"
#include "hw_model/kernels/support/fixed_exponential.h"
#include "hw_model/kernels/support/fixed_point.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kSoftmaxCost = 30;  // operations of an element

struct Softmax {
    float beta;
    LineShape shape;
};

/// Reads the operands and settles the output.
std::optional<Softmax> settleSoftmax(OperatorCall& call) {
    const float beta = call.real(1);
    if (!std::isfinite(beta) || beta <= 0.0F) {
        return call.refuse(fmt::format("beta is {}, expected more than 0", beta));
    }
    VNPU_TRY_ASSIGN(const LineShape shape, settleLines(call, 2));
    return Softmax{beta, shape};
}

// Fixed-point softmax of the TFLite reference: differences to the maximum have 5 integer bits, the
// sum of the exponentials has 12.
constexpr int kDifferenceIntegerBits = 5;
constexpr int kSumIntegerBits = 12;

/// e^(beta * scale * -distance) for every distance between two bytes, and the largest distance that
/// counts.
struct Exponentials {
    ByteTable<std::int32_t> values{};
    std::int32_t greatestDistance = 0;  // beyond, the output is zero
};

Exponentials makeExponentials(float beta, float inputScale) {
    constexpr double kDifferenceUnit = 1 << (31 - kDifferenceIntegerBits);
    constexpr double kTwoTo31 = 2147483648.0;
    const double real =
            std::min(double{beta} * double{inputScale} * kDifferenceUnit, kTwoTo31 - 1.0);
    QuantizedMultiplier factor = nearestMultiplier(real);
    if (factor.shift < 0) {
        // Only left shifts are possible: a factor below one has fewer significant bits.
        factor = {static_cast<std::int32_t>(std::round(real * kTwoTo31)), 0};
    }
    const double largest = double{(1 << kDifferenceIntegerBits) - 1} * kDifferenceUnit;
    const double radius = std::floor(std::ldexp(largest, -factor.shift));
    Exponentials result;
    result.greatestDistance = static_cast<std::int32_t>(std::min(radius, 255.0));
    for (std::int32_t distance = 0; distance <= result.greatestDistance; ++distance) {
        result.values[static_cast<std::size_t>(distance)] = fixedExponential(
                multiplyByQuantizedMultiplier(-distance, factor.multiplier, factor.shift));
    }
    return result;
}

template <typename T>
void softmaxLine(const Exponentials& exponentials, const LineShape& shape, const T* input,
                 T* output) {
    constexpr std::int32_t kHigh = std::numeric_limits<T>::max();
    constexpr std::int32_t kLow = std::is_signed_v<T> ? -kHigh - 1 : 0;
    T most = input[0];
    for (std::size_t x = 1; x < shape.length; ++x) {
        most = std::max(most, input[x * shape.inner]);
    }
    std::int64_t sum = 0;
    for (std::size_t x = 0; x < shape.length; ++x) {
        const auto distance = static_cast<std::size_t>(most - input[x * shape.inner]);
        sum += roundingDivideByPowerOfTwo(exponentials.values[distance], kSumIntegerBits);
    }
    // The reciprocal needs 32 bits without a sign; for larger sums all results are zero.
    const auto bounded = static_cast<std::uint32_t>(
            std::min<std::int64_t>(sum, std::numeric_limits<std::uint32_t>::max()));
    const FixedReciprocal reciprocal =
            fixedReciprocal(static_cast<std::int32_t>(bounded), kSumIntegerBits);
    const int shift = std::clamp(reciprocal.integerBits + 31 - 8, 0, 31);
    for (std::size_t x = 0; x < shape.length; ++x) {
        const std::int32_t distance = most - input[x * shape.inner];
        std::int32_t level = kLow;
        if (distance <= exponentials.greatestDistance) {
            const std::int32_t product = roundingDoublingHighMultiply(
                    reciprocal.value, exponentials.values[static_cast<std::size_t>(distance)]);
            level = std::clamp(roundingDivideByPowerOfTwo(product, shift) + kLow, kLow, kHigh);
        }
        output[x * shape.inner] = static_cast<T>(level);
    }
}

template <typename T>
void softmaxBytes(OperatorCall& call, const Softmax& softmax) {
    const T* input = call.input(0).as<T>();
    T* output = call.write<T>(0);
    const Exponentials exponentials = makeExponentials(softmax.beta, call.input(0).scale);
    forEachLines(softmax.shape, kSoftmaxCost, [&](std::size_t first, std::size_t last) {
        for (std::size_t line = first; line < last; ++line) {
            const std::size_t start = startOf(softmax.shape, line);
            softmaxLine(exponentials, softmax.shape, input + start, output + start);
        }
    });
}

void softmaxFloats(std::vector<float>& line, float beta) {
    const float most = *std::max_element(line.begin(), line.end());
    double sum = 0;
    for (float& value : line) {
        value = exponential((value - most) * beta);
        sum += double{value};
    }
    for (float& value : line) {
        value = static_cast<float>(double{value} / sum);
    }
}

void logSoftmaxFloats(std::vector<float>& line, double beta) {
    const double most = *std::max_element(line.begin(), line.end());
    double sum = 0;
    for (const float value : line) {
        sum += wideExponential((double{value} - most) * beta);
    }
    const double logarithmOfSum = wideLogarithm(sum);
    for (float& value : line) {
        value = static_cast<float>((double{value} - most) * beta - logarithmOfSum);
    }
}

JobStatus softmaxOperator(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const Softmax softmax, settleSoftmax(call));
    if (!isAsymm8(call.input(0))) {
        transformFloatLines(call, softmax.shape, kSoftmaxCost, [&] {
            return [&](std::vector<float>& line) { softmaxFloats(line, softmax.beta); };
        });
        return JobStatus::kOk;
    }
    VNPU_TRY(requireQuantization(call, 1.0F / 256.0F, levelsOf(call.output(0).type).min, "1/256"));
    withElement<kAsymm8Types>(call.input(0).type, [&](auto element) {
        softmaxBytes<decltype(element)>(call, softmax);
    });
    return JobStatus::kOk;
}

JobStatus logSoftmaxOperator(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const Softmax softmax, settleSoftmax(call));
    transformFloatLines(call, softmax.shape, kSoftmaxCost, [&] {
        return [&](std::vector<float>& line) { logSoftmaxFloats(line, softmax.beta); };
    });
    return JobStatus::kOk;
}

constexpr OperatorEntry kSoftmaxEntries[] = {
        {Operator::kSoftmax, {"Tfi?", "T", kRealTypes}, softmaxOperator},
        {Operator::kLogSoftmax, {"Tfi", "T", kFloatTypes}, logSoftmaxOperator}};

}  // namespace

std::span<const OperatorEntry> softmaxOperators() {
    return kSoftmaxEntries;
}

}  // namespace vnpu::hw::kernels
