// SPDX-License-Identifier: Apache-2.0
// Recurrent layers: one step after the other, as the number of steps is known.
#include "sim/import/graph/movement.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/recurrent_layer.h"

namespace vnpu::sim::onnx {

namespace {

void importRnn(Context& context) {
    RecurrentLayer layer(context, 1, 1, {"tanh"});
    layer.run(false, false, [&](Direction& direction, const Value& inputs) {
        const Real sum = Real(context.emitter(), inputs) +
                         Real(context.emitter(), layer.product(direction.hidden.value(),
                                                               direction.recurrence, std::nullopt));
        direction.hidden = activate(context, direction.activations[0], layer.limit(sum));
    });
}

void importLstm(Context& context) {
    RecurrentLayer layer(context, 4, 3, {"sigmoid", "tanh", "tanh"});
    const bool couplesForget = context.integer("input_forget", 0) != 0;
    layer.run(false, true, [&](Direction& direction, const Value& inputs) {
        graph::Emitter& emitter = context.emitter();
        const Real sums = Real(emitter, inputs) +
                          Real(emitter, layer.product(direction.hidden.value(),
                                                      direction.recurrence, std::nullopt));
        const auto gate = [&](std::uint32_t i, std::uint32_t peephole, const Real& cell) {
            Real sum = layer.part(sums.value(), i);
            if (direction.peepholes) {
                sum = sum + layer.part(*direction.peepholes, peephole) * cell;
            }
            return activate(context, direction.activations[0], layer.limit(sum));
        };
        const Real input = gate(0, 0, direction.cell);
        const Real forget = couplesForget ? 1.0 - input : gate(2, 2, direction.cell);
        const Real candidate = activate(context, direction.activations[1],
                                        layer.limit(layer.part(sums.value(), 3)));
        direction.cell = forget * direction.cell + input * candidate;
        const Real output = gate(1, 1, direction.cell);
        direction.hidden = output * activate(context, direction.activations[2], direction.cell);
    });
}

void importGru(Context& context) {
    RecurrentLayer layer(context, 3, 2, {"sigmoid", "tanh"});
    const bool isResetLast = context.integer("linear_before_reset", 0) != 0;
    layer.run(isResetLast, false, [&](Direction& direction, const Value& inputs) {
        graph::Emitter& emitter = context.emitter();
        const Value products = layer.product(direction.hidden.value(), direction.recurrence,
                                             direction.recurrentBias);
        const auto gate = [&](std::uint32_t i) {
            return activate(context, direction.activations[0],
                            layer.limit(layer.part(inputs, i) + layer.part(products, i)));
        };
        const Real update = gate(0), reset = gate(1);
        Real recurrent = layer.part(products, 2);
        if (isResetLast) {
            recurrent = reset * recurrent;
        } else {
            const Value weights = graph::sliceAxis(emitter, direction.recurrence, 0,
                                                   2 * layer.size(), layer.size());
            recurrent = Real(emitter, layer.product((reset * direction.hidden).value(), weights,
                                                    std::nullopt));
        }
        const Real candidate = activate(context, direction.activations[1],
                                        layer.limit(layer.part(inputs, 2) + recurrent));
        direction.hidden = (1.0 - update) * candidate + update * direction.hidden;
    });
}

constexpr Operator kRecurrent[] = {
        {"GRU", 1, Status::kComposed, "FULLY_CONNECTED, LOGISTIC, TANH, MUL, ADD for each step",
         importGru},
        {"LSTM", 1, Status::kComposed, "FULLY_CONNECTED, LOGISTIC, TANH, MUL, ADD for each step",
         importLstm},
        {"RNN", 1, Status::kComposed, "FULLY_CONNECTED, ADD, TANH for each step", importRnn},
};

}  // namespace

std::span<const Operator> recurrentOperators() {
    return kRecurrent;
}

}  // namespace vnpu::sim::onnx
