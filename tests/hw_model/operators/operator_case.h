// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "hw_model/kernels/operators/operator_table.h"

namespace vnpu::test {

/// Type and quantization of an operand.
struct OperandKind {
    hw::TensorType type = hw::TensorType::kFloat32;
    float scale = 0.0F;
    std::int32_t zeroPoint = 0;
    std::vector<float> channelScales = {};
    std::uint32_t channelDimension = 0;
};

inline const OperandKind kReal{hw::TensorType::kFloat32};
inline const OperandKind kInteger{hw::TensorType::kInt32};

inline constexpr hw::TensorType kFloatAndByteTypes[] = {
        hw::TensorType::kFloat32, hw::TensorType::kFloat16, hw::TensorType::kQuant8Asymm,
        hw::TensorType::kQuant8AsymmSigned};

inline bool isFloat(hw::TensorType type) {
    return type == hw::TensorType::kFloat32 || type == hw::TensorType::kFloat16;
}

/// One execution of an operator with its own operands: add inputs and outputs in order, run, read.
/// Every tensor ends at the end of an allocation, so that the address sanitizer detects accesses
/// beyond it.
class OperatorCase : private hw::kernels::OutputMemory {
  public:
    explicit OperatorCase(hw::Operator op) : op_(op) {}

    /// Elements of T, which must have the size of the kind's elements.
    template <typename T>
    OperatorCase& input(const OperandKind& kind, const hw::Dimensions& dimensions,
                        const std::vector<T>& values) {
        return add(kind, dimensions, values.data(), values.size() * sizeof(T));
    }
    OperatorCase& int32(std::int32_t value);
    OperatorCase& real(float value);
    OperatorCase& half(float value);
    OperatorCase& flag(bool value);
    OperatorCase& int32s(const std::vector<std::int32_t>& values);  // TENSOR_INT32 of rank 1
    OperatorCase& omitted(const OperandKind& kind = {});
    OperatorCase& output(const OperandKind& kind);
    /// Raw bytes.
    OperatorCase& add(const OperandKind& kind, const hw::Dimensions& dimensions, const void* data,
                      std::size_t sizeBytes);

    hw::JobStatus run();

    /// Why run() refused.
    const std::string& reason() const { return reason_; }

    const hw::Dimensions& dimensions(std::size_t output) const { return shapes_.at(output); }
    template <typename T>
    std::vector<T> values(std::size_t output) const {
        const std::vector<std::byte>& bytes = results_.at(output);
        std::vector<T> elements(bytes.size() / sizeof(T));
        if (!elements.empty()) {
            std::memcpy(elements.data(), bytes.data(), bytes.size());
        }
        return elements;
    }
    /// Elements of any type as the stored numbers; half precision as its value.
    std::vector<double> numbers(std::size_t output) const;

  private:
    std::byte* place(std::size_t index, const hw::Dimensions& dimensions,
                     std::uint64_t sizeBytes) override;

    hw::Operator op_;
    std::deque<std::vector<std::byte>> memories_;
    std::deque<std::vector<float>> scales_;
    std::vector<hw::kernels::Tensor> inputs_, outputs_;
    std::vector<std::vector<std::byte>> results_;
    std::vector<hw::Dimensions> shapes_;
    std::string reason_;
};

/// Element `index` of dense data as the stored number.
double storedNumber(hw::TensorType type, const std::byte* data, std::size_t index);

/// `values` as elements of a float type: bytes for OperatorCase::add.
std::vector<std::byte> floatBytes(hw::TensorType type, const std::vector<double>& values);

}  // namespace vnpu::test
