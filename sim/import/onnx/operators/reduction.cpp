// SPDX-License-Identifier: Apache-2.0
// Operators that reduce dimensions, or run along one.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/gathering.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/normalization.h"
#include "sim/import/graph/reduction.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Binary;
using graph::Reduction;
using graph::Unary;

/// Without axes all dimensions are reduced, unless the operator says otherwise.
std::vector<std::uint32_t> reducedAxes(Context& context) {
    const std::size_t rank = context.rank(0);
    std::vector<std::uint32_t> axes = context.axes(1, rank);
    if (axes.empty() && context.integer("noop_with_empty_axes", 0) == 0) {
        axes.resize(rank);
        std::iota(axes.begin(), axes.end(), 0U);
    }
    return axes;
}

struct Steps {
    bool isSquared = false, isAbsolute = false, isExponential = false;
    Reduction reduction = Reduction::kSum;
    bool isRoot = false, isLogarithm = false;
};

void reduceWith(Context& context, const Steps& steps) {
    graph::Emitter& emitter = context.emitter();
    const ElementType type = context.type(0);
    const std::vector<std::uint32_t> axes = reducedAxes(context);
    const bool keepsDims = context.integer("keepdims", 1) != 0;
    const auto reduce = [&](Reduction op, const Value& value, bool keeps) {
        return graph::reduce(emitter, op, value, axes, keeps, value.form);
    };
    Real x(emitter, context.number(0));
    if (steps.isExponential) {  // less the greatest, which keeps the powers in range
        const Value most = reduce(Reduction::kMax, x.value(), true);
        const Real sum(emitter,
                       reduce(Reduction::kSum, (x - Real(emitter, most)).of(Unary::kExp).value(),
                              keepsDims));
        const Value shaped = graph::reshape(emitter, most, sum.value().dims);
        context.outNumber(0, (sum.of(Unary::kLog) + Real(emitter, shaped)).value(), type);
        return;
    }
    x = steps.isSquared ? x * x : steps.isAbsolute ? x.of(Unary::kAbs) : x;
    Real result(emitter, reduce(steps.reduction, x.value(), keepsDims));
    result = steps.isRoot        ? result.of(Unary::kSqrt)
             : steps.isLogarithm ? result.of(Unary::kLog)
                                 : result;
    context.outNumber(0, result.value(), type);
}

/// A mean over height and width in the order that the tensor has, in 8 bits where it is quantized.
void importReduceMean(Context& context) {
    const Held held = context.held(0);
    if (!isRealType(held.type)) {
        reduceWith(context, {.reduction = Reduction::kMean});
        return;
    }
    std::vector<std::uint32_t> axes = reducedAxes(context);
    const bool keepsDims = context.integer("keepdims", 1) != 0;
    const bool isSpatial =
            held.isChannelsLast &&
            std::count_if(axes.begin(), axes.end(), [](auto axis) { return axis < 2; }) == 0;
    const Target target = context.target();
    if (isSpatial && (keepsDims || axes.size() + 2 == held.value.rank())) {
        for (std::uint32_t& axis : axes) {
            --axis;
        }
        context.outTo(target,
                      graph::reduce(context.emitter(), Reduction::kMean, held.value, axes,
                                    keepsDims, target.form),
                      held.type, keepsDims);
        return;
    }
    context.outTo(target,
                  graph::reduce(context.emitter(), Reduction::kMean, context.in(0), axes, keepsDims,
                                target.form),
                  held.type);
}

void importReduceSum(Context& context) {
    reduceWith(context, {});
}
void importReduceMax(Context& context) {
    reduceWith(context, {.reduction = Reduction::kMax});
}
void importReduceMin(Context& context) {
    reduceWith(context, {.reduction = Reduction::kMin});
}
void importReduceProd(Context& context) {
    reduceWith(context, {.reduction = Reduction::kProd});
}
void importReduceL1(Context& context) {
    reduceWith(context, {.isAbsolute = true});
}
void importReduceL2(Context& context) {
    reduceWith(context, {.isSquared = true, .isRoot = true});
}
void importReduceSumSquare(Context& context) {
    reduceWith(context, {.isSquared = true});
}
void importReduceLogSum(Context& context) {
    reduceWith(context, {.isLogarithm = true});
}
void importReduceLogSumExp(Context& context) {
    reduceWith(context, {.isExponential = true});
}

template <bool kIsMax>
void importArgExtreme(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const std::uint32_t axis = context.axis(0, context.rank(0));
    const bool keepsDims = context.integer("keepdims", 1) != 0;
    Value value = context.number(0);
    const bool wantsLast = context.integer("select_last_index", 0) != 0;
    if (wantsLast) {  // the first from behind
        const std::uint32_t axes[] = {axis};
        value = graph::reverse(emitter, value, axes);
    }
    Real index(emitter, graph::argExtreme(emitter, value, axis, kIsMax, keepsDims));
    if (wantsLast) {
        index = (value.dims[axis] - 1.0) - index;
    }
    context.out(0, index.value(), ElementType::kInt64);
}

void importCumSum(Context& context) {
    const std::int64_t axis = context.integers(1, "the axis").at(0);
    const Value value = context.number(0);
    context.outNumber(
            0,
            graph::cumulativeSum(context.emitter(), value, graph::axisOf(axis, value.rank()),
                                 context.integer("exclusive", 0) != 0,
                                 context.integer("reverse", 0) != 0, value.form),
            context.type(0));
}

/// Up to version 12 the tensor was seen as a matrix whose second dimension begins at the axis.
struct Rows {
    Value value;
    std::uint32_t axis = 0;
};

Rows rowsOf(Context& context) {
    const Dims dims = context.dims(0);
    const bool isOld = context.opset() < 13;
    const std::uint32_t axis = context.axis(isOld ? 1 : -1, std::max<std::size_t>(dims.size(), 1));
    if (!isOld || axis + 1 == dims.size()) {
        return {context.in(0), axis};
    }
    std::uint32_t rows =
            std::accumulate(dims.begin(), dims.begin() + axis, 1U, std::multiplies<>());
    const std::uint32_t columns =
            std::accumulate(dims.begin() + axis, dims.end(), 1U, std::multiplies<>());
    return {graph::reshape(context.emitter(), context.in(0), {rows, columns}), 1};
}

void importSoftmax(Context& context) {
    const Rows rows = rowsOf(context);
    const Target target = context.target();
    const Value result =
            graph::softmax(context.emitter(), rows.value, 1.0F, rows.axis, target.form);
    context.outTo(target, graph::reshape(context.emitter(), result, context.dims(0)),
                  context.type(0));
}

void importLogSoftmax(Context& context) {
    const Rows rows = rowsOf(context);
    const Value result =
            graph::logSoftmax(context.emitter(), rows.value, 1.0F, rows.axis, graph::kReal);
    context.out(0, graph::reshape(context.emitter(), result, context.dims(0)), context.type(0));
}

/// 1 at the first greatest element.
void importHardmax(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Rows rows = rowsOf(context);
    const Real index(emitter, graph::argExtreme(emitter, graph::toReal(emitter, rows.value),
                                                rows.axis, true, true));
    Dims line(rows.value.rank(), 1);
    line[rows.axis] = rows.value.dims[rows.axis];
    std::vector<std::int32_t> numbers(line[rows.axis]);
    std::iota(numbers.begin(), numbers.end(), 0);
    const Real isHit =
            index.with(Binary::kEqual, Real(emitter, graph::integerConstant(line, numbers)));
    context.out(0, graph::reshape(emitter, isHit.asNumber().value(), context.dims(0)),
                context.type(0));
}

void importLpNormalization(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const std::uint32_t axes[] = {context.axis(-1, context.rank(0))};
    const std::int64_t p = context.integer("p", 2);
    if (p != 1 && p != 2) {
        context.refuse(fmt::format("p is {}, expected 1 or 2", p));
    }
    const Real x(emitter, context.real(0));
    const Real parts = p == 1 ? x.of(Unary::kAbs) : x * x;
    const Real sum(emitter, graph::reduce(emitter, Reduction::kSum, parts.value(), axes, true,
                                          graph::kReal));
    context.out(0, (x / (p == 1 ? sum : sum.of(Unary::kSqrt))).value(), context.type(0));
}

constexpr Operator kReduction[] = {
        {"ArgMax", 1, Status::kImported, "ARGMAX", importArgExtreme<true>},
        {"ArgMin", 1, Status::kImported, "ARGMIN", importArgExtreme<false>},
        {"CumSum", 11, Status::kComposed, "BATCH_MATMUL with a triangle, or sums", importCumSum},
        {"Hardmax", 1, Status::kComposed, "ARGMAX, EQUAL, CAST", importHardmax},
        {"LogSoftmax", 1, Status::kImported, "LOG_SOFTMAX", importLogSoftmax},
        {"LpNormalization", 1, Status::kComposed, "REDUCE_SUM, SQRT, DIV", importLpNormalization},
        {"ReduceL1", 1, Status::kComposed, "ABS, REDUCE_SUM", importReduceL1},
        {"ReduceL2", 1, Status::kComposed, "MUL, REDUCE_SUM, SQRT", importReduceL2},
        {"ReduceLogSum", 1, Status::kComposed, "REDUCE_SUM, LOG", importReduceLogSum},
        {"ReduceLogSumExp", 1, Status::kComposed, "REDUCE_MAX, EXP, REDUCE_SUM, LOG",
         importReduceLogSumExp},
        {"ReduceMax", 1, Status::kImported, "REDUCE_MAX", importReduceMax},
        {"ReduceMean", 1, Status::kImported, "MEAN", importReduceMean},
        {"ReduceMin", 1, Status::kImported, "REDUCE_MIN", importReduceMin},
        {"ReduceProd", 1, Status::kImported, "REDUCE_PROD", importReduceProd},
        {"ReduceSum", 1, Status::kImported, "REDUCE_SUM", importReduceSum},
        {"ReduceSumSquare", 1, Status::kComposed, "MUL, REDUCE_SUM", importReduceSumSquare},
        {"Softmax", 1, Status::kImported, "SOFTMAX", importSoftmax},
};

}  // namespace

std::span<const Operator> reductionOperators() {
    return kReduction;
}

}  // namespace vnpu::sim::onnx
