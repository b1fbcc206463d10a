// SPDX-License-Identifier: Apache-2.0
// Which optional inputs of LSTM cells must be present together.
#include "driver/validation/gate_relations.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/driver/validation/example_calls.h"

using namespace vnpu::driver::test;
using Op = OperationType;

TEST_SUITE_BEGIN("driver/validation/gate_relations");

namespace {

/// An example of the operation in which `input` and all other inputs are present; its weights are
/// constants, so that a request cannot omit them.
Model fullCell(Op operation, std::size_t input) {
    for (ExampleModel& example : exampleModels()) {
        Model& model = example.model;
        const Operation& call = model.main.operations[0];
        if (call.type != operation || call.inputs.size() <= input ||
            model.main.operands[call.inputs[input]].lifetime == OperandLifeTime::NO_VALUE) {
            continue;
        }
        std::uint32_t bytes = 0;
        for (std::size_t i = 1; i < call.inputs.size(); ++i) {
            Operand& operand = model.main.operands[call.inputs[i]];
            if (operand.lifetime == OperandLifeTime::SUBGRAPH_INPUT) {
                operand.lifetime = OperandLifeTime::CONSTANT_COPY;
                operand.location.length = operand.type == OperandType::TENSOR_FLOAT32 ||
                                                          operand.type == OperandType::TENSOR_INT32
                                                  ? 4
                                          : operand.type == OperandType::TENSOR_QUANT16_SYMM ? 2
                                                                                             : 1;
                for (const std::uint32_t dimension : operand.dimensions) {
                    operand.location.length *= dimension;
                }
                bytes = std::max(bytes, operand.location.length);
            }
        }
        model.main.inputIndexes = {call.inputs[0]};
        model.operandValues.resize(std::max<std::size_t>(bytes, model.operandValues.size()));
        return model;
    }
    FAIL("no such example");
    return {};
}

void leaveOut(Model& model, std::initializer_list<std::size_t> inputs) {
    for (const std::size_t input : inputs) {
        Operand& operand = model.main.operands[model.main.operations[0].inputs[input]];
        operand.lifetime = OperandLifeTime::NO_VALUE;
        operand.location = {};
    }
}

struct Cell {
    Op operation;
    std::size_t start;      // the input before the cell's weights
    std::size_t firstNorm;  // of four normalizations
};
constexpr Cell kCells[] = {{Op::LSTM, 0, 23},
                           {Op::UNIDIRECTIONAL_SEQUENCE_LSTM, 0, 24},
                           {Op::BIDIRECTIONAL_SEQUENCE_LSTM, 0, 53},
                           {Op::BIDIRECTIONAL_SEQUENCE_LSTM, 17, 57},
                           {Op::QUANTIZED_LSTM, 0, 20}};

}  // namespace

TEST_CASE("a whole cell is valid, and so is one with its input gate left out [E-8]") {
    for (const Cell& cell : kCells) {
        CAPTURE(toString(cell.operation));
        Model model = fullCell(cell.operation, cell.firstNorm);
        checkValid(model);
        leaveOut(model,
                 {cell.start + 1, cell.start + 5, cell.start + 9, cell.start + 12, cell.firstNorm});
        checkValid(model);
    }
}

TEST_CASE("the parts of the input gate are left out together [E-8]") {
    for (const Cell& cell : kCells) {
        for (const std::size_t part : {1U, 5U, 12U}) {
            Model model = fullCell(cell.operation, cell.firstNorm);
            leaveOut(model, {cell.start + part});
            checkInvalid(model, "is left out");
        }
    }
}

TEST_CASE("peepholes are left out together [E-8]") {
    for (const Cell& cell : kCells) {
        for (const std::size_t part : {10U, 11U}) {
            Model model = fullCell(cell.operation, cell.firstNorm);
            leaveOut(model, {cell.start + part});
            checkInvalid(model, "is left out");
        }
        Model model = fullCell(cell.operation, cell.firstNorm);
        leaveOut(model, {cell.start + 9, cell.start + 10, cell.start + 11});
        checkValid(model);
    }
}

TEST_CASE("a projection's bias needs the projection [E-8]") {
    Model model = fullCell(Op::LSTM, 17);
    leaveOut(model, {16});
    checkInvalid(model, "input 17 is there, but input 16 is left out");
    leaveOut(model, {17});
    checkValid(model);
}

TEST_CASE("normalizations are left out together [E-8]") {
    for (const Cell& cell : kCells) {
        for (const std::size_t part : {1U, 2U, 3U}) {
            Model model = fullCell(cell.operation, cell.firstNorm);
            leaveOut(model, {cell.firstNorm + part});
            checkInvalid(model, "is left out");
        }
        Model model = fullCell(cell.operation, cell.firstNorm);
        leaveOut(model,
                 {cell.firstNorm, cell.firstNorm + 1, cell.firstNorm + 2, cell.firstNorm + 3});
        checkValid(model);
    }
}

TEST_CASE("an operand that the request may omit fits everything [E-8]") {
    for (ExampleModel& example : exampleModels()) {
        Model& model = example.model;
        if (model.main.operations[0].type == Op::LSTM) {
            const std::uint32_t bias = model.main.operations[0].inputs[12];
            if (model.main.operands[bias].lifetime == OperandLifeTime::SUBGRAPH_INPUT) {
                model.main.operands[bias].lifetime = OperandLifeTime::NO_VALUE;
                std::vector<std::uint32_t> inputs;
                for (const std::uint32_t index : model.main.inputIndexes) {
                    if (index != bias) {
                        inputs.push_back(index);
                    }
                }
                model.main.inputIndexes = inputs;
                checkValid(model);
            }
        }
    }
}

TEST_SUITE_END();
