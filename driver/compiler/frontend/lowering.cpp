// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/lowering.h"

#include <fmt/format.h>

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperationType;

namespace {

using Lowering = Checked<void> (*)(GraphBuilder&, const OperationReader&);

/// The fused form, or the operator where the types or arguments are others.
Checked<void> lowerEither(GraphBuilder& builder, const OperationReader& operation, Lowering fused,
                          Lowering asOperator) {
    auto result = builder.attempt([&] { return fused(builder, operation); });
    const bool isOther = !result && result.error().kind == Refusal::Kind::kUnsupported;
    return isOther ? asOperator(builder, operation) : result;
}

Checked<void> lowerTiled(GraphBuilder& builder, const OperationReader& operation) {
    switch (operation.operation().type) {
        case OperationType::CONV_2D:
        case OperationType::DEPTHWISE_CONV_2D:
        case OperationType::GROUPED_CONV_2D:
            return lowerConvolution(builder, operation);
        case OperationType::TRANSPOSE_CONV_2D:
            return lowerTransposeConvolution(builder, operation);
        case OperationType::FULLY_CONNECTED:
            return lowerFullyConnected(builder, operation);
        case OperationType::AVERAGE_POOL_2D:
        case OperationType::MAX_POOL_2D:
        case OperationType::L2_POOL_2D:
            return lowerPool(builder, operation);
        case OperationType::ADD:
        case OperationType::MUL:
            return lowerEither(builder, operation, lowerElementwise, lowerBinaryOperator);
        case OperationType::RELU:
        case OperationType::RELU1:
        case OperationType::RELU6:
            return lowerEither(builder, operation, lowerRelu, lowerUnaryOperator);
        case OperationType::LOGISTIC:
            return lowerEither(builder, operation, lowerLogistic, lowerUnaryOperator);
        case OperationType::SOFTMAX:
            return lowerEither(builder, operation, lowerSoftmax, lowerSoftmaxOperator);
        case OperationType::RESHAPE:
            return lowerReshape(builder, operation);
        case OperationType::CONCATENATION:
            return lowerConcatenation(builder, operation);
        case OperationType::PAD:
        case OperationType::PAD_V2:
            return lowerPad(builder, operation);
        case OperationType::EXPAND_DIMS:
            return lowerExpandDims(builder, operation);
        case OperationType::SQUEEZE:
            return lowerSqueeze(builder, operation);
        case OperationType::FILL:
            return lowerFill(builder, operation);
        case OperationType::SLICE:
            return lowerSlice(builder, operation);
        case OperationType::STRIDED_SLICE:
            return lowerStridedSlice(builder, operation);
        case OperationType::SPLIT:
            return lowerSplit(builder, operation);
        case OperationType::GATHER:
            return lowerGather(builder, operation);
        case OperationType::EMBEDDING_LOOKUP:
            return lowerEmbeddingLookup(builder, operation);
        case OperationType::TRANSPOSE:
            return lowerTranspose(builder, operation);
        case OperationType::CHANNEL_SHUFFLE:
            return lowerChannelShuffle(builder, operation);
        case OperationType::TOPK_V2:
            return lowerTopK(builder, operation);
        case OperationType::TILE:
            return lowerTile(builder, operation);
        case OperationType::SPACE_TO_DEPTH:
            return lowerSpaceToDepth(builder, operation);
        case OperationType::DEPTH_TO_SPACE:
            return lowerDepthToSpace(builder, operation);
        case OperationType::SPACE_TO_BATCH_ND:
            return lowerSpaceToBatch(builder, operation);
        case OperationType::BATCH_TO_SPACE_ND:
            return lowerBatchToSpace(builder, operation);
        case OperationType::RESIZE_BILINEAR:
        case OperationType::RESIZE_NEAREST_NEIGHBOR:
            return lowerResize(builder, operation);
        case OperationType::MEAN:
            return lowerEither(builder, operation, lowerMean, lowerReductionOperator);
        case OperationType::QUANTIZE:
            return lowerEither(builder, operation, lowerQuantize, lowerUnaryOperator);
        case OperationType::DEQUANTIZE:
            return lowerDequantize(builder, operation);
        case OperationType::SUB:
        case OperationType::DIV:
        case OperationType::MAXIMUM:
        case OperationType::MINIMUM:
        case OperationType::POW:
        case OperationType::PRELU:
        case OperationType::EQUAL:
        case OperationType::NOT_EQUAL:
        case OperationType::LESS:
        case OperationType::LESS_EQUAL:
        case OperationType::GREATER:
        case OperationType::GREATER_EQUAL:
        case OperationType::LOGICAL_AND:
        case OperationType::LOGICAL_OR:
            return lowerBinaryOperator(builder, operation);
        case OperationType::TANH:
        case OperationType::ELU:
        case OperationType::HARD_SWISH:
        case OperationType::ABS:
        case OperationType::EXP:
        case OperationType::FLOOR:
        case OperationType::LOG:
        case OperationType::NEG:
        case OperationType::RSQRT:
        case OperationType::SIN:
        case OperationType::SQRT:
        case OperationType::LOGICAL_NOT:
        case OperationType::CAST:
            return lowerUnaryOperator(builder, operation);
        case OperationType::SELECT:
            return lowerSelect(builder, operation);
        case OperationType::REDUCE_ALL:
        case OperationType::REDUCE_ANY:
        case OperationType::REDUCE_MAX:
        case OperationType::REDUCE_MIN:
        case OperationType::REDUCE_PROD:
        case OperationType::REDUCE_SUM:
            return lowerReductionOperator(builder, operation);
        case OperationType::ARGMAX:
        case OperationType::ARGMIN:
            return lowerExtremeIndex(builder, operation);
        case OperationType::LOG_SOFTMAX:
            return lowerSoftmaxOperator(builder, operation);
        case OperationType::L2_NORMALIZATION:
            return lowerL2Normalization(builder, operation);
        case OperationType::LOCAL_RESPONSE_NORMALIZATION:
            return lowerLocalResponse(builder, operation);
        case OperationType::INSTANCE_NORMALIZATION:
            return lowerInstanceNormalization(builder, operation);
        default:
            return unsupported("no tiles are made of it");
    }
}

}  // namespace

Checked<void> lowerOperation(GraphBuilder& builder, const OperationReader& operation) {
    const OperationType type = operation.operation().type;
    if (type == OperationType::IF || type == OperationType::WHILE) {
        return builder.attempt([&] { return lowerControlFlow(builder, operation); });
    }
    if (!hw::isOperator(static_cast<std::uint32_t>(type))) {
        return unsupported("the device has no such operation");
    }
    if (builder.isForcedWhole(operation.index())) {
        return lowerWhole(builder, operation);
    }
    auto tiled = builder.attempt([&] { return lowerTiled(builder, operation); });
    const bool mayRunWhole = !tiled && (tiled.error().kind == Refusal::Kind::kUnsupported ||
                                        tiled.error().kind == Refusal::Kind::kUndetermined);
    return mayRunWhole ? lowerWhole(builder, operation) : tiled;
}

Checked<Activation> readActivation(const OperationReader& operation, std::size_t i) {
    VNPU_TRY_ASSIGN(const auto code, operation.int32(i, "fused activation"));
    if (code < 0 || code > 3) {
        return unsupported(fmt::format("fused activation is {}, expected 0 to 3", code));
    }
    return static_cast<Activation>(code);
}

Checked<std::uint32_t> resolveAxis(std::int32_t axis, std::size_t rank) {
    const auto signedRank = static_cast<std::int32_t>(rank);
    if (axis < -signedRank || axis >= signedRank) {
        return unsupported(
                fmt::format("axis is {}, expected {} to {}", axis, -signedRank, signedRank - 1));
    }
    return static_cast<std::uint32_t>(axis < 0 ? axis + signedRank : axis);
}

hw::OutputStage outputStage(const Tensor& output, Activation activation,
                            const QuantizedMultiplier& scaling) {
    const ClampRange clamp =
            activationRange(activation, output.elementType(), output.scale, output.zeroPoint);
    hw::OutputStage stage{};
    stage.clampMin = clamp.min;
    stage.clampMax = clamp.max;
    if (output.elementType() != hw::ElementType::kFloat32) {
        stage.zeroPoint = output.zeroPoint;
        stage.multiplier = scaling.multiplier;
        stage.shift = scaling.shift;
    }
    return stage;
}

BlockNode makeUnary(const GraphBuilder& builder, TensorId input, TensorId output,
                    const hw::VecUnary& prototype, const UnaryLayout& layout) {
    const auto elements = static_cast<std::uint32_t>(elementCount(builder.tensor(input).shape));
    const std::uint32_t rowElements = elements / layout.rows;
    BlockNode node;
    node.dims = {1, 1, layout.rows, rowElements};
    const std::uint64_t outputRowStride =
            layout.outputRowStride == 0 ? rowElements : layout.outputRowStride;
    node.operands.push_back({input, 0, {0, 0, rowElements, 1}});
    node.operands.push_back({output, layout.outputOffset, {0, 0, outputRowStride, 1}});
    node.prototype = prototype;
    return node;
}

}  // namespace vnpu::driver
