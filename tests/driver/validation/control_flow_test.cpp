// SPDX-License-Identifier: Apache-2.0
// IF and WHILE in relation to the subgraphs that they refer to.
#include "driver/validation/control_flow_relations.h"

#include <doctest/doctest.h>

#include <utility>

#include "tests/driver/validation/example_calls.h"

using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/validation/control_flow");

namespace {

// Operands of branchModel().
constexpr std::uint32_t kCondition = 0;
constexpr std::uint32_t kThen = 1;
constexpr std::uint32_t kLeft = 3;
constexpr std::uint32_t kResult = 5;
// Operands of loopModel(), and of its body.
constexpr std::uint32_t kLoopCondition = 0;
constexpr std::uint32_t kLoopBody = 1;
constexpr std::uint32_t kStart = 2;
constexpr std::uint32_t kBodySum = 4;

Model branches() {
    return branchModel(OperandType::TENSOR_QUANT8_ASYMM);
}

}  // namespace

TEST_CASE("the branches of IF take its other inputs and give its outputs [E-8]") {
    for (const OperandType type :
         {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16, OperandType::TENSOR_INT32,
          OperandType::TENSOR_QUANT8_ASYMM, OperandType::TENSOR_QUANT8_ASYMM_SIGNED}) {
        checkValid(branchModel(type));
    }
}

TEST_CASE("the condition of IF is one TENSOR_BOOL8 [E-8]") {
    for (const std::vector<std::uint32_t>& shape :
         {std::vector<std::uint32_t>{2}, {1, 1}, std::vector<std::uint32_t>{}}) {
        Model model = branches();
        model.main.operands[kCondition].dimensions = shape;
        checkInvalid(model, "operation 0 (IF)");
    }
    Model model = branches();
    model.main.operands[kCondition].type = OperandType::TENSOR_INT32;
    checkInvalid(model, "input 0 is TENSOR_INT32, expected TENSOR_BOOL8");
}

TEST_CASE("a condition without value is left to the execution to refuse [E-8]") {
    Model model = branches();
    model.main.operands[kCondition].lifetime = OperandLifeTime::NO_VALUE;
    model.main.inputIndexes = {kLeft, kLeft + 1};
    checkValid(model);
}

TEST_CASE("a branch takes as many inputs as IF gives it [E-8]") {
    Model model = branches();
    const std::uint32_t extra = model.main.operations[0].inputs[4];
    model.main.operations[0].inputs = appended(model.main.operations[0].inputs, extra);
    ++model.main.operands[extra].numberOfConsumers;
    checkInvalid(model, "there are 2 of \"then\" input, expected 3");
}

TEST_CASE("a branch gives as many outputs as IF [E-8]") {
    Model model = branches();
    Operand second = model.main.operands[kResult];
    model.main.operands = appended(model.main.operands, second);
    model.main.operations[0].outputs = {kResult, 6};
    model.main.outputIndexes = {kResult, 6};
    checkInvalid(model, "there are 1 of \"then\" output, expected 2");
}

TEST_CASE("operands keep type, quantization and shape on the way into a branch [E-8]") {
    Model model = branches();
    model.main.operands[kLeft].scale = 0.25F;
    checkInvalid(model, "\"then\" input 0 is quantized with 0.5 and 0, expected 0.25 and 0");
    model = branches();
    model.main.operands[kLeft].zeroPoint = 4;
    checkInvalid(model, "expected 0.5 and 4");
    model = branches();
    model.main.operands[kLeft].dimensions = {3, 2};
    checkInvalid(model, "\"then\" input 0 has another shape");
    model.main.operands[kLeft].dimensions = {0, 3};
    checkValid(model);
    model = branches();
    model.main.operands[kResult].type = OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    checkInvalid(model, "\"then\" output 0 is TENSOR_QUANT8_ASYMM, expected");
}

TEST_CASE("each branch is checked for itself [E-8]") {
    Model model = branches();
    model.referenced[1].operands[0].dimensions = {2, 1};
    checkInvalid(model, "\"else\" input 0 has another shape");
}

TEST_CASE("a subgraph of another shape does not take a branch's place [E-8]") {
    Model model = branches();
    const Model loop = loopModel();
    model.referenced = {model.referenced[0], model.referenced[1], loop.referenced[0]};
    model.main.operands[kThen].location.offset = 2;
    checkInvalid(model, "there are 3 of \"then\" input, expected 2");
}

TEST_CASE("WHILE takes a condition and a body of its inputs [E-8]") {
    checkValid(loopModel());
}

TEST_CASE("condition and body of WHILE are not swapped [E-8]") {
    Model model = loopModel();
    std::swap(model.main.operands[kLoopCondition].location.offset,
              model.main.operands[kLoopBody].location.offset);
    checkInvalid(model, "condition has 2 outputs, expected 1");
}

TEST_CASE("the condition of WHILE gives one TENSOR_BOOL8 of shape [1] [E-8]") {
    Model model = loopModel();
    model.referenced[0].operands[1].dimensions = {3};
    model.main.operands[3].dimensions = {3};
    model.referenced[0].operands[3].dimensions = {3};
    checkInvalid(model, "output of the condition has not the shape [1]");
}

TEST_CASE("the body of WHILE gives its first inputs again [E-8]") {
    Model model = loopModel();
    model.referenced[1].operands[kBodySum].dimensions = {0, 0};
    checkValid(model);
    std::swap(model.referenced[1].outputIndexes[0], model.referenced[1].outputIndexes[1]);
    checkInvalid(model, "body output 0 has another shape");
}

TEST_CASE("the outputs of WHILE are the body's first [E-8]") {
    Model model = loopModel();
    model.main.operands[5].dimensions = {6};
    checkInvalid(model, "body output 0 has another shape");
    model = loopModel();
    for (int i = 0; i < 2; ++i) {
        Operand more = model.main.operands[5];
        model.main.operands = appended(model.main.operands, more);
    }
    model.main.operations[0].outputs = {5, 6, 7};
    model.main.outputIndexes = {5, 6, 7};
    checkInvalid(model, "body has 2 outputs, expected 3 to 3");
}

TEST_CASE("WHILE must have an input that its body returns [E-8]") {
    Model model = loopModel();
    model.main.operations[0].inputs = {kLoopCondition, kLoopBody};
    for (std::uint32_t i = kStart; i < kStart + 3; ++i) {
        model.main.operands[i].numberOfConsumers = 0;
    }
    checkInvalid(model, "it does not take 2 inputs and 1 outputs");
}

TEST_CASE("input lists of subgraphs are checked before the rules of control flow [E-8]") {
    Model model = branches();
    model.referenced[0].inputIndexes = {0, 77};
    checkInvalid(model, "referenced subgraph 0: list of SUBGRAPH_INPUTs names operand 77");
}

TEST_SUITE_END();
