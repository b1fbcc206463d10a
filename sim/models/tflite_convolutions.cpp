// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "sim/models/tflite_operator_context.h"

namespace vnpu::sim::tflite {

namespace {

using Index = ModelBuilder::Index;

/// Window geometry of a convolution or pooling as in the file, not checked yet.
struct Window {
    Padding padding{};
    std::int64_t height = 1, width = 1;  // with dilation
    std::int32_t strideHeight = 1, strideWidth = 1;
};

/// "SAME" and "VALID" as NNAPI's padding codes.
Index addPadding(OperatorContext& context, Padding padding) {
    constexpr std::int32_t kSame = 1, kValid = 2;  // source: NDK, PaddingCode
    if (padding != Padding::SAME && padding != Padding::VALID) {
        context.fail(
                fmt::format("padding is {}, expected SAME or VALID", static_cast<int>(padding)));
    }
    return context.builder().addInt32(padding == Padding::SAME ? kSame : kValid);
}

void requireWindowOutput(OperatorContext& context, const Window& window, std::uint32_t channels) {
    const auto& input = context.inputView(0).dimensions;
    constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
    if (window.height > kMax || window.width > kMax) {
        context.fail(fmt::format("window is {}x{}, expected less than 2^31", window.height,
                                 window.width));
    }
    const auto extent = [&](std::uint32_t size, std::int64_t length, std::int32_t stride) {
        return windowOutput(size, static_cast<std::uint32_t>(length),
                            static_cast<std::uint32_t>(stride), window.padding);
    };
    context.requireOutput({input[0], extent(input[1], window.height, window.strideHeight),
                           extent(input[2], window.width, window.strideWidth), channels});
}

/// Type and quantization of weights with their output channels along `channelDimension`.
OperandSpec filterSpec(OperatorContext& context, std::optional<std::uint32_t> channelDimension) {
    const TensorView& filter = context.inputView(1);
    const TensorView& input = context.inputView(0);
    if (filter.type != input.type) {
        context.fail(fmt::format("weights are {} and the input {}, expected the same type",
                                 typeName(filter.type), typeName(input.type)));
    }
    if (filter.type != TensorType::INT8 || filter.scales.size() < 2) {
        return context.inputSpec(1);
    }
    if (!channelDimension) {
        context.fail("weights are quantised per channel, which NNAPI has for convolutions alone");
    }
    if (filter.channelDimension != *channelDimension) {
        context.fail(fmt::format("weights are quantised along dimension {}, expected {}",
                                 filter.channelDimension, *channelDimension));
    }
    for (const std::int32_t zeroPoint : filter.zeroPoints) {
        if (zeroPoint != 0) {
            context.fail(fmt::format("weights quantised per channel have zero point {}, expected 0",
                                     zeroPoint));
        }
    }
    OperandSpec spec;
    spec.type = nn::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    spec.dimensions = filter.dimensions;
    spec.channelScales = filter.scales;
    spec.channelDimension = *channelDimension;
    return spec;
}

void checkBiasScales(OperatorContext& context, const OperandSpec& filter) {
    constexpr double kTolerance = 0.01;  // chosen: above any rounding, below any mistake
    const TensorView& bias = context.inputView(2);
    const double input = context.inputSpec(0).scale;
    const bool isPerChannel = !filter.channelScales.empty();
    if (bias.scales.size() > 1 && bias.scales.size() != filter.channelScales.size()) {
        context.fail(fmt::format("bias has {} scales and the weights {}", bias.scales.size(),
                                 isPerChannel ? filter.channelScales.size() : 1));
    }
    if (bias.scales.size() == 1 && filter.channelScales.size() > 1) {
        context.fail(
                fmt::format("bias has 1 scale and the weights {}", filter.channelScales.size()));
    }
    for (std::size_t i = 0; i < bias.scales.size(); ++i) {
        const double weight = isPerChannel ? filter.channelScales[i] : filter.scale;
        if (std::abs(bias.scales[i] - input * weight) > kTolerance * input * weight) {
            context.fail(fmt::format("bias scale {} is {}, expected {} (input times weights)", i,
                                     bias.scales[i], input * weight));
        }
        if (bias.zeroPoints[i] != 0) {
            context.fail(fmt::format("bias has zero point {}, expected 0", bias.zeroPoints[i]));
        }
    }
}

/// The bias, or zeros if the file has none.
Index readBias(OperatorContext& context, const OperandSpec& filter, std::uint32_t channels) {
    const bool isFloat = filter.type == nn::OperandType::TENSOR_FLOAT32;
    OperandSpec spec;
    spec.type = isFloat ? nn::OperandType::TENSOR_FLOAT32 : nn::OperandType::TENSOR_INT32;
    spec.dimensions = {channels};
    if (!isFloat && filter.channelScales.empty()) {
        spec.scale = context.inputSpec(0).scale * filter.scale;
    }
    if (!context.hasInput(2)) {
        return context.builder().addZeroConstant(spec);
    }
    const TensorView& bias = context.inputView(2);
    const TensorType expected = isFloat ? TensorType::FLOAT32 : TensorType::INT32;
    if (bias.type != expected) {
        context.fail(
                fmt::format("bias is {}, expected {}", typeName(bias.type), typeName(expected)));
    }
    if (elementCount(bias.dimensions) != channels) {
        context.fail(fmt::format("bias is {}, expected {} elements",
                                 describeDimensions(bias.dimensions), channels));
    }
    if (!isFloat) {
        checkBiasScales(context, filter);
    }
    return context.readAs(2, spec);
}

template <typename Options>
Window convolutionWindow(OperatorContext& context, const Options& options) {
    const auto& filter = context.inputView(1).dimensions;
    for (const std::int32_t value :
         {options.stride_h(), options.stride_w(), options.dilation_h(), options.dilation_w()}) {
        if (value < 1) {
            context.fail(fmt::format("stride or dilation is {}, expected at least 1", value));
        }
    }
    const auto reach = [](std::uint32_t size, std::int32_t dilation) {
        return (std::int64_t{size} - 1) * dilation + 1;
    };
    return {options.padding(), reach(filter[1], options.dilation_h()),
            reach(filter[2], options.dilation_w()), options.stride_h(), options.stride_w()};
}

/// Appends layout and dilation where there is a dilation: NNAPI's short form has none.
template <typename Options>
void addDilation(OperatorContext& context, const Options& options, std::vector<Index>& inputs) {
    if (options.dilation_h() == 1 && options.dilation_w() == 1) {
        return;
    }
    inputs.push_back(context.builder().addBool(false));  // NHWC
    inputs.push_back(context.builder().addInt32(options.dilation_w()));
    inputs.push_back(context.builder().addInt32(options.dilation_h()));
}

}  // namespace

void importConv2d(OperatorContext& context) {
    context.requireArguments(2, 3);
    context.requireSameType(0);
    context.requireRank(context.inputView(0), 4);
    context.requireRank(context.inputView(1), 4);
    const auto& options = context.options<schema::Conv2DOptions>();
    const auto& input = context.inputView(0).dimensions;
    const auto& filter = context.inputView(1).dimensions;
    if (filter[3] != input[3]) {
        context.fail(
                fmt::format("weights take {} channels and the input has {}: grouped "
                            "convolutions are not supported yet",
                            filter[3], input[3]));
    }
    const Window window = convolutionWindow(context, options);
    requireWindowOutput(context, window, filter[0]);
    const OperandSpec spec = filterSpec(context, 0);
    std::vector<Index> inputs = {context.read(0),
                                 context.readAs(1, spec),
                                 readBias(context, spec, filter[0]),
                                 addPadding(context, options.padding()),
                                 context.addStride("stride_w", options.stride_w()),
                                 context.addStride("stride_h", options.stride_h()),
                                 context.addActivation(options.fused_activation())};
    addDilation(context, options, inputs);
    context.builder().addOperation(nn::OperationType::CONV_2D, std::move(inputs), context.write());
}

void importDepthwiseConv2d(OperatorContext& context) {
    context.requireArguments(2, 3);
    context.requireSameType(0);
    context.requireRank(context.inputView(0), 4);
    context.requireRank(context.inputView(1), 4);
    const auto& options = context.options<schema::DepthwiseConv2DOptions>();
    const auto& input = context.inputView(0).dimensions;
    const auto& filter = context.inputView(1).dimensions;
    if (filter[0] != 1 || filter[3] % input[3] != 0) {
        context.fail(fmt::format("weights are {}, expected 1 x height x width x a multiple of {}",
                                 describeDimensions(filter), input[3]));
    }
    const Window window = convolutionWindow(context, options);
    requireWindowOutput(context, window, filter[3]);
    const OperandSpec spec = filterSpec(context, 3);
    const auto multiplier = static_cast<std::int32_t>(filter[3] / input[3]);
    std::vector<Index> inputs = {context.read(0),
                                 context.readAs(1, spec),
                                 readBias(context, spec, filter[3]),
                                 addPadding(context, options.padding()),
                                 context.addStride("stride_w", options.stride_w()),
                                 context.addStride("stride_h", options.stride_h()),
                                 context.builder().addInt32(multiplier),
                                 context.addActivation(options.fused_activation())};
    addDilation(context, options, inputs);
    context.builder().addOperation(nn::OperationType::DEPTHWISE_CONV_2D, std::move(inputs),
                                   context.write());
}

void importFullyConnected(OperatorContext& context) {
    context.requireArguments(2, 3);
    context.requireSameType(0);
    context.requireRank(context.inputView(1), 2);
    const auto& options = context.options<schema::FullyConnectedOptions>();
    if (options.weights_format() != schema::WeightsFormat::DEFAULT) {
        context.fail(fmt::format("weights_format is {}, expected DEFAULT",
                                 static_cast<int>(options.weights_format())));
    }
    const auto& input = context.inputView(0).dimensions;
    const auto& weights = context.inputView(1).dimensions;
    const std::uint64_t count = elementCount(input);
    if (input.size() < 2 || input.size() > 4 || count % weights[1] != 0) {
        context.fail(
                fmt::format("input is {}, expected 2 to 4 dimensions and a multiple of {} "
                            "elements",
                            describeDimensions(input), weights[1]));
    }
    const std::vector<std::uint32_t> flat = {static_cast<std::uint32_t>(count / weights[1]),
                                             weights[0]};
    const auto& output = context.outputView().dimensions;
    if (elementCount(output) != elementCount(flat)) {
        context.requireOutput(flat);
    }
    const OperandSpec spec = filterSpec(context, std::nullopt);
    std::vector<Index> inputs = {context.read(0), context.readAs(1, spec),
                                 readBias(context, spec, weights[0]),
                                 context.addActivation(options.fused_activation())};
    ModelBuilder& builder = context.builder();
    if (output == flat) {
        builder.addOperation(nn::OperationType::FULLY_CONNECTED, std::move(inputs),
                             context.write());
        return;
    }
    // NNAPI's result has two dimensions; the file's keeps those of the input.
    OperandSpec flatSpec = context.outputSpec();
    flatSpec.dimensions = flat;
    const Index product = builder.addTemporary(flatSpec, context.outputView().name);
    builder.addOperation(nn::OperationType::FULLY_CONNECTED, std::move(inputs), product);
    const Index shape = builder.addInt32Tensor({output.begin(), output.end()});
    builder.addOperation(nn::OperationType::RESHAPE, {product, shape}, context.write());
}

void importPool2d(OperatorContext& context, nn::OperationType type) {
    context.requireArguments(1, 1);
    context.requireSameQuantization(0);
    context.requireRank(context.inputView(0), 4);
    const auto& options = context.options<schema::Pool2DOptions>();
    const Index padding = addPadding(context, options.padding());
    const Index strideWidth = context.addStride("stride_w", options.stride_w());
    const Index strideHeight = context.addStride("stride_h", options.stride_h());
    const Index width = context.addStride("filter_width", options.filter_width());
    const Index height = context.addStride("filter_height", options.filter_height());
    const Window window{options.padding(), options.filter_height(), options.filter_width(),
                        options.stride_h(), options.stride_w()};
    requireWindowOutput(context, window, context.inputView(0).dimensions[3]);
    const Index activation = context.addActivation(options.fused_activation());
    context.builder().addOperation(
            type, {context.read(0), padding, strideWidth, strideHeight, width, height, activation},
            context.write());
}

}  // namespace vnpu::sim::tflite
