// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/operators/cell_operands.h"

#include "sim/import/graph/conversion.h"

namespace vnpu::sim::tflite {

std::int32_t cellActivation(schema::FusedActivation activation) {
    // source: NDK, LSTM: 0 none, 1 RELU, 3 RELU6, 4 TANH
    switch (activation) {
        case schema::FusedActivation::NONE:
            return 0;
        case schema::FusedActivation::RELU:
            return 1;
        case schema::FusedActivation::RELU6:
            return 3;
        case schema::FusedActivation::TANH:
            return 4;
        default:
            throw Refusal(
                    fmt::format("activation of the cell is {}, expected NONE, RELU, RELU6 or "
                                "TANH",
                                static_cast<int>(activation)));
    }
}

void requireRank(const Value& value, std::size_t rank) {
    if (value.rank() != rank || value.count() == 0) {
        throw Refusal(fmt::format("input is {}, expected {} dimensions",
                                  describeDimensions(value.dims), rank));
    }
}

std::uint32_t rowsOf(Call& call, std::size_t input) {
    const Value& weights = call.in(input);
    requireRank(weights, 2);
    return weights.dims[0];
}

void CellOperands::add(std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) {
        add(i);
    }
}

void CellOperands::add(std::size_t i) {
    if (!call_.has(i)) {
        addOmitted();
        return;
    }
    const Value& value = call_.in(i);
    if (value.form.isInteger()) {
        throw Refusal(fmt::format("input {} is an integer tensor in a float cell", i));
    }
    operands_.push_back(emitter_.operand(graph::toReal(emitter_, value)));
}

void CellOperands::addOmitted(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        operands_.push_back(
                emitter_.builder().addOmitted({.type = nn::OperandType::TENSOR_FLOAT32}));
    }
}

}  // namespace vnpu::sim::tflite
