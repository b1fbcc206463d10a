// SPDX-License-Identifier: Apache-2.0
// Operators that write elements to places that constant indices name. NNAPI has none: each element
// of the result is taken from the data or the updates, or a sum or product of both.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/gathering.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Binary;

/// `places[i]` is where element i of the updates goes in the flattened data.
void scatter(Context& context, const std::vector<std::int32_t>& places) {
    graph::Emitter& emitter = context.emitter();
    const Dims dims = context.dims(0);
    const auto count = static_cast<std::uint32_t>(elementCount(dims));
    const std::string reduction = context.text("reduction", "none");
    const std::map<std::string, Binary> kReductions = {{"add", Binary::kAdd},
                                                       {"mul", Binary::kMul},
                                                       {"max", Binary::kMaximum},
                                                       {"min", Binary::kMinimum}};
    Value result = graph::reshape(emitter, context.number(0), {count});
    const Value updates =
            graph::reshape(emitter, context.number(2), {static_cast<std::uint32_t>(places.size())});
    if (places.empty() || count == 0) {
        context.outNumber(0, graph::reshape(emitter, result, dims), context.type(0));
        return;
    }
    if (reduction != "none" && !kReductions.contains(reduction)) {
        context.refuse(fmt::format("reduction {}", reduction));
    }
    // Each round takes at most one update for a place. Without a reduction the last update counts.
    std::vector<bool> isDone(places.size(), false);
    std::size_t left = places.size();
    while (left > 0) {
        std::vector<std::int32_t> from(count);
        std::iota(from.begin(), from.end(), 0);
        std::vector<bool> isTaken(count, false);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto place = static_cast<std::size_t>(places[i]);
            if (isDone[i] || (reduction != "none" && isTaken[place])) {
                continue;
            }
            from[place] = static_cast<std::int32_t>(count + i);
            isTaken[place] = isDone[i] = true;
            --left;
        }
        const Value map = graph::integerConstant({count}, from);
        if (reduction == "none") {
            result = graph::gather(emitter,
                                   graph::concatenate(emitter, {result, updates}, 0, result.form),
                                   map, 0);
            continue;
        }
        const Binary op = kReductions.at(reduction);
        const bool isSum = op == Binary::kAdd || op == Binary::kMul;
        const Value neutral =
                isSum ? graph::filled(result.form, {count}, op == Binary::kAdd ? 0.0 : 1.0)
                      : result;
        const Value round = graph::gather(
                emitter, graph::concatenate(emitter, {neutral, updates}, 0, result.form), map, 0);
        result = graph::binary(emitter, op, result, round, result.form);
    }
    context.outNumber(0, graph::reshape(emitter, result, dims), context.type(0));
}

std::int64_t placeOf(Context& context, std::int64_t index, std::uint32_t extent) {
    if (index < -std::int64_t{extent} || index >= std::int64_t{extent}) {
        context.refuse(fmt::format("index {} of {} elements", index, extent));
    }
    return index < 0 ? index + extent : index;
}

void importScatterElements(Context& context) {
    const Dims dims = context.dims(0), shape = context.dims(1);
    const std::uint32_t axis = context.axis(0, dims.size());
    const auto indices = context.integers(1, "the indices");
    if (shape.size() != dims.size() || context.dims(2) != shape) {
        context.refuse("data, indices and updates differ in their dimensions");
    }
    std::vector<std::int32_t> places(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
        std::size_t rest = i, stride = 1;
        std::int64_t place = 0;
        for (std::size_t k = dims.size(); k-- > 0;) {
            const auto position = static_cast<std::int64_t>(rest % shape[k]);
            place += placeOf(context, k == axis ? indices[i] : position, dims[k]) *
                     static_cast<std::int64_t>(stride);
            rest /= shape[k];
            stride *= dims[k];
        }
        places[i] = static_cast<std::int32_t>(place);
    }
    scatter(context, places);
}

void importScatterNd(Context& context) {
    const Dims dims = context.dims(0), shape = context.dims(1);
    const auto indices = context.integers(1, "the indices");
    if (shape.empty() || shape.back() > dims.size() || shape.back() == 0) {
        context.refuse("the indices have too few or too many dimensions");
    }
    const std::size_t depth = shape.back();
    const std::uint32_t inner = std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(depth),
                                                dims.end(), 1U, std::multiplies<>());
    const std::size_t rows = indices.size() / depth;
    if (elementCount(context.dims(2)) != std::uint64_t{rows} * inner) {
        context.refuse("the updates have another number of elements than the indices name");
    }
    std::vector<std::int32_t> places;
    for (std::size_t row = 0; row < rows; ++row) {
        std::int64_t place = 0;
        for (std::size_t k = 0; k < depth; ++k) {
            place = place * dims[k] + placeOf(context, indices[row * depth + k], dims[k]);
        }
        for (std::uint32_t i = 0; i < inner; ++i) {
            places.push_back(static_cast<std::int32_t>(place * inner + i));
        }
    }
    scatter(context, places);
}

/// Indices name places in the unpooled tensor.
void importMaxUnpool(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Dims from = context.dims(0);
    const auto kernel = context.list("kernel_shape");
    std::vector<std::int64_t> strides = context.list("strides"), pads = context.list("pads");
    const std::size_t spatial = from.size() - std::min<std::size_t>(from.size(), 2);
    strides.resize(strides.empty() ? spatial : strides.size(), 1);
    pads.resize(pads.empty() ? spatial * 2 : pads.size(), 0);
    if (kernel.size() != spatial || strides.size() != spatial || pads.size() != spatial * 2) {
        context.refuse("kernel, strides and pads do not fit the input");
    }
    Dims natural = from;  // the size that the indices count in
    for (std::size_t i = 0; i < spatial; ++i) {
        const std::int64_t extent = (std::int64_t{from[i + 2]} - 1) * strides[i] + kernel[i] -
                                    pads[i] - pads[i + spatial];
        if (extent < 1 || extent > 1 << 20) {
            context.refuse(fmt::format("a dimension of {}", extent));
        }
        natural[i + 2] = static_cast<std::uint32_t>(extent);
    }
    Dims dims = natural;
    if (context.has(2)) {
        const auto shape = context.integers(2, "the output's shape");
        dims = graph::resolveShape(
                {static_cast<std::uint32_t>(std::accumulate(shape.begin(), shape.end(),
                                                            std::int64_t{1}, std::multiplies<>()))},
                shape);
        if (dims.size() != from.size()) {
            context.refuse("the output's shape has another number of dimensions");
        }
    }
    const auto indices = context.integers(1, "the indices");
    const auto count = static_cast<std::uint32_t>(elementCount(dims));
    std::vector<std::int32_t> map(count, 0);  // element 0 of the joined values is zero
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] < 0) {
            context.refuse("a negative index");
        }
        auto rest = static_cast<std::uint64_t>(indices[i]);
        std::uint64_t place = 0, stride = 1;
        for (std::size_t k = dims.size(); k-- > 0;) {
            place += rest % natural[k] * stride;
            rest /= natural[k];
            stride *= dims[k];
        }
        if (place >= count || rest != 0) {
            context.refuse(fmt::format("index {} is outside of the output", indices[i]));
        }
        map[place] = static_cast<std::int32_t>(i + 1);
    }
    const Value values =
            graph::reshape(emitter, context.real(0), {static_cast<std::uint32_t>(indices.size())});
    const Value joined = graph::concatenate(emitter, {graph::realConstant({1}, {0.0F}), values}, 0,
                                            graph::kReal);
    const Value flat = graph::gather(emitter, joined, graph::integerConstant({count}, map), 0);
    context.out(0, graph::reshape(emitter, flat, dims), context.type(0));
}

constexpr Operator kScatter[] = {
        {"MaxUnpool", 9, Status::kComposed, "CONCATENATION, GATHER; with constant indices",
         importMaxUnpool},
        {"Scatter", 9, Status::kComposed, "CONCATENATION, GATHER; with constant indices",
         importScatterElements},
        {"ScatterElements", 11, Status::kComposed,
         "CONCATENATION, GATHER, ADD; with constant indices", importScatterElements},
        {"ScatterND", 11, Status::kComposed, "CONCATENATION, GATHER, ADD; with constant indices",
         importScatterNd},
};

}  // namespace

std::span<const Operator> scatterOperators() {
    return kScatter;
}

}  // namespace vnpu::sim::onnx
