// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "driver/compiler/ir/compile_options.h"

namespace vnpu::driver::test {

using android::hardware::neuralnetworks::V1_3::OperandLifeTime;
using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;
using Bytes = std::vector<std::byte>;
using Dimensions = std::vector<std::uint32_t>;

inline constexpr OperandType kHalf = OperandType::TENSOR_FLOAT16;
inline constexpr OperandType kFloat = OperandType::TENSOR_FLOAT32;
inline constexpr OperandType kInt = OperandType::TENSOR_INT32;
inline constexpr OperandType kBool = OperandType::TENSOR_BOOL8;
inline constexpr OperandType kByte = OperandType::TENSOR_QUANT8_ASYMM;
inline constexpr OperandType kSigned = OperandType::TENSOR_QUANT8_ASYMM_SIGNED;

/// Type, dimensions and quantization of a tensor operand.
struct TensorSpec {
    OperandType type = OperandType::TENSOR_FLOAT32;
    Dimensions dimensions;
    float scale = 0.0F;
    std::int32_t zeroPoint = 0;
    std::vector<float> channelScales = {};
    std::uint32_t channelDimension = 0;
};

/// Puts NNAPI models together operand by operand; every function returns the operand's index.
/// Counts consumers itself.
class ModelBuilder {
  public:
    /// An operand of any lifetime; inputs and outputs join the model's lists.
    std::uint32_t add(const TensorSpec& spec, OperandLifeTime lifetime);
    std::uint32_t input(const TensorSpec& spec);
    std::uint32_t output(const TensorSpec& spec);
    std::uint32_t temporary(const TensorSpec& spec);
    std::uint32_t noValue(OperandType type);

    /// A constant in the model's operandValues, or in pool 0.
    std::uint32_t constant(const TensorSpec& spec, const Bytes& value);
    std::uint32_t pooled(const TensorSpec& spec, const Bytes& value);

    std::uint32_t int32(std::int32_t value);
    std::uint32_t float32(float value);
    std::uint32_t boolean(bool value);
    std::uint32_t int32s(const std::vector<std::int32_t>& values, Dimensions dimensions = {});

    void operation(OperationType type, const std::vector<std::uint32_t>& inputs,
                   std::uint32_t output);
    void operation(OperationType type, const std::vector<std::uint32_t>& inputs,
                   const std::vector<std::uint32_t>& outputs);

    /// An operand that stands for another builder's model, pools aside, as a subgraph of this one.
    std::uint32_t subgraph(const ModelBuilder& body);

    android::hardware::neuralnetworks::V1_3::Operand& operand(std::uint32_t index) {
        return operands_.at(index);
    }

    /// The model without its pools.
    android::hardware::neuralnetworks::V1_3::Model build() const;
    const Bytes& pool() const { return pool_; }
    std::vector<PoolView> pools() const {
        return pool_.empty() ? std::vector<PoolView>{} : std::vector<PoolView>{pool_};
    }

  private:
    android::hardware::neuralnetworks::V1_3::Subgraph main() const;
    std::uint32_t scalar(OperandType type, const void* value, std::size_t bytes);

    std::vector<android::hardware::neuralnetworks::V1_3::Operand> operands_;
    std::vector<android::hardware::neuralnetworks::V1_3::Operation> operations_;
    std::vector<std::uint32_t> inputs_, outputs_;
    std::vector<android::hardware::neuralnetworks::V1_3::Subgraph> referenced_;
    Bytes values_, pool_;
};

template <typename T>
Bytes bytesOf(const std::vector<T>& values) {
    Bytes bytes(values.size() * sizeof(T));
    if (!bytes.empty()) {
        std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    return bytes;
}

template <typename T>
std::vector<T> valuesOf(const Bytes& bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) {
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    }
    return values;
}

}  // namespace vnpu::driver::test
