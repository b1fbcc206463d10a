// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driver/compiler/compiler.h"
#include "driver/compiler/refusal.h"

namespace vnpu::driver {

/// Reads a model's constants. Borrows the model and the pools; without pools what lies in them is
/// undetermined.
class ModelReader {
  public:
    using Model = android::hardware::neuralnetworks::V1_3::Model;
    using Operand = android::hardware::neuralnetworks::V1_3::Operand;

    ModelReader(const Model& model, std::optional<std::span<const PoolView>> pools)
        : model_(model), pools_(pools) {}

    const Model& model() const { return model_; }
    const Operand& operand(std::uint32_t index) const { return model_.main.operands[index]; }

    /// The bytes of a constant operand. kUnsupported for any other lifetime, kInvalid for a
    /// location outside its pool.
    Checked<std::span<const std::byte>> constant(std::uint32_t operand) const;

  private:
    const Model& model_;
    std::optional<std::span<const PoolView>> pools_;
};

/// One operation of the main subgraph: its operands and constant arguments by position.
class OperationReader {
  public:
    using Operation = android::hardware::neuralnetworks::V1_3::Operation;
    using OperandType = android::hardware::neuralnetworks::V1_3::OperandType;

    OperationReader(const ModelReader& model, std::uint32_t index)
        : model_(model), index_(index), operation_(model.model().main.operations[index]) {}

    std::uint32_t index() const { return index_; }
    const Operation& operation() const { return operation_; }
    std::size_t inputCount() const { return operation_.inputs.size(); }
    std::size_t outputCount() const { return operation_.outputs.size(); }
    std::uint32_t inputOperand(std::size_t i) const { return operation_.inputs[i]; }
    std::uint32_t outputOperand(std::size_t i) const { return operation_.outputs[i]; }
    OperandType inputType(std::size_t i) const { return model_.operand(inputOperand(i)).type; }

    /// Not given at all, or of lifetime NO_VALUE.
    bool isOmitted(std::size_t i) const;

    /// Constant scalars; `what` names them in a refusal. The overloads with a default serve
    /// trailing optional ones.
    Checked<std::int32_t> int32(std::size_t i, std::string_view what) const;
    Checked<std::int32_t> int32(std::size_t i, std::string_view what, std::int32_t byDefault) const;
    Checked<std::uint32_t> extent(std::size_t i, std::string_view what, std::uint32_t least) const;
    Checked<float> float32(std::size_t i, std::string_view what) const;
    Checked<bool> boolean(std::size_t i, std::string_view what, bool byDefault) const;

    /// A constant TENSOR_INT32.
    Checked<std::vector<std::int32_t>> int32s(std::size_t i, std::string_view what) const;

    /// kUnsupported unless the operation has `least` to `most` inputs and one output.
    Checked<void> requireInputs(std::size_t least, std::size_t most) const;

  private:
    Checked<std::span<const std::byte>> scalar(std::size_t i, OperandType type,
                                               std::string_view what) const;

    const ModelReader& model_;
    std::uint32_t index_;
    const Operation& operation_;
};

/// "CONV_2D"
std::string operationName(android::hardware::neuralnetworks::V1_3::OperationType type);
std::string typeName(android::hardware::neuralnetworks::V1_3::OperandType type);

}  // namespace vnpu::driver
