// SPDX-License-Identifier: Apache-2.0
// Layers of LSTM cells.
#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/products.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"
#include "sim/import/tflite/operators/cell_operands.h"
#include "sim/import/tflite/operators/quantized_lstm.h"

namespace vnpu::sim::tflite {

namespace {

struct CellShape {
    std::uint32_t batch = 0, steps = 0, units = 0, output = 0;
};

/// Sizes of a cell whose weights begin at input `first`.
CellShape cellShape(Call& call, std::size_t first, bool isTimeMajor) {
    const Value& input = call.in(0);
    requireRank(input, 3);
    CellShape shape;
    shape.batch = input.dims[isTimeMajor ? 1 : 0];
    shape.steps = input.dims[isTimeMajor ? 0 : 1];
    shape.units = rowsOf(call, first + 1);  // input to forget
    shape.output = call.has(first + 15) ? rowsOf(call, first + 15) : shape.units;
    return shape;
}

Dims sequenceDims(const CellShape& shape, std::uint32_t width, bool isTimeMajor) {
    return isTimeMajor ? Dims{shape.steps, shape.batch, width}
                       : Dims{shape.batch, shape.steps, width};
}

constexpr std::size_t kWeights = 17;  // weights, peepholes, biases, projection of a cell

void addNormalizations(Call& call, CellOperands& cell) {
    if (call.inputCount() > kNormalization) {
        cell.add(kNormalization, 4);
    }
}

void importUnidirectionalLstm(Call& call) {
    call.requireInputs(1, 24);
    const auto& options = call.options<schema::UnidirectionalSequenceLstmOptions>();
    const CellShape shape = cellShape(call, 1, options.time_major());
    if (call.in(0).form.isQuantized()) {
        importQuantizedLstm(call, options, shape.units, shape.output);
        return;
    }
    CellOperands cell(call);
    cell.add(0, 1 + kWeights);
    cell.add(call.state(kOutputState, graph::kReal, {shape.batch, shape.output}));
    cell.add(call.state(kCellState, graph::kReal, {shape.batch, shape.units}));
    cell.addInt(cellActivation(options.fused_activation()));
    cell.addFloat(options.cell_clip());
    cell.addFloat(options.proj_clip());
    cell.addBool(options.time_major());
    addNormalizations(call, cell);
    if (call.inputCount() <= kNormalization) {
        cell.addOmitted(4);
    }
    const std::vector<Value> results = call.emitter().emit(
            nn::OperationType::UNIDIRECTIONAL_SEQUENCE_LSTM, cell.operands(),
            std::vector<Emitter::Result>{
                    {graph::kReal, sequenceDims(shape, shape.output, options.time_major())},
                    {graph::kReal, {shape.batch, shape.output}},
                    {graph::kReal, {shape.batch, shape.units}}});
    call.set(0, results[0]);
    call.setState(kOutputState, results[1]);
    call.setState(kCellState, results[2]);
}

/// One step; the gates of all units in one matrix: input, new input, forget, output.
void importBasicLstm(Call& call) {
    call.requireInputs(5, 5);
    Emitter& emitter = call.emitter();
    const auto real = [&](std::size_t i) { return graph::toReal(emitter, call.in(i)); };
    const Value previous = real(4);
    requireRank(call.in(0), 2);
    requireRank(previous, 2);
    const std::uint32_t units = previous.dims[1];
    if (rowsOf(call, 2) != 4 * units) {
        throw Refusal(fmt::format("weights have {} rows, expected 4 gates of {}", rowsOf(call, 2),
                                  units));
    }
    const Value joined = graph::concatenate(emitter, {real(0), real(1)}, 1, graph::kReal);
    const Value bias = graph::realBias(emitter, call.in(3), call.in(0), call.in(2));
    const Value sums =
            graph::fullyConnected(emitter, joined, real(2), bias, Clamp::kNone, graph::kReal);
    const auto gate = [&](std::uint32_t i, Unary op) {
        const Value part = graph::sliceAxis(emitter, sums, 1, i * units, units);
        return graph::unary(emitter, op, part, graph::kReal);
    };
    const auto apply = [&](Binary op, const Value& a, const Value& b) {
        return graph::binary(emitter, op, a, b, graph::kReal);
    };
    const Value fresh = apply(Binary::kMul, gate(0, Unary::kLogistic), gate(1, Unary::kTanh));
    const Value kept = apply(Binary::kMul, gate(2, Unary::kLogistic), previous);
    const Value state = apply(Binary::kAdd, fresh, kept);
    const Value output = apply(Binary::kMul, gate(3, Unary::kLogistic),
                               graph::unary(emitter, Unary::kTanh, state, graph::kReal));
    const Value* const results[] = {&output, &state, &joined, &sums};
    for (std::size_t i = 0; i < 4 && call.hasOutput(i); ++i) {
        call.set(i, *results[i]);
    }
}

void importLstm(Call& call) {
    const auto& options = call.options<schema::LstmOptions>();
    if (options.kernel_type() == schema::LstmKernelType::BASIC) {
        importBasicLstm(call);
        return;
    }
    call.requireInputs(1, 24);
    requireRank(call.in(0), 2);
    const std::uint32_t batch = call.in(0).dims[0], units = rowsOf(call, 2);
    const std::uint32_t output = call.has(16) ? rowsOf(call, 16) : units;
    CellOperands cell(call);
    cell.add(0, 1 + kWeights);
    cell.add(call.state(kOutputState, graph::kReal, {batch, output}));
    cell.add(call.state(kCellState, graph::kReal, {batch, units}));
    cell.addInt(cellActivation(options.fused_activation()));
    cell.addFloat(options.cell_clip());
    cell.addFloat(options.proj_clip());
    addNormalizations(call, cell);
    const std::uint32_t gates = call.has(1) ? 4 : 3;
    const std::vector<Value> results =
            call.emitter().emit(nn::OperationType::LSTM, cell.operands(),
                                std::vector<Emitter::Result>{{graph::kReal, {batch, gates * units}},
                                                             {graph::kReal, {batch, output}},
                                                             {graph::kReal, {batch, units}},
                                                             {graph::kReal, {batch, output}}});
    call.setState(kOutputState, results[1]);
    call.setState(kCellState, results[2]);
    call.set(call.outputCount() - 1, results[3]);  // old files have the scratch buffers before it
}

void importBidirectionalLstm(Call& call) {
    call.requireInputs(1, 48);
    const auto& options = call.options<schema::BidirectionalSequenceLstmOptions>();
    constexpr std::size_t kBackward = 18, kStates = 35, kAuxiliary = 39;
    const bool isTimeMajor = options.time_major(), isMerged = options.merge_outputs();
    const CellShape forward = cellShape(call, 1, isTimeMajor);
    const CellShape backward = cellShape(call, kBackward, isTimeMajor);
    const Dims states[] = {{forward.batch, forward.output},
                           {forward.batch, forward.units},
                           {backward.batch, backward.output},
                           {backward.batch, backward.units}};
    CellOperands cell(call);
    cell.add(0, 1 + 2 * kWeights);
    for (std::size_t i = 0; i < 4; ++i) {
        cell.add(call.state(kStates + i, graph::kReal, states[i]));
    }
    cell.add(kAuxiliary, 9);
    cell.addInt(cellActivation(options.fused_activation()));
    cell.addFloat(options.cell_clip());
    cell.addFloat(options.proj_clip());
    cell.addBool(isMerged);
    cell.addBool(isTimeMajor);
    cell.addOmitted(8);  // normalizations, which the file format does not have here
    const std::uint32_t width = forward.output + (isMerged ? backward.output : 0);
    std::vector<Emitter::Result> results = {
            {graph::kReal, sequenceDims(forward, width, isTimeMajor)}};
    if (!isMerged) {
        results.push_back({graph::kReal, sequenceDims(backward, backward.output, isTimeMajor)});
    }
    const std::size_t outputs = results.size();
    for (const Dims& dims : states) {
        results.push_back({graph::kReal, dims});
    }
    const std::vector<Value> values = call.emitter().emit(
            nn::OperationType::BIDIRECTIONAL_SEQUENCE_LSTM, cell.operands(), results);
    for (std::size_t i = 0; i < outputs; ++i) {
        call.set(i, values[i]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        call.setState(kStates + i, values[outputs + i]);
    }
}

constexpr Row kLstmRows[] = {
        {16, "LSTM", kImported, "LSTM; basic cells composed of FULLY_CONNECTED", importLstm},
        {44, "UNIDIRECTIONAL_SEQUENCE_LSTM", kImported,
         "UNIDIRECTIONAL_SEQUENCE_LSTM, or QUANTIZED_LSTM step by step", importUnidirectionalLstm},
        {52, "BIDIRECTIONAL_SEQUENCE_LSTM", kImported, "BIDIRECTIONAL_SEQUENCE_LSTM",
         importBidirectionalLstm},
};

}  // namespace

std::span<const Row> lstmRows() {
    return kLstmRows;
}

}  // namespace vnpu::sim::tflite
