// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/window/convolution_checks.h"
#include "hw_model/kernels/operators/window/convolution_products.h"
#include "hw_model/kernels/operators/window/image_buffer.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kOutputShape = 3;  // of a transposed convolution, implicit padding

using ConvolutionKind = WholeConvolution::Kind;

/// The scaling of sums to levels of the output, per output channel.
struct Scaling {
    OutputStage stage{};
    std::vector<std::int32_t> scales;  // {multiplier, shift} per channel; none for floats
};

/// Refuses scales that give no valid factor.
JobStatus readScaling(OperatorCall& call, FusedActivation activation, Scaling& scaling) {
    const Tensor& filter = call.input(kFilter);
    const Tensor& output = call.output(0);
    if (workingType(output.type) == ElementType::kFloat32) {
        const RealRange range = activationRange(activation);
        scaling.stage.clampMin = std::bit_cast<std::int32_t>(range.low);
        scaling.stage.clampMax = std::bit_cast<std::int32_t>(range.high);
        return JobStatus::kOk;
    }
    const bool isPerChannel = filter.type == TensorType::kQuant8SymmPerChannel;
    const std::size_t channels = call.input(kBias).elements();
    scaling.scales.reserve(2 * channels);
    for (std::size_t c = 0; c < channels; ++c) {
        const float inputScale = call.input(kInput).scale;
        const float filterScale = isPerChannel ? filter.channelScales[c] : filter.scale;
        const double factor = double{inputScale} * double{filterScale} / double{output.scale};
        if (!std::isfinite(factor) || factor < 0.0) {
            return call.refuse(fmt::format(
                    "scales of input, filter and output are {}, {} and {}, expected positive ones",
                    inputScale, filterScale, output.scale));
        }
        const QuantizedMultiplier multiplier = quantizeMultiplier(factor);
        scaling.scales.insert(scaling.scales.end(), {multiplier.multiplier, multiplier.shift});
    }
    scaling.stage = stageOf(output, activation, 0.0);
    return JobStatus::kOk;
}

/// Computes the operator once the operands' shapes are known to match.
JobStatus compute(OperatorCall& call, WholeConvolution& whole, const ImageShape& inputShape,
                  const ImageShape& outputShape, const WindowArguments& arguments) {
    const Tensor& input = call.input(kInput);
    const Tensor& filter = call.input(kFilter);
    if (call.output(0).elements() == 0) {
        return JobStatus::kOk;
    }
    Scaling scaling;
    VNPU_TRY(readScaling(call, arguments.activation, scaling));
    const WorkingImage image(input, inputShape, arguments.isNchw);
    const WorkingElements filterElements(filter);
    const WorkingElements bias(call.input(kBias));  // int32 is not converted
    ResultImage result(input.type, outputShape, arguments.isNchw, call.write<std::byte>(0));
    whole.rows = arguments.rows;
    whole.columns = arguments.columns;
    Convolution& work = whole.work;
    work.types = {.inputType = workingType(input.type),
                  .inputZeroPoint = input.zeroPoint,
                  .filterType = workingType(filter.type),
                  .filterZeroPoint = contains(kAsymm8Types, filter.type) ? filter.zeroPoint : 0};
    work.images = inputShape.batches;
    work.inputChannels = inputShape.channels;
    work.outputChannels = outputShape.channels;
    work.input = image.data();
    work.inputStrides = PixelStrides::dense(inputShape.rows, inputShape.columns,
                                            inputShape.channels * work.elementBytes());
    work.filter = filterElements.data();
    work.output = result.data();
    work.outputStrides = PixelStrides::dense(outputShape.rows, outputShape.columns,
                                             outputShape.channels * work.elementBytes());
    work.stage = scaling.stage;
    work.bias = bias.data();
    if (!scaling.scales.empty()) {
        work.scales = std::as_bytes(std::span(scaling.scales)).data();
    }
    VNPU_TRY(computeConvolution(call, whole));
    result.finish();
    return JobStatus::kOk;
}

/// Settles the output, with the extents of the axes, and computes it.
JobStatus settleAndCompute(OperatorCall& call, WholeConvolution whole, const ImageShape& inputShape,
                           std::uint32_t outputChannels, const WindowArguments& arguments) {
    const ImageShape outputShape = {.batches = inputShape.batches,
                                    .rows = static_cast<std::uint32_t>(arguments.rows.output),
                                    .columns = static_cast<std::uint32_t>(arguments.columns.output),
                                    .channels = outputChannels};
    VNPU_TRY(call.settle(0, outputShape.dimensions(arguments.isNchw)));
    return compute(call, whole, inputShape, outputShape, arguments);
}

/// The same for a convolution that is not transposed: its output extents follow from its input.
JobStatus computeForward(OperatorCall& call, const WholeConvolution& whole,
                         const ImageShape& inputShape, std::uint32_t outputChannels,
                         WindowArguments& arguments) {
    for (WindowAxis* axis : {&arguments.rows, &arguments.columns}) {
        VNPU_TRY(settleAxis(call, arguments.scheme, *axis));
    }
    return settleAndCompute(call, whole, inputShape, outputChannels, arguments);
}

/// Checks and reads the operands common to the four convolutions, and sets the axes' extents.
JobStatus readConvolution(OperatorCall& call, const WindowForm& form,
                          std::uint32_t channelDimension, WindowArguments& arguments,
                          ImageShape& inputShape) {
    VNPU_TRY(requireFilter(call, channelDimension));
    VNPU_TRY(readWindowArguments(call, form, arguments));
    VNPU_TRY(readImageShape(call, kInput, arguments.isNchw, inputShape));
    const Dimensions& filter = call.input(kFilter).dimensions;
    arguments.rows.input = inputShape.rows;
    arguments.rows.window = filter[1];
    arguments.columns.input = inputShape.columns;
    arguments.columns.window = filter[2];
    return JobStatus::kOk;
}

JobStatus conv2d(OperatorCall& call) {
    WindowArguments arguments;
    ImageShape inputShape;
    VNPU_TRY(readConvolution(call, {.first = 3, .mayDilate = true}, 0, arguments, inputShape));
    const Dimensions& filter = call.input(kFilter).dimensions;
    if (filter[3] != inputShape.channels) {
        return call.refuse(fmt::format("input 1 (filter) has {} channels, expected the input's {}",
                                       filter[3], inputShape.channels));
    }
    return computeForward(call, {}, inputShape, filter[0], arguments);
}

JobStatus depthwiseConv2d(OperatorCall& call) {
    constexpr std::array<std::string_view, 1> kNames = {"depth multiplier"};
    WindowArguments arguments;
    ImageShape inputShape;
    VNPU_TRY(readConvolution(call, {.first = 3, .ownNames = kNames, .mayDilate = true}, 3,
                             arguments, inputShape));
    const Dimensions& filter = call.input(kFilter).dimensions;
    const auto multiplier = static_cast<std::uint64_t>(arguments.own[0]);
    if (filter[0] != 1 || filter[3] != inputShape.channels * multiplier) {
        return call.refuse(
                fmt::format("input 1 (filter) has {} and {} channels, expected 1 and the "
                            "input's {} times {}",
                            filter[0], filter[3], inputShape.channels, multiplier));
    }
    return computeForward(call, {.kind = ConvolutionKind::kDepthwise}, inputShape, filter[3],
                          arguments);
}

JobStatus groupedConv2d(OperatorCall& call) {
    constexpr std::array<std::string_view, 1> kNames = {"groups"};
    WindowArguments arguments;
    ImageShape inputShape;
    VNPU_TRY(readConvolution(call, {.first = 3, .ownNames = kNames}, 0, arguments, inputShape));
    const Dimensions& filter = call.input(kFilter).dimensions;
    const auto groups = static_cast<std::uint64_t>(arguments.own[0]);
    if (filter[0] % groups != 0 || filter[3] * groups != inputShape.channels) {
        return call.refuse(fmt::format("{} groups of {} channels for {} inputs and {} outputs",
                                       groups, filter[3], inputShape.channels, filter[0]));
    }
    return computeForward(call, {.groups = groups}, inputShape, filter[0], arguments);
}

/// The output's extents as the operand gives them, and the paddings with which a forward
/// convolution over that output would give the input.
JobStatus readTransposedShape(OperatorCall& call, std::uint32_t batches, std::uint32_t channels,
                              WindowArguments& arguments) {
    const auto values = call.input(kOutputShape).values<std::int32_t>();
    const auto at = [&](std::size_t nhwc, std::size_t nchw) {
        return std::int64_t{values[arguments.isNchw ? nchw : nhwc]};
    };
    if (at(0, 0) != batches || at(3, 1) != channels || at(1, 2) < 1 || at(2, 3) < 1) {
        return call.refuse(
                fmt::format("input 3 (output shape) is {}, {}, {}, {}, expected {} "
                            "batches, {} channels and no extent below 1",
                            values[0], values[1], values[2], values[3], batches, channels));
    }
    arguments.rows.output = at(1, 2);
    arguments.columns.output = at(2, 3);
    if (arguments.scheme == PaddingScheme::kSame) {
        padSame(arguments.rows.output, arguments.rows);
        padSame(arguments.columns.output, arguments.columns);
    }
    return JobStatus::kOk;
}

JobStatus settleTransposed(OperatorCall& call, WindowArguments& arguments) {
    for (WindowAxis* axis : {&arguments.rows, &arguments.columns}) {
        axis->output =
                (axis->input - 1) * axis->stride + axis->window - axis->padHead - axis->padTail;
        if (axis->output < 1 || axis->output > std::numeric_limits<std::int32_t>::max()) {
            return call.refuse(fmt::format("output has an extent of {}", axis->output));
        }
    }
    return JobStatus::kOk;
}

JobStatus transposeConv2d(OperatorCall& call) {
    const bool hasShape = !call.isOmitted(kOutputShape) &&
                          call.input(kOutputShape).type == TensorType::kInt32 &&
                          call.input(kOutputShape).elements() == 4;
    WindowArguments arguments;
    ImageShape inputShape;
    VNPU_TRY(readConvolution(
            call, {.first = hasShape ? kOutputShape + 1 : kOutputShape, .mayCropTail = true}, 0,
            arguments, inputShape));
    const Dimensions& filter = call.input(kFilter).dimensions;
    if (hasShape == (arguments.scheme == PaddingScheme::kExplicit) ||
        filter[3] != inputShape.channels) {
        return call.refuse(fmt::format("{} inputs and a filter of {} channels for an input of {}",
                                       call.inputCount(), filter[3], inputShape.channels));
    }
    if (hasShape) {
        VNPU_TRY(readTransposedShape(call, inputShape.batches, filter[0], arguments));
    } else {
        VNPU_TRY(settleTransposed(call, arguments));
    }
    return settleAndCompute(call, {.kind = ConvolutionKind::kTransposed}, inputShape, filter[0],
                            arguments);
}

/// Computed as a 1 x 1 convolution of a row of pixels, one for each batch.
JobStatus fullyConnected(OperatorCall& call) {
    WindowArguments arguments;
    VNPU_TRY(requireFilter(call, 0));
    VNPU_TRY_ASSIGN(arguments.activation, readActivation(call, 3));
    const Tensor& input = call.input(kInput);
    const Dimensions& filter = call.input(kFilter).dimensions;
    if (input.dimensions.rank() < 2 || input.elements() % filter[1] != 0) {
        return call.refuse(
                fmt::format("input 0 has rank {} and {} elements, expected rank 2 to 4 "
                            "and a multiple of the filter's {}",
                            input.dimensions.rank(), input.elements(), filter[1]));
    }
    const auto batches = static_cast<std::uint32_t>(input.elements() / filter[1]);
    VNPU_TRY(call.settle(0, {batches, filter[0]}));
    const ImageShape inputShape = {
            .batches = 1, .rows = 1, .columns = batches, .channels = filter[1]};
    const ImageShape outputShape = {
            .batches = 1, .rows = 1, .columns = batches, .channels = filter[0]};
    arguments.rows = {.input = 1, .window = 1, .output = 1};
    arguments.columns = {.input = batches, .window = 1, .output = batches};
    WholeConvolution whole;
    return compute(call, whole, inputShape, outputShape, arguments);
}

constexpr Signature kConvolution = {"T4F4BX*", "T", kRealTypes};

constexpr OperatorEntry kConvolutionEntries[] = {
        {Operator::kConv2d, kConvolution, conv2d},
        {Operator::kDepthwiseConv2d, kConvolution, depthwiseConv2d},
        {Operator::kGroupedConv2d, kConvolution, groupedConv2d},
        {Operator::kTransposeConv2d, kConvolution, transposeConv2d},
        {Operator::kFullyConnected, {"TT2Bi", "T", kRealTypes}, fullyConnected}};

}  // namespace

std::span<const OperatorEntry> convolutionOperators() {
    return kConvolutionEntries;
}

}  // namespace vnpu::hw::kernels
