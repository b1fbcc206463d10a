// SPDX-License-Identifier: Apache-2.0
#pragma once

// Layers of RnnCell or LstmCell, whose Operands, Shape and Parameters have the same members.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hw_model/kernels/operators/operator_checks.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/operators/recurrent/sequence_layout.h"

namespace vnpu::hw::kernels {

/// The sequences that a cell reads, forward or backward in time.
struct CellSequences {
    SequenceLayout layout;
    const float* input = nullptr;
    const float* auxiliary = nullptr;
    bool isBackward = false;
};

/// The place of a cell's output: `offset` floats into vectors of `depth`.
struct OutputColumns {
    float* data;
    std::size_t depth;
    std::size_t offset;
};

/// Runs a cell through all steps.
template <typename Cell>
void runCell(Cell& cell, const CellSequences& sequences, const OutputColumns& output) {
    const SequenceLayout& layout = sequences.layout;
    const std::size_t steps =
            layout.batch == 0 ? 0 : layout.steps;  // steps may be any number in an empty batch
    for (std::size_t i = 0; i < steps; ++i) {
        const std::size_t t = sequences.isBackward ? steps - 1 - i : i;
        cell.step({layout.rows(sequences.input, t, cell.shape().input),
                   layout.rows(sequences.auxiliary, t, cell.shape().auxiliary)},
                  output.data + layout.offset(t, output.depth) + output.offset,
                  layout.stride(output.depth));
    }
}

/// Writes the states of a cell to the settled outputs from `first` on; returns the index of the
/// next output.
template <typename Cell>
std::size_t storeStates(OperatorCall& call, std::size_t first, const Cell& cell) {
    for (const std::span<const float> state : cell.states()) {
        RealResult result(call, first++);
        std::copy(state.begin(), state.end(), result.data());
        result.store();
    }
    return first;
}

/// Appends the states to the outputs if the model declares outputs for them, and returns whether it
/// does. Refuses any other number of outputs.
inline std::optional<bool> addStates(OperatorCall& call, std::vector<Dimensions>& outputs,
                                     const std::vector<Dimensions>& states) {
    const std::size_t least = outputs.size();
    if (call.outputCount() != least && call.outputCount() != least + states.size()) {
        return call.refuse(fmt::format("{} outputs, expected {} or {}", call.outputCount(), least,
                                       least + states.size()));
    }
    const bool hasStates = call.outputCount() != least;
    if (hasStates) {
        outputs.insert(outputs.end(), states.begin(), states.end());
    }
    return hasStates;
}

/// A single step of a cell. Outputs: scratch memory, the states, the step's output.
template <typename Cell>
JobStatus runStep(OperatorCall& call, const typename Cell::Operands& operands,
                  const typename Cell::Parameters& parameters) {
    const Dimensions& dimensions = call.input(0).dimensions;
    typename Cell::Shape shape{.batch = dimensions[0], .input = dimensions[1]};
    VNPU_TRY(checkCell(call, operands, shape));
    std::vector<Dimensions> outputs = shape.scratch();
    const std::size_t firstState = outputs.size();
    for (const Dimensions& state : shape.states()) {
        outputs.push_back(state);
    }
    outputs.push_back({shape.batch, shape.depth()});
    VNPU_TRY(call.settleAll(outputs));
    for (std::size_t o = 0; o < firstState; ++o) {
        // The scratch memory is never read, but its bytes must be the same in every run.
        std::fill_n(call.write<std::byte>(o), call.output(o).sizeBytes(), std::byte{0});
    }
    Cell cell(call, operands, shape, parameters);
    const RealValues input(call, 0);
    RealResult result(call, outputs.size() - 1);
    runCell(cell, {.layout = SequenceLayout(shape.batch), .input = input.data()},
            {result.data(), shape.depth(), 0});
    result.store();
    storeStates(call, firstState, cell);
    return JobStatus::kOk;
}

/// A cell that reads sequences from the first step to the last.
template <typename Cell>
JobStatus runSequence(OperatorCall& call, const typename Cell::Operands& operands,
                      const typename Cell::Parameters& parameters, bool isTimeMajor) {
    const Dimensions& dimensions = call.input(0).dimensions;
    const SequenceLayout layout(dimensions, isTimeMajor);
    typename Cell::Shape shape{.batch = static_cast<std::uint32_t>(layout.batch),
                               .input = dimensions[2]};
    VNPU_TRY(checkCell(call, operands, shape));
    std::vector<Dimensions> outputs = {layout.dimensions(shape.depth())};
    VNPU_TRY_ASSIGN(const bool hasStates, addStates(call, outputs, shape.states()));
    VNPU_TRY(call.settleAll(outputs));
    Cell cell(call, operands, shape, parameters);
    const RealValues input(call, 0);
    RealResult result(call, 0);
    runCell(cell, {.layout = layout, .input = input.data()}, {result.data(), shape.depth(), 0});
    result.store();
    if (hasStates) {
        storeStates(call, 1, cell);
    }
    return JobStatus::kOk;
}

/// Operands of a layer of two cells, of which one reads the sequences backward.
template <typename Cell>
struct BidirectionalOperands {
    typename Cell::Operands forward, backward;
    std::size_t auxiliary;  // a second input of both cells, or the input of the backward one
    bool isTimeMajor;
    bool isMerged;  // the outputs lie side by side in output 0, not in outputs 0 and 1
};

template <typename Cell>
JobStatus runBidirectional(OperatorCall& call, const BidirectionalOperands<Cell>& operands,
                           const typename Cell::Parameters& parameters) {
    const Dimensions& dimensions = call.input(0).dimensions;
    const SequenceLayout layout(dimensions, operands.isTimeMajor);
    typename Cell::Shape forward{.batch = static_cast<std::uint32_t>(layout.batch),
                                 .input = dimensions[2]};
    typename Cell::Shape backward = forward;
    const bool hasAuxiliary = !call.isOmitted(operands.auxiliary);
    const bool isParallel = hasAuxiliary && call.isOmitted(operands.forward.auxiliaryWeights());
    if (hasAuxiliary) {
        const std::uint32_t depth = call.input(operands.auxiliary).dimensions[2];
        VNPU_TRY(
                requireDimensions(call, operands.auxiliary, {dimensions[0], dimensions[1], depth}));
        forward.auxiliary = backward.auxiliary = depth;
        backward.input = isParallel ? depth : backward.input;
    }
    VNPU_TRY(checkCell(call, operands.forward, forward));
    VNPU_TRY(checkCell(call, operands.backward, backward));
    if (forward.hasAuxiliary != backward.hasAuxiliary || (forward.hasAuxiliary && !hasAuxiliary)) {
        return call.refuse(
                "auxiliary weights without those of the other cell or without auxiliary input");
    }
    const std::size_t depth = std::size_t{forward.depth()} + backward.depth();
    std::vector<Dimensions> outputs = {
            layout.dimensions(operands.isMerged ? depth : forward.depth())};
    if (!operands.isMerged) {
        outputs.push_back(layout.dimensions(backward.depth()));
    }
    std::vector<Dimensions> states = forward.states();
    for (const Dimensions& state : backward.states()) {
        states.push_back(state);
    }
    const std::size_t firstState = outputs.size();
    VNPU_TRY_ASSIGN(const bool hasStates, addStates(call, outputs, states));
    VNPU_TRY(call.settleAll(outputs));

    const RealValues input(call, 0), auxiliary(call, operands.auxiliary);
    RealResult first(call, 0);
    RealResult second = operands.isMerged ? RealResult() : RealResult(call, 1);
    std::size_t nextState = firstState;
    {
        Cell cell(call, operands.forward, forward, parameters);
        runCell(cell, {.layout = layout, .input = input.data(), .auxiliary = auxiliary.data()},
                {first.data(), operands.isMerged ? depth : forward.depth(), 0});
        nextState = hasStates ? storeStates(call, nextState, cell) : nextState;
    }
    Cell cell(call, operands.backward, backward, parameters);
    runCell(cell,
            {.layout = layout,
             .input = isParallel ? auxiliary.data() : input.data(),
             .auxiliary = auxiliary.data(),
             .isBackward = true},
            operands.isMerged ? OutputColumns{first.data(), depth, forward.depth()}
                              : OutputColumns{second.data(), backward.depth(), 0});
    if (hasStates) {
        storeStates(call, nextState, cell);
    }
    first.store();
    second.store();
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
