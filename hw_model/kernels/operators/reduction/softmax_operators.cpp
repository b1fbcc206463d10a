// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/reduction/softmax_operators.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "hw_model/kernels/operators/operator_checks.h"
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
    float beta = 1.0F;
    LineShape shape;
};

/// Checks the operands, the axis as input 2 or the last where it is left out, and gives the output
/// its room.
JobStatus prepareSoftmax(OperatorCall& call, TypeSet types, std::size_t needed, Softmax& softmax) {
    VNPU_TRY(call.requireOperands(needed, 3, 1, needed));
    VNPU_TRY(requireInput(call, 0, types));
    VNPU_TRY(requireOutput(call, 0, typeSet({call.input(0).type})));
    VNPU_TRY(requireScalar(call, 1, kRealScalars));
    VNPU_TRY(requireScalar(call, 2, typeSet({TensorType::kInt32Scalar})));
    softmax.beta = call.real(1);
    if (!std::isfinite(softmax.beta) || softmax.beta <= 0.0F) {
        return call.refuse(fmt::format("beta is {}, expected more than 0", softmax.beta));
    }
    const Dimensions& dimensions = call.input(0).dimensions;
    const auto axis = resolveAxis(call, call.int32(2, -1), dimensions.rank());
    if (!axis) {
        return JobStatus::kBadOperand;
    }
    softmax.shape = LineShape(dimensions, *axis, *axis + 1);
    return call.settle(0, dimensions);
}

// Fixed-point softmax of the TFLite reference: differences to the greatest carry 5 integer bits,
// the sum of the exponentials 12.
constexpr int kDifferenceIntegerBits = 5;
constexpr int kSumIntegerBits = 12;

/// e^(beta * scale * -distance) for every distance between two bytes, and whether it counts.
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
        // Shifts go left only: a factor below one has fewer significant bits.
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
    // The reciprocal takes 32 bits without a sign; sums beyond make all results zero.
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

JobStatus requireProbability(OperatorCall& call) {
    const Tensor& output = call.output(0);
    const std::int32_t lowest = levelsOf(output.type).min;
    if (output.scale != 1.0F / 256.0F || output.zeroPoint != lowest) {
        return call.refuse(
                fmt::format("output 0 has scale {} and zero point {}, expected 1/256 and {}",
                            output.scale, output.zeroPoint, lowest));
    }
    return JobStatus::kOk;
}

}  // namespace

JobStatus softmaxOperator(OperatorCall& call) {
    Softmax softmax;
    VNPU_TRY(prepareSoftmax(call, kFloatTypes | kAsymm8Types, 2, softmax));
    const bool isQuantized = contains(kAsymm8Types, call.input(0).type);
    if (isQuantized) {
        VNPU_TRY(requireProbability(call));
    }
    if (call.input(0).elements() == 0) {
        return JobStatus::kOk;
    }
    if (!isQuantized) {
        transformFloatLines(call, softmax.shape, kSoftmaxCost, [&] {
            return [&](std::vector<float>& line) { softmaxFloats(line, softmax.beta); };
        });
    } else if (call.input(0).type == TensorType::kQuant8Asymm) {
        softmaxBytes<std::uint8_t>(call, softmax);
    } else {
        softmaxBytes<std::int8_t>(call, softmax);
    }
    return JobStatus::kOk;
}

JobStatus logSoftmaxOperator(OperatorCall& call) {
    Softmax softmax;
    VNPU_TRY(prepareSoftmax(call, kFloatTypes, 3, softmax));
    if (call.input(0).elements() != 0) {
        transformFloatLines(call, softmax.shape, kSoftmaxCost, [&] {
            return [&](std::vector<float>& line) { logSoftmaxFloats(line, softmax.beta); };
        });
    }
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
