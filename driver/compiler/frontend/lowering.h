// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include "driver/compiler/frontend/graph_builder.h"
#include "driver/compiler/frontend/model_reader.h"

namespace vnpu::driver {

/// Checks one operation against NNAPI's rules and the device's abilities, settles its output shape
/// and adds its nodes. Nothing is added when it is refused.
Checked<void> lowerOperation(GraphBuilder& builder, const OperationReader& operation);

/// As a node for the DSP, whatever the operation: its kernel settles what the model leaves open.
Checked<void> lowerWhole(GraphBuilder& builder, const OperationReader& operation);

/// IF and WHILE, with everything in their subgraphs.
Checked<void> lowerControlFlow(GraphBuilder& builder, const OperationReader& operation);

// One function per family of operations that the device tiles.
Checked<void> lowerConvolution(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerTransposeConvolution(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerFullyConnected(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerPool(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerElementwise(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerRelu(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerLogistic(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerSoftmax(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerReshape(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerConcatenation(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerPad(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerExpandDims(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerSqueeze(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerFill(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerSlice(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerStridedSlice(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerSplit(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerGather(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerEmbeddingLookup(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerTranspose(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerChannelShuffle(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerTopK(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerTile(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerSpaceToDepth(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerDepthToSpace(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerSpaceToBatch(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerBatchToSpace(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerResize(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerMean(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerQuantize(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerDequantize(GraphBuilder& builder, const OperationReader& operation);

// The same, and others, as operators of the vector unit, which take every type.
Checked<void> lowerBinaryOperator(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerUnaryOperator(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerSelect(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerReductionOperator(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerExtremeIndex(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerSoftmaxOperator(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerL2Normalization(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerLocalResponse(GraphBuilder& builder, const OperationReader& operation);
Checked<void> lowerInstanceNormalization(GraphBuilder& builder, const OperationReader& operation);

/// Input `i` as a fused activation.
Checked<Activation> readActivation(const OperationReader& operation, std::size_t i);

/// An axis argument brought into 0 .. rank-1.
Checked<std::uint32_t> resolveAxis(std::int32_t axis, std::size_t rank);

/// Sets zero point, clamp, multiplier of a stage that writes `output`.
hw::OutputStage outputStage(const Tensor& output, Activation activation,
                            const QuantizedMultiplier& scaling);

/// A unary node over all elements of `input`, or of `rows` equal parts of it that land
/// `outputRowStride` elements apart in `output` from `outputOffset` on.
struct UnaryLayout {
    std::uint32_t rows = 1;
    std::uint64_t outputRowStride = 0;
    std::uint64_t outputOffset = 0;
};
BlockNode makeUnary(const GraphBuilder& builder, TensorId input, TensorId output,
                    const hw::VecUnary& prototype, const UnaryLayout& layout = {});

}  // namespace vnpu::driver
