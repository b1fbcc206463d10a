// SPDX-License-Identifier: Apache-2.0
// Reductions, extremes, running sums and normalizations.
#include <algorithm>

#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/gathering.h"
#include "sim/import/graph/joining.h"
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

/// Rows of a constant segment are reduced. An empty segment gives `none`.
Value segmentsOf(Call& call, Reduction op, double none, std::int64_t segments) {
    Emitter& emitter = call.emitter();
    const std::vector<std::int64_t> ids = call.ints(1, "the tensor of segments");
    const Value& data = call.in(0);
    constexpr std::int64_t kMostSegments = 4096;  // chosen: each is an operation
    if (data.rank() == 0 || call.in(1).rank() != 1 || ids.size() != data.dims[0] || segments < 0 ||
        segments > kMostSegments) {
        throw Refusal(fmt::format("{} segments of {} with ids {}", segments,
                                  describeDimensions(data.dims),
                                  describeDimensions(call.in(1).dims)));
    }
    Dims rowDims = data.dims;
    rowDims[0] = 1;
    std::vector<Value> parts;
    for (std::int64_t segment = 0; segment < segments; ++segment) {
        std::vector<std::int32_t> rows;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (ids[i] == segment) {
                rows.push_back(static_cast<std::int32_t>(i));
            }
        }
        if (rows.empty()) {
            parts.push_back(graph::filled(call.form(), rowDims, none));
            continue;
        }
        const Value chosen = graph::gather(
                emitter, data,
                graph::integerConstant({static_cast<std::uint32_t>(rows.size())}, rows), 0);
        constexpr std::uint32_t kFirst[] = {0};
        parts.push_back(graph::reduce(emitter, op, chosen, kFirst, true, call.form()));
    }
    if (parts.empty()) {
        rowDims[0] = 0;
        return graph::constantOf(call.form(), rowDims, {});
    }
    return graph::concatenate(emitter, parts, 0, call.form());
}

void importSegmentSum(Call& call) {
    call.requireInputs(2, 2);
    const std::vector<std::int64_t> ids = call.ints(1, "the tensor of segments");
    const std::int64_t last = ids.empty() ? -1 : *std::max_element(ids.begin(), ids.end());
    call.set(0, segmentsOf(call, Reduction::kSum, 0.0, last + 1));
}

template <Reduction kOp>
void importUnsortedSegments(Call& call) {
    call.requireInputs(3, 3);
    const bool isInteger = call.form().isInteger();
    const double most = isInteger ? INT32_MAX : 3.4028234663852886e38;
    const double none = kOp == Reduction::kProd  ? 1.0
                        : kOp == Reduction::kMax ? (isInteger ? -most - 1.0 : -most)
                        : kOp == Reduction::kMin ? most
                                                 : 0.0;
    call.set(0, segmentsOf(call, kOp, none, call.oneInt(2, "the number of segments")));
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
        {125, "SEGMENT_SUM", kComposed, "GATHER, REDUCE_SUM, CONCATENATION", importSegmentSum},
        {128, "CUMSUM", kComposed, "TRANSPOSE, FULLY_CONNECTED", importCumsum},
        {140, "REDUCE_ALL", kImported, "REDUCE_ALL", importReduction<Reduction::kAll>},
        {153, "UNSORTED_SEGMENT_PROD", kComposed, "GATHER, REDUCE_PROD, CONCATENATION",
         importUnsortedSegments<Reduction::kProd>},
        {154, "UNSORTED_SEGMENT_MAX", kComposed, "GATHER, REDUCE_MAX, CONCATENATION",
         importUnsortedSegments<Reduction::kMax>},
        {155, "UNSORTED_SEGMENT_SUM", kComposed, "GATHER, REDUCE_SUM, CONCATENATION",
         importUnsortedSegments<Reduction::kSum>},
        {157, "UNSORTED_SEGMENT_MIN", kComposed, "GATHER, REDUCE_MIN, CONCATENATION",
         importUnsortedSegments<Reduction::kMin>},
};

}  // namespace

std::span<const Row> reductionRows() {
    return kReductionRows;
}

}  // namespace vnpu::sim::tflite
