// SPDX-License-Identifier: Apache-2.0
// Layers with a state.
#include <algorithm>

#include "sim/import/graph/products.h"
#include "sim/import/graph/reduction.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"
#include "sim/import/tflite/quantized_lstm.h"

namespace vnpu::sim::tflite {

namespace {

using Type = nn::OperationType;

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

/// Real operands of a cell, in the order of the file, which is NNAPI's.
class CellOperands {
  public:
    explicit CellOperands(Call& call) : call_(call), emitter_(call.emitter()) {}

    /// Inputs `first` to `first + count - 1`; where one is left out, an omitted operand of `rank`.
    void add(std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            add(i);
        }
    }
    void add(std::size_t i) {
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
    void addOmitted() {
        operands_.push_back(
                emitter_.builder().addOmitted({.type = nn::OperandType::TENSOR_FLOAT32}));
    }
    void add(const Value& value) { operands_.push_back(emitter_.operand(value)); }
    void addInt(std::int32_t value) { operands_.push_back(emitter_.builder().addInt32(value)); }
    void addFloat(float value) { operands_.push_back(emitter_.builder().addFloat32(value)); }
    void addBool(bool value) { operands_.push_back(emitter_.builder().addBool(value)); }

    const std::vector<Index>& operands() const { return operands_; }

  private:
    Call& call_;
    Emitter& emitter_;
    std::vector<Index> operands_;
};

void requireRank(const Value& value, std::size_t rank) {
    if (value.rank() != rank || value.count() == 0) {
        throw Refusal(fmt::format("input is {}, expected {} dimensions",
                                  describeDimensions(value.dims), rank));
    }
}

/// Refuses a layer with weights that do not have this many dimensions.
std::uint32_t rowsOf(Call& call, std::size_t input) {
    const Value& weights = call.in(input);
    requireRank(weights, 2);
    return weights.dims[0];
}

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
        for (int i = 0; i < 4; ++i) {
            cell.addOmitted();
        }
    }
    const std::vector<Value> results = call.emitter().emit(
            Type::UNIDIRECTIONAL_SEQUENCE_LSTM, cell.operands(),
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
            call.emitter().emit(Type::LSTM, cell.operands(),
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
    for (int i = 0; i < 8; ++i) {
        cell.addOmitted();  // normalizations, which the file format does not have here
    }
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
    const std::vector<Value> values =
            call.emitter().emit(Type::BIDIRECTIONAL_SEQUENCE_LSTM, cell.operands(), results);
    for (std::size_t i = 0; i < outputs; ++i) {
        call.set(i, values[i]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        call.setState(kStates + i, values[outputs + i]);
    }
}

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
            Type::RNN, cell.operands(),
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
            Type::UNIDIRECTIONAL_SEQUENCE_RNN, cell.operands(),
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
    const std::vector<Value> values =
            call.emitter().emit(Type::BIDIRECTIONAL_SEQUENCE_RNN, cell.operands(), results);
    for (std::size_t i = 0; i < outputs; ++i) {
        call.set(i, values[i]);
    }
    call.setState(4, values[outputs]);
    call.setState(8, values[outputs + 1]);
}

/// Of 8 bits too, whose tensors are dequantized.
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
            emitter.emit(Type::SVDF, cell.operands(),
                         std::vector<Emitter::Result>{{graph::kReal, stateDims},
                                                      {graph::kReal, {batch, units}}});
    call.setState(4, results[0]);
    call.set(0, results[1]);
}

constexpr Row kRecurrentRows[] = {
        {16, "LSTM", kImported, "LSTM; basic cells composed of FULLY_CONNECTED", importLstm},
        {24, "RNN", kImported, "RNN", importRnn},
        {27, "SVDF", kImported, "SVDF", importSvdf},
        {35, "UNIDIRECTIONAL_SEQUENCE_RNN", kImported, "UNIDIRECTIONAL_SEQUENCE_RNN",
         importSequenceRnn},
        {44, "UNIDIRECTIONAL_SEQUENCE_LSTM", kImported,
         "UNIDIRECTIONAL_SEQUENCE_LSTM, or QUANTIZED_LSTM step by step", importUnidirectionalLstm},
        {46, "BIDIRECTIONAL_SEQUENCE_RNN", kImported, "BIDIRECTIONAL_SEQUENCE_RNN",
         importBidirectionalRnn},
        {52, "BIDIRECTIONAL_SEQUENCE_LSTM", kImported, "BIDIRECTIONAL_SEQUENCE_LSTM",
         importBidirectionalLstm},
};

}  // namespace

std::span<const Row> recurrentRows() {
    return kRecurrentRows;
}

}  // namespace vnpu::sim::tflite
