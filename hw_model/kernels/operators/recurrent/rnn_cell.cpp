// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/recurrent/rnn_cell.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/kernels/operators/operator_checks.h"

namespace vnpu::hw::kernels {

JobStatus checkCell(OperatorCall& call, const RnnOperands& operands, RnnShape& shape) {
    shape.units = call.input(operands.weights).dimensions[0];
    if (shape.input == 0 || shape.units == 0) {
        return call.refuse(fmt::format("{} inputs and {} units, expected at least 1 each",
                                       shape.input, shape.units));
    }
    VNPU_TRY(requireDimensions(call, operands.weights, {shape.units, shape.input}));
    VNPU_TRY(requireDimensions(call, operands.recurrent(), {shape.units, shape.units}));
    VNPU_TRY(requireDimensions(call, operands.bias(), {shape.units}));
    VNPU_TRY(requireDimensions(call, operands.state(), {shape.batch, shape.units}));
    shape.hasAuxiliary = operands.auxiliary != 0 && !call.isOmitted(operands.auxiliary);
    if (shape.hasAuxiliary) {
        VNPU_TRY(requireDimensions(call, operands.auxiliary, {shape.units, shape.auxiliary}));
    }
    for (const std::uint64_t columns : {shape.input, shape.auxiliary, shape.units}) {
        VNPU_TRY(requirePackable(call, shape.units, columns));
    }
    return JobStatus::kOk;
}

RnnCell::RnnCell(const OperatorCall& call, const RnnOperands& operands, const RnnShape& shape,
                 RecurrentActivation activation)
    : shape_(shape),
      activation_(activation),
      inputWeights_(call, operands.weights, shape.units, shape.input),
      recurrentWeights_(call, operands.recurrent(), shape.units, shape.units),
      bias_(call, operands.bias()) {
    if (shape.hasAuxiliary) {
        auxiliaryWeights_ = PackedWeights(call, operands.auxiliary, shape.units, shape.auxiliary);
    }
    const RealValues state(call, operands.state());
    state_.assign(state.data(), state.data() + state.size());
    sums_.resize(state_.size());
}

void RnnCell::step(const StepInputs& inputs, float* output, std::size_t outputStride) {
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

}  // namespace vnpu::hw::kernels
