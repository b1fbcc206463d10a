// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/normalization.h"
#include "sim/import/graph/reduction.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Reduction;
using graph::Unary;

Real meanOf(Context& context, const Real& x, const std::vector<std::uint32_t>& axes,
            bool keepsDims = true) {
    return {context.emitter(), graph::reduce(context.emitter(), Reduction::kMean, x.value(), axes,
                                             keepsDims, graph::kReal)};
}

/// A vector of channels in the shape that broadcasts to the tensor.
Real perChannel(Context& context, std::size_t i, const Held& tensor) {
    graph::Emitter& emitter = context.emitter();
    const Value vector = context.real(i);
    if (vector.rank() != 1) {
        context.refuse(fmt::format("input {} is no vector", i));
    }
    Dims dims = {vector.dims[0]};
    if (!tensor.isChannelsLast && tensor.value.rank() > 2) {
        dims.resize(tensor.value.rank() - 1, 1);
    }
    return {emitter, graph::reshape(emitter, vector, dims)};
}

/// Scale and offset of each channel, folded where they are constants.
void importBatchNormalization(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Held held = context.held(0);
    const double epsilon = context.numberOf("epsilon", 1e-5F);
    const Real x(emitter, graph::toReal(emitter, held.value));
    const Real scale = perChannel(context, 1, held), offset = perChannel(context, 2, held);
    const bool isTraining = context.integer("training_mode", 0) != 0;
    if (!isTraining) {
        if (context.wants(1) && context.opset() >= 14) {
            context.refuse("running means outside of training");
        }
        const Real factor = scale / (perChannel(context, 4, held) + epsilon).of(Unary::kSqrt);
        const Target target = context.target(0, true);
        const Real rest = offset - perChannel(context, 3, held) * factor;
        const Value product = (x * factor).value();
        context.outTo(target,
                      graph::binary(emitter, graph::Binary::kAdd, product, rest.value(),
                                    target.form, target.clamp),
                      held.type, held.isChannelsLast);
        return;
    }
    std::vector<std::uint32_t> axes;
    const auto channel = held.isChannelsLast ? held.value.rank() - 1 : 1;
    for (std::uint32_t i = 0; i < held.value.rank(); ++i) {
        if (i != channel) {
            axes.push_back(i);
        }
    }
    const Real mean = meanOf(context, x, axes);
    const Real distance = x - mean;
    const Real variance = meanOf(context, distance * distance, axes);
    context.outHeld(0, {(distance / (variance + epsilon).of(Unary::kSqrt) * scale + offset).value(),
                        held.type, held.isChannelsLast});
    const double momentum = context.numberOf("momentum", 0.9F);
    const auto running = [&](std::size_t i, const Real& now) {
        if (context.wants(i - 2)) {
            const Real vector(emitter, graph::reshape(emitter, now.value(), context.dims(i)));
            context.out(
                    i - 2,
                    (Real(emitter, context.real(i)) * momentum + vector * (1.0 - momentum)).value(),
                    context.type(i));
        }
    };
    running(3, mean);
    running(4, variance);
}

void importInstanceNormalization(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Held held = context.held(0);
    const Real x(emitter, graph::toReal(emitter, held.value));
    std::vector<std::uint32_t> axes(held.value.rank() -
                                    std::min<std::size_t>(held.value.rank(), 2));
    std::iota(axes.begin(), axes.end(), held.isChannelsLast ? 1U : 2U);
    const Real distance = x - meanOf(context, x, axes);
    const Real variance = meanOf(context, distance * distance, axes);
    const Real unit = distance / (variance + context.numberOf("epsilon", 1e-5F)).of(Unary::kSqrt);
    context.outLike(0, (unit * perChannel(context, 1, held) + perChannel(context, 2, held)).value(),
                    held);
}

void importLayerNormalization(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Real x(emitter, context.real(0));
    const std::size_t rank = x.value().rank();
    std::vector<std::uint32_t> axes(rank - context.axis(-1, rank));
    std::iota(axes.begin(), axes.end(), static_cast<std::uint32_t>(rank - axes.size()));
    const Real mean = meanOf(context, x, axes);
    const Real distance = x - mean;
    const Real variance = meanOf(context, distance * distance, axes);
    const Real inverse = 1.0 / (variance + context.numberOf("epsilon", 1e-5F)).of(Unary::kSqrt);
    Real result = distance * inverse;
    if (context.has(1)) {
        result = result * Real(emitter, context.real(1));
    }
    if (context.has(2)) {
        result = result + Real(emitter, context.real(2));
    }
    context.out(0, result.value(), context.type(0));
    context.out(1, mean.value(), ElementType::kFloat);
    context.out(2, inverse.value(), ElementType::kFloat);
}

/// Groups of channels are normalized; scale and offset are per group up to version 20, then per
/// channel.
void importGroupNormalization(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Dims dims = context.dims(0);
    const std::int64_t groups = context.integer("num_groups", 1);
    if (dims.size() < 2 || groups < 1 || dims[1] % groups != 0) {
        context.refuse(fmt::format("{} groups", groups));
    }
    const auto count = static_cast<std::uint32_t>(groups);
    const auto rest = static_cast<std::uint32_t>(
            elementCount(dims) / std::max<std::uint64_t>(1, std::uint64_t{dims[0]} * dims[1]));
    const std::uint32_t share = dims[1] / count;
    const Real x(emitter, graph::reshape(emitter, context.real(0), {dims[0], count, share * rest}));
    const Real distance = x - meanOf(context, x, {2});
    const Real variance = meanOf(context, distance * distance, {2});
    const Real unit = distance / (variance + context.numberOf("epsilon", 1e-5F)).of(Unary::kSqrt);
    const Real split(emitter, graph::reshape(emitter, unit.value(), {dims[0], count, share, rest}));
    const auto factor = [&](std::size_t i) {
        const Value value = context.real(i);
        return Real(emitter,
                    graph::reshape(emitter, value,
                                   {count, value.count() == count && share != 1 ? 1 : share, 1}));
    };
    context.out(0, graph::reshape(emitter, (split * factor(1) + factor(2)).value(), dims),
                context.type(0));
}

void importMeanVariance(Context& context) {
    graph::Emitter& emitter = context.emitter();
    const Real x(emitter, context.real(0));
    std::vector<std::uint32_t> axes;
    for (const std::int64_t axis :
         context.hasAttribute("axes") ? context.list("axes") : std::vector<std::int64_t>{0, 2, 3}) {
        axes.push_back(graph::axisOf(axis, x.value().rank()));
    }
    const Real mean = meanOf(context, x, axes);
    const Real distance = x - mean;
    const Real variance = meanOf(context, distance * distance, axes);
    // source: the function's body in ONNX, which adds 1e-9 to the deviation
    context.out(0, (distance / (variance.of(Unary::kSqrt) + 1e-9)).value(), context.type(0));
}

/// A window over channels; NNAPI's has as many on both sides.
void importLrn(Context& context) {
    const std::int64_t size = context.integer("size", 0);
    if (size < 1 || size % 2 == 0) {
        context.refuse(fmt::format("a window of {} channels, expected an odd number", size));
    }
    const float alpha = context.numberOf("alpha", 1e-4F) / static_cast<float>(size);
    context.outLast(0,
                    graph::localResponseNormalize(context.emitter(), context.last(0),
                                                  static_cast<std::int32_t>(size / 2),
                                                  context.numberOf("bias", 1.0F), alpha,
                                                  context.numberOf("beta", 0.75F), graph::kReal),
                    context.type(0));
}

constexpr Operator kNormalization[] = {
        {"BatchNormalization", 1, Status::kComposed, "MUL, ADD; part of a convolution before it",
         importBatchNormalization},
        {"GroupNormalization", 18, Status::kComposed, "MEAN, SUB, MUL, SQRT, DIV",
         importGroupNormalization},
        {"InstanceNormalization", 1, Status::kComposed, "MEAN, SUB, MUL, SQRT, DIV",
         importInstanceNormalization},
        {"LRN", 1, Status::kImported, "LOCAL_RESPONSE_NORMALIZATION", importLrn},
        {"LayerNormalization", 17, Status::kComposed, "MEAN, SUB, MUL, SQRT, DIV",
         importLayerNormalization},
        {"MeanVarianceNormalization", 9, Status::kComposed, "MEAN, SUB, MUL, SQRT, DIV",
         importMeanVariance},
};

}  // namespace

std::span<const Operator> normalizationOperators() {
    return kNormalization;
}

}  // namespace vnpu::sim::onnx
