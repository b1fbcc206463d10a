// SPDX-License-Identifier: Apache-2.0
#include "sim/media/tensor_values.h"

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "sim/base/error.h"

namespace vnpu::sim::media {

namespace {

using Type = android::hardware::neuralnetworks::V1_3::OperandType;

template <typename T>
double elementAs(std::span<const std::byte> bytes, std::size_t index) {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return static_cast<double>(value);
}

template <typename T, typename Convert>
std::vector<std::byte> convertAll(std::span<const float> values, Convert&& convert) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T element = convert(values[i]);
        std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
    }
    return bytes;
}

template <typename T>
std::vector<std::byte> quantizeAll(std::span<const float> values, const TensorDescription& tensor) {
    const double scale = tensor.scale == 0.0F ? 1.0 : tensor.scale;
    return convertAll<T>(values, [&](float value) {
        const double steps = std::isnan(value) ? 0.0 : std::nearbyint(value / scale);
        return static_cast<T>(std::clamp(steps + tensor.zeroPoint,
                                         static_cast<double>(std::numeric_limits<T>::lowest()),
                                         static_cast<double>(std::numeric_limits<T>::max())));
    });
}

}  // namespace

std::vector<std::byte> tensorBytes(const TensorDescription& tensor, std::span<const float> values) {
    switch (tensor.type) {
        case Type::TENSOR_FLOAT32:
            return convertAll<float>(values, [](float value) { return value; });
        case Type::TENSOR_FLOAT16:
            return convertAll<std::uint16_t>(values, [](float value) {
                return std::bit_cast<std::uint16_t>(Eigen::half(value).x);
            });
        case Type::TENSOR_BOOL8:
            return convertAll<std::uint8_t>(
                    values, [](float value) { return std::uint8_t{value != 0.0F}; });
        case Type::TENSOR_INT32:
            return quantizeAll<std::int32_t>(values, tensor);
        case Type::TENSOR_QUANT8_ASYMM:
            return quantizeAll<std::uint8_t>(values, tensor);
        case Type::TENSOR_QUANT8_ASYMM_SIGNED:
        case Type::TENSOR_QUANT8_SYMM:
            return quantizeAll<std::int8_t>(values, tensor);
        case Type::TENSOR_QUANT16_ASYMM:
            return quantizeAll<std::uint16_t>(values, tensor);
        case Type::TENSOR_QUANT16_SYMM:
            return quantizeAll<std::int16_t>(values, tensor);
        default:
            throw InputError(tensor.name + ": not a tensor of numbers");
    }
}

std::size_t bytesOfElement(const TensorDescription& tensor) {
    switch (tensor.type) {
        case Type::TENSOR_FLOAT32:
        case Type::TENSOR_INT32:
            return 4;
        case Type::TENSOR_FLOAT16:
        case Type::TENSOR_QUANT16_ASYMM:
        case Type::TENSOR_QUANT16_SYMM:
            return 2;
        case Type::TENSOR_BOOL8:
        case Type::TENSOR_QUANT8_ASYMM:
        case Type::TENSOR_QUANT8_ASYMM_SIGNED:
        case Type::TENSOR_QUANT8_SYMM:
            return 1;
        default:
            return 0;
    }
}

bool isFloatTensor(const TensorDescription& tensor) {
    return tensor.type == Type::TENSOR_FLOAT32 || tensor.type == Type::TENSOR_FLOAT16;
}

double halfToDouble(std::uint16_t bits) {
    return static_cast<double>(
            static_cast<float>(Eigen::half(Eigen::half_impl::raw_uint16_to_half(bits))));
}

double elementValue(Type type, std::span<const std::byte> bytes, std::size_t index) {
    switch (type) {
        case Type::FLOAT32:
        case Type::TENSOR_FLOAT32:
            return elementAs<float>(bytes, index);
        case Type::INT32:
        case Type::TENSOR_INT32:
            return elementAs<std::int32_t>(bytes, index);
        case Type::UINT32:
            return elementAs<std::uint32_t>(bytes, index);
        case Type::FLOAT16:
        case Type::TENSOR_FLOAT16: {
            std::uint16_t bits = 0;
            std::memcpy(&bits, bytes.data() + index * sizeof(bits), sizeof(bits));
            return halfToDouble(bits);
        }
        case Type::TENSOR_QUANT16_SYMM:
            return elementAs<std::int16_t>(bytes, index);
        case Type::TENSOR_QUANT16_ASYMM:
            return elementAs<std::uint16_t>(bytes, index);
        case Type::TENSOR_QUANT8_SYMM:
        case Type::TENSOR_QUANT8_SYMM_PER_CHANNEL:
        case Type::TENSOR_QUANT8_ASYMM_SIGNED:
            return elementAs<std::int8_t>(bytes, index);
        case Type::BOOL:
        case Type::TENSOR_BOOL8:
            return elementAs<std::uint8_t>(bytes, index) != 0.0 ? 1.0 : 0.0;
        default:
            return elementAs<std::uint8_t>(bytes, index);
    }
}

}  // namespace vnpu::sim::media
