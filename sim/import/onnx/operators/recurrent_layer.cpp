// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/operators/recurrent_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/products.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Clamp;
using graph::Unary;

}  // namespace

Real activate(Context& context, const Activation& activation, const Real& x) {
    const std::string& name = activation.name;
    if (name == "sigmoid") {
        return x.of(Unary::kLogistic);
    }
    if (name == "tanh") {
        return x.of(Unary::kTanh);
    }
    if (name == "relu") {
        return x.of(Unary::kRelu);
    }
    if (name == "affine") {
        return x * activation.alpha + activation.beta;
    }
    if (name == "scaledtanh") {
        return (x * activation.beta).of(Unary::kTanh) * activation.alpha;
    }
    if (name == "hardsigmoid") {
        return (x * activation.alpha + activation.beta).of(Unary::kRelu01);
    }
    if (name == "leakyrelu") {
        return x.with(graph::Binary::kLess, 0.0).choose(x * activation.alpha, x);
    }
    if (name == "softsign" || name == "softplus") {
        return x.of(name == "softsign" ? Unary::kSoftsign : Unary::kSoftplus);
    }
    context.refuse(fmt::format("activation {}", name));
}

RecurrentLayer::RecurrentLayer(Context& context, std::uint32_t gates, std::size_t activations,
                               std::vector<std::string> usual)
    : context_(context),
      emitter_(context.emitter()),
      gates_(gates),
      activations_(activations),
      usual_(std::move(usual)) {
    batchFirst_ = context.integer("layout", 0) != 0;
    const Dims input = context.dims(0), weights = context.dims(1);
    if (input.size() != 3 || weights.size() != 3 || weights[1] % gates != 0 ||
        weights[2] != input[2] || weights[1] == 0) {
        context.refuse(fmt::format("weights {} for an input of {}", describeDimensions(weights),
                                   describeDimensions(input)));
    }
    steps_ = input[batchFirst_ ? 1 : 0];
    batch_ = input[batchFirst_ ? 0 : 1];
    size_ = weights[1] / gates;
    constexpr std::uint32_t kMostSteps = 4096;  // chosen: bounds the size of the model
    if (steps_ < 1 || steps_ > kMostSteps) {
        context.refuse(fmt::format("{} steps, expected 1 to {}", steps_, kMostSteps));
    }
    const std::string direction = context.text("direction", "forward");
    directions_ = direction == "bidirectional" ? 2 : 1;
    isReverse_ = direction == "reverse";
    if (weights[0] != directions_) {
        context.refuse(
                fmt::format("weights for {} directions, expected {}", weights[0], directions_));
    }
    if (context.has(4)) {
        lengths_ = context.integers(4, "the lengths of sequences");
        if (lengths_.size() != batch_) {
            context.refuse(fmt::format("{} lengths for {} sequences", lengths_.size(), batch_));
        }
    }
}

Real RecurrentLayer::part(const Value& value, std::uint32_t index) {
    return {emitter_,
            graph::sliceAxis(emitter_, value, static_cast<std::uint32_t>(value.rank() - 1),
                             index * size_, size_)};
}

Value RecurrentLayer::product(const Value& rows, const Value& weights,
                              const std::optional<Value>& bias) {
    return graph::fullyConnected(emitter_, rows, weights, bias, Clamp::kNone, graph::kReal);
}

Real RecurrentLayer::limit(const Real& x) {
    const float clip = context_.numberOf("clip", 0.0F);
    return clip > 0.0F
                   ? Real(emitter_, graph::clipTo(emitter_, x.value(), -clip, clip, graph::kReal))
                   : x;
}

void RecurrentLayer::run(bool keepsRecurrentBias, bool hasCell, const Step& step) {
    std::vector<Value> all, lastHidden, lastCell;
    for (std::uint32_t d = 0; d < directions_; ++d) {
        Direction direction = prepare(d, keepsRecurrentBias, hasCell);
        std::vector<Value> outputs(steps_);
        for (std::uint32_t i = 0; i < steps_; ++i) {
            const std::uint32_t at = direction.isReverse ? steps_ - 1 - i : i;
            const Value inputs =
                    graph::reshape(emitter_, graph::sliceAxis(emitter_, direction.inputs, 0, at, 1),
                                   {batch_, gates_ * size_});
            const Real hidden = direction.hidden, cell = direction.cell;
            step(direction, inputs);
            outputs[at] = direction.hidden.value();
            if (const auto isInside = mask(at)) {
                const Real inside(emitter_, *isInside);
                outputs[at] = inside.choose(direction.hidden, hidden.constant(0.0)).value();
                direction.hidden = inside.choose(direction.hidden, hidden);
                direction.cell = inside.choose(direction.cell, cell);
            }
            outputs[at] = graph::reshape(emitter_, outputs[at], {1, 1, batch_, size_});
        }
        all.push_back(graph::concatenate(emitter_, outputs, 0, graph::kReal));
        lastHidden.push_back(
                graph::reshape(emitter_, direction.hidden.value(), {1, batch_, size_}));
        lastCell.push_back(graph::reshape(emitter_, direction.cell.value(), {1, batch_, size_}));
    }
    const ElementType type = context_.type(0);
    write(0, all, 1, {2, 0, 1, 3}, type);
    write(1, lastHidden, 0, {1, 0, 2}, type);
    write(2, lastCell, 0, {1, 0, 2}, type);
}

void RecurrentLayer::write(std::size_t i, const std::vector<Value>& parts, std::uint32_t axis,
                           const std::vector<std::uint32_t>& batchFirst, ElementType type) {
    if (!context_.wants(i)) {
        return;
    }
    const Value joined =
            parts.size() == 1 ? parts[0] : graph::concatenate(emitter_, parts, axis, graph::kReal);
    context_.out(i, batchFirst_ ? graph::transpose(emitter_, joined, batchFirst) : joined, type);
}

/// Which sequences include the step; nothing if all do.
std::optional<Value> RecurrentLayer::mask(std::uint32_t step) const {
    std::vector<std::uint8_t> isInside;
    for (const std::int64_t length : lengths_) {
        isInside.push_back(step < length ? 1 : 0);
    }
    if (std::count(isInside.begin(), isInside.end(), 0) == 0) {
        return std::nullopt;
    }
    return graph::truthConstant({batch_, 1}, isInside);
}

Value RecurrentLayer::ofDirection(std::size_t i, std::uint32_t direction, const Dims& dims) {
    const Value value = context_.real(i);
    if (value.rank() != dims.size() + 1 || value.dims[0] != directions_ ||
        !std::equal(dims.begin(), dims.end(), value.dims.begin() + 1)) {
        context_.refuse(fmt::format("input {} is {}", i, describeDimensions(value.dims)));
    }
    return graph::reshape(emitter_, graph::sliceAxis(emitter_, value, 0, direction, 1), dims);
}

Real RecurrentLayer::state(std::size_t i, std::uint32_t direction) {
    if (!context_.has(i)) {
        return {emitter_, graph::filled(graph::kReal, {batch_, size_}, 0.0)};
    }
    Value value = context_.real(i);
    if (batchFirst_ && value.rank() == 3) {
        const std::uint32_t order[] = {1, 0, 2};
        value = graph::transpose(emitter_, value, order);
    }
    if (value.dims != Dims{directions_, batch_, size_}) {
        context_.refuse(fmt::format("a state of {}", describeDimensions(value.dims)));
    }
    return {emitter_, graph::reshape(emitter_, graph::sliceAxis(emitter_, value, 0, direction, 1),
                                     {batch_, size_})};
}

Direction RecurrentLayer::prepare(std::uint32_t d, bool keepsRecurrentBias, bool hasCell) {
    const Dims input = context_.dims(0);
    Value rows = context_.real(0);
    if (batchFirst_) {
        const std::uint32_t order[] = {1, 0, 2};
        rows = graph::transpose(emitter_, rows, order);
    }
    const std::uint32_t width = gates_ * size_;
    Direction direction{{},
                        ofDirection(2, d, {width, size_}),
                        {},
                        {},
                        activationsOf(d),
                        state(5, d),
                        hasCell ? state(6, d)
                                : Real(emitter_, graph::filled(graph::kReal, {batch_, size_}, 0.0)),
                        isReverse_ || d == 1};
    std::optional<Value> bias;
    if (context_.has(3)) {
        const Value both = ofDirection(3, d, {2 * width});
        const Value own = graph::sliceAxis(emitter_, both, 0, 0, width),
                    other = graph::sliceAxis(emitter_, both, 0, width, width);
        bias = keepsRecurrentBias ? own : (Real(emitter_, own) + Real(emitter_, other)).value();
        direction.recurrentBias = keepsRecurrentBias ? std::optional(other) : std::nullopt;
    }
    if (hasCell && context_.has(7)) {
        direction.peepholes = ofDirection(7, d, {3 * size_});
    }
    rows = graph::reshape(emitter_, rows, {steps_ * batch_, input[2]});
    const Value products = product(rows, ofDirection(1, d, {width, input[2]}), bias);
    direction.inputs = graph::reshape(emitter_, products, {steps_, batch_, width});
    return direction;
}

std::vector<Activation> RecurrentLayer::activationsOf(std::uint32_t direction) {
    const auto found = context_.node().attributes.find("activations");
    const std::vector<std::string> names = found == context_.node().attributes.end()
                                                   ? std::vector<std::string>()
                                                   : found->second.texts;
    const auto numbers = [&](const char* name) {
        const auto list = context_.node().attributes.find(name);
        return list == context_.node().attributes.end() ? std::vector<float>()
                                                        : list->second.numbers;
    };
    const std::vector<float> alphas = numbers("activation_alpha"),
                             betas = numbers("activation_beta");
    std::vector<Activation> result;
    for (std::size_t i = 0; i < activations_; ++i) {
        const std::size_t at = direction * activations_ + i;
        Activation activation{at < names.size() ? names[at] : usual_[i]};
        std::transform(activation.name.begin(), activation.name.end(), activation.name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const bool isHard = activation.name == "hardsigmoid";
        activation.alpha = at < alphas.size()               ? alphas[at]
                           : isHard                         ? 0.2F
                           : activation.name == "leakyrelu" ? 0.01F
                                                            : 1.0F;
        activation.beta = at < betas.size()             ? betas[at]
                          : isHard                      ? 0.5F
                          : activation.name == "affine" ? 0.0F
                                                        : 1.0F;
        result.push_back(activation);
    }
    return result;
}

}  // namespace vnpu::sim::onnx
