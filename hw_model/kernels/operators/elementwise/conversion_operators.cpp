// SPDX-License-Identifier: Apache-2.0
// CAST, QUANTIZE and DEQUANTIZE.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/operator_checks.h"
#include "hw_model/kernels/operators/operator_table.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kConversionCost = 4;  // operations of an element

constexpr TypeSet kSymm8Type = typeSet({TensorType::kQuant8Symm});
constexpr TypeSet kPerChannelType = typeSet({TensorType::kQuant8SymmPerChannel});
constexpr TypeSet kCastTypes = kFloatTypes | kAsymm8Types | kInt32Type | kBoolType | kSymm8Type |
                               typeSet({TensorType::kQuant16Symm, TensorType::kQuant16Asymm});

/// Calls function with a value of the C++ type that stores one of kCastTypes; bool where `type` is
/// that of truth values.
template <typename Function>
void withStoredType(TensorType type, const Function& function) {
    switch (type) {
        case TensorType::kFloat32:
            return function(float{});
        case TensorType::kFloat16:
            return function(Eigen::half{});
        case TensorType::kInt32:
            return function(std::int32_t{});
        case TensorType::kQuant16Symm:
            return function(std::int16_t{});
        case TensorType::kQuant16Asymm:
            return function(std::uint16_t{});
        case TensorType::kQuant8Asymm:
            return function(std::uint8_t{});
        case TensorType::kBool8:
            return function(bool{});
        default:
            return function(std::int8_t{});
    }
}

/// A number as an element of T: truncated towards zero and saturated for integers, a not-a-number
/// as zero.
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
    withStoredType(input.type, [&](auto tag) {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, bool>) {
            const auto* source = input.as<std::uint8_t>() + first;
            std::transform(source, source + count, numbers,
                           [](std::uint8_t truth) { return truth != 0 ? 1.0 : 0.0; });
        } else {
            const T* source = input.as<T>() + first;
            std::transform(source, source + count, numbers, [](T value) {
                return static_cast<double>(static_cast<Computed<T>>(value));
            });
        }
    });
}

void writeNumbers(const double* numbers, const Tensor& output, std::size_t first,
                  std::size_t count) {
    withStoredType(output.type, [&](auto tag) {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, bool>) {
            auto* target = reinterpret_cast<std::uint8_t*>(output.data) + first;
            std::transform(numbers, numbers + count, target, [](double number) {
                return static_cast<std::uint8_t>(number != 0.0 ? 1 : 0);
            });
        } else {
            std::transform(numbers, numbers + count, reinterpret_cast<T*>(output.data) + first,
                           castTo<T>);
        }
    });
}

JobStatus castOperator(OperatorCall& call) {
    VNPU_TRY(call.requireOperands(1, 1, 1, 1));
    // Scales and zero points are ignored, whatever they are.
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

/// Nearest integer with ties away from zero, without the C library's function, which keeps loops
/// scalar. A not-a-number counts as zero.
std::int32_t roundAway(float value) {
    constexpr float kFar = 1e6F;  // chosen: beyond every 8-bit range once the zero point is added
    const float number = std::isnan(value) ? 0.0F : value;
    const float near = std::min(std::max(number, -kFar), kFar);
    const auto whole = static_cast<std::int32_t>(near);
    const float rest = near - static_cast<float>(whole);
    return whole + (rest >= 0.5F ? 1 : 0) - (rest <= -0.5F ? 1 : 0);
}

template <typename T>
void quantize(OperatorCall& call) {
    const Tensor& output = call.output(0);
    const LevelRange levels = levelsOf(output.type);
    const float scale = output.scale;
    const std::int32_t zeroPoint = output.zeroPoint;
    const auto toLevel = [levels, scale, zeroPoint](float value) {
        return std::clamp(roundAway(value / scale) + zeroPoint, levels.min, levels.max);
    };
    mapElements(call.input(0).as<T>(), call.write<std::uint8_t>(0),
                static_cast<std::size_t>(call.input(0).elements()), kConversionCost,
                makeLoop<float, std::uint8_t>(toLevel));
}

JobStatus quantizeOperator(OperatorCall& call) {
    VNPU_TRY(call.requireOperands(1, 1, 1, 1));
    VNPU_TRY(requireInput(call, 0, kFloatTypes));
    VNPU_TRY(requireOutput(call, 0, kAsymm8Types));
    VNPU_TRY(call.settle(0, call.input(0).dimensions));
    if (call.input(0).type == TensorType::kFloat16) {
        quantize<Eigen::half>(call);
    } else {
        quantize<float>(call);
    }
    return JobStatus::kOk;
}

struct Affine {
    float scale;
    std::int32_t zeroPoint;
};

template <typename T, typename Output>
void dequantize(OperatorCall& call, std::size_t first, std::size_t count, const Affine& affine) {
    const auto toReal = [affine](T level) {
        return static_cast<float>(std::int32_t{level} - affine.zeroPoint) * affine.scale;
    };
    mapElements(call.input(0).as<T>() + first, call.write<Output>(0) + first, count,
                kConversionCost, makeLoop<T, float>(toReal));
}

void dequantizeRow(OperatorCall& call, std::size_t first, std::size_t count, const Affine& affine) {
    const bool isHalf = call.output(0).type == TensorType::kFloat16;
    const bool isUnsigned = call.input(0).type == TensorType::kQuant8Asymm;
    if (isUnsigned) {
        isHalf ? dequantize<std::uint8_t, Eigen::half>(call, first, count, affine)
               : dequantize<std::uint8_t, float>(call, first, count, affine);
    } else {
        isHalf ? dequantize<std::int8_t, Eigen::half>(call, first, count, affine)
               : dequantize<std::int8_t, float>(call, first, count, affine);
    }
}

JobStatus requireScale(OperatorCall& call, float scale) {
    return std::isfinite(scale) && scale > 0.0F
                   ? JobStatus::kOk
                   : call.refuse(fmt::format("input 0 has scale {}, expected a positive number",
                                             scale));
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
        VNPU_TRY(requireScale(call, scale));
    }
    VNPU_TRY(call.settle(0, dimensions));
    const auto outer = static_cast<std::size_t>(dimensions.elements(0, channel));
    const auto inner =
            static_cast<std::size_t>(dimensions.elements(channel + 1, dimensions.rank()));
    if (input.elements() == 0) {
        return JobStatus::kOk;  // extents beside a zero may be huge
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
    VNPU_TRY(call.requireOperands(1, 1, 1, 1));
    VNPU_TRY(requireInput(call, 0, kAsymm8Types | kSymm8Type | kPerChannelType));
    VNPU_TRY(requireOutput(call, 0, kFloatTypes));
    const Tensor& input = call.input(0);
    if (input.type == TensorType::kQuant8SymmPerChannel) {
        return dequantizeChannels(call);
    }
    VNPU_TRY(requireScale(call, input.scale));
    VNPU_TRY(call.settle(0, input.dimensions));
    const bool isSymmetric = input.type == TensorType::kQuant8Symm;
    dequantizeRow(call, 0, static_cast<std::size_t>(input.elements()),
                  {input.scale, isSymmetric ? 0 : input.zeroPoint});
    return JobStatus::kOk;
}

}  // namespace

std::span<const OperatorEntry> conversionOperators() {
    static constexpr OperatorEntry kEntries[] = {
            {Operator::kCast, castOperator},
            {Operator::kQuantize, quantizeOperator},
            {Operator::kDequantize, dequantizeOperator},
    };
    return kEntries;
}

}  // namespace vnpu::hw::kernels
