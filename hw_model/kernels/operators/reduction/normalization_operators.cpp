// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION, LOCAL_RESPONSE_NORMALIZATION and INSTANCE_NORMALIZATION.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hw_model/kernels/operators/inverse_root.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"
#include "hw_model/kernels/operators/real_functions.h"
#include "hw_model/kernels/operators/reduction/normalization_lines.h"
#include "hw_model/kernels/support/fixed_point.h"

namespace vnpu::hw::kernels {
namespace {

// Operations of an element.
constexpr std::size_t kDivisionCost = 4;
constexpr std::size_t kPowerCost = 60;

void divideByNorm(std::vector<float>& line) {
    double sum = 0;
    for (const float value : line) {
        sum += double{value} * double{value};
    }
    // All zeros stay zeros, as NNAPI specifies since feature level 4; earlier it left them
    // undefined.
    const double norm = sum == 0.0 ? 1.0 : std::sqrt(sum);
    for (float& value : line) {
        value = static_cast<float>(double{value} / norm);
    }
}

/// 128 * difference * factor, rounded as the TFLite reference does for either type: unsigned bytes
/// are multiplied by 128 first, signed ones within the shift.
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

JobStatus l2NormalizationOperator(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const LineShape shape, settleLines(call, 1));
    if (!isAsymm8(call.input(0))) {
        transformFloatLines(call, shape, kDivisionCost, [] { return divideByNorm; });
        return JobStatus::kOk;
    }
    // NNAPI's fixed quantization of the range -1 to 1.
    VNPU_TRY(requireQuantization(call, 1.0F / 128.0F, levelsOf(call.output(0).type).min + 128,
                                 "1/128"));
    divideBytesByNorm(call, shape);
    return JobStatus::kOk;
}

/// Sums of the squares within `radius` elements of each element. The cost is independent of the
/// radius, and no sums are subtracted, which would cancel: every window is the end of one block and
/// the beginning of the next.
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

    /// The sum around element x.
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
    VNPU_TRY_ASSIGN(const LineShape shape, settleLines(call, 5));
    const std::int32_t radius = call.int32(1);
    if (radius < 0) {
        return call.refuse(fmt::format("radius is {}, expected 0 or more", radius));
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

    /// Normalizes the line to mean `beta` and deviation `gamma`.
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
    const Dimensions& dimensions = call.input(0).dimensions;
    VNPU_TRY(call.settle(0, dimensions));
    const bool isChannelsFirst = call.flag(4);
    const LineShape shape =
            isChannelsFirst ? LineShape(dimensions, 2, 4) : LineShape(dimensions, 1, 3);
    const Standard standard{call.real(1), call.real(2), call.real(3)};
    transformFloatLines(call, shape, kDivisionCost, [&] { return standard; });
    return JobStatus::kOk;
}

constexpr OperatorEntry kNormalizationEntries[] = {
        {Operator::kL2Normalization, {"Ti?", "T", kRealTypes}, l2NormalizationOperator},
        {Operator::kLocalResponseNormalization,
         {"Tifffi?", "T", kFloatTypes},
         localResponseNormalizationOperator},
        {Operator::kInstanceNormalization,
         {"T4fffb", "T", kFloatTypes},
         instanceNormalizationOperator}};

}  // namespace

std::span<const OperatorEntry> normalizationOperators() {
    return kNormalizationEntries;
}

}  // namespace vnpu::hw::kernels
