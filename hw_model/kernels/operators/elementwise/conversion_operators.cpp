// SPDX-License-Identifier: Apache-2.0
// CAST, QUANTIZE and DEQUANTIZE.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kConversionCost = 4;  // operations of an element

constexpr TypeSet kCastTypes =
        kNumberTypes | kBoolType |
        typeSet({TensorType::kQuant8Symm, TensorType::kQuant16Symm, TensorType::kQuant16Asymm});
constexpr TypeSet kDequantizedTypes =
        kAsymm8Types | typeSet({TensorType::kQuant8Symm, TensorType::kQuant8SymmPerChannel});

/// Converts a number to T: truncated toward zero and saturated for integers; NaN becomes zero.
template <typename T>
T castTo(double value) {
    if constexpr (std::is_same_v<T, float>) {
        return static_cast<float>(value);
    } else if constexpr (std::is_same_v<T, Eigen::half>) {
        return static_cast<Eigen::half>(static_cast<float>(value));
    } else {
        constexpr double kLow = std::numeric_limits<T>::min();
        constexpr double kHigh = std::numeric_limits<T>::max();
        return std::isnan(value) ? T{0} : static_cast<T>(std::clamp(value, kLow, kHigh));
    }
}

void readNumbers(const Tensor& input, std::size_t first, std::size_t count, double* numbers) {
    withElement<kCastTypes>(input.type, [&](auto element) {
        const auto* source = input.as<decltype(element)>() + first;
        const bool isTruth = input.type == TensorType::kBool8;
        std::transform(source, source + count, numbers, [isTruth](auto value) {
            const auto number = static_cast<double>(static_cast<Computed<decltype(value)>>(value));
            return isTruth ? (number != 0.0 ? 1.0 : 0.0) : number;
        });
    });
}

void writeNumbers(const double* numbers, const Tensor& output, std::size_t first,
                  std::size_t count) {
    withElement<kCastTypes>(output.type, [&](auto element) {
        using T = decltype(element);
        T* const target = reinterpret_cast<T*>(output.data) + first;
        if (output.type == TensorType::kBool8) {
            std::transform(numbers, numbers + count, target,
                           [](double number) { return castTo<T>(number != 0.0 ? 1.0 : 0.0); });
        } else {
            std::transform(numbers, numbers + count, target, castTo<T>);
        }
    });
}

JobStatus castOperator(OperatorCall& call) {
    // Scales and zero points are ignored.
    const auto check = [&](TensorType type, const char* what) {
        return contains(kCastTypes, type) ? JobStatus::kOk
                                          : call.refuse(fmt::format("{} is {}, which is not cast",
                                                                    what, tensorTypeName(type)));
    };
    const Tensor& input = call.input(0);
    const Tensor& output = call.output(0);
    VNPU_TRY(check(input.type, "input 0"));
    VNPU_TRY(check(output.type, "output 0"));
    VNPU_TRY(call.settle(0, input.dimensions));
    const auto elements = static_cast<std::size_t>(input.elements());
    if (input.type == output.type) {
        std::copy_n(input.data, input.sizeBytes(), output.data);
        return JobStatus::kOk;
    }
    forEachRange(elements, kConversionCost, [&](std::size_t begin, std::size_t end) {
        std::array<double, kChunk> numbers{};
        for (std::size_t i = begin; i < end; i += kChunk) {
            const std::size_t count = std::min(kChunk, end - i);
            readNumbers(input, i, count, numbers.data());
            writeNumbers(numbers.data(), output, i, count);
        }
    });
    return JobStatus::kOk;
}

/// Nearest integer with ties away from zero, without calling the C library, which would prevent
/// vectorization. NaN counts as zero.
std::int32_t roundAway(float value) {
    constexpr float kFar = 1e6F;  // chosen: beyond every 8-bit range even with the zero point added
    const float number = std::isnan(value) ? 0.0F : value;
    const float near = std::min(std::max(number, -kFar), kFar);
    const auto whole = static_cast<std::int32_t>(near);
    const float rest = near - static_cast<float>(whole);
    return whole + (rest >= 0.5F ? 1 : 0) - (rest <= -0.5F ? 1 : 0);
}

JobStatus quantizeOperator(OperatorCall& call) {
    VNPU_TRY(call.settle(0, call.input(0).dimensions));
    const Tensor& output = call.output(0);
    const auto toLevel = [levels = levelsOf(output.type), scale = output.scale,
                          zeroPoint = output.zeroPoint](float value) {
        return std::clamp(roundAway(value / scale) + zeroPoint, levels.min, levels.max);
    };
    withElement<kFloatTypes>(call.input(0).type, [&](auto element) {
        map<decltype(element), std::uint8_t>(call, kConversionCost, toLevel);
    });
    return JobStatus::kOk;
}

struct Affine {
    float scale;
    std::int32_t zeroPoint;
};

void dequantizeRow(OperatorCall& call, std::size_t first, std::size_t count, const Affine& affine) {
    withElement<kDequantizedTypes>(call.input(0).type, [&](auto level) {
        using T = decltype(level);
        const auto toReal = [affine](T stored) {
            return static_cast<float>(std::int32_t{stored} - affine.zeroPoint) * affine.scale;
        };
        withElement<kFloatTypes>(call.output(0).type, [&](auto real) {
            mapElements(call.input(0).as<T>() + first, call.write<decltype(real)>(0) + first, count,
                        kConversionCost, makeLoop<T, float>(toReal));
        });
    });
}

JobStatus dequantizeChannels(OperatorCall& call) {
    const Tensor& input = call.input(0);
    const Dimensions& dimensions = input.dimensions;
    const std::size_t channel = input.channelDimension;
    if (channel >= dimensions.rank() || input.channelScales.size() != dimensions[channel]) {
        return call.refuse(
                fmt::format("input 0 of dimensions [{}] has {} scales along dimension {}",
                            fmt::join(dimensions, ", "), input.channelScales.size(), channel));
    }
    for (const float scale : input.channelScales) {
        if (!std::isfinite(scale) || scale <= 0.0F) {
            return call.refuse(
                    fmt::format("input 0 has scale {}, expected a positive number", scale));
        }
    }
    VNPU_TRY(call.settle(0, dimensions));
    const auto outer = static_cast<std::size_t>(dimensions.elements(0, channel));
    const auto inner =
            static_cast<std::size_t>(dimensions.elements(channel + 1, dimensions.rank()));
    if (input.elements() == 0) {
        return JobStatus::kOk;  // if one extent is zero, the others may be huge
    }
    std::size_t first = 0;
    for (std::size_t i = 0; i < outer; ++i) {
        for (const float scale : input.channelScales) {
            dequantizeRow(call, first, inner, {scale, 0});
            first += inner;
        }
    }
    return JobStatus::kOk;
}

JobStatus dequantizeOperator(OperatorCall& call) {
    const Tensor& input = call.input(0);
    if (input.type == TensorType::kQuant8SymmPerChannel) {
        return dequantizeChannels(call);
    }
    VNPU_TRY(call.settle(0, input.dimensions));
    dequantizeRow(call, 0, static_cast<std::size_t>(input.elements()),
                  {input.scale, isAsymm8(input) ? input.zeroPoint : 0});
    return JobStatus::kOk;
}

constexpr OperatorEntry kConversionEntries[] = {
        {Operator::kCast, {"X", "X"}, castOperator},
        {Operator::kQuantize, {"r", "T", kAsymm8Types}, quantizeOperator},
        {Operator::kDequantize, {"T", "r", kDequantizedTypes}, dequantizeOperator}};

}  // namespace

std::span<const OperatorEntry> conversionOperators() {
    return kConversionEntries;
}

}  // namespace vnpu::hw::kernels
