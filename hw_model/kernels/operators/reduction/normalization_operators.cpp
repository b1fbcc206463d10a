// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION, LOCAL_RESPONSE_NORMALIZATION and INSTANCE_NORMALIZATION.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hw_model/kernels/operators/inverse_root.h"
#include "hw_model/kernels/operators/operator_checks.h"
#include "hw_model/kernels/operators/operator_table.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/operators/real_functions.h"
#include "hw_model/kernels/operators/reduction/normalization_lines.h"
#include "hw_model/kernels/operators/reduction/softmax_operators.h"
#include "hw_model/kernels/support/fixed_point.h"

namespace vnpu::hw::kernels {
namespace {

// Operations of an element.
constexpr std::size_t kDivisionCost = 4;
constexpr std::size_t kPowerCost = 60;

/// Input 0 of one of `types`, an output of its type and dimensions, and the axis as input
/// `axisInput`, the last where it is left out.
JobStatus prepareLines(OperatorCall& call, TypeSet types, std::size_t axisInput, LineShape& shape) {
    VNPU_TRY(call.requireOperands(axisInput, axisInput + 1, 1, axisInput));
    VNPU_TRY(requireInput(call, 0, types));
    VNPU_TRY(requireOutput(call, 0, typeSet({call.input(0).type})));
    VNPU_TRY(requireScalar(call, axisInput, typeSet({TensorType::kInt32Scalar})));
    const Dimensions& dimensions = call.input(0).dimensions;
    const auto axis = resolveAxis(call, call.int32(axisInput, -1), dimensions.rank());
    if (!axis) {
        return JobStatus::kBadOperand;
    }
    shape = LineShape(dimensions, *axis, *axis + 1);
    return call.settle(0, dimensions);
}

void divideByNorm(std::vector<float>& line) {
    double sum = 0;
    for (const float value : line) {
        sum += double{value} * double{value};
    }
    // All zeros stay zeros, as NNAPI has it since feature level 4; before, it left them undefined.
    const double norm = sum == 0.0 ? 1.0 : std::sqrt(sum);
    for (float& value : line) {
        value = static_cast<float>(double{value} / norm);
    }
}

/// 128 * difference * factor, rounded as the TFLite reference does for either type: unsigned bytes
/// are multiplied by 128 before, signed ones within the shift.
std::int32_t scaleBy128(std::int32_t difference, const QuantizedMultiplier& factor, bool isSigned) {
    return isSigned ? multiplyByQuantizedMultiplier(difference, factor.multiplier, factor.shift + 7)
                    : multiplyByQuantizedMultiplier(difference * 128, factor.multiplier,
                                                    factor.shift);
}

void divideBytesByNorm(OperatorCall& call, const LineShape& shape) {
    const Tensor& output = call.output(0);
    const LevelRange levels = levelsOf(output.type);
    const bool isSigned = output.type == TensorType::kQuant8AsymmSigned;
    const auto differences = tabulate<std::int32_t>(
            call.input(0), [](std::int32_t difference) { return difference; });
    const auto* from = call.input(0).as<std::uint8_t>();
    auto* to = call.write<std::uint8_t>(0);
    forEachLines(shape, kDivisionCost, [&](std::size_t first, std::size_t last) {
        for (std::size_t line = first; line < last; ++line) {
            const std::size_t start = startOf(shape, line);
            std::int64_t sum = 0;
            for (std::size_t x = 0; x < shape.length; ++x) {
                const std::int32_t difference = differences[from[start + x * shape.inner]];
                sum += std::int64_t{difference} * difference;
            }
            const QuantizedMultiplier factor = inverseRoot(static_cast<std::int32_t>(
                    std::min<std::int64_t>(sum, std::numeric_limits<std::int32_t>::max())));
            for (std::size_t x = 0; x < shape.length; ++x) {
                const std::size_t at = start + x * shape.inner;
                const std::int32_t level =
                        scaleBy128(differences[from[at]], factor, isSigned) + output.zeroPoint;
                to[at] = static_cast<std::uint8_t>(std::clamp(level, levels.min, levels.max));
            }
        }
    });
}

/// NNAPI's fixed quantization of the range -1 to 1.
JobStatus requireUnitRange(OperatorCall& call) {
    const Tensor& output = call.output(0);
    const std::int32_t zeroPoint = levelsOf(output.type).min + 128;
    if (output.scale != 1.0F / 128.0F || output.zeroPoint != zeroPoint) {
        return call.refuse(
                fmt::format("output 0 has scale {} and zero point {}, expected 1/128 and {}",
                            output.scale, output.zeroPoint, zeroPoint));
    }
    return JobStatus::kOk;
}

JobStatus l2NormalizationOperator(OperatorCall& call) {
    LineShape shape;
    VNPU_TRY(prepareLines(call, kFloatTypes | kAsymm8Types, 1, shape));
    const bool isQuantized = contains(kAsymm8Types, call.input(0).type);
    if (isQuantized) {
        VNPU_TRY(requireUnitRange(call));
    }
    if (call.input(0).elements() == 0) {
        return JobStatus::kOk;
    }
    if (isQuantized) {
        divideBytesByNorm(call, shape);
    } else {
        transformFloatLines(call, shape, kDivisionCost, [] { return divideByNorm; });
    }
    return JobStatus::kOk;
}

/// Sums of the squares within `radius` elements of each, at a cost that does not depend on the
/// radius, and without differences of sums, which would cancel: every window is the end of one
/// block and the beginning of the next.
class WindowSums {
  public:
    WindowSums(std::size_t length, std::size_t radius)
        : radius_(std::min(radius, length - 1)),
          window_(2 * radius_ + 1),
          toEnd_(length + 2 * radius_),
          fromStart_(length + 2 * radius_) {}

    void add(const std::vector<float>& line) {
        const std::size_t padded = toEnd_.size();
        const auto square = [&](std::size_t i) {
            const bool isInside = i >= radius_ && i - radius_ < line.size();
            const double value = isInside ? double{line[i - radius_]} : 0.0;
            return value * value;
        };
        for (std::size_t i = 0; i < padded; ++i) {
            fromStart_[i] = square(i) + (i % window_ == 0 ? 0.0 : fromStart_[i - 1]);
        }
        for (std::size_t i = padded; i-- > 0;) {
            const bool isLast = i + 1 == padded || (i + 1) % window_ == 0;
            toEnd_[i] = square(i) + (isLast ? 0.0 : toEnd_[i + 1]);
        }
    }

    /// About element x.
    double operator[](std::size_t x) const {
        return x % window_ == 0 ? toEnd_[x] : toEnd_[x] + fromStart_[x + window_ - 1];
    }

  private:
    std::size_t radius_;
    std::size_t window_;
    std::vector<double> toEnd_;
    std::vector<double> fromStart_;
};

JobStatus localResponseNormalizationOperator(OperatorCall& call) {
    LineShape shape;
    VNPU_TRY(prepareLines(call, kFloatTypes, 5, shape));
    VNPU_TRY(requireScalar(call, 1, typeSet({TensorType::kInt32Scalar})));
    for (const std::size_t i : {2U, 3U, 4U}) {
        VNPU_TRY(requireScalar(call, i, kRealScalars));
    }
    const std::int32_t radius = call.int32(1);
    if (radius < 0) {
        return call.refuse(fmt::format("radius is {}, expected 0 or more", radius));
    }
    if (call.input(0).elements() == 0) {
        return JobStatus::kOk;
    }
    const double bias = call.real(2);
    const double alpha = call.real(3);
    const double beta = call.real(4);
    transformFloatLines(call, shape, kPowerCost, [&] {
        WindowSums sums(shape.length, static_cast<std::size_t>(radius));
        return [=](std::vector<float>& line) mutable {
            sums.add(line);
            for (std::size_t x = 0; x < line.size(); ++x) {
                const double factor = widePower(bias + alpha * sums[x], -beta);
                line[x] = static_cast<float>(double{line[x]} * factor);
            }
        };
    });
    return JobStatus::kOk;
}

struct Standard {
    double gamma, beta, epsilon;

    /// Gives the line mean `beta` and deviation `gamma`.
    void operator()(std::vector<float>& line) const {
        const auto count = static_cast<double>(line.size());
        double sum = 0;
        for (const float value : line) {
            sum += double{value};
        }
        const double mean = sum / count;
        double squares = 0;
        for (const float value : line) {
            squares += (double{value} - mean) * (double{value} - mean);
        }
        const double factor = gamma / std::sqrt(squares / count + epsilon);
        for (float& value : line) {
            value = static_cast<float>((double{value} - mean) * factor + beta);
        }
    }
};

JobStatus instanceNormalizationOperator(OperatorCall& call) {
    VNPU_TRY(call.requireOperands(5, 5, 1, 5));
    VNPU_TRY(requireInput(call, 0, kFloatTypes));
    VNPU_TRY(requireOutput(call, 0, typeSet({call.input(0).type})));
    for (const std::size_t i : {1U, 2U, 3U}) {
        VNPU_TRY(requireScalar(call, i, kRealScalars));
    }
    VNPU_TRY(requireScalar(call, 4, typeSet({TensorType::kBoolScalar})));
    const Dimensions& dimensions = call.input(0).dimensions;
    if (dimensions.rank() != 4) {
        return call.refuse(fmt::format("input 0 has rank {}, expected 4", dimensions.rank()));
    }
    VNPU_TRY(call.settle(0, dimensions));
    if (call.input(0).elements() == 0) {
        return JobStatus::kOk;
    }
    const bool isChannelsFirst = call.flag(4);
    const LineShape shape =
            isChannelsFirst ? LineShape(dimensions, 2, 4) : LineShape(dimensions, 1, 3);
    const Standard standard{call.real(1), call.real(2), call.real(3)};
    transformFloatLines(call, shape, kDivisionCost, [&] { return standard; });
    return JobStatus::kOk;
}

}  // namespace

std::span<const OperatorEntry> normalizationOperators() {
    static constexpr OperatorEntry kEntries[] = {
            {Operator::kSoftmax, softmaxOperator},
            {Operator::kLogSoftmax, logSoftmaxOperator},
            {Operator::kL2Normalization, l2NormalizationOperator},
            {Operator::kLocalResponseNormalization, localResponseNormalizationOperator},
            {Operator::kInstanceNormalization, instanceNormalizationOperator},
    };
    return kEntries;
}

}  // namespace vnpu::hw::kernels
