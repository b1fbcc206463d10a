// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/data_operands.h"
#include "driver/compiler/frontend/base/vector_block.h"
#include "driver/compiler/frontend/operators/elementwise.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

Activation activationOf(OperationType type) {
    switch (type) {
        case OperationType::RELU1:
            return Activation::kRelu1;
        case OperationType::RELU6:
            return Activation::kRelu6;
        default:
            return Activation::kRelu;
    }
}

Checked<void> lowerRelu(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 1));
    VNPU_TRY_ASSIGN(const auto ends, readDataOperands(builder, operation));
    const Tensor& input = builder.tensor(ends.input);
    const Tensor& output = builder.tensor(ends.output);
    hw::VecUnary work{};
    work.inputType = input.elementType();
    work.outputType = output.elementType();
    work.kind = hw::UnaryKind::kClamp;
    QuantizedMultiplier scaling;
    if (!isSameQuantization(input, output)) {
        work.kind = hw::UnaryKind::kRequantize;
        work.inputZeroPoint = input.zeroPoint;
        scaling = quantizeMultiplier(double{input.scale} / double{output.scale});
    }
    work.outputStage = outputStage(output, activationOf(operation.type()), scaling);
    builder.add(operation.index(), makeUnary(builder, ends.input, ends.output, work));
    return {};
}

Checked<void> lowerLogistic(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 1));
    VNPU_TRY_ASSIGN(const auto ends, readDataOperands(builder, operation));
    const Tensor& input = builder.tensor(ends.input);
    const Tensor& output = builder.tensor(ends.output);
    VNPU_TRY(requireProbability(output));
    hw::VecUnary work{};
    work.inputType = input.elementType();
    work.outputType = output.elementType();
    work.kind = hw::UnaryKind::kLogistic;
    StorageId table = kNoStorage;
    if (work.inputType != hw::ElementType::kFloat32) {
        work.kind = hw::UnaryKind::kLut;
        table = builder.addConstant(
                logisticTable(work.inputType, input.scale, input.zeroPoint, output.zeroPoint), 16);
    }
    BlockNode node = makeUnary(builder, ends.input, ends.output, work);
    node.table = table;
    builder.add(operation.index(), std::move(node));
    return {};
}

}  // namespace

LoweringRows activationRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::RELU, {lowerRelu, lowerUnaryOperator}},
            {OperationType::RELU1, {lowerRelu, lowerUnaryOperator}},
            {OperationType::RELU6, {lowerRelu, lowerUnaryOperator}},
            {OperationType::LOGISTIC, {lowerLogistic, lowerUnaryOperator}},
    };
    return kRows;
}

}  // namespace vnpu::driver
