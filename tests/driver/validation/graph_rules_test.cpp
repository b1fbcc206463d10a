// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/graph_rules.h"

#include <doctest/doctest.h>

#include <utility>

#include "tests/driver/validation/valid_models.h"

using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/validation/graph_rules");

TEST_CASE("a model has operands and operations [E-8]") {
    checkInvalid(Model{}, "0 operands and 0 operations");
    Model model = additionModel();
    model.main.operations = {};
    checkInvalid(model, "0 operations");
}

TEST_CASE("a reader before its writer is refused [E-8]") {
    Model model = convolutionModel();
    std::swap(model.main.operations[0], model.main.operations[1]);
    checkInvalid(model, "operation 0 (RELU): reads operand 7 before it is written");
}

TEST_CASE("two operations that feed each other are refused [E-8]") {
    ValidModelBuilder builder;
    const auto input = builder.input(OperandType::TENSOR_FLOAT32, {1});
    const auto activation = builder.scalar(OperandType::INT32);
    const auto first = builder.temporary(OperandType::TENSOR_FLOAT32, {1});
    const auto second = builder.temporary(OperandType::TENSOR_FLOAT32, {1});
    const auto output = builder.output(OperandType::TENSOR_FLOAT32, {1});
    builder.operation(OperationType::ADD, {input, second, activation}, {first});
    builder.operation(OperationType::ADD, {input, first, activation}, {second});
    builder.operation(OperationType::ADD, {first, second, activation}, {output});
    checkInvalid(builder.build(), "before it is written");
}

TEST_CASE("an operation that reads its own output is refused [E-8]") {
    Model model = additionModel();
    model.main.operations[0].inputs[1] = kAddOutput;
    checkInvalid(model, "reads operand 3 before it is written");
}

TEST_CASE("an operand has one writer [E-8]") {
    Model model = convolutionModel();
    model.main.operations[1].outputs[0] = kConvMiddle;
    checkInvalid(model, "writes operand 7, which was written before");
}

TEST_CASE("one operation does not write an operand twice [E-8]") {
    Model model = additionModel();
    model.main.operations[0].outputs = {kAddOutput, kAddOutput};
    checkInvalid(model, "was written before");
}

TEST_CASE("constants and inputs are not written [E-8]") {
    Model model = convolutionModel();
    for (const std::uint32_t operand : {kConvInput, kConvFilter, kConvBias}) {
        model.main.operations[0].outputs[0] = operand;
        checkInvalid(model, "which has lifetime");
    }
}

TEST_CASE("an operand that is read or an output has a writer [E-8]") {
    Model model = convolutionModel();
    model.main.operands = appended(model.main.operands, model.main.operands[kConvOutput]);
    model.main.operands[9].lifetime = OperandLifeTime::TEMPORARY_VARIABLE;
    model.main.operations[1].outputs[0] = 9;
    checkInvalid(model, "operand 8 is never written");
}

TEST_CASE("an unused temporary is refused [E-8]") {
    Model model = additionModel();
    Operand idle = model.main.operands[kAddOutput];
    idle.lifetime = OperandLifeTime::TEMPORARY_VARIABLE;
    model.main.operands = appended(model.main.operands, idle);
    checkInvalid(model, "operand 4 is never written");
}

TEST_CASE("the number of consumers is exact [E-8]") {
    for (const std::uint32_t operand :
         {kConvInput, kConvFilter, kConvPadding, kConvMiddle, kConvOutput}) {
        Model model = convolutionModel();
        ++model.main.operands[operand].numberOfConsumers;
        checkInvalid(model, "consumers");
        model.main.operands[operand].numberOfConsumers -= 2;
        checkInvalid(model, "consumers");
    }
}

TEST_CASE("an operand read twice by one operation has two consumers [E-8]") {
    ValidModelBuilder builder;
    const auto input = builder.input(OperandType::TENSOR_FLOAT32, {1});
    const auto activation = builder.scalar(OperandType::INT32);
    const auto output = builder.output(OperandType::TENSOR_FLOAT32, {1});
    builder.operation(OperationType::ADD, {input, input, activation}, {output});
    Model model = builder.build();
    CHECK_EQ(model.main.operands[input].numberOfConsumers, 2);
    checkValid(model);
}

TEST_CASE("operations name operands that exist [E-8]") {
    Model model = convolutionModel();
    model.main.operations[0].inputs[2] = 9;
    checkInvalid(model, "operation 0 (CONV_2D): names operand 9 of 9");
    model = convolutionModel();
    model.main.operations[1].outputs[0] = 9;
    checkInvalid(model, "operation 1 (RELU): names operand 9 of 9");
}

TEST_CASE("operations have inputs and outputs [E-8]") {
    Model model = additionModel();
    model.main.operations[0].outputs = {};
    checkInvalid(model, "3 inputs and 0 outputs");
    model = additionModel();
    model.main.operations[0].inputs = {};
    checkInvalid(model, "0 inputs and 1 outputs");
}

TEST_CASE("input and output lists name operands that exist, once, of their lifetime [E-8]") {
    Model model = additionModel();
    model.main.inputIndexes = {0, 4};
    checkInvalid(model, "names operand 4 of 4");
    model.main.inputIndexes = {0, 1, 1};
    checkInvalid(model, "listed twice");
    model.main.inputIndexes = {0, 1, 2};
    checkInvalid(model, "operand 2 is listed as SUBGRAPH_INPUT, but has lifetime CONSTANT_COPY");
    model = additionModel();
    model.main.outputIndexes = {3, 0};
    checkInvalid(model, "operand 0 is listed as SUBGRAPH_OUTPUT, but has lifetime SUBGRAPH_INPUT");
}

TEST_CASE("every input and output is listed [E-8]") {
    Model model = additionModel();
    model.main.inputIndexes = {1};
    checkInvalid(model, "operand 0 has lifetime SUBGRAPH_INPUT, but is not listed");
    model = additionModel();
    model.main.outputIndexes = {};
    checkInvalid(model, "operand 3 has lifetime SUBGRAPH_OUTPUT, but is not listed");
}

TEST_CASE("a lifetime that disagrees with the lists is refused, whichever it is [E-8]") {
    for (const auto lifetime :
         {OperandLifeTime::TEMPORARY_VARIABLE, OperandLifeTime::SUBGRAPH_OUTPUT,
          OperandLifeTime::NO_VALUE, OperandLifeTime::CONSTANT_COPY}) {
        Model model = additionModel();
        model.main.operands[kAddLeft].lifetime = lifetime;
        checkInvalid(model, "");
    }
}

TEST_CASE("an input that becomes a temporary, off the list, has no writer [E-8]") {
    Model model = additionModel();
    model.main.operands[kAddLeft].lifetime = OperandLifeTime::TEMPORARY_VARIABLE;
    model.main.inputIndexes = {1};
    checkInvalid(model, "reads operand 0 before it is written");
}

TEST_CASE("an output may be read by later operations [E-8]") {
    ValidModelBuilder builder;
    const auto input = builder.input(OperandType::TENSOR_FLOAT32, {1});
    const auto first = builder.output(OperandType::TENSOR_FLOAT32, {1});
    const auto second = builder.output(OperandType::TENSOR_FLOAT32, {1});
    builder.operation(OperationType::RELU, {input}, {first});
    builder.operation(OperationType::RELU, {first}, {second});
    checkValid(builder.build());
}

TEST_SUITE_END();
