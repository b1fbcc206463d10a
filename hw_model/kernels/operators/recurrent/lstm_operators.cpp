// SPDX-License-Identifier: Apache-2.0
// LSTM layers in floating point. Inputs are numbered as in NNAPI 1.3.
#include <fmt/format.h>

#include "hw_model/kernels/operators/operator_table.h"
#include "hw_model/kernels/operators/recurrent/lstm_cell.h"
#include "hw_model/kernels/operators/recurrent/quantized_lstm.h"
#include "hw_model/kernels/operators/recurrent/sequence_layer.h"
#include "hw_model/regs/operand_checks.h"  // VNPU_TRY

namespace vnpu::hw::kernels {
namespace {

LstmTypes allOf(TensorType type) {
    return {.weights = type, .vectors = type, .bias = type, .output = type, .cell = type};
}

// Activation and the two limits, which stand one after the other.
LstmParameters readParameters(OperandChecks& checks, const OperatorCall& call, std::size_t first) {
    const RecurrentActivation activation = readCellActivation(checks, call, first);
    checks.real(first + 1);
    checks.real(first + 2);
    if (!checks.isFine()) {
        return {};
    }
    return {.activation = activation,
            .cellClip = call.real(first + 1),
            .projectionClip = call.real(first + 2)};
}

void storeStates(OperatorCall& call, std::size_t firstOutput, const LstmCell& cell) {
    storeValues(call, firstOutput, cell.outputState());
    storeValues(call, firstOutput + 1, cell.cellState());
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
    VNPU_TRY(call.requireOperands(23, 27, 4, 1));
    constexpr LstmOperands kOperands{.weights = 1, .states = 18, .normalization = 23};
    OperandChecks checks(call);
    checkFloatInput(checks, call, 2);
    const LstmParameters parameters = readParameters(checks, call, 20);
    checkOutputTypes(checks, call);
    const Dimensions& dimensions = call.input(0).dimensions;
    LstmShape shape{.batch = dimensions[0], .input = dimensions[1]};
    checkLstm(checks, call, kOperands, allOf(call.input(0).type), shape);
    VNPU_TRY(checks.status());
    const auto gates = static_cast<std::uint32_t>(shape.gates());
    const Dimensions outputs[] = {{shape.batch, gates * shape.units},
                                  shape.outputState(),
                                  shape.cellState(),
                                  shape.outputState()};
    VNPU_TRY(settleAll(call, outputs));
    // The scratch buffer is nobody's business; the same bytes in every run are.
    std::fill_n(call.write<std::byte>(0), call.output(0).sizeBytes(), std::byte{0});
    return runLayer(call, kOperands, shape, parameters, SequenceLayout(shape.batch), 3, 1);
}

JobStatus unidirectionalSequenceLstm(OperatorCall& call) {
    const std::size_t outputCount = call.outputCount() == 3 ? 3 : 1;
    VNPU_TRY(call.requireOperands(24, 28, outputCount, 1));
    constexpr LstmOperands kOperands{.weights = 1, .states = 18, .normalization = 24};
    OperandChecks checks(call);
    checkFloatInput(checks, call, 3);
    const LstmParameters parameters = readParameters(checks, call, 20);
    checks.flag(23);
    checkOutputTypes(checks, call);
    VNPU_TRY(checks.status());
    const Dimensions& dimensions = call.input(0).dimensions;
    const SequenceLayout layout(dimensions, call.flag(23));
    LstmShape shape{.batch = static_cast<std::uint32_t>(layout.batch), .input = dimensions[2]};
    checkLstm(checks, call, kOperands, allOf(call.input(0).type), shape);
    VNPU_TRY(checks.status());
    const Dimensions outputs[] = {layout.dimensions(shape.output), shape.outputState(),
                                  shape.cellState()};
    VNPU_TRY(settleAll(call, std::span(outputs).first(outputCount)));
    return runLayer(call, kOperands, shape, parameters, layout, 0, outputCount == 3 ? 1 : 0);
}

// Two cells that read the sequences in opposite directions.
class BidirectionalLstm {
  public:
    explicit BidirectionalLstm(OperatorCall& call) : call_(call), checks_(call) {}

    JobStatus run() {
        VNPU_TRY(call_.requireOperands(53, 61, call_.outputCount(), 1));
        checkFloatInput(checks_, call_, 3);
        parameters_ = readParameters(checks_, call_, 48);
        checks_.flag(51);
        checks_.flag(52);
        checkOutputTypes(checks_, call_);
        if (checks_.isFine()) {
            check();
        }
        VNPU_TRY(checks_.status());
        const auto status = settle();
        return status == JobStatus::kOk ? compute() : status;
    }

  private:
    static constexpr std::size_t kAuxiliary = 39;
    static constexpr LstmOperands kForward{
            .weights = 1, .states = 35, .normalization = 53, .auxiliary = 40};
    static constexpr LstmOperands kBackward{
            .weights = 18, .states = 37, .normalization = 57, .auxiliary = 44};

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
        const std::uint32_t depth = checkAuxiliaryInput(checks_, call_, kAuxiliary);
        forward_.auxiliary = backward_.auxiliary = depth;
        isParallel_ = call_.isOmitted(kForward.auxiliary + kOutputGate);
        if (isParallel_) {
            backward_.input = depth;
        }
    }

    JobStatus settle() {
        std::vector<Dimensions> outputs = depths().dimensions(layout_);
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
        BidirectionalResult result(call_, depths());
        {
            LstmCell cell(call_, kForward, forward_, parameters_);
            runCell(cell, {.layout = layout_, .input = input.data(), .auxiliary = auxiliary.data()},
                    result.forward());
            if (hasStates_) {
                storeStates(call_, depths().firstState(), cell);
            }
        }
        LstmCell cell(call_, kBackward, backward_, parameters_);
        runCell(cell,
                {.layout = layout_,
                 .input = isParallel_ ? auxiliary.data() : input.data(),
                 .auxiliary = auxiliary.data(),
                 .isBackward = true},
                result.backward());
        if (hasStates_) {
            storeStates(call_, depths().firstState() + 2, cell);
        }
        result.store();
        return JobStatus::kOk;
    }

    BidirectionalDepths depths() const { return {forward_.output, backward_.output, isMerged_}; }

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

constexpr OperatorEntry kLstmEntries[] = {
        {Operator::kLstm, lstm},
        {Operator::kUnidirectionalSequenceLstm, unidirectionalSequenceLstm},
        {Operator::kBidirectionalSequenceLstm, bidirectionalSequenceLstm},
        {Operator::kQuantized16BitLstm, quantized16BitLstm},
        {Operator::kQuantizedLstm, quantizedLstm},
};

}  // namespace

std::span<const OperatorEntry> lstmOperators() {
    return kLstmEntries;
}

}  // namespace vnpu::hw::kernels
