// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/vector_operator.h"

#include <algorithm>

#include "hw_model/regs/check.h"

namespace vnpu::driver {

hw::VecOperand& VectorOperator::next() {
    const std::uint32_t index = std::uint32_t{work_.inputCount} + work_.outputCount;
    VNPU_CHECK(index < hw::kMaxVecOperands, "operators of the vector unit have few operands");
    return work_.operands[index];
}

void VectorOperator::describe(const Tensor& tensor, BlockOperand operand) {
    operand.slot = static_cast<std::uint8_t>(work_.inputCount + work_.outputCount);
    hw::VecOperand& tile = next();
    tile.type = static_cast<hw::TensorType>(tensor.type);
    tile.scale = tensor.scale;
    tile.zeroPoint = tensor.zeroPoint;
    operands_.push_back(operand);
}

VectorOperator& VectorOperator::input(const Tensor& tensor, const BlockOperand& operand) {
    describe(tensor, operand);
    ++work_.inputCount;
    return *this;
}

VectorOperator& VectorOperator::output(const BlockOperand& operand) {
    describe(builder_.tensor(operand.tensor), operand);
    ++work_.outputCount;
    return *this;
}

VectorOperator& VectorOperator::immediate(hw::TensorType type, std::uint32_t word) {
    hw::VecOperand& value = next();
    value.type = type;
    value.flags = hw::kOperandImmediate;
    value.count = 1;
    value.words[0] = word;
    ++work_.inputCount;
    return *this;
}

VectorOperator& VectorOperator::int32(std::int32_t value) {
    return immediate(hw::TensorType::kInt32Scalar, static_cast<std::uint32_t>(value));
}

VectorOperator& VectorOperator::boolean(bool value) {
    return immediate(hw::TensorType::kBoolScalar, value ? 1 : 0);
}

VectorOperator& VectorOperator::int32s(std::span<const std::int32_t> values) {
    hw::VecOperand& list = next();
    VNPU_CHECK(!values.empty() && values.size() <= std::size(list.words),
               "lists in a command have one to four elements");
    list.type = hw::TensorType::kInt32;
    list.rank = 1;
    list.flags = hw::kOperandImmediate;
    list.count = static_cast<std::uint8_t>(values.size());
    std::transform(values.begin(), values.end(), list.words,
                   [](std::int32_t value) { return static_cast<std::uint32_t>(value); });
    ++work_.inputCount;
    return *this;
}

Checked<void> VectorOperator::scalars(const OperationReader& operation, std::size_t first,
                                      std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
        VNPU_TRY_ASSIGN(const auto bits, operation.scalarBits(i));
        immediate(static_cast<hw::TensorType>(operation.inputType(i)), bits);
    }
    return {};
}

BlockNode VectorOperator::node(const Shape4& dims, const std::array<bool, 4>& isWhole) const {
    BlockNode node;
    node.dims = dims;
    node.isWhole = isWhole;
    node.operands = operands_;
    node.outputCount = work_.outputCount;
    node.prototype = work_;
    return node;
}

}  // namespace vnpu::driver
