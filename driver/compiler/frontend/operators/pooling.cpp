// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/layout.h"
#include "driver/compiler/frontend/base/vector_block.h"
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/base/window_arguments.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// Whether no window can lie completely in the padding, with nothing to average.
bool areWindowsInside(const WindowArguments& w) {
    const auto [width, height] = w.own;
    return w.padTop < height && w.padBottom < height && w.padLeft < width && w.padRight < width;
}

/// The padding as a scheme, the only form that an operator of the vector unit takes.
Checked<PaddingScheme> implicitScheme(const WindowArguments& arguments,
                                      const WindowGeometry& geometry) {
    if (arguments.scheme != PaddingScheme::kExplicit) {
        return arguments.scheme;
    }
    for (const PaddingScheme scheme : {PaddingScheme::kValid, PaddingScheme::kSame}) {
        WindowArguments other = arguments;
        other.scheme = scheme;
        WindowGeometry same = geometry;
        const bool isSame = applyWindow(other, same).has_value() &&
                            same.outputHeight == geometry.outputHeight &&
                            same.outputWidth == geometry.outputWidth &&
                            same.padTop == geometry.padTop && same.padLeft == geometry.padLeft;
        if (isSame) {
            return scheme;
        }
    }
    return untiled();
}

/// Pools without a window walk in the vector unit: an operator on complete images.
Checked<void> lowerWholeImages(GraphBuilder& builder, const OperationReader& operation,
                               const WindowArguments& arguments, const WindowGeometry& geometry,
                               TensorId input) {
    VNPU_TRY_ASSIGN(const auto scheme, implicitScheme(arguments, geometry));
    const bool isNchw = arguments.isNchw;
    const Shape shape = imageShape(geometry, isNchw);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    VectorOperator work(builder, operation.op());
    work.input(imageOperand(input, builder.tensor(input).shape, isNchw))
            .int32(static_cast<std::int32_t>(scheme));
    for (const std::uint32_t extent :
         {arguments.strideWidth, arguments.strideHeight, arguments.own[0], arguments.own[1]}) {
        work.int32(static_cast<std::int32_t>(extent));
    }
    work.int32(static_cast<std::int32_t>(arguments.activation))
            .boolean(isNchw)
            .output(imageOperand(output, shape, isNchw));
    builder.add(operation.index(), work.node(imageBlocks(shape, isNchw), {}));
    return {};
}

Checked<void> lowerPool(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto arguments, readWindow(operation, 1, 2));
    if (!areWindowsInside(arguments)) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    PoolNode node;
    VNPU_TRY_ASSIGN(node.geometry, imageGeometry(builder.tensor(input), arguments.isNchw));
    node.geometry.filterWidth = arguments.own[0];
    node.geometry.filterHeight = arguments.own[1];
    VNPU_TRY(applyWindow(arguments, node.geometry));
    if (operation.type() == OperationType::L2_POOL_2D || !isEngineType(operation.inputType(0))) {
        return lowerWholeImages(builder, operation, arguments, node.geometry, input);
    }
    VNPU_TRY_ASSIGN(const auto output,
                    builder.output(operation, imageShape(node.geometry, arguments.isNchw)));
    node.input = toNhwc(builder, operation.index(), input, arguments.isNchw);
    node.output =
            arguments.isNchw ? builder.temporary(output, imageShape(node.geometry, false)) : output;
    const hw::OutputStage stage = outputStage(builder.tensor(output), arguments.activation, {});
    node.prototype.type = builder.tensor(output).elementType();
    node.prototype.kind = operation.type() == OperationType::MAX_POOL_2D ? hw::PoolKind::kMax
                                                                         : hw::PoolKind::kAverage;
    node.prototype.clampMin = stage.clampMin;
    node.prototype.clampMax = stage.clampMax;
    builder.add(operation.index(), node);
    fromNhwc(builder, operation.index(), node.output, output, arguments.isNchw);
    return {};
}

}  // namespace

LoweringRows poolingRows() {
    return {{OperationType::AVERAGE_POOL_2D, lowerPool},
            {OperationType::MAX_POOL_2D, lowerPool},
            {OperationType::L2_POOL_2D, lowerPool}};
}

}  // namespace vnpu::driver
