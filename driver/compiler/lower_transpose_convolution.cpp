// SPDX-License-Identifier: Apache-2.0
// A transposed convolution as an ordinary one with stride 1: of the input with zeros between its
// pixels, and the filter turned by half a circle.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "driver/compiler/layout.h"
#include "driver/compiler/lowering.h"
#include "driver/compiler/mac_operation.h"
#include "driver/compiler/window_arguments.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;

constexpr std::size_t kOutputShape = 3;

// chosen: beyond, the zeros between the pixels take more memory than a device has
constexpr std::uint64_t kMostElements = 1U << 28;

struct TransposeArguments {
    PaddingScheme scheme = PaddingScheme::kExplicit;
    std::int32_t pads[4]{};  // left, right, top, bottom; what is cropped where it is explicit
    std::uint32_t strideWidth = 1, strideHeight = 1;
    std::vector<std::int32_t> outputShape;  // implicit padding only
    Activation activation = Activation::kNone;
    bool isNchw = false;
};

/// The output shape's argument, or what the model says of the output where that is computed.
Checked<std::vector<std::int32_t>> readOutputShape(const GraphBuilder& builder,
                                                   const OperationReader& operation) {
    auto shape = operation.int32s(kOutputShape, "output shape");
    const Shape& declared = builder.declaredOutput(operation).shape;
    if (!shape && declared.size() == 4 && isKnown(declared)) {
        return std::vector<std::int32_t>(declared.begin(), declared.end());
    }
    if (shape && shape->size() != 4) {
        return unsupported(fmt::format("output shape has {} values, expected 4", shape->size()));
    }
    return shape;
}

Checked<TransposeArguments> readArguments(const GraphBuilder& builder,
                                          const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(9, 11));
    TransposeArguments arguments;
    std::size_t next = kOutputShape;
    if (operation.inputType(kOutputShape) == OperandType::TENSOR_INT32) {
        auto shape = readOutputShape(builder, operation);
        const auto scheme = operation.int32(next + 1, "padding scheme");
        if (!shape || !scheme) {
            return tl::unexpected(!shape ? shape.error() : scheme.error());
        }
        if (*scheme != 1 && *scheme != 2) {
            return unsupported(fmt::format("padding scheme is {}, expected 1 or 2", *scheme));
        }
        arguments.outputShape = std::move(*shape);
        arguments.scheme = static_cast<PaddingScheme>(*scheme);
        next += 2;
    } else {
        for (std::int32_t& pad : arguments.pads) {
            const auto value = operation.int32(next++, "padding");
            if (!value) {
                return tl::unexpected(value.error());
            }
            pad = *value;
        }
    }
    const auto strideWidth = operation.extent(next, "stride width", 1);
    const auto strideHeight = operation.extent(next + 1, "stride height", 1);
    if (!strideWidth || !strideHeight) {
        return tl::unexpected(!strideWidth ? strideWidth.error() : strideHeight.error());
    }
    const auto activation = readActivation(operation, next + 2);
    const auto isNchw = operation.boolean(next + 3, "NCHW layout", false);
    if (!activation || !isNchw) {
        return tl::unexpected(!activation ? activation.error() : isNchw.error());
    }
    arguments.strideWidth = *strideWidth;
    arguments.strideHeight = *strideHeight;
    arguments.activation = *activation;
    arguments.isNchw = *isNchw;
    return arguments;
}

/// One axis: the ordinary convolution over `padding` and the `spread` input gives the `output`.
struct SpreadAxis {
    std::uint32_t spread = 1, output = 1, padding = 0;
};

struct TransposedAxis {
    std::uint32_t input, window, stride;
    std::int64_t head, tail;  // cropped, if the padding is explicit
    std::int64_t output;      // wanted, if it is not
};

Checked<SpreadAxis> spreadAxis(const TransposedAxis& axis, PaddingScheme scheme) {
    const std::int64_t spread = std::int64_t{axis.input - 1} * axis.stride + 1;
    std::int64_t output = axis.output;
    std::int64_t head = axis.head;
    if (scheme == PaddingScheme::kExplicit) {
        output = spread + axis.window - 1 - axis.head - axis.tail;
    } else if (scheme == PaddingScheme::kSame && output >= 1) {
        const std::int64_t steps = (output - 1) / axis.stride;
        head = std::max<std::int64_t>(steps * axis.stride + axis.window - output, 0) / 2;
    }
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (output < 1 || output > kMost || spread > kMost || head < 0 || head >= axis.window) {
        return unsupported(fmt::format("{} outputs of {} inputs, {} cropped in front of them",
                                       output, axis.input, head));
    }
    return SpreadAxis{static_cast<std::uint32_t>(spread), static_cast<std::uint32_t>(output),
                      static_cast<std::uint32_t>(axis.window - 1 - head)};
}

/// Everything of the geometry but the input's batches and channels.
Checked<void> setGeometry(const TransposeArguments& arguments, const Shape& filter,
                          WindowGeometry& g) {
    g.outputChannels = filter[0];
    g.filterHeight = filter[1];
    g.filterWidth = filter[2];
    const bool hasShape = !arguments.outputShape.empty();
    const auto wanted = [&](std::size_t nhwc, std::size_t nchw) {
        return hasShape ? std::int64_t{arguments.outputShape[arguments.isNchw ? nchw : nhwc]} : 0;
    };
    if (hasShape && (wanted(0, 0) != g.batches || wanted(3, 1) != g.outputChannels)) {
        return unsupported(
                fmt::format("output shape has {} batches of {} channels, expected {} of "
                            "{}",
                            wanted(0, 0), wanted(3, 1), g.batches, g.outputChannels));
    }
    const std::int32_t* pads = arguments.pads;
    const auto rows = spreadAxis(
            {g.inputHeight, g.filterHeight, arguments.strideHeight, pads[2], pads[3], wanted(1, 2)},
            arguments.scheme);
    const auto columns = spreadAxis(
            {g.inputWidth, g.filterWidth, arguments.strideWidth, pads[0], pads[1], wanted(2, 3)},
            arguments.scheme);
    if (!rows || !columns) {
        return tl::unexpected(!rows ? rows.error() : columns.error());
    }
    g.inputHeight = rows->spread;
    g.inputWidth = columns->spread;
    g.outputHeight = rows->output;
    g.outputWidth = columns->output;
    g.padTop = rows->padding;
    g.padLeft = columns->padding;
    return {};
}

Checked<void> requireFilter(const Tensor& filter, std::uint32_t inputChannels) {
    const Shape& shape = filter.shape;
    constexpr std::uint32_t kMost = 65535;  // the command stream counts windows in 16 bits
    if (shape.size() != 4 || shape[3] != inputChannels || shape[1] > kMost || shape[2] > kMost) {
        return unsupported(fmt::format("filter has shape {}, the input {} channels", toText(shape),
                                       inputChannels));
    }
    return requireChannelScales(filter, 0, shape[0]);
}

/// The taps of every output channel in opposite order.
TensorId turnConstant(GraphBuilder& builder, TensorId filter, std::span<const std::byte> bytes) {
    const Tensor description = builder.tensor(filter);
    const std::size_t taps = std::size_t{description.shape[1]} * description.shape[2];
    const std::size_t tapBytes = std::size_t{description.shape[3]} * description.elementBytes();
    std::vector<std::byte> turned(bytes.size());
    for (std::size_t at = 0; at < bytes.size(); at += tapBytes) {
        const std::size_t tap = at / tapBytes;
        const std::size_t opposite = tap / taps * taps + (taps - 1 - tap % taps);
        std::memcpy(turned.data() + opposite * tapBytes, bytes.data() + at, tapBytes);
    }
    return builder.constant(description, turned);
}

/// The same on the device, tap by tap.
TensorId turnComputed(GraphBuilder& builder, const OperationReader& operation, TensorId filter) {
    const Shape shape = builder.tensor(filter).shape;
    const TensorId turned = builder.temporary(filter, shape);
    const std::uint64_t taps = std::uint64_t{shape[1]} * shape[2];
    for (std::uint64_t tap = 0; tap < taps; ++tap) {
        CopyNode copy;
        copy.input = filter;
        copy.output = turned;
        copy.dims = {shape[0], shape[3]};
        copy.inputStrides = copy.outputStrides = {taps * shape[3], 1};
        copy.inputOffset = tap * shape[3];
        copy.outputOffset = (taps - 1 - tap) * shape[3];
        builder.add(operation.index(), std::move(copy));
    }
    return turned;
}

/// Where zeros stand between the pixels they meet every weight, so none may be infinite.
Checked<void> requireFinite(const Tensor& filter, std::span<const std::byte> bytes) {
    if (filter.elementType() != hw::ElementType::kFloat32) {
        return {};
    }
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(float)) {
        float weight = 0;
        std::memcpy(&weight, bytes.data() + at, sizeof(weight));
        if (!std::isfinite(weight)) {
            return unsupported(fmt::format("filter holds {}", weight));
        }
    }
    return {};
}

Checked<TensorId> turnFilter(GraphBuilder& builder, const OperationReader& operation,
                             TensorId filter) {
    if (!builder.isConstant(filter)) {
        if (builder.tensor(filter).elementType() == hw::ElementType::kFloat32) {
            return unsupported("filter is computed, its weights may be infinite");
        }
        return turnComputed(builder, operation, filter);
    }
    const auto bytes = builder.constantBytes(filter);
    if (!bytes) {
        return tl::unexpected(bytes.error());
    }
    VNPU_TRY(requireFinite(builder.tensor(filter), *bytes));
    return turnConstant(builder, filter, *bytes);
}

/// The input with strideHeight - 1 rows and strideWidth - 1 columns of zeros between its own.
TensorId spread(GraphBuilder& builder, const OperationReader& operation, TensorId input,
                const TransposeArguments& arguments, const WindowGeometry& g) {
    const Shape from = builder.tensor(input).shape;
    const Shape to{g.batches, g.inputHeight, g.inputWidth, g.inputChannels};
    if (from == to) {
        return input;
    }
    FillNode fill;
    fill.output = builder.temporary(input, to);
    if (builder.tensor(input).elementType() != hw::ElementType::kFloat32) {
        fill.pattern = static_cast<std::uint32_t>(builder.tensor(input).zeroPoint) & 0xFF;
    }
    const std::uint64_t pixel = g.inputChannels;
    CopyNode copy;
    copy.input = input;
    copy.output = fill.output;
    copy.dims = from;
    copy.inputStrides = {from[1] * from[2] * pixel, from[2] * pixel, pixel, 1};
    copy.outputStrides = {to[1] * to[2] * pixel, arguments.strideHeight * to[2] * pixel,
                          arguments.strideWidth * pixel, 1};
    builder.add(operation.index(), fill);
    builder.add(operation.index(), std::move(copy));
    return fill.output;
}

}  // namespace

Checked<void> lowerTransposeConvolution(GraphBuilder& builder, const OperationReader& operation) {
    const auto arguments = readArguments(builder, operation);
    if (!arguments) {
        return tl::unexpected(arguments.error());
    }
    const auto operands = readMacOperands(builder, operation, true);
    if (!operands) {
        return tl::unexpected(operands.error());
    }
    ConvNode node;
    node.bias = operands->bias;
    auto geometry = imageGeometry(builder.tensor(operands->input), arguments->isNchw);
    if (!geometry) {
        return tl::unexpected(geometry.error());
    }
    node.geometry = *geometry;
    VNPU_TRY(requireFilter(builder.tensor(operands->filter), geometry->inputChannels));
    VNPU_TRY(setGeometry(*arguments, builder.tensor(operands->filter).shape, node.geometry));
    VNPU_TRY(requireBias(builder, node.bias, node.geometry.outputChannels));
    const WindowGeometry& g = node.geometry;
    if (elementCount(Shape{g.batches, g.inputHeight, g.inputWidth, g.inputChannels}) >
        kMostElements) {
        return unsupported(fmt::format("{} x {} x {} x {} elements with zeros between them",
                                       g.batches, g.inputHeight, g.inputWidth, g.inputChannels));
    }
    const auto output = builder.output(operation, imageShape(g, arguments->isNchw));
    if (!output) {
        return tl::unexpected(output.error());
    }
    const auto filter = turnFilter(builder, operation, operands->filter);
    if (!filter) {
        return tl::unexpected(filter.error());
    }
    node.filter = *filter;
    const TensorId image = toNhwc(builder, operation.index(), operands->input, arguments->isNchw);
    node.input = spread(builder, operation, image, *arguments, g);
    addConvolution(builder, operation, node, *output, {arguments->activation, arguments->isNchw});
    return {};
}

}  // namespace vnpu::driver
