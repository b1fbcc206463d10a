// SPDX-License-Identifier: Apache-2.0
// Recurrent layers without gates.
#include "sim/import/graph/products.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"
#include "sim/import/tflite/operators/cell_operands.h"

namespace vnpu::sim::tflite {

namespace {

void importRnn(Call& call) {
    call.requireInputs(5, 5);
    const auto& options = call.options<schema::RnnOptions>();
    requireRank(call.in(0), 2);
    const Dims dims = {call.in(0).dims[0], rowsOf(call, 1)};
    CellOperands cell(call);
    cell.add(0, 4);
    cell.add(call.state(4, graph::kReal, dims));
    cell.addInt(cellActivation(options.fused_activation()));
    const std::vector<Value> results = call.emitter().emit(
            nn::OperationType::RNN, cell.operands(),
            std::vector<Emitter::Result>{{graph::kReal, dims}, {graph::kReal, dims}});
    call.setState(4, results[0]);
    call.set(0, results[1]);
}

void importSequenceRnn(Call& call) {
    call.requireInputs(5, 5);
    const auto& options = call.options<schema::SequenceRnnOptions>();
    const Value& input = call.in(0);
    requireRank(input, 3);
    const std::uint32_t units = rowsOf(call, 1);
    const Dims state = {input.dims[options.time_major() ? 1 : 0], units};
    CellOperands cell(call);
    cell.add(0, 4);
    cell.add(call.state(4, graph::kReal, state));
    cell.addInt(cellActivation(options.fused_activation()));
    cell.addInt(options.time_major() ? 1 : 0);
    const std::vector<Value> results = call.emitter().emit(
            nn::OperationType::UNIDIRECTIONAL_SEQUENCE_RNN, cell.operands(),
            std::vector<Emitter::Result>{{graph::kReal, {input.dims[0], input.dims[1], units}},
                                         {graph::kReal, state}});
    call.set(0, results[0]);
    call.setState(4, results[1]);
}

void importBidirectionalRnn(Call& call) {
    call.requireInputs(9, 12);
    const auto& options = call.options<schema::BidirectionalSequenceRnnOptions>();
    const Value& input = call.in(0);
    requireRank(input, 3);
    const std::uint32_t forward = rowsOf(call, 1), backward = rowsOf(call, 5);
    const std::uint32_t batch = input.dims[options.time_major() ? 1 : 0];
    const Dims states[] = {{batch, forward}, {batch, backward}};
    CellOperands cell(call);
    cell.add(0, 4);
    cell.add(call.state(4, graph::kReal, states[0]));
    cell.add(5, 3);
    cell.add(call.state(8, graph::kReal, states[1]));
    cell.add(9, 3);
    cell.addInt(cellActivation(options.fused_activation()));
    cell.addBool(options.time_major());
    cell.addBool(options.merge_outputs());
    const auto wide = [&](std::uint32_t width) {
        return Emitter::Result{graph::kReal, {input.dims[0], input.dims[1], width}};
    };
    std::vector<Emitter::Result> results = {
            wide(options.merge_outputs() ? forward + backward : forward)};
    if (!options.merge_outputs()) {
        results.push_back(wide(backward));
    }
    const std::size_t outputs = results.size();
    results.push_back({graph::kReal, states[0]});
    results.push_back({graph::kReal, states[1]});
    const std::vector<Value> values = call.emitter().emit(
            nn::OperationType::BIDIRECTIONAL_SEQUENCE_RNN, cell.operands(), results);
    for (std::size_t i = 0; i < outputs; ++i) {
        call.set(i, values[i]);
    }
    call.setState(4, values[outputs]);
    call.setState(8, values[outputs + 1]);
}

/// The tensors of an 8-bit layer are dequantized.
void importSvdf(Call& call) {
    call.requireInputs(5, 5);
    const auto& options = call.options<schema::SvdfOptions>();
    Emitter& emitter = call.emitter();
    requireRank(call.in(0), 2);
    const std::uint32_t filters = rowsOf(call, 1);
    requireRank(call.in(2), 2);
    const std::int32_t rank = options.rank();
    if (rank < 1 || filters % static_cast<std::uint32_t>(rank) != 0 ||
        call.in(2).dims[0] != filters) {
        throw Refusal(fmt::format("has {} filters of rank {}", filters, rank));
    }
    const std::uint32_t batch = call.in(0).dims[0], memory = call.in(2).dims[1];
    const std::uint32_t units = filters / static_cast<std::uint32_t>(rank);
    const Dims stateDims = {batch, memory * filters};
    CellOperands cell(call);
    cell.add(0, 3);
    if (call.has(3)) {
        // The sums over time have the scale of the state times that of its weights.
        Value bias = call.in(3);
        if (bias.form.isInteger()) {
            const Value one = graph::filled(graph::kReal, {1}, 1.0);
            bias = graph::realBias(emitter, bias, one, one);
        }
        cell.add(bias);
    } else {
        cell.addOmitted();
    }
    cell.add(call.state(4, graph::kReal, stateDims));
    cell.addInt(rank);
    cell.addInt(cellActivation(options.fused_activation()));
    const std::vector<Value> results =
            emitter.emit(nn::OperationType::SVDF, cell.operands(),
                         std::vector<Emitter::Result>{{graph::kReal, stateDims},
                                                      {graph::kReal, {batch, units}}});
    call.setState(4, results[0]);
    call.set(0, results[1]);
}

constexpr Row kRecurrentRows[] = {
        {24, "RNN", kImported, "RNN", importRnn},
        {27, "SVDF", kImported, "SVDF", importSvdf},
        {35, "UNIDIRECTIONAL_SEQUENCE_RNN", kImported, "UNIDIRECTIONAL_SEQUENCE_RNN",
         importSequenceRnn},
        {46, "BIDIRECTIONAL_SEQUENCE_RNN", kImported, "BIDIRECTIONAL_SEQUENCE_RNN",
         importBidirectionalRnn},
};

}  // namespace

std::span<const Row> recurrentRows() {
    return kRecurrentRows;
}

}  // namespace vnpu::sim::tflite
