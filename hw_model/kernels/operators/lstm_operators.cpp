// SPDX-License-Identifier: Apache-2.0
// LSTM layers in floating point. Inputs are numbered as in NNAPI 1.3.
#include <fmt/format.h>

#include "hw_model/kernels/operators/lstm_cell.h"
#include "hw_model/kernels/operators/operator_table.h"
#include "hw_model/kernels/operators/quantized_lstm.h"

namespace vnpu::hw::kernels {
namespace {

LstmTypes allOf(TensorType type) {
    return {.weights = type, .vectors = type, .bias = type, .output = type, .cell = type};
}

void checkInput(OperandChecks& checks, const OperatorCall& call, std::size_t rank) {
    const TensorType type = call.input(0).type;
    checks.that(type == TensorType::kFloat32 || type == TensorType::kFloat16, [&] {
        return fmt::format("input 0 has type {}, expected a float", tensorTypeName(type));
    });
    checks.rank(0, type, rank);
}

void checkOutputs(OperandChecks& checks, const OperatorCall& call) {
    for (std::size_t o = 0; o < call.outputCount(); ++o) {
        checks.outputType(o, call.input(0).type);
    }
}

// Activation and the two limits, which stand one after the other.
LstmParameters readParameters(OperandChecks& checks, const OperatorCall& call, std::size_t first) {
    checks.int32(first);
    checks.real(first + 1);
    checks.real(first + 2);
    if (!checks.isFine()) {
        return {};
    }
    const std::int32_t code = call.int32(first);
    checks.that(isRecurrentActivation(code),
                [&] { return fmt::format("activation is {}, expected 0, 1, 2, 3, 4 or 6", code); });
    return {.activation = static_cast<RecurrentActivation>(code),
            .cellClip = call.real(first + 1),
            .projectionClip = call.real(first + 2)};
}

// Where the output of a cell goes: `offset` floats into vectors of `depth`.
struct OutputColumns {
    float* data;
    std::size_t depth;
    std::size_t offset;
};

struct CellSequences {
    SequenceLayout layout;
    const float* input;
    const float* auxiliary;
    bool isBackward = false;
};

void runCell(LstmCell& cell, const CellSequences& sequences, const OutputColumns& output) {
    const SequenceLayout& layout = sequences.layout;
    const std::size_t steps = layout.batch == 0 ? 0 : layout.steps;  // may be any number then
    for (std::size_t i = 0; i < steps; ++i) {
        const std::size_t t = sequences.isBackward ? steps - 1 - i : i;
        cell.step({layout.rows(sequences.input, t, cell.shape().input),
                   layout.rows(sequences.auxiliary, t, cell.shape().auxiliary)},
                  output.data + layout.offset(t, output.depth) + output.offset,
                  layout.stride(output.depth));
    }
}

void store(OperatorCall& call, std::size_t output, std::span<const float> values) {
    RealResult result(call, output);
    std::copy(values.begin(), values.end(), result.data());
    result.store();
}

void storeStates(OperatorCall& call, std::size_t firstOutput, const LstmCell& cell) {
    store(call, firstOutput, cell.outputState());
    store(call, firstOutput + 1, cell.cellState());
}

// A layer whose outputs begin behind `scratch` ones.
JobStatus runLayer(OperatorCall& call, const LstmOperands& operands, const LstmShape& shape,
                   const LstmParameters& parameters, const SequenceLayout& layout,
                   std::size_t output, std::size_t states) {
    LstmCell cell(call, operands, shape, parameters);
    const RealValues input(call, 0);
    RealResult result(call, output);
    runCell(cell, {.layout = layout, .input = input.data(), .auxiliary = nullptr},
            {result.data(), shape.output, 0});
    result.store();
    if (states != 0) {
        storeStates(call, states, cell);
    }
    return JobStatus::kOk;
}

JobStatus lstm(OperatorCall& call) {
    if (const auto status = call.requireOperands(23, 27, 4, 1); status != JobStatus::kOk) {
        return status;
    }
    constexpr LstmOperands kOperands{.weights = 1, .states = 18, .normalisation = 23};
    OperandChecks checks(call);
    checkInput(checks, call, 2);
    const LstmParameters parameters = readParameters(checks, call, 20);
    checkOutputs(checks, call);
    const Dimensions& dimensions = call.input(0).dimensions;
    LstmShape shape{.batch = dimensions[0], .input = dimensions[1]};
    checkLstm(checks, call, kOperands, allOf(call.input(0).type), shape);
    if (!checks.isFine()) {
        return checks.status();
    }
    const auto gates = static_cast<std::uint32_t>(shape.gates());
    const Dimensions outputs[] = {{shape.batch, gates * shape.units},
                                  shape.outputState(),
                                  shape.cellState(),
                                  shape.outputState()};
    if (const auto status = settleAll(call, outputs); status != JobStatus::kOk) {
        return status;
    }
    // The scratch buffer is nobody's business; the same bytes in every run are.
    std::fill_n(call.write<std::byte>(0), call.output(0).sizeBytes(), std::byte{0});
    return runLayer(call, kOperands, shape, parameters, SequenceLayout(shape.batch), 3, 1);
}

JobStatus unidirectionalSequenceLstm(OperatorCall& call) {
    const std::size_t outputCount = call.outputCount() == 3 ? 3 : 1;
    if (const auto status = call.requireOperands(24, 28, outputCount, 1);
        status != JobStatus::kOk) {
        return status;
    }
    constexpr LstmOperands kOperands{.weights = 1, .states = 18, .normalisation = 24};
    OperandChecks checks(call);
    checkInput(checks, call, 3);
    const LstmParameters parameters = readParameters(checks, call, 20);
    checks.flag(23);
    checkOutputs(checks, call);
    if (!checks.isFine()) {
        return checks.status();
    }
    const Dimensions& dimensions = call.input(0).dimensions;
    const SequenceLayout layout(dimensions, call.flag(23));
    LstmShape shape{.batch = static_cast<std::uint32_t>(layout.batch), .input = dimensions[2]};
    checkLstm(checks, call, kOperands, allOf(call.input(0).type), shape);
    if (!checks.isFine()) {
        return checks.status();
    }
    const Dimensions outputs[] = {layout.dimensions(shape.output), shape.outputState(),
                                  shape.cellState()};
    if (const auto status = settleAll(call, std::span(outputs).first(outputCount));
        status != JobStatus::kOk) {
        return status;
    }
    return runLayer(call, kOperands, shape, parameters, layout, 0, outputCount == 3 ? 1 : 0);
}

// Two cells that read the sequences in opposite directions.
class BidirectionalLstm {
  public:
    explicit BidirectionalLstm(OperatorCall& call) : call_(call), checks_(call) {}

    JobStatus run() {
        if (const auto status = call_.requireOperands(53, 61, call_.outputCount(), 1);
            status != JobStatus::kOk) {
            return status;
        }
        checkInput(checks_, call_, 3);
        parameters_ = readParameters(checks_, call_, 48);
        checks_.flag(51);
        checks_.flag(52);
        checkOutputs(checks_, call_);
        if (checks_.isFine()) {
            check();
        }
        if (!checks_.isFine()) {
            return checks_.status();
        }
        const auto status = settle();
        return status == JobStatus::kOk ? compute() : status;
    }

  private:
    static constexpr std::size_t kAuxiliary = 39;
    static constexpr LstmOperands kForward{
            .weights = 1, .states = 35, .normalisation = 53, .auxiliary = 40};
    static constexpr LstmOperands kBackward{
            .weights = 18, .states = 37, .normalisation = 57, .auxiliary = 44};

    void check() {
        isMerged_ = call_.flag(51);
        const std::size_t least = isMerged_ ? 1 : 2;
        hasStates_ = call_.outputCount() == least + 4;
        checks_.that(hasStates_ || call_.outputCount() == least, [&] {
            return fmt::format("{} outputs, expected {} or {}", call_.outputCount(), least,
                               least + 4);
        });
        const TensorType type = call_.input(0).type;
        const Dimensions& dimensions = call_.input(0).dimensions;
        layout_ = SequenceLayout(dimensions, call_.flag(52));
        forward_ = {.batch = static_cast<std::uint32_t>(layout_.batch), .input = dimensions[2]};
        backward_ = forward_;
        const bool hasAuxiliary = !call_.isOmitted(kAuxiliary);
        if (hasAuxiliary) {
            checkAuxiliary();
        }
        checkLstm(checks_, call_, kForward, allOf(type), forward_);
        checkLstm(checks_, call_, kBackward, allOf(type), backward_);
        checks_.that(forward_.hasAuxiliary == backward_.hasAuxiliary &&
                             (hasAuxiliary || !forward_.hasAuxiliary),
                     [] {
                         return "auxiliary weights without those of the other cell or without "
                                "auxiliary input";
                     });
    }

    void checkAuxiliary() {
        checks_.rank(kAuxiliary, call_.input(0).type, 3);
        if (!checks_.isFine()) {
            return;
        }
        const Dimensions& dimensions = call_.input(kAuxiliary).dimensions;
        const Dimensions& input = call_.input(0).dimensions;
        checks_.shape(kAuxiliary, call_.input(0).type, {input[0], input[1], dimensions[2]});
        forward_.auxiliary = backward_.auxiliary = dimensions[2];
        isParallel_ = call_.isOmitted(kForward.auxiliary + kOutputGate);
        if (isParallel_) {
            backward_.input = dimensions[2];
        }
    }

    JobStatus settle() {
        std::vector<Dimensions> outputs;
        if (isMerged_) {
            outputs = {layout_.dimensions(std::size_t{forward_.output} + backward_.output)};
        } else {
            outputs = {layout_.dimensions(forward_.output), layout_.dimensions(backward_.output)};
        }
        if (hasStates_) {
            for (const LstmShape& shape : {forward_, backward_}) {
                outputs.push_back(shape.outputState());
                outputs.push_back(shape.cellState());
            }
        }
        return settleAll(call_, outputs);
    }

    JobStatus compute() {
        const RealValues input(call_, 0), auxiliary(call_, kAuxiliary);
        RealResult first(call_, 0);
        RealResult second = isMerged_ ? RealResult() : RealResult(call_, 1);
        const std::size_t merged = std::size_t{forward_.output} + backward_.output;
        const std::size_t states = isMerged_ ? 1 : 2;
        {
            LstmCell cell(call_, kForward, forward_, parameters_);
            runCell(cell, {.layout = layout_, .input = input.data(), .auxiliary = auxiliary.data()},
                    {first.data(), isMerged_ ? merged : forward_.output, 0});
            if (hasStates_) {
                storeStates(call_, states, cell);
            }
        }
        LstmCell cell(call_, kBackward, backward_, parameters_);
        runCell(cell,
                {.layout = layout_,
                 .input = isParallel_ ? auxiliary.data() : input.data(),
                 .auxiliary = auxiliary.data(),
                 .isBackward = true},
                isMerged_ ? OutputColumns{first.data(), merged, forward_.output}
                          : OutputColumns{second.data(), backward_.output, 0});
        if (hasStates_) {
            storeStates(call_, states + 2, cell);
        }
        first.store();
        second.store();
        return JobStatus::kOk;
    }

    OperatorCall& call_;
    OperandChecks checks_;
    LstmParameters parameters_;
    SequenceLayout layout_{0};
    LstmShape forward_, backward_;
    bool isMerged_ = false, hasStates_ = false, isParallel_ = false;
};

JobStatus bidirectionalSequenceLstm(OperatorCall& call) {
    return BidirectionalLstm(call).run();
}

constexpr OperatorEntry kEntries[] = {
        {Operator::kLstm, lstm},
        {Operator::kUnidirectionalSequenceLstm, unidirectionalSequenceLstm},
        {Operator::kBidirectionalSequenceLstm, bidirectionalSequenceLstm},
        {Operator::kQuantized16BitLstm, quantized16BitLstm},
        {Operator::kQuantizedLstm, quantizedLstm},
};

}  // namespace

std::span<const OperatorEntry> lstmOperators() {
    return kEntries;
}

}  // namespace vnpu::hw::kernels
