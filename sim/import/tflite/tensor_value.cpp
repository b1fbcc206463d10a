// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/tensor_value.h"

#include <fmt/format.h>
#include <tflite_generated.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "sim/import/tflite/densify.h"
namespace vnpu::sim::tflite {

namespace {

using graph::Bytes;
using graph::Form;
using graph::Refusal;
using graph::Value;
using OperandType = nn::OperandType;

template <typename From, typename To, typename Convert>
Bytes converted(std::span<const std::byte> bytes, const Convert& convert) {
    const std::size_t count = bytes.size() / sizeof(From);
    Bytes result(count * sizeof(To));
    for (std::size_t i = 0; i < count; ++i) {
        From from{};
        std::memcpy(&from, bytes.data() + i * sizeof(From), sizeof(From));
        const To to = convert(from, i);
        std::memcpy(result.data() + i * sizeof(To), &to, sizeof(To));
    }
    return result;
}

/// Clamped to 32 bits: a limit such as 2^63 - 1 still means "to the end".
template <typename From>
Bytes toIntegers(std::span<const std::byte> bytes) {
    return converted<From, std::int32_t>(bytes, [](From value, std::size_t) {
        if constexpr (sizeof(From) < sizeof(std::int32_t)) {
            return static_cast<std::int32_t>(value);
        } else if constexpr (std::is_unsigned_v<From>) {
            return static_cast<std::int32_t>(std::min<From>(value, INT32_MAX));
        } else {
            return static_cast<std::int32_t>(std::clamp<From>(value, INT32_MIN, INT32_MAX));
        }
    });
}

float halfToFloat(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t exponent = half >> 10U & 0x1FU, mantissa = half & 0x3FFU;
    if (exponent == 0) {  // zero and subnormal numbers
        const float size = std::ldexp(static_cast<float>(mantissa), -24);
        return sign != 0 ? -size : size;
    }
    const std::uint32_t bits =
            sign | (exponent == 0x1F ? 0x7F800000U : (exponent + 112U) << 23U) | mantissa << 13U;
    return std::bit_cast<float>(bits);
}

/// Two to a byte, the lower half first.
Bytes unpackedNibbles(const TensorView& tensor) {
    Bytes bytes(elementCount(tensor.dimensions));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto packed = std::to_integer<std::uint32_t>(tensor.data[i / 2]);
        const std::uint32_t nibble = (i % 2 == 0 ? packed : packed >> 4U) & 0xFU;
        bytes[i] = static_cast<std::byte>(static_cast<std::int8_t>((nibble ^ 8U)) - 8);
    }
    return bytes;
}

float scaleAt(const TensorView& tensor, std::size_t element, std::size_t inner) {
    return tensor.scales.size() == 1 ? tensor.scales[0]
                                     : tensor.scales[element / inner % tensor.scales.size()];
}

std::size_t innerElements(const TensorView& tensor) {
    std::size_t inner = 1;
    for (std::size_t i = tensor.channelDimension + 1; i < tensor.dimensions.size(); ++i) {
        inner *= tensor.dimensions[i];
    }
    return inner;
}

/// Stored numbers times their scales.
template <typename From>
Bytes toReals(const TensorView& tensor, std::span<const std::byte> bytes) {
    const std::size_t inner = innerElements(tensor);
    const std::size_t channels = tensor.scales.size();
    return converted<From, float>(bytes, [&](From value, std::size_t i) {
        const std::size_t channel = channels == 1 ? 0 : i / inner % channels;
        return static_cast<float>((static_cast<double>(value) - tensor.zeroPoints[channel]) *
                                  double{scaleAt(tensor, i, inner)});
    });
}

void requireZeroPoint(const TensorView& tensor, std::int32_t least, std::int32_t most) {
    for (const std::int32_t zeroPoint : tensor.zeroPoints) {
        if (zeroPoint < least || zeroPoint > most) {
            throw Refusal(fmt::format("{} has zero point {}, expected {} to {}", tensor.place(),
                                      zeroPoint, least, most));
        }
    }
}

Value eightBitConstant(const TensorView& tensor, Bytes bytes) {
    if (tensor.scales.size() > 1) {
        const bool isSymmetric = std::all_of(tensor.zeroPoints.begin(), tensor.zeroPoints.end(),
                                             [](std::int32_t zero) { return zero == 0; });
        if (!isSymmetric || tensor.type == TensorType::UINT8) {
            return graph::constantOf(graph::kReal, tensor.dimensions,
                                     tensor.type == TensorType::UINT8
                                             ? toReals<std::uint8_t>(tensor, bytes)
                                             : toReals<std::int8_t>(tensor, bytes));
        }
        Value value = graph::constantOf({OperandType::TENSOR_QUANT8_ASYMM_SIGNED, 1.0F, 0},
                                        tensor.dimensions, std::move(bytes));
        value.channelScales = tensor.scales;
        value.channelDimension = tensor.channelDimension;
        return value;
    }
    return graph::constantOf(formOf(tensor), tensor.dimensions, std::move(bytes));
}

}  // namespace

Form formOf(const TensorView& tensor) {
    switch (tensor.type) {
        case TensorType::FLOAT32:
        case TensorType::FLOAT16:
        case TensorType::FLOAT64:
        case TensorType::BFLOAT16:
            return graph::kReal;
        case TensorType::INT8:
        case TensorType::INT4:
        case TensorType::UINT8: {
            const bool isSigned = tensor.type != TensorType::UINT8;
            const OperandType type = isSigned ? OperandType::TENSOR_QUANT8_ASYMM_SIGNED
                                              : OperandType::TENSOR_QUANT8_ASYMM;
            if (tensor.scales.empty()) {
                return {type, 1.0F, 0};
            }
            if (tensor.scales.size() != 1) {
                throw Refusal(
                        fmt::format("{} has {} quantization scales, expected 1 for values "
                                    "that are computed",
                                    tensor.place(), tensor.scales.size()));
            }
            requireZeroPoint(tensor, isSigned ? -128 : 0, isSigned ? 127 : 255);
            return {type, tensor.scales[0], tensor.zeroPoints[0]};
        }
        case TensorType::INT16:
            return tensor.scales.empty() ? graph::kInteger : graph::kReal;
        case TensorType::UINT16:
        case TensorType::INT32:
        case TensorType::UINT32:
        case TensorType::INT64:
        case TensorType::UINT64:
            return graph::kInteger;
        case TensorType::BOOL:
            return graph::kTruth;
        default:
            throw Refusal(fmt::format("{} is {}, which NNAPI does not have", tensor.place(),
                                      typeName(tensor.type)));
    }
}

FileType fileTypeOf(const TensorView& tensor) {
    switch (tensor.type) {
        case TensorType::FLOAT16:
            return FileType::kFloat16;
        case TensorType::FLOAT64:
            return FileType::kFloat64;
        case TensorType::INT16:
            return tensor.scales.empty() ? FileType::kInt16 : FileType::kQuantized16;
        case TensorType::UINT16:
            return FileType::kUint16;
        case TensorType::INT64:
        case TensorType::UINT64:
            return FileType::kInt64;
        default:
            return FileType::kAsOperand;
    }
}

Value constantValue(const TensorView& tensor) {
    Bytes dense;
    std::span<const std::byte> data = tensor.data;
    if (tensor.sparsity != nullptr) {
        dense = densify(tensor);
        data = dense;
    }
    const bool isScaled = !tensor.scales.empty();
    const auto integers = [&](Bytes bytes) {
        return graph::constantOf(graph::kInteger, tensor.dimensions, std::move(bytes));
    };
    const auto reals = [&](Bytes bytes) {
        return graph::constantOf(graph::kReal, tensor.dimensions, std::move(bytes));
    };
    switch (tensor.type) {
        case TensorType::FLOAT32:
            return reals({data.begin(), data.end()});
        case TensorType::FLOAT16:
            return reals(converted<std::uint16_t, float>(
                    data, [](std::uint16_t half, std::size_t) { return halfToFloat(half); }));
        case TensorType::BFLOAT16:
            return reals(converted<std::uint16_t, float>(data, [](std::uint16_t top, std::size_t) {
                return std::bit_cast<float>(std::uint32_t{top} << 16U);
            }));
        case TensorType::FLOAT64:
            return reals(converted<double, float>(
                    data, [](double value, std::size_t) { return static_cast<float>(value); }));
        case TensorType::INT4:
            return eightBitConstant(tensor, unpackedNibbles(tensor));
        case TensorType::INT8:
        case TensorType::UINT8:
            return eightBitConstant(tensor, {data.begin(), data.end()});
        case TensorType::BOOL:
            return graph::constantOf(graph::kTruth, tensor.dimensions,
                                     converted<std::uint8_t, std::uint8_t>(
                                             data, [](std::uint8_t value, std::size_t) {
                                                 return static_cast<std::uint8_t>(value != 0);
                                             }));
        case TensorType::INT16:
            return isScaled ? reals(toReals<std::int16_t>(tensor, data))
                            : integers(toIntegers<std::int16_t>(data));
        case TensorType::UINT16:
            return integers(toIntegers<std::uint16_t>(data));
        case TensorType::UINT32:
            return integers(toIntegers<std::uint32_t>(data));
        case TensorType::UINT64:
            return integers(toIntegers<std::uint64_t>(data));
        case TensorType::INT64:  // with scales: the bias of a layer with 16-bit activations
            return isScaled ? reals(toReals<std::int64_t>(tensor, data))
                            : integers(toIntegers<std::int64_t>(data));
        case TensorType::INT32: {
            Value value = integers({data.begin(), data.end()});
            value.channelScales = tensor.scales;
            return value;
        }
        default:
            throw Refusal(fmt::format("{} is {}, which NNAPI does not have", tensor.place(),
                                      typeName(tensor.type)));
    }
}

}  // namespace vnpu::sim::tflite
