// SPDX-License-Identifier: Apache-2.0
// Reductions, extremes, running sums and normalizations.
#include <algorithm>

#include "sim/import/graph/normalization.h"
#include "sim/import/graph/reduction.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

using graph::Reduction;

template <Reduction kOp>
void importReduction(Call& call) {
    call.requireInputs(2, 2);
    const bool keepsDims = call.option(&schema::ReducerOptions::keep_dims);
    std::vector<std::uint32_t> axes;
    for (const std::int64_t axis : call.ints(1, "the tensor of axes")) {
        const std::uint32_t checked = graph::axisOf(axis, call.in(0).rank());
        if (std::find(axes.begin(), axes.end(), checked) == axes.end()) {
            axes.push_back(checked);
        }
    }
    call.set(0, graph::reduce(call.emitter(), kOp, call.in(0), axes, keepsDims, call.form()));
}

template <bool kIsMax>
void importArg(Call& call) {
    call.requireInputs(2, 2);
    const std::uint32_t axis = graph::axisOf(call.oneInt(1, "the axis"), call.in(0).rank());
    call.set(0, graph::argExtreme(call.emitter(), call.in(0), axis, kIsMax));
}

void importTopK(Call& call) {
    call.requireInputs(2, 2);
    const std::int64_t k = call.oneInt(1, "the number of results");
    if (k < 1 || k > INT32_MAX) {
        throw Refusal(fmt::format("takes the {} greatest", k));
    }
    const std::vector<Value> results =
            graph::topK(call.emitter(), call.in(0), static_cast<std::uint32_t>(k));
    for (std::size_t i = 0; i < 2; ++i) {
        if (call.hasOutput(i)) {
            call.set(i, results[i]);
        }
    }
}

void importCumsum(Call& call) {
    call.requireInputs(2, 2);
    const std::uint32_t axis = graph::axisOf(call.oneInt(1, "the axis"), call.in(0).rank());
    call.set(0, graph::cumulativeSum(call.emitter(), call.in(0), axis,
                                     call.option(&schema::CumsumOptions::exclusive),
                                     call.option(&schema::CumsumOptions::reverse), call.form()));
}

std::uint32_t lastAxis(const Value& value) {
    if (value.rank() == 0) {
        throw Refusal("the operand is a scalar");
    }
    return static_cast<std::uint32_t>(value.rank() - 1);
}

void importSoftmax(Call& call) {
    call.requireInputs(1, 1);
    const float beta = call.options<schema::SoftmaxOptions>().beta();
    if (!(beta > 0.0F)) {
        throw Refusal(fmt::format("beta is {}, expected above 0", beta));
    }
    call.set(0,
             graph::softmax(call.emitter(), call.in(0), beta, lastAxis(call.in(0)), call.form()));
}

void importLogSoftmax(Call& call) {
    call.requireInputs(1, 1);
    call.set(0, graph::logSoftmax(call.emitter(), call.in(0), 1.0F, lastAxis(call.in(0)),
                                  call.form()));
}

void importL2Normalization(Call& call) {
    call.requireInputs(1, 1);
    const Clamp clamp = clampOf(call.option(&schema::L2NormOptions::fused_activation));
    const Value result =
            graph::l2Normalize(call.emitter(), call.in(0), lastAxis(call.in(0)), call.form());
    call.set(0, graph::clamp(call.emitter(), result, clamp));
}

void importLocalResponse(Call& call) {
    call.requireInputs(1, 1);
    const auto& options = call.options<schema::LocalResponseNormalizationOptions>();
    if (options.radius() < 0) {
        throw Refusal(fmt::format("the radius is {}", options.radius()));
    }
    call.set(0, graph::localResponseNormalize(call.emitter(), call.in(0), options.radius(),
                                              options.bias(), options.alpha(), options.beta(),
                                              call.form()));
}

constexpr Row kReductionRows[] = {
        {11, "L2_NORMALIZATION", kImported, "L2_NORMALIZATION", importL2Normalization},
        {13, "LOCAL_RESPONSE_NORMALIZATION", kImported, "LOCAL_RESPONSE_NORMALIZATION",
         importLocalResponse},
        {25, "SOFTMAX", kImported, "SOFTMAX", importSoftmax},
        {40, "MEAN", kImported, "MEAN", importReduction<Reduction::kMean>},
        {48, "TOPK_V2", kImported, "TOPK_V2", importTopK},
        {50, "LOG_SOFTMAX", kImported, "LOG_SOFTMAX", importLogSoftmax},
        {56, "ARG_MAX", kImported, "ARGMAX", importArg<true>},
        {74, "SUM", kImported, "REDUCE_SUM", importReduction<Reduction::kSum>},
        {79, "ARG_MIN", kImported, "ARGMIN", importArg<false>},
        {81, "REDUCE_PROD", kImported, "REDUCE_PROD", importReduction<Reduction::kProd>},
        {82, "REDUCE_MAX", kImported, "REDUCE_MAX", importReduction<Reduction::kMax>},
        {89, "REDUCE_MIN", kImported, "REDUCE_MIN", importReduction<Reduction::kMin>},
        {91, "REDUCE_ANY", kImported, "REDUCE_ANY", importReduction<Reduction::kAny>},
        {128, "CUMSUM", kComposed, "TRANSPOSE, FULLY_CONNECTED", importCumsum},
        {140, "REDUCE_ALL", kImported, "REDUCE_ALL", importReduction<Reduction::kAll>},
};

}  // namespace

std::span<const Row> reductionRows() {
    return kReductionRows;
}

}  // namespace vnpu::sim::tflite
