// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "driver/compiler/frontend/lowering.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

constexpr float kProbabilityScale =
        1.0F / 256.0F;  // NNAPI's fixed output scale of LOGISTIC and SOFTMAX

struct Ends {
    TensorId input = kNoTensor, output = kNoTensor;
};

/// The data input, and the output of the same type and shape.
Checked<Ends> readEnds(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    VNPU_TRY(requireType(builder.tensor(input), "input", dataTypes()));
    const OperandType type[] = {builder.tensor(input).type};
    VNPU_TRY(requireType(builder.declaredOutput(operation), "output", type));
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, builder.tensor(input).shape));
    return Ends{input, output};
}

Checked<void> requireProbability(const Tensor& output) {
    if (output.elementType() == hw::ElementType::kFloat32) {
        return {};
    }
    const std::int32_t zeroPoint = lowestValue(output.elementType());
    if (output.scale != kProbabilityScale || output.zeroPoint != zeroPoint) {
        return unsupported(
                fmt::format("output has scale {} and zero point {}, expected 1/256 and {}",
                            output.scale, output.zeroPoint, zeroPoint));
    }
    return {};
}

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

}  // namespace

Checked<void> lowerRelu(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 1));
    VNPU_TRY_ASSIGN(const auto ends, readEnds(builder, operation));
    const Tensor& input = builder.tensor(ends.input);
    const Tensor& output = builder.tensor(ends.output);
    hw::VecUnary work{};
    work.inputType = input.elementType();
    work.outputType = output.elementType();
    work.kind = hw::UnaryKind::kClamp;
    QuantizedMultiplier scaling;
    if (!isSameQuantisation(input, output)) {
        work.kind = hw::UnaryKind::kRequantize;
        work.inputZeroPoint = input.zeroPoint;
        scaling = quantizeMultiplier(double{input.scale} / double{output.scale});
    }
    work.outputStage = outputStage(output, activationOf(operation.operation().type), scaling);
    builder.add(operation.index(), makeUnary(builder, ends.input, ends.output, work));
    return {};
}

Checked<void> lowerLogistic(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 1));
    VNPU_TRY_ASSIGN(const auto ends, readEnds(builder, operation));
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

Checked<void> lowerSoftmax(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 3));
    VNPU_TRY_ASSIGN(const auto beta, operation.float32(1, "beta"));
    VNPU_TRY_ASSIGN(const auto axisArgument, operation.int32(2, "axis", -1));
    if (!std::isfinite(beta) || beta <= 0.0F) {
        return unsupported(fmt::format("beta is {}, expected more than 0", beta));
    }
    VNPU_TRY_ASSIGN(const auto ends, readEnds(builder, operation));
    const Tensor& input = builder.tensor(ends.input);
    VNPU_TRY(requireProbability(builder.tensor(ends.output)));
    VNPU_TRY_ASSIGN(const auto axis, resolveAxis(axisArgument, input.shape.size()));
    const std::span<const std::uint32_t> shape(input.shape);
    const auto outer = static_cast<std::uint32_t>(elementCount(shape.first(axis)));
    const auto inner = static_cast<std::uint32_t>(elementCount(shape.subspan(axis + 1)));

    BlockNode node;
    node.dims = {1, outer, shape[axis], inner};
    node.isWhole[2] = true;
    const std::uint64_t row = std::uint64_t{shape[axis]} * inner;
    node.operands.push_back({ends.input, 0, {0, row, inner, 1}});
    node.operands.push_back({ends.output, 0, {0, row, inner, 1}});
    hw::VecSoftmax work{};
    work.type = input.elementType();
    if (work.type == hw::ElementType::kFloat32) {
        work.beta = beta;
    } else {
        const SoftmaxParameters parameters = softmaxParameters(beta, input.scale);
        work.inputMultiplier = parameters.multiplier;
        work.inputLeftShift = parameters.leftShift;
        work.diffMin = parameters.diffMin;
    }
    node.prototype = work;
    builder.add(operation.index(), std::move(node));
    return {};
}

}  // namespace vnpu::driver
