// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/recurrent/lstm_shapes.h"

#include <fmt/format.h>

#include "hw_model/kernels/operators/operator_checks.h"
#include "hw_model/kernels/operators/recurrent/packed_weights.h"

namespace vnpu::hw::kernels {
namespace {

// Requires that an input has the dimensions or is omitted.
JobStatus expect(OperatorCall& call, std::size_t input, const Dimensions& dimensions,
                 bool isExpected) {
    if (isExpected) {
        return requireDimensions(call, input, dimensions);
    }
    return call.isOmitted(input)
                   ? JobStatus::kOk
                   : call.refuse(fmt::format(
                             "input {} is there, expected it left out with its companions", input));
}

JobStatus checkGate(OperatorCall& call, const LstmOperands& operands, const LstmShape& shape,
                    std::size_t gate) {
    const std::uint32_t units = shape.units;
    const bool isComputed = gate != kInputGate || shape.hasInputGate;
    VNPU_TRY(expect(call, operands.inputWeights(gate), {units, shape.input}, isComputed));
    VNPU_TRY(expect(call, operands.recurrentWeights(gate), {units, shape.output}, isComputed));
    VNPU_TRY(expect(call, operands.bias(gate), {units}, isComputed));
    if (gate != kCellGate) {
        VNPU_TRY(expect(call, operands.peephole(gate), {units}, isComputed && shape.hasPeepholes));
    }
    VNPU_TRY(expect(call, operands.normalization + gate, {units},
                    isComputed && shape.hasNormalization));
    return operands.auxiliary == 0
                   ? JobStatus::kOk
                   : expect(call, operands.auxiliary + gate, {units, shape.auxiliary},
                            isComputed && shape.hasAuxiliary);
}

JobStatus checkProjection(OperatorCall& call, const LstmOperands& operands,
                          const LstmShape& shape) {
    const bool hasBias = !call.isOmitted(operands.projectionBias());
    if (shape.hasProjection) {
        VNPU_TRY(requireDimensions(call, operands.projection(), {shape.output, shape.units}));
        return hasBias ? requireDimensions(call, operands.projectionBias(), {shape.output})
                       : JobStatus::kOk;
    }
    if (hasBias) {
        return call.refuse(fmt::format("input {} is there, but input {} is left out",
                                       operands.projectionBias(), operands.projection()));
    }
    if (shape.units != shape.output) {
        return call.refuse(
                fmt::format("{} units and an output of {} without projection, expected as many",
                            shape.units, shape.output));
    }
    return JobStatus::kOk;
}

JobStatus checkMemory(OperatorCall& call, const LstmShape& shape) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 30;  // chosen: beyond any real layer
    const std::uint64_t units = shape.gates() * std::uint64_t{shape.units};
    for (const std::uint64_t columns : {shape.input, shape.auxiliary, shape.output}) {
        VNPU_TRY(requirePackable(call, units, columns));
    }
    return units * shape.batch <= kMost
                   ? JobStatus::kOk
                   : call.refuse(fmt::format("{} gates of {} sequences, expected at most {}", units,
                                             shape.batch, kMost));
}

}  // namespace

JobStatus checkCell(OperatorCall& call, const LstmOperands& operands, LstmShape& shape) {
    const auto isThere = [&](std::size_t input) { return !call.isOmitted(input); };
    // The output gate is never omitted.
    shape.units = call.input(operands.inputWeights(kOutputGate)).dimensions[0];
    shape.output = call.input(operands.recurrentWeights(kOutputGate)).dimensions[1];
    shape.hasInputGate = isThere(operands.inputWeights(kInputGate));
    shape.hasPeepholes = isThere(operands.peephole(kOutputGate));
    shape.hasNormalization = isThere(operands.normalization + kOutputGate);
    shape.hasProjection = isThere(operands.projection());
    shape.hasAuxiliary = operands.auxiliary != 0 && isThere(operands.auxiliaryWeights());
    if (shape.input == 0 || shape.units == 0 || shape.output == 0) {
        return call.refuse(
                fmt::format("{} inputs, {} units and {} outputs, expected at least 1 each",
                            shape.input, shape.units, shape.output));
    }
    for (std::size_t gate = 0; gate < kGates; ++gate) {
        VNPU_TRY(checkGate(call, operands, shape, gate));
    }
    VNPU_TRY(checkProjection(call, operands, shape));
    VNPU_TRY(requireDimensions(call, operands.outputState(), {shape.batch, shape.output}));
    VNPU_TRY(requireDimensions(call, operands.cellState(), {shape.batch, shape.units}));
    return checkMemory(call, shape);
}

}  // namespace vnpu::hw::kernels
