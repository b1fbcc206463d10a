// SPDX-License-Identifier: Apache-2.0
// Fully connected recurrent layers. Inputs are numbered as in NNAPI 1.3.
#include <fmt/format.h>

#include <algorithm>

#include "hw_model/kernels/operators/operator_table.h"
#include "hw_model/kernels/operators/recurrent/sequence_layer.h"
#include "hw_model/kernels/operators/recurrent/svdf_operator.h"
#include "hw_model/regs/operand_checks.h"  // VNPU_TRY

namespace vnpu::hw::kernels {
namespace {

/// Where the operands of a cell stand.
struct CellOperands {
    std::size_t weights = 0;    // then recurrent weights, bias and state
    std::size_t auxiliary = 0;  // weights of the auxiliary input; 0: the operation has none

    std::size_t recurrent() const { return weights + 1; }
    std::size_t bias() const { return weights + 2; }
    std::size_t state() const { return weights + 3; }
};

struct CellShape {
    std::uint32_t batch = 0;
    std::uint32_t input = 0;
    std::uint32_t auxiliary = 0;
    std::uint32_t units = 0;
    bool hasAuxiliary = false;

    Dimensions state() const { return {batch, units}; }
};

void checkCell(OperandChecks& checks, const OperatorCall& call, const CellOperands& operands,
               CellShape& shape) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;  // chosen: beyond any real layer
    if (!checks.isFine()) {
        return;
    }
    const TensorType type = call.input(0).type;
    checks.rank(operands.weights, type, 2);
    if (!checks.isFine()) {
        return;
    }
    shape.units = call.input(operands.weights).dimensions[0];
    checks.that(shape.input != 0 && shape.units != 0, [&] {
        return fmt::format("{} inputs and {} units, expected at least 1 each", shape.input,
                           shape.units);
    });
    checks.shape(operands.weights, type, {shape.units, shape.input});
    checks.shape(operands.recurrent(), type, {shape.units, shape.units});
    checks.shape(operands.bias(), type, {shape.units});
    checks.shape(operands.state(), type, shape.state());
    if (operands.auxiliary != 0 && !call.isOmitted(operands.auxiliary)) {
        shape.hasAuxiliary = true;
        checks.shape(operands.auxiliary, type, {shape.units, shape.auxiliary});
    }
    for (const std::uint64_t columns : {shape.input, shape.auxiliary, shape.units}) {
        const std::uint64_t size = PackedWeights::sizeBytes(shape.units, columns);
        checks.that(size <= kMost, [&] {
            return fmt::format("weights [{}, {}] take {} bytes, expected at most {}", shape.units,
                               columns, size, kMost);
        });
    }
}

/// A batch of cells in float32; the state goes from step to step unrounded.
class Cell {
  public:
    Cell(const OperatorCall& call, const CellOperands& operands, const CellShape& shape,
         RecurrentActivation activation)
        : shape_(shape),
          activation_(activation),
          inputWeights_(pack(call, operands.weights, shape.units, shape.input)),
          recurrentWeights_(pack(call, operands.recurrent(), shape.units, shape.units)),
          bias_(call, operands.bias()) {
        if (shape.hasAuxiliary) {
            auxiliaryWeights_ = pack(call, operands.auxiliary, shape.units, shape.auxiliary);
        }
        const RealValues state(call, operands.state());
        state_.assign(state.data(), state.data() + state.size());
        sums_.resize(state_.size());
    }

    void step(const StepInputs& inputs, float* output, std::size_t outputStride) {
        for (std::size_t b = 0; b < shape_.batch; ++b) {
            std::copy_n(bias_.data(), shape_.units, &sums_[b * shape_.units]);
        }
        inputWeights_.accumulate(inputs.input, shape_.batch, sums_.data());
        if (shape_.hasAuxiliary) {
            auxiliaryWeights_.accumulate(inputs.auxiliary, shape_.batch, sums_.data());
        }
        recurrentWeights_.accumulate({state_.data(), shape_.units}, shape_.batch, sums_.data());
        activate(activation_, sums_.data(), sums_.size());
        state_.swap(sums_);
        for (std::size_t b = 0; b < shape_.batch; ++b) {
            std::copy_n(&state_[b * shape_.units], shape_.units, output + b * outputStride);
        }
    }

    const CellShape& shape() const { return shape_; }
    std::span<const float> state() const { return state_; }

  private:
    static PackedWeights pack(const OperatorCall& call, std::size_t input, std::size_t rows,
                              std::size_t columns) {
        const RealValues values(call, input);
        const float* const matrix = values.data();
        return {{&matrix, 1}, rows, columns};
    }

    CellShape shape_;
    RecurrentActivation activation_;
    PackedWeights inputWeights_, auxiliaryWeights_, recurrentWeights_;
    RealValues bias_;
    std::vector<float> state_, sums_;
};

JobStatus rnn(OperatorCall& call) {
    VNPU_TRY(call.requireOperands(6, 6, 2, 6));
    constexpr CellOperands kOperands{.weights = 1};
    OperandChecks checks(call);
    checkFloatInput(checks, call, 2);
    checkOutputTypes(checks, call);
    const RecurrentActivation activation = readCellActivation(checks, call, 5);
    const Dimensions& dimensions = call.input(0).dimensions;
    CellShape shape{.batch = dimensions[0], .input = dimensions[1]};
    checkCell(checks, call, kOperands, shape);
    VNPU_TRY(checks.status());
    const Dimensions outputs[] = {shape.state(), shape.state()};
    VNPU_TRY(settleAll(call, outputs));
    Cell cell(call, kOperands, shape, activation);
    const RealValues input(call, 0);
    RealResult result(call, 1);
    runCell(cell, {.layout = SequenceLayout(shape.batch), .input = input.data()},
            {result.data(), shape.units, 0});
    result.store();
    storeValues(call, 0, cell.state());
    return JobStatus::kOk;
}

JobStatus unidirectionalSequenceRnn(OperatorCall& call) {
    const std::size_t outputCount = call.outputCount() == 2 ? 2 : 1;
    VNPU_TRY(call.requireOperands(7, 7, outputCount, 7));
    constexpr CellOperands kOperands{.weights = 1};
    OperandChecks checks(call);
    checkFloatInput(checks, call, 3);
    checkOutputTypes(checks, call);
    const RecurrentActivation activation = readCellActivation(checks, call, 5);
    checks.int32(6);
    const std::int32_t timeMajor = checks.isFine() ? call.int32(6) : 0;
    checks.that(timeMajor == 0 || timeMajor == 1,
                [&] { return fmt::format("time major is {}, expected 0 or 1", timeMajor); });
    VNPU_TRY(checks.status());
    const Dimensions& dimensions = call.input(0).dimensions;
    const SequenceLayout layout(dimensions, timeMajor == 1);
    CellShape shape{.batch = static_cast<std::uint32_t>(layout.batch), .input = dimensions[2]};
    checkCell(checks, call, kOperands, shape);
    VNPU_TRY(checks.status());
    const Dimensions outputs[] = {layout.dimensions(shape.units), shape.state()};
    VNPU_TRY(settleAll(call, std::span(outputs).first(outputCount)));
    Cell cell(call, kOperands, shape, activation);
    const RealValues input(call, 0);
    RealResult result(call, 0);
    runCell(cell, {.layout = layout, .input = input.data()}, {result.data(), shape.units, 0});
    result.store();
    if (outputCount == 2) {
        storeValues(call, 1, cell.state());
    }
    return JobStatus::kOk;
}

// Two cells that read the sequences in opposite directions.
class BidirectionalRnn {
  public:
    explicit BidirectionalRnn(OperatorCall& call) : call_(call), checks_(call) {}

    JobStatus run() {
        VNPU_TRY(call_.requireOperands(15, 15, call_.outputCount(), 9));
        checkFloatInput(checks_, call_, 3);
        checkOutputTypes(checks_, call_);
        activation_ = readCellActivation(checks_, call_, 12);
        checks_.flag(13);
        checks_.flag(14);
        if (checks_.isFine()) {
            check();
        }
        VNPU_TRY(checks_.status());
        const auto status = settle();
        return status == JobStatus::kOk ? compute() : status;
    }

  private:
    static constexpr std::size_t kAuxiliary = 9;
    static constexpr CellOperands kForward{.weights = 1, .auxiliary = 10};
    static constexpr CellOperands kBackward{.weights = 5, .auxiliary = 11};

    void check() {
        isMerged_ = call_.flag(14);
        const std::size_t least = isMerged_ ? 1 : 2;
        hasStates_ = call_.outputCount() == least + 2;
        checks_.that(hasStates_ || call_.outputCount() == least, [&] {
            return fmt::format("{} outputs, expected {} or {}", call_.outputCount(), least,
                               least + 2);
        });
        const Dimensions& dimensions = call_.input(0).dimensions;
        layout_ = SequenceLayout(dimensions, call_.flag(13));
        forward_ = {.batch = static_cast<std::uint32_t>(layout_.batch), .input = dimensions[2]};
        backward_ = forward_;
        const bool hasAuxiliary = !call_.isOmitted(kAuxiliary);
        if (hasAuxiliary) {
            checkAuxiliary();
        }
        checkCell(checks_, call_, kForward, forward_);
        checkCell(checks_, call_, kBackward, backward_);
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
        isParallel_ = call_.isOmitted(kForward.auxiliary);
        if (isParallel_) {
            backward_.input = depth;
        }
    }

    JobStatus settle() {
        std::vector<Dimensions> outputs = depths().dimensions(layout_);
        if (hasStates_) {
            outputs.push_back(forward_.state());
            outputs.push_back(backward_.state());
        }
        return settleAll(call_, outputs);
    }

    JobStatus compute() {
        const RealValues input(call_, 0), auxiliary(call_, kAuxiliary);
        BidirectionalResult result(call_, depths());
        Cell forward(call_, kForward, forward_, activation_);
        runCell(forward, {.layout = layout_, .input = input.data(), .auxiliary = auxiliary.data()},
                result.forward());
        Cell backward(call_, kBackward, backward_, activation_);
        runCell(backward,
                {.layout = layout_,
                 .input = isParallel_ ? auxiliary.data() : input.data(),
                 .auxiliary = auxiliary.data(),
                 .isBackward = true},
                result.backward());
        result.store();
        if (hasStates_) {
            storeValues(call_, depths().firstState(), forward.state());
            storeValues(call_, depths().firstState() + 1, backward.state());
        }
        return JobStatus::kOk;
    }

    BidirectionalDepths depths() const { return {forward_.units, backward_.units, isMerged_}; }

    OperatorCall& call_;
    OperandChecks checks_;
    RecurrentActivation activation_ = RecurrentActivation::kNone;
    SequenceLayout layout_{0};
    CellShape forward_, backward_;
    bool isMerged_ = false, hasStates_ = false, isParallel_ = false;
};

JobStatus bidirectionalSequenceRnn(OperatorCall& call) {
    return BidirectionalRnn(call).run();
}

constexpr OperatorEntry kRecurrentEntries[] = {
        {Operator::kRnn, rnn},
        {Operator::kUnidirectionalSequenceRnn, unidirectionalSequenceRnn},
        {Operator::kBidirectionalSequenceRnn, bidirectionalSequenceRnn},
        {Operator::kSvdf, svdf},
};

}  // namespace

std::span<const OperatorEntry> recurrentOperators() {
    return kRecurrentEntries;
}

}  // namespace vnpu::hw::kernels
