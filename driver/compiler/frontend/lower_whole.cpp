// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/lowering.h"

namespace vnpu::driver {

Checked<void> lowerWhole(GraphBuilder& builder, const OperationReader& operation) {
    OperatorNode node;
    node.op = static_cast<hw::Operator>(operation.operation().type);
    for (std::size_t i = 0; i < operation.inputCount(); ++i) {
        VNPU_TRY_ASSIGN(const auto tensor, builder.useWhole(operation.inputOperand(i)));
        node.inputs.push_back(tensor);
    }
    for (std::size_t o = 0; o < operation.outputCount(); ++o) {
        VNPU_TRY_ASSIGN(const auto tensor, builder.outputWhole(operation.outputOperand(o)));
        node.outputs.push_back(tensor);
    }
    const std::size_t operands = node.inputs.size() + node.outputs.size();
    if (operands > hw::kMaxDspOperands) {
        return unsupported(std::to_string(operands) + " operands, expected up to " +
                           std::to_string(hw::kMaxDspOperands));
    }
    const std::vector<std::byte> room(operands * sizeof(hw::DspOperand));
    node.descriptor = builder.addConstant(room, alignof(hw::DspOperand));
    builder.add(operation.index(), std::move(node));
    return {};
}

}  // namespace vnpu::driver
