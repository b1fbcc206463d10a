// SPDX-License-Identifier: Apache-2.0
// Operators that take elements at places that indices name.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/gathering.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/reduction.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Binary;
using graph::Unary;

/// Indices counted from the front; folded where they are constant.
Value fromFront(Context& context, const Value& indices, std::uint32_t extent) {
    const Real at(context.emitter(), indices);
    if (indices.isConstant()) {
        for (const std::int64_t index : graph::integersOf(indices, "indices")) {
            if (index >= std::int64_t{extent} || index < -std::int64_t{extent}) {
                context.refuse(fmt::format("index {} of {} elements", index, extent));
            }
        }
    }
    return at.with(Binary::kLess, 0.0).choose(at + extent, at).value();
}

void importGather(Context& context) {
    const Dims dims = context.dims(0);
    const std::uint32_t axis = context.axis(0, dims.size());
    const Value indices = fromFront(context, context.number(1), dims[axis]);
    context.out(0, graph::gather(context.emitter(), context.in(0), indices, axis), context.type(0));
}

/// Places in the flattened tensor: index times stride along the axis, plus a constant for the other
/// dimensions.
void importGatherElements(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Dims dims = context.dims(0), places = context.dims(1);
    const std::uint32_t axis = context.axis(0, dims.size());
    if (places.size() != dims.size()) {
        context.refuse("indices and data differ in their number of dimensions");
    }
    std::vector<std::int32_t> base(elementCount(places));
    for (std::size_t i = 0; i < base.size(); ++i) {
        std::size_t rest = i, stride = 1;
        for (std::size_t k = dims.size(); k-- > 0;) {
            const std::size_t position = rest % places[k];
            if (k != axis && position >= dims[k]) {
                context.refuse("the indices are larger than the data");
            }
            base[i] += k == axis ? 0 : static_cast<std::int32_t>(position * stride);
            rest /= places[k];
            stride *= dims[k];
        }
    }
    const std::uint32_t stride =
            std::accumulate(dims.begin() + axis + 1, dims.end(), 1U, std::multiplies<>());
    const Real index(emitter, fromFront(context, context.number(1), dims[axis]));
    const Value flat =
            (index * stride + Real(emitter, graph::integerConstant(places, base))).value();
    const Value data = graph::reshape(emitter, context.in(0),
                                      {static_cast<std::uint32_t>(elementCount(dims))});
    context.out(0, graph::gather(emitter, data, flat, 0), context.type(0));
}

/// Common leading dimensions become one more index.
void importGatherNd(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Dims dims = context.dims(0);
    const auto batches = static_cast<std::size_t>(context.integer("batch_dims", 0));
    Value indices = context.number(1);
    if (indices.rank() == 0 || batches >= indices.rank() || batches >= dims.size()) {
        context.refuse("the indices have too few dimensions");
    }
    const std::uint32_t depth = indices.dims.back();
    if (depth == 0 || batches + depth > dims.size()) {
        context.refuse(fmt::format("{} indices for {} dimensions", depth, dims.size()));
    }
    std::vector<Value> parts;
    for (std::uint32_t i = 0; i < batches; ++i) {
        Dims column = indices.dims;
        column.back() = 1;
        Dims line(indices.rank(), 1);
        line[i] = dims[i];
        std::vector<std::int32_t> numbers(dims[i]);
        std::iota(numbers.begin(), numbers.end(), 0);
        parts.push_back(graph::broadcastTo(emitter, graph::integerConstant(line, numbers), column));
    }
    for (std::uint32_t i = 0; i < depth; ++i) {
        const Value column = graph::sliceAxis(emitter, indices,
                                              static_cast<std::uint32_t>(indices.rank() - 1), i, 1);
        parts.push_back(fromFront(context, column, dims[batches + i]));
    }
    indices = parts.size() == 1 ? parts[0]
                                : graph::concatenate(emitter, parts,
                                                     static_cast<std::uint32_t>(indices.rank() - 1),
                                                     graph::kInteger);
    context.out(0, graph::gatherNd(emitter, context.in(0), indices), context.type(0));
}

/// The second of the two values where the position is the index, else the first.
void importOneHot(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const double count = context.scalar(1, "the depth");
    if (!(count >= 1 && count <= 1 << 20)) {
        context.refuse(fmt::format("a depth of {}", count));
    }
    const auto depth = static_cast<std::uint32_t>(count);
    Value indices = context.number(0);
    if (indices.form.isReal()) {
        indices = graph::cast(emitter, indices, graph::kInteger);
    }
    const std::uint32_t axis = context.axis(-1, indices.rank() + 1);
    Dims raised = indices.dims, line(indices.rank() + 1, 1);
    raised.insert(raised.begin() + axis, 1);
    line[axis] = depth;
    std::vector<std::int32_t> numbers(depth);
    std::iota(numbers.begin(), numbers.end(), 0);
    Real at(emitter, graph::reshape(emitter, indices, raised));
    at = at.with(Binary::kLess, 0.0).choose(at + depth, at);
    const Real isHit =
            at.with(Binary::kEqual, Real(emitter, graph::integerConstant(line, numbers)));
    const Value values = context.number(2);
    if (values.count() != 2) {
        context.refuse("values, expected two: off and on");
    }
    const auto pick = [&](std::uint32_t i) {
        return graph::reshape(emitter, graph::sliceAxis(emitter, values, 0, i, 1), {});
    };
    context.outNumber(0, isHit.choose({emitter, pick(1)}, {emitter, pick(0)}).value(),
                      context.type(2));
}

void importTopK(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Dims dims = context.dims(0);
    const std::uint32_t axis = context.axis(-1, dims.size());
    const std::int64_t k =
            context.has(1) ? context.integers(1, "k").at(0) : context.integer("k", 0);
    if (k < 1 || k > dims[axis]) {
        context.refuse(fmt::format("the {} greatest of {}", k, dims[axis]));
    }
    const bool isGreatest = context.integer("largest", 1) != 0;
    std::vector<std::uint32_t> order(dims.size());
    std::iota(order.begin(), order.end(), 0U);
    std::swap(order[axis], order.back());
    Real value(emitter, graph::transpose(emitter, context.number(0), order));
    if (!isGreatest) {
        value = value.of(Unary::kNeg);
    }
    const auto found = graph::topK(emitter, value.value(), static_cast<std::uint32_t>(k));
    Real best(emitter, found[0]);
    best = isGreatest ? best : best.of(Unary::kNeg);
    context.outNumber(0, graph::transpose(emitter, best.value(), order), context.type(0));
    context.out(1, graph::transpose(emitter, found[1], order), ElementType::kInt64);
}

/// The condition must be a constant.
void importCompress(Context& context) {
    graph::Emitter& emitter = context.emitter();
    Value data = context.in(0);
    std::uint32_t axis = 0;
    if (context.hasAttribute("axis")) {
        axis = context.axis(0, data.rank());
    } else {
        data = graph::reshape(emitter, data, {static_cast<std::uint32_t>(data.count())});
    }
    std::vector<std::int32_t> places;
    const std::vector<double> condition = context.reals(1, "the condition");
    for (std::size_t i = 0; i < condition.size(); ++i) {
        if (condition[i] != 0.0) {
            if (i >= data.dims[axis]) {
                context.refuse("the condition is longer than the data");
            }
            places.push_back(static_cast<std::int32_t>(i));
        }
    }
    const Value indices =
            graph::integerConstant({static_cast<std::uint32_t>(places.size())}, places);
    context.out(0, graph::gather(emitter, data, indices, axis), context.type(0));
}

/// The tensor must be a constant.
void importNonZero(Context& context) {
    const Dims dims = context.dims(0);
    const std::vector<double> values =
            context.reals(0, "the input, on which the result's shape depends");
    std::vector<std::vector<std::int32_t>> places(dims.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::size_t rest = i;
        for (std::size_t k = dims.size(); values[i] != 0.0 && k-- > 0;) {
            places[k].push_back(static_cast<std::int32_t>(rest % dims[k]));
            rest /= dims[k];
        }
    }
    std::vector<std::int32_t> all;
    for (const auto& row : places) {
        all.insert(all.end(), row.begin(), row.end());
    }
    const auto count = static_cast<std::uint32_t>(places.empty() ? 0 : places[0].size());
    context.out(0, graph::integerConstant({static_cast<std::uint32_t>(dims.size()), count}, all),
                ElementType::kInt64);
}

constexpr Operator kIndexing[] = {
        {"Compress", 9, Status::kComposed, "GATHER, where the condition is constant",
         importCompress},
        {"Gather", 1, Status::kImported, "GATHER", importGather},
        {"GatherElements", 11, Status::kComposed, "MUL, ADD, GATHER", importGatherElements},
        {"GatherND", 11, Status::kComposed, "MUL, ADD, GATHER", importGatherNd},
        {"NonZero", 9, Status::kFolded, "of a constant", importNonZero},
        {"OneHot", 9, Status::kComposed, "EQUAL, SELECT", importOneHot},
        {"TopK", 1, Status::kImported, "TOPK_V2", importTopK},
};

}  // namespace

std::span<const Operator> indexingOperators() {
    return kIndexing;
}

}  // namespace vnpu::sim::onnx
