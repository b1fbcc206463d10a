// SPDX-License-Identifier: Apache-2.0
// Convolutions over one to three dimensions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/convolution.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/operators/weights.h"
#include "sim/import/onnx/operators/windows.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Binary;
using graph::Clamp;

Value reshapeWeights(Context& context, const Value& weights, const Dims& dims,
                     std::uint32_t channelDimension) {
    if (weights.channelScales.empty()) {
        return graph::reshape(context.emitter(), weights, dims);
    }
    Value shaped = weights;
    shaped.dims = dims;
    shaped.channelDimension = channelDimension;
    return shaped;
}

/// The operands of a convolution: input batch x height x width x channels, weights output x height
/// x width x input of a group.
struct Sum {
    Value input, weights;
    std::optional<Value> bias;
    std::int64_t groups = 1;
};

Value convolve(Context& context, const Sum& sum, const graph::Window& window, Clamp clamp,
               const Form& form) {
    graph::Emitter& emitter = context.emitter();
    const std::uint32_t channels = sum.input.dims[3], outputs = sum.weights.dims[0];
    const std::optional<Value> bias = biasFor(sum.input, sum.weights, sum.bias, form);
    if (sum.groups > 1 && sum.groups == channels && outputs % channels == 0) {
        const Value weights = moveWeights(context, sum.weights, {3, 1, 2, 0});
        return graph::depthwiseConv2d(emitter, sum.input, weights, bias, window, clamp, form);
    }
    return graph::conv2d(emitter, sum.input, sum.weights, bias, window, clamp, form);
}

/// Over three dimensions: one two-dimensional convolution for each element of the window's depth,
/// and their sum.
Value convolveDeep(Context& context, const Sum& sum, const Kernel& kernel, Clamp clamp) {
    graph::Emitter& emitter = context.emitter();
    const std::uint32_t places = placesOf(kernel, 0, sum.input.dims[1]);
    const std::vector<std::int64_t> before = {0, kernel.before[0], 0, 0, 0},
                                    after = {0, kernel.after[0], 0, 0, 0};
    const Value input = graph::pad(emitter, graph::toReal(emitter, sum.input), before, after, 0.0);
    const Value weights = graph::toReal(emitter, sum.weights);
    std::optional<Value> total;
    for (std::int64_t k = 0; k < kernel.size[0]; ++k) {
        Sum part{depthSlices(context, input, k * kernel.dilation[0], kernel.stride[0], places),
                 {},
                 {},
                 sum.groups};
        Value plane = graph::sliceAxis(emitter, weights, 1, static_cast<std::uint32_t>(k), 1);
        part.weights = graph::reshape(emitter, plane,
                                      {plane.dims[0], plane.dims[2], plane.dims[3], plane.dims[4]});
        part.bias = k == 0 ? sum.bias : std::nullopt;
        const Value product = convolve(context, part, windowOf(kernel), Clamp::kNone, graph::kReal);
        total = total ? graph::binary(emitter, Binary::kAdd, *total, product, graph::kReal)
                      : product;
    }
    const Value result = graph::clamp(emitter, *total, clamp);
    return graph::reshape(
            emitter, result,
            {sum.input.dims[0], places, result.dims[1], result.dims[2], result.dims[3]});
}

/// Scale and offset of a following BatchNormalization with constants become part of weights and
/// bias.
const Node* absorbNormalization(Context& context, Value& weights, std::optional<Value>& bias) {
    const Node* next = context.graph().onlyUser(context.node().outputs[0]);
    if (next == nullptr || next->type != "BatchNormalization" || !next->domain.empty() ||
        next->inputs.size() != 5 || next->inputs[0] != context.node().outputs[0] ||
        !weights.isConstant() || !weights.form.isReal() ||
        (bias && (!bias->isConstant() || !bias->form.isReal())) || next->outputs.size() != 1) {
        return nullptr;
    }
    std::vector<double> parameters[4];
    for (std::size_t i = 0; i < 4; ++i) {
        const Value* value = context.constantOf(next->inputs[i + 1]);
        if (value == nullptr || value->count() != weights.dims[0]) {
            return nullptr;
        }
        parameters[i] = graph::realsOf(*value);
    }
    const auto epsilon = next->attributes.find("epsilon");
    const double floor = epsilon == next->attributes.end() ? 1e-5 : double{epsilon->second.number};
    std::vector<double> numbers = graph::realsOf(weights);
    std::vector<double> offsets =
            bias ? graph::realsOf(*bias) : std::vector<double>(weights.dims[0], 0.0);
    const std::size_t size = numbers.size() / weights.dims[0];
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const double factor = parameters[0][i] / std::sqrt(parameters[3][i] + floor);
        offsets[i] = (offsets[i] - parameters[2][i]) * factor + parameters[1][i];
        std::for_each_n(numbers.begin() + static_cast<std::ptrdiff_t>(i * size), size,
                        [&](double& number) { number *= factor; });
    }
    weights = graph::constantFrom(graph::kReal, weights.dims, numbers);
    bias = graph::constantFrom(graph::kReal, {weights.dims[0]}, offsets);
    return next;
}

/// Input channels last, weights output x input x spatial as the file has them.
Value convolution(Context& context, const Value& input, const Value& weights,
                  const std::optional<Value>& bias, Clamp clamp, const Form& form) {
    const std::size_t rank = input.rank();
    if (weights.rank() != rank || rank < 3) {
        context.refuse(fmt::format("weights {} for an input of {} dimensions",
                                   describeDimensions(weights.dims), rank));
    }
    const Dims spatial(input.dims.begin() + 1, input.dims.end() - 1);
    Dims size(weights.dims.begin() + 2, weights.dims.end());
    const Kernel kernel = kernelOf(context, {size.begin(), size.end()}, spatial);
    const std::int64_t groups = context.integer("group", 1);
    if (groups < 1 || input.dims.back() != weights.dims[1] * static_cast<std::uint64_t>(groups) ||
        weights.dims[0] % groups != 0 ||
        !std::equal(kernel.size.begin(), kernel.size.end(), size.begin(), size.end())) {
        context.refuse(fmt::format("weights {} in {} groups for {} channels",
                                   describeDimensions(weights.dims), groups, input.dims.back()));
    }
    Sum sum{input, moveWeights(context, weights, toLastOrder(rank)), bias, groups};
    if (rank == 5) {
        return convolveDeep(context, sum, kernel, clamp);
    }
    if (rank == 3) {
        sum.input = asImage(context, input);
        sum.weights = reshapeWeights(context, sum.weights,
                                     {weights.dims[0], 1, size[0], weights.dims[1]}, 0);
    }
    const Value result = convolve(context, sum, windowOf(kernel), clamp, form);
    return rank == 4 ? result
                     : graph::reshape(context.emitter(), result,
                                      {result.dims[0], result.dims[2], result.dims[3]});
}

void importConv(Context& context) {
    const Value input = context.last(0);
    Value weights = context.in(1);
    std::optional<Value> bias = context.has(2) ? std::optional(context.in(2)) : std::nullopt;
    const Node* normalization =
            input.form.isReal() ? absorbNormalization(context, weights, bias) : nullptr;
    if (normalization != nullptr) {
        context.graph().passThrough(*normalization);
        // What follows the normalization is computed on its own: the target is that of the
        // convolution's result.
        context.outLast(0, convolution(context, input, weights, bias, Clamp::kNone, graph::kReal),
                        context.type(0));
        return;
    }
    const Target target = context.target(0, true);
    context.outTo(target, convolution(context, input, weights, bias, target.clamp, target.form),
                  context.type(0), true);
}

/// The form of an 8-bit input, from inputs with its scale and zero point, which must be single
/// constants.
Form quantizedForm(Context& context, std::size_t i) {
    Form form = formOf(context.type(i));
    form.scale = static_cast<float>(context.scalar(i + 1, "a scale"));
    form.zeroPoint = context.has(i + 2)
                             ? static_cast<std::int32_t>(context.scalar(i + 2, "a zero point"))
                             : 0;
    if (!(form.scale > 0.0F)) {
        context.refuse("a scale that is not positive");
    }
    return form;
}

/// In 8 bits where the weights have the type of the input or one scale per channel; else in
/// float32.
void importQLinearConv(Context& context) {
    graph::Emitter& emitter = context.emitter();
    Value input = graph::cast(emitter, context.last(0), quantizedForm(context, 0));
    Value weights = context.plain(3);
    const std::vector<double> scales = context.reals(4, "the scales of the weights");
    const std::vector<std::int64_t> zeros = context.integers(5, "the zero points of the weights");
    Form form = formOf(context.type(7));
    form.scale = static_cast<float>(context.scalar(6, "a scale"));
    form.zeroPoint = static_cast<std::int32_t>(context.scalar(7, "a zero point"));
    if (scales.size() == 1) {
        weights = graph::cast(emitter, weights,
                              {weights.form.type, static_cast<float>(scales[0]),
                               static_cast<std::int32_t>(zeros.at(0))});
    } else if (weights.isConstant() && context.type(3) == ElementType::kInt8 &&
               scales.size() == weights.dims[0] &&
               std::count(zeros.begin(), zeros.end(), 0) ==
                       static_cast<std::ptrdiff_t>(zeros.size())) {
        weights.channelScales.assign(scales.begin(), scales.end());
        weights.channelDimension = 0;
    } else {
        context.refuse("weights with a scale per channel that are not constant int8 around zero");
    }
    std::optional<Value> bias;
    if (context.has(8)) {
        std::vector<double> numbers = context.reals(8, "the bias");
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i] *= double{input.form.scale} * scales[scales.size() == 1 ? 0 : i];
        }
        bias = graph::constantFrom(graph::kReal, {static_cast<std::uint32_t>(numbers.size())},
                                   numbers);
    }
    const Value result = convolution(context, input, weights, bias, Clamp::kNone, form);
    context.outLast(0, graph::convert(emitter, result, form), context.type(7));
}

/// Sums of integers in float32, which is exact up to 2^24.
void importConvInteger(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const auto centered = [&](std::size_t i, const Value& value) {
        Real number(emitter, graph::cast(emitter, value, graph::kReal));
        return context.has(i) ? (number - context.scalar(i, "a zero point")).value()
                              : number.value();
    };
    context.note("integer sums of products are computed in float32, exactly up to 2^24");
    const Value input = centered(2, graph::cast(emitter, context.last(0), formOf(context.type(0))));
    const Value weights = centered(3, context.plain(1));
    const Value result =
            convolution(context, input, weights, std::nullopt, Clamp::kNone, graph::kReal);
    context.outLast(0, graph::cast(emitter, result, graph::kInteger), ElementType::kInt32);
}

constexpr Operator kConvolution[] = {
        {"Conv", 1, Status::kImported,
         "CONV_2D, DEPTHWISE_CONV_2D, GROUPED_CONV_2D; a sum of these over three dimensions",
         importConv},
        {"ConvInteger", 10, Status::kComposed, "CONV_2D in float32, CAST", importConvInteger},
        {"QLinearConv", 10, Status::kImported, "CONV_2D and the like in 8 bits", importQLinearConv},
};

}  // namespace

std::span<const Operator> convolutionOperators() {
    return kConvolution;
}

}  // namespace vnpu::sim::onnx
