// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/frontend/base/half_precision.h"
#include "driver/compiler/frontend/base/layout.h"
#include "driver/compiler/frontend/base/mac_operation.h"
#include "driver/compiler/frontend/base/window_arguments.h"
#include "driver/compiler/frontend/operators/convolution.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

/// The arguments behind the three tensors, of either padding form.
struct ConvArguments {
    WindowArguments window;
    std::uint32_t own = 0;  // depth multiplier or number of groups
    Activation activation = Activation::kNone;
    bool isNchw = false;
};

/// `own` names the additional argument in front of the activation; empty if the operation has none.
Checked<ConvArguments> readConvArguments(const OperationReader& operation, std::string_view own) {
    const std::size_t extra = own.empty() ? 0 : 1;
    VNPU_TRY(operation.requireInputs(7 + extra, 13 + extra));
    const std::size_t n = operation.inputCount();
    const bool isImplicit = n == 7 + extra ||
                            (n >= 8 + extra && operation.inputType(7 + extra) == OperandType::BOOL);
    if (!isImplicit && n < 10 + extra) {
        return unsupported(fmt::format("{} inputs fit neither padding form", n));
    }
    ConvArguments arguments;
    VNPU_TRY_ASSIGN(arguments.window, readPaddingAndStride(operation, 3, isImplicit));
    std::size_t next = isImplicit ? 6 : 9;
    if (!own.empty()) {
        VNPU_TRY_ASSIGN(arguments.own, operation.extent(next++, own, 1));
    }
    VNPU_TRY_ASSIGN(arguments.activation, operation.activation(next));
    VNPU_TRY_ASSIGN(arguments.isNchw, operation.boolean(next + 1, "NCHW layout", false));
    VNPU_TRY(readDilation(operation, next + 2, arguments.window));
    return arguments;
}

/// Filter extents and channel counts against the input; sets the geometry's filter and channels.
Checked<void> setChannels(const GraphBuilder& builder, const ConvNode& node, WindowGeometry& g) {
    const Shape& filter = builder.tensor(node.filter).shape;
    if (filter.size() != 4) {
        return unsupported(fmt::format("filter has shape {}, expected rank 4", toText(filter)));
    }
    g.filterHeight = filter[1];
    g.filterWidth = filter[2];
    if (g.filterHeight > 65535 || g.filterWidth > 65535) {
        return unsupported(fmt::format("filter has shape {}, the array takes windows up to 65535",
                                       toText(filter)));
    }
    if (node.isDepthwise()) {
        g.outputChannels = filter[3];
        if (filter[0] != 1 || std::uint64_t{g.inputChannels} * node.depthMultiplier != filter[3]) {
            return unsupported(
                    fmt::format("depthwise filter has shape {}, expected 1 and {} x {} channels",
                                toText(filter), g.inputChannels, node.depthMultiplier));
        }
    } else {
        g.outputChannels = filter[0];
        if (std::uint64_t{filter[3]} * node.groups != g.inputChannels ||
            filter[0] % node.groups != 0) {
            return unsupported(fmt::format("filter has shape {}, the input {} channels, {} groups",
                                           toText(filter), g.inputChannels, node.groups));
        }
    }
    return {};
}

Checked<void> lowerConvolution(GraphBuilder& builder, const OperationReader& operation) {
    const bool isDepthwise = operation.type() == OperationType::DEPTHWISE_CONV_2D;
    const bool isGrouped = operation.type() == OperationType::GROUPED_CONV_2D;
    VNPU_TRY_ASSIGN(
            const auto arguments,
            readConvArguments(operation, isDepthwise ? "depth multiplier"
                                                     : (isGrouped ? "number of groups" : "")));
    VNPU_TRY_ASSIGN(const auto operands, readMacOperands(builder, operation, true));

    ConvNode node;
    node.filter = operands.filter;
    node.bias = operands.bias;
    node.depthMultiplier = isDepthwise ? arguments.own : 0;
    node.groups = isGrouped ? arguments.own : 1;
    VNPU_TRY_ASSIGN(node.geometry, imageGeometry(builder.tensor(operands.input), arguments.isNchw));
    VNPU_TRY(setChannels(builder, node, node.geometry));
    VNPU_TRY(requireBias(builder, node.bias, node.geometry.outputChannels));
    VNPU_TRY(requireChannelScales(builder.tensor(node.filter), isDepthwise ? 3 : 0,
                                  node.geometry.outputChannels));
    VNPU_TRY(applyWindow(arguments.window, node.geometry));
    VNPU_TRY_ASSIGN(const auto output,
                    builder.output(operation, imageShape(node.geometry, arguments.isNchw)));
    if (isDepthwise) {
        node.prototype.flags |= hw::kMacDepthwise;
    }
    node.input = toNhwc(builder, operation.index(), operands.input, arguments.isNchw);
    addConvolution(builder, operation, node, output, {arguments.activation, arguments.isNchw});
    return {};
}

}  // namespace

LoweringRows convolutionRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::CONV_2D, {lowerConvolution}},
            {OperationType::DEPTHWISE_CONV_2D, {lowerConvolution}},
            {OperationType::GROUPED_CONV_2D, {lowerConvolution}},
    };
    return kRows;
}

}  // namespace vnpu::driver
