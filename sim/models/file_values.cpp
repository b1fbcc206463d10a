// SPDX-License-Identifier: Apache-2.0
#include "sim/models/file_values.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "sim/models/operand_types.h"

namespace vnpu::sim {

namespace {

using Bytes = std::vector<std::byte>;

std::uint64_t fileElementBytes(FileType type) {
    switch (type) {
        case FileType::kInt64:
        case FileType::kFloat64:
            return 8;
        case FileType::kAsOperand:
            return 0;
        default:
            return 2;
    }
}

template <typename From, typename To, typename Convert>
Bytes convertAll(std::span<const std::byte> bytes, const Convert& convert) {
    const std::size_t count = bytes.size() / sizeof(From);
    Bytes result(count * sizeof(To));
    for (std::size_t i = 0; i < count; ++i) {
        From from{};
        std::memcpy(&from, bytes.data() + i * sizeof(From), sizeof(From));
        const To to = convert(from);
        std::memcpy(result.data() + i * sizeof(To), &to, sizeof(To));
    }
    return result;
}

template <typename From, typename To>
To saturate(From value) {
    if constexpr (std::numeric_limits<From>::digits <= std::numeric_limits<To>::digits) {
        return static_cast<To>(value);
    } else {
        return static_cast<To>(std::clamp<From>(value, std::numeric_limits<To>::min(),
                                                std::numeric_limits<To>::max()));
    }
}

float floatOfHalf(std::uint16_t bits) {
    return static_cast<float>(Eigen::half(Eigen::half_impl::raw_uint16_to_half(bits)));
}

std::uint16_t halfOfFloat(float value) {
    return Eigen::half(value).x;
}

}  // namespace

std::uint64_t fileBytes(const TensorDescription& tensor) {
    const std::uint64_t size = fileElementBytes(tensor.fileType);
    return size == 0 ? tensor.sizeBytes : tensor.sizeBytes / elementBytes(tensor.type) * size;
}

Bytes operandFromFile(const TensorDescription& tensor, std::span<const std::byte> bytes) {
    switch (tensor.fileType) {
        case FileType::kFloat16:
            return convertAll<std::uint16_t, float>(bytes, floatOfHalf);
        case FileType::kFloat64:
            return convertAll<double, float>(bytes, [](double x) { return static_cast<float>(x); });
        case FileType::kInt16:
            return convertAll<std::int16_t, std::int32_t>(bytes,
                                                          saturate<std::int16_t, std::int32_t>);
        case FileType::kUint16:
            return convertAll<std::uint16_t, std::int32_t>(bytes,
                                                           saturate<std::uint16_t, std::int32_t>);
        case FileType::kInt64:
            return convertAll<std::int64_t, std::int32_t>(bytes,
                                                          saturate<std::int64_t, std::int32_t>);
        case FileType::kQuantized16:
            return convertAll<std::int16_t, float>(bytes, [&](std::int16_t x) {
                return static_cast<float>(x) * tensor.fileScale;
            });
        case FileType::kAsOperand:
            break;
    }
    return {bytes.begin(), bytes.end()};
}

Bytes fileFromOperand(const TensorDescription& tensor, std::span<const std::byte> bytes) {
    switch (tensor.fileType) {
        case FileType::kFloat16:
            return convertAll<float, std::uint16_t>(bytes, halfOfFloat);
        case FileType::kFloat64:
            return convertAll<float, double>(bytes, [](float x) { return double{x}; });
        case FileType::kInt16:
            return convertAll<std::int32_t, std::int16_t>(bytes,
                                                          saturate<std::int32_t, std::int16_t>);
        case FileType::kUint16:
            return convertAll<std::int32_t, std::uint16_t>(bytes,
                                                           saturate<std::int32_t, std::uint16_t>);
        case FileType::kInt64:
            return convertAll<std::int32_t, std::int64_t>(bytes,
                                                          saturate<std::int32_t, std::int64_t>);
        case FileType::kQuantized16:
            return convertAll<float, std::int16_t>(bytes, [&](float x) {
                return static_cast<std::int16_t>(
                        std::clamp(std::round(x / tensor.fileScale), -32768.0F, 32767.0F));
            });
        case FileType::kAsOperand:
            break;
    }
    return {bytes.begin(), bytes.end()};
}

}  // namespace vnpu::sim
