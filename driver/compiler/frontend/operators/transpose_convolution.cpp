// SPDX-License-Identifier: Apache-2.0
// A transposed convolution is a set of ordinary ones with stride 1, one per phase: outputs that are
// a stride apart meet the same taps of the filter, and their windows are windows of the input.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "driver/compiler/frontend/base/layout.h"
#include "driver/compiler/frontend/base/mac_operation.h"
#include "driver/compiler/frontend/base/window_arguments.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

constexpr std::size_t kOutputShape = 3;

constexpr std::uint64_t kMostPhases = 256;   // chosen: each makes commands of its own
constexpr std::uint64_t kMostCopies = 4096;  // chosen: taps of a computed filter move one by one

struct TransposeArguments {
    PaddingScheme scheme = PaddingScheme::kExplicit;
    std::int32_t pads[4]{};  // left, right, top, bottom; cropped outputs, explicit padding only
    std::uint32_t strideWidth = 1, strideHeight = 1;
    std::vector<std::int32_t> outputShape;  // implicit padding only
    Activation activation = Activation::kNone;
    bool isNchw = false;
};

/// The output shape's argument, or the declared shape of the output if the argument is computed.
Checked<std::vector<std::int32_t>> readOutputShape(const GraphBuilder& builder,
                                                   const OperationReader& operation) {
    auto shape = operation.int32s(kOutputShape);
    const Shape& declared = builder.declaredOutput(operation).shape;
    if (!shape && declared.size() == 4 && isKnown(declared)) {
        return std::vector<std::int32_t>(declared.begin(), declared.end());
    }
    if (shape && shape->size() != 4) {
        return untiled();
    }
    return shape;
}

Checked<TransposeArguments> readTransposeArguments(const GraphBuilder& builder,
                                                   const OperationReader& operation) {
    TransposeArguments arguments;
    std::size_t next = kOutputShape;
    if (operation.inputType(kOutputShape) == OperandType::TENSOR_INT32) {
        VNPU_TRY_ASSIGN(arguments.outputShape, readOutputShape(builder, operation));
        VNPU_TRY_ASSIGN(arguments.scheme, readScheme(operation, next + 1));
        next += 2;
    } else {
        for (std::int32_t& pad : arguments.pads) {
            VNPU_TRY_ASSIGN(pad, operation.int32(next++));
        }
    }
    VNPU_TRY_ASSIGN(arguments.strideWidth, operation.extent(next, 1));
    VNPU_TRY_ASSIGN(arguments.strideHeight, operation.extent(next + 1, 1));
    VNPU_TRY_ASSIGN(arguments.activation, operation.activation(next + 2));
    VNPU_TRY_ASSIGN(arguments.isNchw, operation.boolean(next + 3));
    return arguments;
}

struct TransposedAxis {
    std::uint32_t input, window, stride;
    std::int64_t head, tail;  // cropped, if the padding is explicit
    std::int64_t output;      // wanted, if it is not
};

/// Settles output and head.
Checked<void> settleAxis(TransposedAxis& axis, PaddingScheme scheme) {
    const std::int64_t all = std::int64_t{axis.input - 1} * axis.stride + axis.window;
    if (scheme == PaddingScheme::kExplicit) {
        axis.output = all - axis.head - axis.tail;
    } else if (scheme == PaddingScheme::kSame) {
        const std::int64_t steps = (axis.output - 1) / axis.stride;
        axis.head = std::max<std::int64_t>(steps * axis.stride + axis.window - axis.output, 0) / 2;
    }
    if (axis.output < 1 || axis.output > std::numeric_limits<std::int32_t>::max() ||
        axis.head < 0) {
        return untiled();
    }
    return {};
}

/// The outputs `first`, `first` + stride, ...: a convolution with stride 1 by some of the taps.
struct Phase {
    std::uint32_t first = 0, outputs = 0;
    std::int32_t pad = 0;
    std::vector<std::uint32_t> taps;  // in the order in which they meet the input
};

/// Input i reaches output i * stride + tap - head.
std::vector<Phase> phasesOf(const TransposedAxis& axis) {
    std::vector<Phase> phases;
    const auto output = static_cast<std::uint32_t>(axis.output);
    for (std::uint32_t first = 0; first < std::min(axis.stride, output); ++first) {
        Phase phase{first, (output - first + axis.stride - 1) / axis.stride, 0, {}};
        for (std::uint32_t tap = axis.window; tap-- > 0;) {
            const std::int64_t distance = first + axis.head - tap;
            if (distance % axis.stride != 0) {
                continue;
            }
            if (phase.taps.empty()) {
                phase.pad = static_cast<std::int32_t>(-distance / axis.stride);
            }
            phase.taps.push_back(tap);
        }
        if (phase.taps.empty()) {  // no input reaches these: some tap that meets padding only
            phase.taps.push_back(0);
            phase.pad = static_cast<std::int32_t>(phase.outputs);
        }
        phases.push_back(std::move(phase));
    }
    return phases;
}

struct TransposeGeometry {
    WindowGeometry whole;
    TransposedAxis rows{}, columns{};
};

Checked<TransposeGeometry> settleGeometry(const TransposeArguments& arguments, const Shape& filter,
                                          const WindowGeometry& input) {
    TransposeGeometry result{input};
    WindowGeometry& g = result.whole;
    g.outputChannels = filter[0];
    const bool hasShape = !arguments.outputShape.empty();
    const auto wanted = [&](std::size_t nhwc, std::size_t nchw) {
        return hasShape ? std::int64_t{arguments.outputShape[arguments.isNchw ? nchw : nhwc]} : 0;
    };
    if (hasShape && (wanted(0, 0) != g.batches || wanted(3, 1) != g.outputChannels)) {
        return untiled();
    }
    const std::int32_t* pads = arguments.pads;
    result.rows = {g.inputHeight, filter[1], arguments.strideHeight,
                   pads[2],       pads[3],   wanted(1, 2)};
    result.columns = {g.inputWidth, filter[2], arguments.strideWidth,
                      pads[0],      pads[1],   wanted(2, 3)};
    for (TransposedAxis* axis : {&result.rows, &result.columns}) {
        VNPU_TRY(settleAxis(*axis, arguments.scheme));
    }
    g.outputHeight = static_cast<std::uint32_t>(result.rows.output);
    g.outputWidth = static_cast<std::uint32_t>(result.columns.output);
    const std::uint64_t phases = std::uint64_t{std::min(arguments.strideHeight, g.outputHeight)} *
                                 std::min(arguments.strideWidth, g.outputWidth);
    if (phases > kMostPhases) {
        return untiled();
    }
    return result;
}

bool fits(const Shape& filter, bool isConstant, std::uint32_t inputChannels) {
    return filter.size() == 4 && filter[3] == inputChannels && filter[1] <= kMostWindowExtent &&
           filter[2] <= kMostWindowExtent &&
           (isConstant || std::uint64_t{filter[1]} * filter[2] <= kMostCopies);
}

/// One tap of all output channels: where it lies in the filter, and where in a phase's.
struct TapMove {
    std::uint64_t from = 0, to = 0;
};

/// The taps that two phases meet, as a filter of their own: gathered at compile time if the filter
/// is constant, else on the device.
TensorId gatherTaps(GraphBuilder& builder, const OperationReader& operation, TensorId filter,
                    const Phase& rows, const Phase& columns) {
    Tensor part = builder.tensor(filter);
    const std::uint64_t width = part.shape[2];
    const std::uint64_t allTaps = part.shape[1] * width;
    const std::uint64_t channels = part.shape[3];
    part.shape[1] = static_cast<std::uint32_t>(rows.taps.size());
    part.shape[2] = static_cast<std::uint32_t>(columns.taps.size());
    std::vector<TapMove> moves;
    for (const std::uint32_t row : rows.taps) {
        for (const std::uint32_t column : columns.taps) {
            moves.push_back({(row * width + column) * channels, moves.size() * channels});
        }
    }
    CopyNode copy;
    copy.axes = {{part.shape[0], allTaps * channels, moves.size() * channels}, {channels, 1, 1}};
    if (const auto bytes = builder.constantBytes(filter)) {
        const std::uint64_t element = part.elementBytes();
        std::vector<std::byte> gathered(part.sizeBytes());
        for (const TapMove& move : moves) {
            for (std::uint64_t o = 0; o < part.shape[0]; ++o) {
                std::memcpy(&gathered[(o * copy.axes[0].outputStride + move.to) * element],
                            &(*bytes)[(o * copy.axes[0].inputStride + move.from) * element],
                            channels * element);
            }
        }
        return builder.constant(part, gathered);
    }
    copy.input = filter;
    copy.output = builder.temporary(filter, part.shape);
    for (const TapMove& move : moves) {
        copy.inputOffset = move.from;
        copy.outputOffset = move.to;
        builder.add(operation.index(), copy);
    }
    return copy.output;
}

/// Completes a node for two phases: filter, window and place of the output.
ConvNode makePhase(GraphBuilder& builder, const OperationReader& operation, ConvNode node,
                   const TransposeGeometry& geometry, const Phase& rows, const Phase& columns) {
    const WindowGeometry& whole = geometry.whole;
    WindowGeometry& g = node.geometry;
    g.outputHeight = rows.outputs;
    g.outputWidth = columns.outputs;
    g.filterHeight = static_cast<std::uint32_t>(rows.taps.size());
    g.filterWidth = static_cast<std::uint32_t>(columns.taps.size());
    g.padTop = rows.pad;
    g.padLeft = columns.pad;
    node.filter = gatherTaps(builder, operation, node.filter, rows, columns);
    const std::uint64_t pixel = whole.outputChannels;
    const std::uint64_t row = pixel * whole.outputWidth;
    if (g.outputHeight != whole.outputHeight || g.outputWidth != whole.outputWidth) {
        node.output = builder.view(node.output, imageShape(g, false),
                                   rows.first * row + columns.first * pixel);
        node.outputPixelStride = geometry.columns.stride * pixel;
        node.outputRowStride = geometry.rows.stride * row;
        node.outputImageStride = whole.outputHeight * row;
    }
    return node;
}

Checked<void> lowerTransposeConvolution(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto arguments, readTransposeArguments(builder, operation));
    VNPU_TRY_ASSIGN(auto node, readMacOperands(builder, operation));
    VNPU_TRY_ASSIGN(const auto input, imageGeometry(builder.tensor(node.input), arguments.isNchw));
    const Shape& filter = builder.tensor(node.filter).shape;
    if (!fits(filter, builder.isConstant(node.filter), input.inputChannels)) {
        return untiled();
    }
    VNPU_TRY_ASSIGN(const auto geometry, settleGeometry(arguments, filter, input));
    node.geometry = geometry.whole;
    VNPU_TRY(requireBias(builder, node));
    VNPU_TRY_ASSIGN(const auto output,
                    builder.output(operation, imageShape(geometry.whole, arguments.isNchw)));
    const MacImage image =
            openImage(builder, output, imageShape(geometry.whole, false), arguments.isNchw);
    node.input = toNhwc(builder, operation.index(), node.input, arguments.isNchw);
    node.output = image.image;
    setArithmetic(builder, node, arguments.activation);
    for (const Phase& rows : phasesOf(geometry.rows)) {
        for (const Phase& columns : phasesOf(geometry.columns)) {
            builder.add(operation.index(),
                        makePhase(builder, operation, node, geometry, rows, columns));
        }
    }
    closeImage(builder, operation, image);
    return {};
}

}  // namespace

LoweringRows transposeConvolutionRows() {
    return {{OperationType::TRANSPOSE_CONV_2D, lowerTransposeConvolution}};
}

}  // namespace vnpu::driver
