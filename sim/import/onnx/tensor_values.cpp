// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/tensor_values.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace vnpu::sim::onnx {

namespace {

using graph::Bytes;
using graph::Refusal;
using OperandType = nn::OperandType;

template <typename T, typename Convert>
std::vector<double> convertAll(const Tensor& tensor, Convert&& convert) {
    std::vector<double> numbers(tensor.data.size() / sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        T element{};
        std::memcpy(&element, tensor.data.data() + i * sizeof(T), sizeof(T));
        numbers[i] = convert(element);
    }
    return numbers;
}

template <typename T>
std::vector<double> plainNumbers(const Tensor& tensor) {
    return convertAll<T>(tensor, [](T element) { return static_cast<double>(element); });
}

/// 64-bit and unsigned 32-bit integers as int32.
template <typename T>
std::vector<std::int32_t> narrowed(const Tensor& tensor) {
    constexpr auto kLeast = std::numeric_limits<std::int32_t>::min();
    constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
    std::vector<std::int32_t> numbers(tensor.data.size() / sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        T element{};
        std::memcpy(&element, tensor.data.data() + i * sizeof(T), sizeof(T));
        const bool isEnd = sizeof(T) == 8 &&
                           (element == std::numeric_limits<T>::max() ||
                            (std::is_signed_v<T> && element <= std::numeric_limits<T>::min() + 1));
        if (std::cmp_less_equal(element, kMost) && std::cmp_greater_equal(element, kLeast)) {
            numbers[i] = static_cast<std::int32_t>(element);
        } else if (isEnd) {
            numbers[i] = element > 0 ? kMost : kLeast;
        } else {
            throw Refusal(
                    fmt::format("constant {} has the number {}, which does not fit into 32 bits",
                                tensor.name, element));
        }
    }
    return numbers;
}

}  // namespace

graph::Form formOf(ElementType type) {
    switch (type) {
        case ElementType::kFloat:
        case ElementType::kFloat16:
        case ElementType::kBfloat16:
        case ElementType::kDouble:
            return graph::kReal;
        case ElementType::kUint8:
            return {OperandType::TENSOR_QUANT8_ASYMM, 1.0F, 0};
        case ElementType::kInt8:
            return {OperandType::TENSOR_QUANT8_ASYMM_SIGNED, 1.0F, 0};
        case ElementType::kUint16:
        case ElementType::kInt16:
        case ElementType::kInt32:
        case ElementType::kInt64:
        case ElementType::kUint32:
        case ElementType::kUint64:
            return graph::kInteger;
        case ElementType::kBool:
            return graph::kTruth;
        default:
            throw Refusal(
                    fmt::format("a tensor of type {}, which NNAPI does not have", nameOf(type)));
    }
}

FileType fileTypeOf(ElementType type) {
    switch (type) {
        case ElementType::kFloat16:
            return FileType::kFloat16;
        case ElementType::kDouble:
            return FileType::kFloat64;
        case ElementType::kInt16:
            return FileType::kInt16;
        case ElementType::kUint16:
            return FileType::kUint16;
        case ElementType::kInt64:
        case ElementType::kUint64:
            return FileType::kInt64;
        case ElementType::kBfloat16:
            throw Refusal("an input or output of type bfloat16, expected another type");
        default:
            return FileType::kAsOperand;
    }
}

bool isRealType(ElementType type) {
    return type == ElementType::kFloat || type == ElementType::kFloat16 ||
           type == ElementType::kBfloat16 || type == ElementType::kDouble;
}

bool isByteType(ElementType type) {
    return type == ElementType::kUint8 || type == ElementType::kInt8;
}

std::vector<double> numbersOf(const Tensor& tensor) {
    switch (tensor.type) {
        case ElementType::kFloat:
            return plainNumbers<float>(tensor);
        case ElementType::kDouble:
            return plainNumbers<double>(tensor);
        case ElementType::kFloat16:
            return convertAll<std::uint16_t>(tensor, [](std::uint16_t bits) {
                return static_cast<double>(static_cast<float>(
                        Eigen::half(Eigen::half_impl::raw_uint16_to_half(bits))));
            });
        case ElementType::kBfloat16:
            return convertAll<std::uint16_t>(tensor, [](std::uint16_t bits) {
                return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16));
            });
        case ElementType::kUint8:
        case ElementType::kBool:
            return plainNumbers<std::uint8_t>(tensor);
        case ElementType::kInt8:
            return plainNumbers<std::int8_t>(tensor);
        case ElementType::kUint16:
            return plainNumbers<std::uint16_t>(tensor);
        case ElementType::kInt16:
            return plainNumbers<std::int16_t>(tensor);
        case ElementType::kInt32:
            return plainNumbers<std::int32_t>(tensor);
        case ElementType::kUint32:
            return plainNumbers<std::uint32_t>(tensor);
        case ElementType::kInt64:
            return plainNumbers<std::int64_t>(tensor);
        case ElementType::kUint64:
            return plainNumbers<std::uint64_t>(tensor);
        default:
            throw Refusal(
                    fmt::format("a tensor of type {}, expected numbers", nameOf(tensor.type)));
    }
}

graph::Value valueOf(const Tensor& tensor) {
    const graph::Form form = formOf(tensor.type);
    graph::requireSize(form, tensor.dims);
    graph::Value value;
    switch (tensor.type) {
        case ElementType::kFloat:
        case ElementType::kInt32:
        case ElementType::kUint8:
        case ElementType::kInt8:
            value = graph::constantOf(form, tensor.dims, tensor.data);
            break;
        case ElementType::kInt64:
            value = graph::integerConstant(tensor.dims, narrowed<std::int64_t>(tensor));
            break;
        case ElementType::kUint64:
            value = graph::integerConstant(tensor.dims, narrowed<std::uint64_t>(tensor));
            break;
        case ElementType::kUint32:
            value = graph::integerConstant(tensor.dims, narrowed<std::uint32_t>(tensor));
            break;
        case ElementType::kDouble: {
            const std::vector<double> numbers = numbersOf(tensor);
            for (const double number : numbers) {
                if (std::isfinite(number) && std::abs(number) > std::numeric_limits<float>::max()) {
                    throw Refusal(
                            fmt::format("tensor {} has the number {}, which float32 does not hold",
                                        tensor.name, number));
                }
            }
            value = graph::constantFrom(form, tensor.dims, numbers);
            break;
        }
        default:
            value = graph::constantFrom(form, tensor.dims, numbersOf(tensor));
            break;
    }
    value.name = tensor.name;
    return value;
}

}  // namespace vnpu::sim::onnx
