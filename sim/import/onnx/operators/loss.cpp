// SPDX-License-Identifier: Apache-2.0
// Losses of classifiers. The class of each element is compared with all classes; this selects the
// scores to sum.
#include <fmt/format.h>

#include <numeric>

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

/// batch x classes x elements
struct Classes {
    Value scores;   // logarithms of probabilities
    Dims elements;  // batch and the other dimensions, without the classes
};

Real sumOver(Context& context, const Real& x, const std::vector<std::uint32_t>& axes) {
    return {context.emitter(), graph::reduce(context.emitter(), Reduction::kSum, x.value(), axes,
                                             false, graph::kReal)};
}

void outLoss(Context& context, const Classes& classes) {
    graph::Emitter& emitter = context.emitter();
    const Dims& dims = classes.scores.dims;
    const std::uint32_t batch = dims[0], count = dims[1], inner = dims[2];
    std::vector<std::int32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    const Real labels(emitter, graph::reshape(emitter, context.number(1), {batch, 1, inner}));
    Real isClass = labels.with(Binary::kEqual,
                               Real(emitter, graph::integerConstant({1, count, 1}, numbers)))
                           .asNumber();
    if (context.hasAttribute("ignore_index")) {
        const double ignored = static_cast<double>(context.integer("ignore_index", 0));
        isClass = isClass * labels.with(Binary::kNotEqual, ignored).asNumber();
    }
    const Real weights =
            context.has(2) ? isClass * Real(emitter,
                                            graph::reshape(emitter, context.real(2), {1, count, 1}))
                           : isClass;
    const Real weighted = weights * Real(emitter, classes.scores);
    const std::string reduction = context.text("reduction", "mean");
    const ElementType type = context.type(0);
    if (reduction == "none") {
        const Real losses = sumOver(context, weighted, {1}).of(Unary::kNeg);
        context.out(0, graph::reshape(emitter, losses.value(), classes.elements), type);
        return;
    }
    const Real total = sumOver(context, weighted, {0, 1, 2}).of(Unary::kNeg);
    const Real result = reduction == "sum" ? total : total / sumOver(context, weights, {0, 1, 2});
    context.out(0, graph::reshape(emitter, result.value(), {}), type);
}

Classes classesOf(Context& context, const Value& scores) {
    Dims dims = scores.dims;
    if (dims.size() < 2) {
        context.refuse(fmt::format("scores of {} dimensions, expected 2 or more", dims.size()));
    }
    const std::uint32_t inner =
            std::accumulate(dims.begin() + 2, dims.end(), 1U, std::multiplies<>());
    Classes classes{graph::reshape(context.emitter(), scores, {dims[0], dims[1], inner}), dims};
    classes.elements.erase(classes.elements.begin() + 1);
    if (context.dims(1) != classes.elements) {
        context.refuse("labels of another shape than the scores");
    }
    return classes;
}

void importNegativeLogLikelihood(Context& context) {
    outLoss(context, classesOf(context, context.real(0)));
}

void importCrossEntropy(Context& context) {
    const Value scores = context.real(0);
    if (scores.rank() < 2) {
        context.refuse("scores without classes");
    }
    const std::uint32_t inner =
            std::accumulate(scores.dims.begin() + 2, scores.dims.end(), 1U, std::multiplies<>());
    const Value flat =
            graph::reshape(context.emitter(), scores, {scores.dims[0], scores.dims[1], inner});
    const Value logarithms = graph::logSoftmax(context.emitter(), flat, 1.0F, 1, graph::kReal);
    const Value shaped = graph::reshape(context.emitter(), logarithms, scores.dims);
    context.out(1, shaped, context.type(0));
    outLoss(context, classesOf(context, shaped));
}

constexpr Operator kLoss[] = {
        {"NegativeLogLikelihoodLoss", 12, Status::kComposed, "EQUAL, MUL, REDUCE_SUM",
         importNegativeLogLikelihood},
        {"SoftmaxCrossEntropyLoss", 12, Status::kComposed, "LOG_SOFTMAX, EQUAL, MUL, REDUCE_SUM",
         importCrossEntropy},
};

}  // namespace

std::span<const Operator> lossOperators() {
    return kLoss;
}

}  // namespace vnpu::sim::onnx
