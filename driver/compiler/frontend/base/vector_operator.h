// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "driver/compiler/frontend/base/graph_builder.h"
#include "driver/compiler/frontend/base/model_reader.h"
#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// Builds a hw::VecOperator and the BlockNode around it. The calls follow the operator's order of
/// operands, inputs first.
class VectorOperator {
  public:
    VectorOperator(const GraphBuilder& builder, hw::Operator op) : builder_(builder) {
        work_.op = op;
    }

    /// A tile of the operand's tensor; its place and extents are the block's.
    VectorOperator& input(const BlockOperand& operand) {
        return input(builder_.tensor(operand.tensor), operand);
    }
    VectorOperator& output(const BlockOperand& operand);
    /// The same with the type, scale and zero point of `tensor`.
    VectorOperator& input(const Tensor& tensor, const BlockOperand& operand);
    /// Values that the command holds itself.
    VectorOperator& int32(std::int32_t value);
    VectorOperator& boolean(bool value);
    VectorOperator& int32s(std::span<const std::int32_t> values);  // one to four
    /// The constant scalars [first, end) of an operation, of any type.
    Checked<void> scalars(const OperationReader& operation, std::size_t first, std::size_t end);

    /// The node; index space and isWhole are the caller's.
    BlockNode node(const Shape4& dims, const std::array<bool, 4>& isWhole) const;

  private:
    hw::VecOperand& next();
    VectorOperator& immediate(hw::TensorType type, std::uint32_t word);
    void describe(const Tensor& tensor, BlockOperand operand);

    const GraphBuilder& builder_;
    hw::VecOperator work_{};
    std::vector<BlockOperand> operands_;
};

/// A tile that covers the elements of the block one after the other, and an index space of one long
/// row.
inline BlockOperand inOrder(TensorId tensor) {
    return {tensor, 0, {0, 0, 0, 1}};
}
inline Shape4 rowOf(const Tensor& tensor) {
    return {1, 1, 1, static_cast<std::uint32_t>(elementCount(tensor.shape))};
}

}  // namespace vnpu::driver
