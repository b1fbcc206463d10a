// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/layout.h"
#include "driver/compiler/lowering.h"
#include "driver/compiler/window_arguments.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

struct PoolArguments {
    WindowArguments window;
    std::uint32_t height = 1, width = 1;
    Activation activation = Activation::kNone;
    bool isNchw = false;
};

Checked<PoolArguments> readArguments(const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(7, 11));
    const std::size_t n = operation.inputCount();
    const bool isImplicit = n == 7 || (n == 8 && operation.inputType(7) == OperandType::BOOL);
    if (!isImplicit && n < 10) {
        return unsupported(fmt::format("{} inputs fit neither padding form", n));
    }
    PoolArguments arguments;
    const auto window = readPaddingAndStride(operation, 1, isImplicit);
    if (!window) {
        return tl::unexpected(window.error());
    }
    arguments.window = *window;
    const std::size_t next = isImplicit ? 4 : 7;
    const auto width = operation.extent(next, "window width", 1);
    const auto height = operation.extent(next + 1, "window height", 1);
    if (!width || !height) {
        return tl::unexpected(!width ? width.error() : height.error());
    }
    const auto activation = readActivation(operation, next + 2);
    const auto isNchw = operation.boolean(next + 3, "NCHW layout", false);
    if (!activation || !isNchw) {
        return tl::unexpected(!activation ? activation.error() : isNchw.error());
    }
    arguments.width = *width;
    arguments.height = *height;
    arguments.activation = *activation;
    arguments.isNchw = *isNchw;
    return arguments;
}

/// A window that lies wholly in the padding would have nothing to average.
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

}  // namespace

Checked<void> lowerPool(GraphBuilder& builder, const OperationReader& operation) {
    const auto arguments = readArguments(operation);
    if (!arguments) {
        return tl::unexpected(arguments.error());
    }
    VNPU_TRY(requireWindowsInside(*arguments));
    const auto input = builder.input(operation, 0, "input");
    if (!input) {
        return tl::unexpected(input.error());
    }
    VNPU_TRY(requireType(builder.tensor(*input), "input", dataTypes()));
    if (!isSameQuantisation(builder.tensor(*input), builder.declaredOutput(operation))) {
        return unsupported("output differs from the input in type, scale or zero point");
    }
    auto geometry = imageGeometry(builder.tensor(*input), arguments->isNchw);
    if (!geometry) {
        return tl::unexpected(geometry.error());
    }
    geometry->filterHeight = arguments->height;
    geometry->filterWidth = arguments->width;
    VNPU_TRY(applyWindow(arguments->window, *geometry));
    const auto output = builder.output(operation, imageShape(*geometry, arguments->isNchw));
    if (!output) {
        return tl::unexpected(output.error());
    }

    PoolNode node;
    node.geometry = *geometry;
    node.input = toNhwc(builder, operation.index(), *input, arguments->isNchw);
    node.output =
            arguments->isNchw ? builder.temporary(*output, imageShape(*geometry, false)) : *output;
    const hw::OutputStage stage = outputStage(builder.tensor(*output), arguments->activation, {});
    node.prototype.type = builder.tensor(*output).elementType();
    node.prototype.kind = operation.operation().type == OperationType::MAX_POOL_2D
                                  ? hw::PoolKind::kMax
                                  : hw::PoolKind::kAverage;
    node.prototype.clampMin = stage.clampMin;
    node.prototype.clampMax = stage.clampMax;
    const TensorId result = node.output;
    builder.add(operation.index(), node);
    fromNhwc(builder, operation.index(), result, *output, arguments->isNchw);
    return {};
}

}  // namespace vnpu::driver
