// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <limits>
#include <string_view>

#include "hw_model/kernels/operators/operator_checks.h"
#include "hw_model/kernels/operators/operator_table.h"
#include "hw_model/kernels/operators/window/convolution_checks.h"
#include "hw_model/kernels/operators/window/convolution_products.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kOutputShape = 3;  // of a transposed convolution, implicit padding

enum class ProductKind : std::uint8_t { kGroups, kDepthwise };

/// Everything from operands whose shapes fit each other on.
JobStatus compute(OperatorCall& call, Convolution& convolution, ProductKind kind, bool isNchw,
                  FusedActivation activation) {
    const Tensor& input = call.input(kInput);
    const Tensor& filter = call.input(kFilter);
    if (call.output(0).elements() == 0) {
        return JobStatus::kOk;
    }
    ConvolutionDrain drain;
    VNPU_TRY(drain.prepare(call, input, filter, call.input(kBias), activation));
    const WorkingImage image(input, convolution.inputShape, isNchw);
    const WorkingElements filterElements(filter);
    ResultImage result(input.type, convolution.outputShape, isNchw, call.write<std::byte>(0));
    convolution.type = workingType(input.type);
    convolution.inputZeroPoint = input.zeroPoint;
    convolution.input = image.data();
    convolution.filterType = workingType(filter.type);
    convolution.filterZeroPoint = contains(kAsymm8Types, filter.type) ? filter.zeroPoint : 0;
    convolution.filter = filterElements.data();
    const auto product = kind == ProductKind::kDepthwise ? convolveDepthwise : convolveGroups;
    const JobStatus status = product(call, convolution, drain, result.data());
    if (status == JobStatus::kOk) {
        result.finish();
    }
    return status;
}

void setShapes(OperatorCall& call, const ImageShape& inputShape, std::uint32_t outputChannels,
               WindowArguments& arguments, Convolution& convolution) {
    const Dimensions& filter = call.input(kFilter).dimensions;
    convolution.inputShape = inputShape;
    convolution.outputShape.batches = inputShape.batches;
    convolution.outputShape.channels = outputChannels;
    convolution.filterHeight = filter[1];
    convolution.filterWidth = filter[2];
    arguments.rows.input = inputShape.rows;
    arguments.rows.window = filter[1];
    arguments.columns.input = inputShape.columns;
    arguments.columns.window = filter[2];
}

/// Output of a convolution that is not transposed: settled extents, plans, room.
JobStatus settleForward(OperatorCall& call, WindowArguments& arguments, Convolution& convolution) {
    for (WindowAxis* axis : {&arguments.rows, &arguments.columns}) {
        VNPU_TRY(settleAxis(call, arguments.scheme, *axis));
    }
    convolution.outputShape.rows = static_cast<std::uint32_t>(arguments.rows.output);
    convolution.outputShape.columns = static_cast<std::uint32_t>(arguments.columns.output);
    convolution.rows = forwardPlans(arguments.rows);
    convolution.columns = forwardPlans(arguments.columns);
    return call.settle(0, convolution.outputShape.dimensions(arguments.isNchw));
}

/// What the four convolutions have in common up to the shapes of input and filter.
JobStatus readConvolution(OperatorCall& call, const WindowForm& form,
                          std::uint32_t channelDimension, WindowArguments& arguments,
                          ImageShape& inputShape) {
    constexpr std::size_t kMostInputs = 14;
    VNPU_TRY(call.requireOperands(form.first, kMostInputs, 1, form.first));
    VNPU_TRY(requireFilter(
            call, {.rank = 4, .channelDimension = channelDimension, .mayBePerChannel = true}));
    VNPU_TRY(readWindowArguments(call, form, arguments));
    return readImageShape(call, kInput, arguments.isNchw, inputShape);
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
    Convolution convolution;
    setShapes(call, inputShape, filter[0], arguments, convolution);
    VNPU_TRY(settleForward(call, arguments, convolution));
    return compute(call, convolution, ProductKind::kGroups, arguments.isNchw, arguments.activation);
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
    Convolution convolution;
    setShapes(call, inputShape, filter[3], arguments, convolution);
    VNPU_TRY(settleForward(call, arguments, convolution));
    return compute(call, convolution, ProductKind::kDepthwise, arguments.isNchw,
                   arguments.activation);
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
    Convolution convolution;
    convolution.groups = groups;
    setShapes(call, inputShape, filter[0], arguments, convolution);
    VNPU_TRY(settleForward(call, arguments, convolution));
    return compute(call, convolution, ProductKind::kGroups, arguments.isNchw, arguments.activation);
}

/// The output's extents as the operand gives them, and the paddings by which a convolution over
/// that output would give the input.
JobStatus readTransposedShape(OperatorCall& call, const ImageShape& expected,
                              WindowArguments& arguments) {
    const auto values = call.input(kOutputShape).values<std::int32_t>();
    const auto at = [&](std::size_t nhwc, std::size_t nchw) {
        return std::int64_t{values[arguments.isNchw ? nchw : nhwc]};
    };
    if (at(0, 0) != expected.batches || at(3, 1) != expected.channels || at(1, 2) < 1 ||
        at(2, 3) < 1) {
        return call.refuse(fmt::format(
                "input 3 (output shape) is {}, {}, {}, {}, expected {} "
                "batches, {} channels and no extent below 1",
                values[0], values[1], values[2], values[3], expected.batches, expected.channels));
    }
    arguments.rows.output = at(1, 2);
    arguments.columns.output = at(2, 3);
    if (arguments.scheme == PaddingScheme::kSame) {
        padSame(arguments.rows.output, arguments.rows);
        padSame(arguments.columns.output, arguments.columns);
    }
    return JobStatus::kOk;
}

JobStatus settleTransposed(OperatorCall& call, WindowArguments& arguments,
                           Convolution& convolution) {
    if (arguments.scheme != PaddingScheme::kExplicit) {
        VNPU_TRY(readTransposedShape(call, convolution.outputShape, arguments));
    } else {
        for (WindowAxis* axis : {&arguments.rows, &arguments.columns}) {
            axis->output =
                    (axis->input - 1) * axis->stride + axis->window - axis->padHead - axis->padTail;
            if (axis->output < 1 || axis->output > std::numeric_limits<std::int32_t>::max()) {
                return call.refuse(fmt::format("output has an extent of {}", axis->output));
            }
        }
    }
    convolution.outputShape.rows = static_cast<std::uint32_t>(arguments.rows.output);
    convolution.outputShape.columns = static_cast<std::uint32_t>(arguments.columns.output);
    convolution.rows = transposedPlans(arguments.rows);
    convolution.columns = transposedPlans(arguments.columns);
    return call.settle(0, convolution.outputShape.dimensions(arguments.isNchw));
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
    Convolution convolution;
    setShapes(call, inputShape, filter[0], arguments, convolution);
    VNPU_TRY(settleTransposed(call, arguments, convolution));
    return compute(call, convolution, ProductKind::kGroups, arguments.isNchw, arguments.activation);
}

/// A 1 x 1 convolution of a row of pixels, one for each batch.
JobStatus fullyConnected(OperatorCall& call) {
    FusedActivation activation{};
    VNPU_TRY(call.requireOperands(4, 4, 1, 4));
    VNPU_TRY(requireFilter(call, {.rank = 2}));
    VNPU_TRY(readActivation(call, 3, activation));
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
    Convolution convolution;
    convolution.inputShape = {.batches = 1, .rows = 1, .columns = batches, .channels = filter[1]};
    convolution.outputShape = {.batches = 1, .rows = 1, .columns = batches, .channels = filter[0]};
    convolution.rows = forwardPlans({.input = 1, .window = 1, .output = 1});
    convolution.columns = forwardPlans({.input = batches, .window = 1, .output = batches});
    return compute(call, convolution, ProductKind::kGroups, false, activation);
}

constexpr OperatorEntry kConvolutionEntries[] = {{Operator::kConv2d, conv2d},
                                                 {Operator::kDepthwiseConv2d, depthwiseConv2d},
                                                 {Operator::kGroupedConv2d, groupedConv2d},
                                                 {Operator::kTransposeConv2d, transposeConv2d},
                                                 {Operator::kFullyConnected, fullyConnected}};

}  // namespace

std::span<const OperatorEntry> convolutionOperators() {
    return kConvolutionEntries;
}

}  // namespace vnpu::hw::kernels
