// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "driver/compiler/ir/compile_options.h"
#include "driver/compiler/ir/quantization.h"
#include "driver/compiler/ir/refusal.h"
#include "hw_model/regs/operators.h"

namespace vnpu::driver {

/// Reads one subgraph of a model and its constants. Borrows the model and the pools; without pools,
/// constants in them are undetermined.
class ModelReader {
  public:
    using Model = android::hardware::neuralnetworks::V1_3::Model;
    using Subgraph = android::hardware::neuralnetworks::V1_3::Subgraph;
    using Operand = android::hardware::neuralnetworks::V1_3::Operand;

    /// Of the main subgraph.
    ModelReader(const Model& model, std::optional<std::span<const PoolView>> pools)
        : model_(model), graph_(&model.main), pools_(pools) {}

    /// The same for a referenced subgraph.
    ModelReader of(std::uint32_t referenced) const {
        ModelReader reader(*this);
        reader.graph_ = &model_.referenced[referenced];
        return reader;
    }

    const Subgraph& graph() const { return *graph_; }
    const Operand& operand(std::uint32_t index) const { return graph_->operands[index]; }
    bool isConstant(std::uint32_t index) const;

    /// The bytes of a constant operand. kUnsupported for any other lifetime, kInvalid for a
    /// location outside its pool.
    Checked<std::span<const std::byte>> constant(std::uint32_t index) const;

    /// Bytes of a pool of the model. kInvalid for a place outside of it.
    Checked<std::span<const std::byte>> poolBytes(std::uint32_t pool, std::uint64_t offset,
                                                  std::uint64_t sizeBytes) const;

  private:
    const Model& model_;
    const Subgraph* graph_;
    std::optional<std::span<const PoolView>> pools_;
};

/// One operation of a subgraph: its operands and constant arguments by position.
class OperationReader {
  public:
    using Operation = android::hardware::neuralnetworks::V1_3::Operation;
    using OperandType = android::hardware::neuralnetworks::V1_3::OperandType;

    OperationReader(const ModelReader& model, std::uint32_t index)
        : OperationReader(model, index, index) {}

    /// `outer`: the operation of the main subgraph that it is part of.
    OperationReader(const ModelReader& model, std::uint32_t index, std::uint32_t outer)
        : model_(model), index_(outer), operation_(model.graph().operations[index]) {}

    /// Index of the operation of the main subgraph to which commands are accounted.
    std::uint32_t index() const { return index_; }
    const ModelReader& model() const { return model_; }
    android::hardware::neuralnetworks::V1_3::OperationType type() const { return operation_.type; }
    /// The type as the device numbers it.
    hw::Operator op() const { return static_cast<hw::Operator>(operation_.type); }
    std::size_t inputCount() const { return operation_.inputs.size(); }
    std::size_t outputCount() const { return operation_.outputs.size(); }
    std::uint32_t inputOperand(std::size_t i) const { return operation_.inputs[i]; }
    std::uint32_t outputOperand(std::size_t i) const { return operation_.outputs[i]; }
    OperandType inputType(std::size_t i) const { return model_.operand(inputOperand(i)).type; }

    /// Not given at all, or of lifetime NO_VALUE.
    bool isOmitted(std::size_t i) const;

    // Constant scalars, of the type that validation requires there.
    /// The bits of any type; the upper ones are 0.
    Checked<std::uint32_t> scalarBits(std::size_t i) const;
    Checked<std::int32_t> int32(std::size_t i) const;
    Checked<float> float32(std::size_t i) const;
    /// False if it is left out.
    Checked<bool> boolean(std::size_t i) const;
    /// `least` to the most that the command stream counts.
    Checked<std::uint32_t> extent(std::size_t i, std::uint32_t least) const;
    Checked<Activation> activation(std::size_t i) const;
    /// An axis brought into 0 .. rank-1; the last one if it is left out.
    Checked<std::uint32_t> axis(std::size_t i, std::size_t rank) const;

    /// A constant TENSOR_INT32.
    Checked<std::vector<std::int32_t>> int32s(std::size_t i) const;

  private:
    const ModelReader& model_;
    std::uint32_t index_;
    const Operation& operation_;
};

/// An axis brought into 0 .. rank-1.
Checked<std::uint32_t> resolveAxis(std::int32_t axis, std::size_t rank);

}  // namespace vnpu::driver
