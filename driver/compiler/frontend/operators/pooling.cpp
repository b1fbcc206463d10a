// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/frontend/base/layout.h"
#include "driver/compiler/frontend/base/vector_block.h"
#include "driver/compiler/frontend/base/vector_operator.h"
#include "driver/compiler/frontend/base/window_arguments.h"
#include "driver/compiler/frontend/operators/images.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

constexpr OperandType kFloatTypes[] = {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16};

struct PoolArguments {
    WindowArguments window;
    std::uint32_t height = 1, width = 1;
    Activation activation = Activation::kNone;
    bool isNchw = false;
};

Checked<PoolArguments> readPoolArguments(const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(7, 11));
    const std::size_t n = operation.inputCount();
    const bool isImplicit = n == 7 || (n == 8 && operation.inputType(7) == OperandType::BOOL);
    if (!isImplicit && n < 10) {
        return unsupported(fmt::format("{} inputs fit neither padding form", n));
    }
    PoolArguments arguments;
    VNPU_TRY_ASSIGN(arguments.window, readPaddingAndStride(operation, 1, isImplicit));
    const std::size_t next = isImplicit ? 4 : 7;
    VNPU_TRY_ASSIGN(arguments.width, operation.extent(next, "window width", 1));
    VNPU_TRY_ASSIGN(arguments.height, operation.extent(next + 1, "window height", 1));
    VNPU_TRY_ASSIGN(arguments.activation, operation.activation(next + 2));
    VNPU_TRY_ASSIGN(arguments.isNchw, operation.boolean(next + 3, "NCHW layout", false));
    return arguments;
}

/// Refuses windows that could lie completely in the padding, with nothing to average.
Checked<void> requireWindowsInside(const PoolArguments& arguments) {
    const WindowArguments& w = arguments.window;
    const bool isInside = w.padTop < arguments.height && w.padBottom < arguments.height &&
                          w.padLeft < arguments.width && w.padRight < arguments.width;
    if (!isInside) {
        return unsupported(fmt::format(
                "padding {}, {}, {}, {} (left, right, top, bottom) is not smaller than the "
                "{} x {} window",
                w.padLeft, w.padRight, w.padTop, w.padBottom, arguments.height, arguments.width));
    }
    return {};
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
    return unsupported("explicit padding follows neither scheme");
}

/// Pools without a window walk in the vector unit: an operator on complete images.
Checked<void> lowerWholeImages(GraphBuilder& builder, const OperationReader& operation,
                               const PoolArguments& arguments, const WindowGeometry& geometry,
                               TensorId input) {
    VNPU_TRY_ASSIGN(const auto scheme, implicitScheme(arguments.window, geometry));
    const Shape shape = imageShape(geometry, arguments.isNchw);
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    const Tensor& from = builder.tensor(input);
    VectorOperator work(builder, operation.op());
    work.input(imageOperand(input, from.shape, arguments.isNchw))
            .int32(static_cast<std::int32_t>(scheme))
            .int32(static_cast<std::int32_t>(arguments.window.strideWidth))
            .int32(static_cast<std::int32_t>(arguments.window.strideHeight))
            .int32(static_cast<std::int32_t>(arguments.width))
            .int32(static_cast<std::int32_t>(arguments.height))
            .int32(static_cast<std::int32_t>(arguments.activation))
            .boolean(arguments.isNchw)
            .output(imageOperand(output, shape, arguments.isNchw));
    builder.add(operation.index(), work.node(imageBlocks(shape, arguments.isNchw), {}));
    return {};
}

Checked<void> lowerPool(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto arguments, readPoolArguments(operation));
    VNPU_TRY(requireWindowsInside(arguments));
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    const bool isNorm = operation.type() == OperationType::L2_POOL_2D;
    const bool isWhole = isNorm || builder.tensor(input).type == OperandType::TENSOR_FLOAT16;
    if (isWhole) {
        VNPU_TRY(requireType(builder.tensor(input), "input", kFloatTypes));
    } else {
        VNPU_TRY(requireType(builder.tensor(input), "input", dataTypes()));
    }
    if (!isSameQuantization(builder.tensor(input), builder.declaredOutput(operation))) {
        return unsupported("output differs from the input in type, scale or zero point");
    }
    VNPU_TRY_ASSIGN(auto geometry, imageGeometry(builder.tensor(input), arguments.isNchw));
    geometry.filterHeight = arguments.height;
    geometry.filterWidth = arguments.width;
    VNPU_TRY(applyWindow(arguments.window, geometry));
    if (isWhole) {
        return lowerWholeImages(builder, operation, arguments, geometry, input);
    }
    VNPU_TRY_ASSIGN(const auto output,
                    builder.output(operation, imageShape(geometry, arguments.isNchw)));

    PoolNode node;
    node.geometry = geometry;
    node.input = toNhwc(builder, operation.index(), input, arguments.isNchw);
    node.output =
            arguments.isNchw ? builder.temporary(output, imageShape(geometry, false)) : output;
    const hw::OutputStage stage = outputStage(builder.tensor(output), arguments.activation, {});
    node.prototype.type = builder.tensor(output).elementType();
    node.prototype.kind = operation.type() == OperationType::MAX_POOL_2D ? hw::PoolKind::kMax
                                                                         : hw::PoolKind::kAverage;
    node.prototype.clampMin = stage.clampMin;
    node.prototype.clampMax = stage.clampMax;
    const TensorId result = node.output;
    builder.add(operation.index(), node);
    fromNhwc(builder, operation.index(), result, output, arguments.isNchw);
    return {};
}

}  // namespace

LoweringRows poolingRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::AVERAGE_POOL_2D, {lowerPool}},
            {OperationType::MAX_POOL_2D, {lowerPool}},
            {OperationType::L2_POOL_2D, {lowerPool}},
    };
    return kRows;
}

}  // namespace vnpu::driver
