// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/gate_relations.h"

#include <initializer_list>

#include "driver/validation/broken_rule.h"

namespace vnpu::driver {

namespace {

using android::hardware::neuralnetworks::V1_3::OperandLifeTime;

// Inputs of a cell, counted from the one before its weights.
constexpr std::size_t kInputToInput = 1;
constexpr std::size_t kStateToInput = 5;
constexpr std::size_t kCellToInput = 9;
constexpr std::size_t kCellToForget = 10;
constexpr std::size_t kCellToOutput = 11;
constexpr std::size_t kInputBias = 12;
constexpr std::size_t kProjection = 16;
constexpr std::size_t kProjectionBias = 17;

bool isLeftOut(const OperationView& operation, std::size_t input) {
    return operation.inputs[input]->lifetime == OperandLifeTime::NO_VALUE;
}

/// Neither left out nor the request's to leave out.
bool isThere(const OperationView& operation, std::size_t input) {
    return !isLeftOut(operation, input) &&
           operation.inputs[input]->lifetime != OperandLifeTime::SUBGRAPH_INPUT;
}

Result<void> checkTogether(const OperationView& operation,
                           std::initializer_list<std::size_t> inputs) {
    for (const std::size_t present : inputs) {
        for (const std::size_t absent : inputs) {
            if (isThere(operation, present) && isLeftOut(operation, absent)) {
                return broken("input {} is there, but input {} is left out", present, absent);
            }
        }
    }
    return {};
}

/// `input` only makes sense with `needed`.
Result<void> checkNeeds(const OperationView& operation, std::size_t input, std::size_t needed) {
    if (isThere(operation, input) && isLeftOut(operation, needed)) {
        return broken("input {} is there, but input {} is left out", input, needed);
    }
    return {};
}

}  // namespace

Result<void> checkGates(const OperationView& operation, std::size_t cell) {
    VNPU_TRY(checkTogether(operation,
                           {cell + kInputToInput, cell + kStateToInput, cell + kInputBias}));
    VNPU_TRY(checkTogether(operation, {cell + kCellToForget, cell + kCellToOutput}));
    for (const std::size_t needed : {kCellToForget, kInputToInput}) {
        VNPU_TRY(checkNeeds(operation, cell + kCellToInput, cell + needed));
    }
    return checkNeeds(operation, cell + kProjectionBias, cell + kProjection);
}

Result<void> checkNormalizations(const OperationView& operation, std::size_t cell,
                                 std::size_t first) {
    if (operation.inputs.size() <= first) {
        return {};
    }
    VNPU_TRY(checkTogether(operation, {first + 1, first + 2, first + 3}));
    for (const std::size_t needed : {first + 1, cell + kInputToInput}) {
        VNPU_TRY(checkNeeds(operation, first, needed));
    }
    return {};
}

}  // namespace vnpu::driver
