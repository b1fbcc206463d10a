// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/frontend/block_layout.h"
#include "driver/compiler/frontend/lowering.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

hw::VecEltwise arithmetic(const Tensor& a, const Tensor& b, const Tensor& output,
                          hw::EltwiseKind kind, Activation activation) {
    hw::VecEltwise work{};
    work.type = output.elementType();
    work.kind = kind;
    QuantizedMultiplier scaling;
    if (work.type != hw::ElementType::kFloat32) {
        work.inputZeroPoint[0] = a.zeroPoint;
        work.inputZeroPoint[1] = b.zeroPoint;
        if (kind == hw::EltwiseKind::kAdd) {
            const AddMultipliers add = addMultipliers(a.scale, b.scale, output.scale);
            for (int i = 0; i < 2; ++i) {
                work.inputMultiplier[i] = add.input[i].multiplier;
                work.inputShift[i] = add.input[i].shift;
            }
            work.leftShift = AddMultipliers::kLeftShift;
            scaling = add.output;
        } else {
            scaling = mulMultiplier(a.scale, b.scale, output.scale);
        }
    }
    work.outputStage = outputStage(output, activation, scaling);
    return work;
}

}  // namespace

Checked<void> lowerElementwise(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    VNPU_TRY_ASSIGN(const auto activation, readActivation(operation, 2));
    VNPU_TRY_ASSIGN(const auto a, builder.input(operation, 0, "first operand"));
    VNPU_TRY_ASSIGN(const auto b, builder.input(operation, 1, "second operand"));
    VNPU_TRY(requireType(builder.tensor(a), "first operand", dataTypes()));
    const OperandType type[] = {builder.tensor(a).type};
    VNPU_TRY(requireType(builder.tensor(b), "second operand", type));
    VNPU_TRY(requireType(builder.declaredOutput(operation), "output", type));
    VNPU_TRY_ASSIGN(const auto shape, broadcastBlock(builder.tensor(a), builder.tensor(b)));
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));

    BlockNode node;
    node.dims = padToFour(shape);
    for (const TensorId tensor : {a, b, output}) {
        const Shape4 dims = padToFour(builder.tensor(tensor).shape);
        node.operands.push_back({tensor, 0, broadcastStrides(dims, node.dims)});
    }
    joinDimensions(node);
    node.prototype =
            arithmetic(builder.tensor(a), builder.tensor(b), builder.tensor(output),
                       operation.operation().type == OperationType::ADD ? hw::EltwiseKind::kAdd
                                                                        : hw::EltwiseKind::kMul,
                       activation);
    builder.add(operation.index(), std::move(node));
    return {};
}

}  // namespace vnpu::driver
