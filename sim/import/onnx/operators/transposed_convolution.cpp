// SPDX-License-Identifier: Apache-2.0
// Transposed convolutions: the whole sum is computed, and the wanted part cut out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/convolution.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/windows.h"

namespace vnpu::sim::onnx {

namespace {

/// One dimension of a transposed convolution: what is cut off in front, and the extent of the
/// output.
struct Spread {
    std::int64_t before = 0, output = 0;
};

std::vector<Spread> spreadsOf(Context& context, const Kernel& kernel, const Dims& spatial) {
    std::vector<std::int64_t> extra = context.list("output_padding"),
                              shape = context.list("output_shape");
    extra.resize(extra.empty() ? spatial.size() : extra.size(), 0);
    if (shape.size() > spatial.size()) {
        shape.erase(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(spatial.size()));
    }
    if (extra.size() != spatial.size() || (!shape.empty() && shape.size() != spatial.size())) {
        context.refuse("output_padding or output_shape has another number of dimensions");
    }
    const std::string automatic = context.text("auto_pad", "NOTSET");
    const bool isSame = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    std::vector<Spread> spreads;
    for (std::size_t i = 0; i < spatial.size(); ++i) {
        const std::int64_t full =
                (std::int64_t{spatial[i]} - 1) * kernel.stride[i] + kernel.reach(i) + extra[i];
        Spread spread{kernel.before[i], full - kernel.before[i] - kernel.after[i]};
        if (!shape.empty() || isSame) {
            spread.output = shape.empty() ? spatial[i] * kernel.stride[i] : shape[i];
            const std::int64_t total = std::max<std::int64_t>(full - spread.output, 0);
            spread.before = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
        }
        if (spread.output < 1 || spread.output > 1 << 20 || extra[i] < 0 || extra[i] > 1 << 16) {
            context.refuse(fmt::format("an output of {} elements", spread.output));
        }
        spreads.push_back(spread);
    }
    return spreads;
}

/// The weights with zeros between the elements of the window.
Value dilated(Context& context, Value weights, const Kernel& kernel) {
    for (std::size_t i = 0; i < kernel.rank(); ++i) {
        if (kernel.dilation[i] == 1) {
            continue;
        }
        graph::Emitter& emitter = context.emitter();
        const std::uint32_t axis = static_cast<std::uint32_t>(i + 1);
        std::vector<Value> parts;
        for (std::uint32_t k = 0; k < weights.dims[axis]; ++k) {
            parts.push_back(graph::sliceAxis(emitter, weights, axis, k, 1));
            Dims gap = parts[0].dims;
            gap[axis] = static_cast<std::uint32_t>(kernel.dilation[i] - 1);
            if (k + 1 < weights.dims[axis]) {
                parts.push_back(graph::filled(weights.form, gap, 0.0));
            }
        }
        weights = graph::concatenate(emitter, parts, axis, weights.form);
    }
    return weights;
}

/// The sum over all windows without cuts. The result is a part of it, or larger.
Value spreadOut(Context& context, const Value& input, const Value& weights, const Kernel& kernel) {
    graph::Window window;
    const std::size_t rank = kernel.rank();
    std::array<std::uint32_t, 2> size = {1, 1};
    for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t to = i + 2 - rank;
        window.stride[to] = kernel.stride[i];
        size[to] = static_cast<std::uint32_t>((input.dims[to + 1] - 1) * kernel.stride[i] +
                                              kernel.reach(i));
    }
    return graph::transposeConv2d(context.emitter(), input, weights, std::nullopt, window, size,
                                  graph::Clamp::kNone, graph::kReal);
}

/// Over three dimensions: every element of the window's depth spreads each input plane to its own
/// output planes.
Value spreadDeep(Context& context, const Value& input, const Value& weights, Kernel kernel) {
    graph::Emitter& emitter = context.emitter();
    const std::int64_t depth = kernel.size[0], dilation = kernel.dilation[0],
                       stride = kernel.stride[0];
    const std::uint32_t planes = input.dims[1];
    Kernel flat = kernel;
    for (auto* list : {&flat.size, &flat.stride, &flat.dilation, &flat.before, &flat.after}) {
        list->erase(list->begin());
    }
    const std::int64_t total = (std::int64_t{planes} - 1) * stride + kernel.reach(0);
    std::vector<std::optional<Value>> results(static_cast<std::size_t>(total));
    const Value images = depthSlices(context, input, 0, 1, planes);
    for (std::int64_t k = 0; k < depth; ++k) {
        const Value plane =
                graph::sliceAxis(emitter, weights, 1, static_cast<std::uint32_t>(k * dilation), 1);
        const Value filter = graph::reshape(
                emitter, plane, {plane.dims[0], plane.dims[2], plane.dims[3], plane.dims[4]});
        const Value part = spreadOut(context, images, filter, flat);
        const Value deep = graph::reshape(
                emitter, part, {input.dims[0], planes, part.dims[1], part.dims[2], part.dims[3]});
        for (std::uint32_t d = 0; d < planes; ++d) {
            const Value one = graph::sliceAxis(emitter, deep, 1, d, 1);
            auto& result = results[static_cast<std::size_t>(d * stride + k * dilation)];
            result =
                    result ? graph::binary(emitter, graph::Binary::kAdd, *result, one, graph::kReal)
                           : one;
        }
    }
    std::vector<Value> parts;
    parts.reserve(results.size());
    const auto present = std::find_if(results.begin(), results.end(),
                                      [](const auto& result) { return result.has_value(); });
    for (const auto& result : results) {
        parts.push_back(result ? *result : graph::filled(graph::kReal, (*present)->dims, 0.0));
    }
    return graph::concatenate(emitter, parts, 1, graph::kReal);
}

void importConvTranspose(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Value input = graph::toReal(emitter, context.last(0));
    const Value weights = context.real(1);  // input x output of a group x spatial
    const std::size_t rank = input.rank();
    if (weights.rank() != rank || rank < 3 || weights.dims[0] != input.dims.back()) {
        context.refuse(fmt::format("weights {} for an input of {} dimensions",
                                   describeDimensions(weights.dims), rank));
    }
    const Dims spatial(input.dims.begin() + 1, input.dims.end() - 1);
    Kernel kernel = kernelOf(context, {weights.dims.begin() + 2, weights.dims.end()}, spatial);
    const std::vector<Spread> spreads = spreadsOf(context, kernel, spatial);
    const auto groups = static_cast<std::uint32_t>(
            std::clamp<std::int64_t>(context.integer("group", 1), 1, weights.dims[0]));
    if (weights.dims[0] % groups != 0) {
        context.refuse(fmt::format("{} groups of {} channels", groups, weights.dims[0]));
    }
    std::vector<std::uint32_t> order(rank);  // output x spatial x input
    std::iota(order.begin(), order.end(), 1U);
    order.back() = 0;
    const std::uint32_t share = weights.dims[0] / groups;
    std::vector<Value> parts;
    for (std::uint32_t group = 0; group < groups; ++group) {
        const Value filter =
                dilated(context,
                        graph::transpose(
                                emitter,
                                graph::sliceAxis(emitter, weights, 0, group * share, share), order),
                        kernel);
        Value part = graph::sliceAxis(emitter, input, static_cast<std::uint32_t>(rank - 1),
                                      group * share, share);
        if (rank == 5) {
            parts.push_back(spreadDeep(context, part, filter, kernel));
            continue;
        }
        const Value image =
                rank == 3 ? graph::reshape(emitter, filter,
                                           {filter.dims[0], 1, filter.dims[1], filter.dims[2]})
                          : filter;
        part = spreadOut(context, asImage(context, part), image, kernel);
        parts.push_back(rank == 3 ? graph::reshape(emitter, part,
                                                   {part.dims[0], part.dims[2], part.dims[3]})
                                  : part);
    }
    Value result = groups == 1
                           ? parts[0]
                           : graph::concatenate(emitter, parts,
                                                static_cast<std::uint32_t>(rank - 1), graph::kReal);
    std::vector<std::int64_t> none(rank, 0), missing(rank, 0);
    graph::SliceSpec cut{std::vector<std::int64_t>(rank, 0), std::vector<std::int64_t>(rank, 1),
                         result.dims};
    for (std::size_t i = 0; i < spreads.size(); ++i) {
        const std::int64_t left = result.dims[i + 1] - spreads[i].before;
        cut.begin[i + 1] = spreads[i].before;
        cut.count[i + 1] = static_cast<std::uint32_t>(
                std::clamp<std::int64_t>(spreads[i].output, 0, std::max<std::int64_t>(left, 0)));
        missing[i + 1] = spreads[i].output - cut.count[i + 1];
    }
    result = graph::pad(emitter, graph::slice(emitter, result, cut), none, missing, 0.0);
    if (context.has(2)) {
        result = graph::binary(emitter, graph::Binary::kAdd, result, context.real(2), graph::kReal);
    }
    context.outLast(0, result, context.type(0));
}

constexpr Operator kTransposedConvolution[] = {
        {"ConvTranspose", 1, Status::kImported, "TRANSPOSE_CONV_2D, SLICE", importConvTranspose},
};

}  // namespace

std::span<const Operator> transposedConvolutionOperators() {
    return kTransposedConvolution;
}

}  // namespace vnpu::sim::onnx
