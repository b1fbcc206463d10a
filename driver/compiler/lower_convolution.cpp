// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "driver/compiler/layout.h"
#include "driver/compiler/lowering.h"
#include "driver/compiler/window_arguments.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

/// The three tensors that every MAC operation reads.
struct MacOperands {
    TensorId input = kNoTensor, filter = kNoTensor, bias = kNoTensor;
};

Checked<MacOperands> readOperands(GraphBuilder& builder, const OperationReader& operation,
                                  bool allowsChannelScales) {
    const auto input = builder.input(operation, 0, "input");
    if (!input) {
        return tl::unexpected(input.error());
    }
    VNPU_TRY(requireType(builder.tensor(*input), "input", dataTypes()));
    const auto filter = builder.input(operation, 1, "filter");
    if (!filter) {
        return tl::unexpected(filter.error());
    }
    const OperandType type = builder.tensor(*input).type;
    std::vector<OperandType> filterTypes{type};
    if (allowsChannelScales && type != OperandType::TENSOR_FLOAT32) {
        filterTypes.push_back(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL);
    }
    VNPU_TRY(requireType(builder.tensor(*filter), "filter", filterTypes));
    MacOperands operands{*input, *filter, kNoTensor};
    if (!operation.isOmitted(2)) {
        const auto bias = builder.input(operation, 2, "bias");
        if (!bias) {
            return tl::unexpected(bias.error());
        }
        const OperandType biasType[] = {type == OperandType::TENSOR_FLOAT32
                                                ? OperandType::TENSOR_FLOAT32
                                                : OperandType::TENSOR_INT32};
        VNPU_TRY(requireType(builder.tensor(*bias), "bias", biasType));
        operands.bias = *bias;
    }
    return operands;
}

Checked<void> requireBias(const GraphBuilder& builder, TensorId bias, std::uint32_t channels) {
    if (bias != kNoTensor && elementCount(builder.tensor(bias).shape) != channels) {
        return unsupported(fmt::format("bias has shape {}, expected [{}]",
                                       toText(builder.tensor(bias).shape), channels));
    }
    return {};
}

Checked<void> requireOutputType(const GraphBuilder& builder, const OperationReader& operation,
                                TensorId input) {
    const OperandType type[] = {builder.tensor(input).type};
    return requireType(builder.declaredOutput(operation), "output", type);
}

/// {multiplier, shift} of every output channel as the scale table holds them.
std::vector<std::byte> scaleTable(const Tensor& input, const Tensor& filter, const Tensor& output) {
    std::vector<std::int32_t> words;
    for (const float scale : filter.channelScales) {
        const auto scaling = convolutionMultiplier(input.scale, scale, output.scale);
        words.push_back(scaling.multiplier);
        words.push_back(scaling.shift);
    }
    std::vector<std::byte> bytes(words.size() * sizeof(std::int32_t));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

/// Types, zero points and output stage of a MAC node, and its scale table where scales go by
/// channel.
void setArithmetic(GraphBuilder& builder, ConvNode& node, Activation activation) {
    const Tensor& input = builder.tensor(node.input);
    const Tensor& filter = builder.tensor(node.filter);
    const Tensor& output = builder.tensor(node.output);
    hw::MacConv& work = node.prototype;
    work.inputType = input.elementType();
    work.filterType = filter.elementType();
    work.outputType = output.elementType();
    QuantizedMultiplier scaling;
    if (work.inputType != hw::ElementType::kFloat32) {
        const bool hasChannelScales = !filter.channelScales.empty();
        work.inputZeroPoint = input.zeroPoint;
        work.filterZeroPoint = hasChannelScales ? 0 : filter.zeroPoint;
        if (!hasChannelScales) {
            scaling = convolutionMultiplier(input.scale, filter.scale, output.scale);
        }
    }
    work.outputStage = outputStage(output, activation, scaling);
    if (node.bias != kNoTensor) {
        work.outputStage.flags |= hw::kOutputHasBias;
    }
    if (work.inputType != hw::ElementType::kFloat32 && !filter.channelScales.empty()) {
        work.outputStage.flags |= hw::kOutputPerChannel;
        node.scaleTable = builder.addConstant(scaleTable(input, filter, output), 4);
    }
}

/// Arguments behind the three tensors, whichever form the operation has.
struct ConvArguments {
    WindowArguments window;
    std::uint32_t depthMultiplier = 0;
    Activation activation = Activation::kNone;
    bool isNchw = false;
};

Checked<ConvArguments> readArguments(const OperationReader& operation, bool isDepthwise) {
    const std::size_t extra = isDepthwise ? 1 : 0;
    VNPU_TRY(operation.requireInputs(7 + extra, 13 + extra));
    const std::size_t n = operation.inputCount();
    const bool isImplicit = n == 7 + extra ||
                            (n >= 8 + extra && operation.inputType(7 + extra) == OperandType::BOOL);
    if (!isImplicit && n < 10 + extra) {
        return unsupported(fmt::format("{} inputs fit neither padding form", n));
    }
    ConvArguments arguments;
    auto window = readPaddingAndStride(operation, 3, isImplicit);
    if (!window) {
        return tl::unexpected(window.error());
    }
    arguments.window = *window;
    std::size_t next = isImplicit ? 6 : 9;
    if (isDepthwise) {
        const auto multiplier = operation.extent(next++, "depth multiplier", 1);
        if (!multiplier) {
            return tl::unexpected(multiplier.error());
        }
        arguments.depthMultiplier = *multiplier;
    }
    const auto activation = readActivation(operation, next);
    const auto isNchw = operation.boolean(next + 1, "NCHW layout", false);
    if (!activation || !isNchw) {
        return tl::unexpected(!activation ? activation.error() : isNchw.error());
    }
    arguments.activation = *activation;
    arguments.isNchw = *isNchw;
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
        if (filter[3] != g.inputChannels) {
            return unsupported(fmt::format("filter has shape {}, the input {} channels",
                                           toText(filter), g.inputChannels));
        }
    }
    return {};
}

Checked<void> requireChannelScales(const Tensor& filter, std::uint32_t dimension,
                                   std::uint32_t channels) {
    if (filter.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        return {};
    }
    if (filter.channelDimension != dimension || filter.channelScales.size() != channels) {
        return unsupported(fmt::format(
                "filter has {} scales along dimension {}, expected {} along {}",
                filter.channelScales.size(), filter.channelDimension, channels, dimension));
    }
    for (const float scale : filter.channelScales) {
        if (!std::isfinite(scale) || scale < 0.0F) {
            return unsupported(fmt::format("filter has a channel scale of {}", scale));
        }
    }
    return {};
}

}  // namespace

Checked<void> lowerConvolution(GraphBuilder& builder, const OperationReader& operation) {
    const bool isDepthwise = operation.operation().type == OperationType::DEPTHWISE_CONV_2D;
    const auto arguments = readArguments(operation, isDepthwise);
    if (!arguments) {
        return tl::unexpected(arguments.error());
    }
    const auto operands = readOperands(builder, operation, true);
    if (!operands) {
        return tl::unexpected(operands.error());
    }
    VNPU_TRY(requireOutputType(builder, operation, operands->input));

    ConvNode node;
    node.filter = operands->filter;
    node.bias = operands->bias;
    node.depthMultiplier = arguments->depthMultiplier;
    auto geometry = imageGeometry(builder.tensor(operands->input), arguments->isNchw);
    if (!geometry) {
        return tl::unexpected(geometry.error());
    }
    node.geometry = *geometry;
    VNPU_TRY(setChannels(builder, node, node.geometry));
    VNPU_TRY(requireBias(builder, node.bias, node.geometry.outputChannels));
    VNPU_TRY(requireChannelScales(builder.tensor(node.filter), isDepthwise ? 3 : 0,
                                  node.geometry.outputChannels));
    VNPU_TRY(applyWindow(arguments->window, node.geometry));
    const auto output = builder.output(operation, imageShape(node.geometry, arguments->isNchw));
    if (!output) {
        return tl::unexpected(output.error());
    }
    node.input = toNhwc(builder, operation.index(), operands->input, arguments->isNchw);
    node.output = arguments->isNchw ? builder.temporary(*output, imageShape(node.geometry, false))
                                    : *output;
    if (isDepthwise) {
        node.prototype.flags |= hw::kMacDepthwise;
    }
    setArithmetic(builder, node, arguments->activation);
    const TensorId result = node.output;
    builder.add(operation.index(), node);
    fromNhwc(builder, operation.index(), result, *output, arguments->isNchw);
    return {};
}

Checked<void> lowerFullyConnected(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(4, 4));
    const auto activation = readActivation(operation, 3);
    if (!activation) {
        return tl::unexpected(activation.error());
    }
    const auto operands = readOperands(builder, operation, false);
    if (!operands) {
        return tl::unexpected(operands.error());
    }
    VNPU_TRY(requireOutputType(builder, operation, operands->input));
    const Shape& filter = builder.tensor(operands->filter).shape;
    const Shape& input = builder.tensor(operands->input).shape;
    if (filter.size() != 2 || elementCount(input) % filter[1] != 0) {
        return unsupported(
                fmt::format("weights have shape {}, the input {}", toText(filter), toText(input)));
    }
    const auto rows = static_cast<std::uint32_t>(elementCount(input) / filter[1]);
    VNPU_TRY(requireBias(builder, operands->bias, filter[0]));

    ConvNode node;
    node.input = operands->input;
    node.filter = operands->filter;
    node.bias = operands->bias;
    WindowGeometry& g = node.geometry;
    g.inputHeight = g.outputHeight = rows;
    g.inputChannels = filter[1];
    g.outputChannels = filter[0];
    const auto output = builder.output(operation, {rows, filter[0]});
    if (!output) {
        return tl::unexpected(output.error());
    }
    node.output = *output;
    setArithmetic(builder, node, *activation);
    builder.add(operation.index(), node);
    return {};
}

}  // namespace vnpu::driver
