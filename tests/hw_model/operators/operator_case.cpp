// SPDX-License-Identifier: Apache-2.0
#include "tests/hw_model/operators/operator_case.h"

#include <Eigen/Core>

namespace vnpu::test {

using hw::Dimensions;
using hw::TensorType;

namespace {

template <typename T>
T load(const std::byte* data, std::size_t index) {
    T value{};
    std::memcpy(&value, data + index * sizeof(T), sizeof(T));
    return value;
}

}  // namespace

double storedNumber(TensorType type, const std::byte* data, std::size_t index) {
    switch (type) {
        case TensorType::kFloat32Scalar:
        case TensorType::kFloat32:
            return load<float>(data, index);
        case TensorType::kInt32Scalar:
        case TensorType::kInt32:
            return load<std::int32_t>(data, index);
        case TensorType::kUint32Scalar:
            return load<std::uint32_t>(data, index);
        case TensorType::kFloat16:
        case TensorType::kFloat16Scalar:
            return static_cast<double>(static_cast<float>(load<Eigen::half>(data, index)));
        case TensorType::kQuant16Symm:
            return load<std::int16_t>(data, index);
        case TensorType::kQuant16Asymm:
            return load<std::uint16_t>(data, index);
        case TensorType::kQuant8Asymm:
        case TensorType::kBoolScalar:
        case TensorType::kBool8:
            return load<std::uint8_t>(data, index);
        case TensorType::kQuant8SymmPerChannel:
        case TensorType::kQuant8Symm:
        case TensorType::kQuant8AsymmSigned:
            break;
    }
    return load<std::int8_t>(data, index);
}

std::vector<std::byte> floatBytes(TensorType type, const std::vector<double>& values) {
    const std::size_t size = hw::elementBytes(type);
    std::vector<std::byte> bytes(values.size() * size);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto single = static_cast<float>(values[i]);
        const auto half = static_cast<Eigen::half>(single);
        if (size == sizeof(half)) {
            std::memcpy(&bytes[i * size], &half, size);
        } else {
            std::memcpy(&bytes[i * size], &single, size);
        }
    }
    return bytes;
}

OperatorCase& OperatorCase::add(const OperandKind& kind, const Dimensions& dimensions,
                                const void* data, std::size_t sizeBytes) {
    memories_.emplace_back(sizeBytes);
    if (sizeBytes != 0) {
        std::memcpy(memories_.back().data(), data, sizeBytes);
    }
    scales_.push_back(kind.channelScales);
    inputs_.push_back({.type = kind.type,
                       .dimensions = dimensions,
                       .scale = kind.scale,
                       .zeroPoint = kind.zeroPoint,
                       .channelScales = scales_.back(),
                       .channelDimension = kind.channelDimension,
                       .data = memories_.back().data(),
                       .isOmitted = false});
    return *this;
}

OperatorCase& OperatorCase::int32(std::int32_t value) {
    return add({TensorType::kInt32Scalar}, {}, &value, sizeof(value));
}

OperatorCase& OperatorCase::real(float value) {
    return add({TensorType::kFloat32Scalar}, {}, &value, sizeof(value));
}

OperatorCase& OperatorCase::half(float value) {
    const std::vector<std::byte> bytes = floatBytes(TensorType::kFloat16Scalar, {value});
    return add({TensorType::kFloat16Scalar}, {}, bytes.data(), bytes.size());
}

OperatorCase& OperatorCase::flag(bool value) {
    const auto byte = static_cast<std::uint8_t>(value ? 1 : 0);
    return add({TensorType::kBoolScalar}, {}, &byte, sizeof(byte));
}

OperatorCase& OperatorCase::int32s(const std::vector<std::int32_t>& values) {
    return input({TensorType::kInt32}, {static_cast<std::uint32_t>(values.size())}, values);
}

OperatorCase& OperatorCase::omitted(const OperandKind& kind) {
    hw::kernels::Tensor tensor;
    tensor.type = kind.type;
    tensor.isOmitted = true;
    inputs_.push_back(tensor);
    return *this;
}

OperatorCase& OperatorCase::output(const OperandKind& kind) {
    hw::kernels::Tensor tensor;
    tensor.type = kind.type;
    tensor.scale = kind.scale;
    tensor.zeroPoint = kind.zeroPoint;
    outputs_.push_back(tensor);
    return *this;
}

hw::JobStatus OperatorCase::run() {
    results_.assign(outputs_.size(), {});
    shapes_.assign(outputs_.size(), {});
    hw::kernels::OperatorCall call(inputs_, outputs_, *this);
    const hw::JobStatus status = hw::kernels::runOperator(op_, call);
    reason_ = call.reason();
    return status;
}

std::vector<double> OperatorCase::numbers(std::size_t output) const {
    const std::vector<std::byte>& bytes = results_.at(output);
    const TensorType type = outputs_.at(output).type;
    std::vector<double> numbers(bytes.size() / hw::elementBytes(type));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = storedNumber(type, bytes.data(), i);
    }
    return numbers;
}

std::byte* OperatorCase::place(std::size_t index, const Dimensions& dimensions,
                               std::uint64_t sizeBytes) {
    static std::byte nothing{};
    shapes_[index] = dimensions;
    results_[index].assign(sizeBytes, std::byte{0xA5});
    return sizeBytes == 0 ? &nothing : results_[index].data();
}

}  // namespace vnpu::test
