// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operations/probe_operands.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace {

using namespace vnpu::sim;
using Type = nn::OperandType;
using Dimensions = std::vector<std::uint32_t>;

constexpr ProbeTypes kUnsigned{Type::TENSOR_QUANT8_ASYMM, Type::TENSOR_QUANT8_SYMM_PER_CHANNEL};
constexpr ProbeTypes kHalf{Type::TENSOR_FLOAT16, {}};

/// The operands of a row of inputs, all used by one operation.
nn::Model modelOf(const ProbeTypes& types, std::string_view row) {
    ModelBuilder builder("row");
    const auto inputs = addProbeInputs(builder, types, row);
    const auto outputs = addProbeOutputs(builder, types, "T1");
    builder.addOperation(nn::OperationType::ADD, inputs, outputs);
    builder.markOutput(outputs[0]);
    return builder.build().model;
}

std::uint16_t halfAt(const nn::Model& model, std::uint32_t operand) {
    const std::uint32_t at = model.main.operands[operand].location.offset;
    return static_cast<std::uint16_t>(model.operandValues[at] | model.operandValues[at + 1] << 8);
}

}  // namespace

TEST_SUITE_BEGIN("sim/cli/operations/probe_operands");

TEST_CASE("a word without a value is an input with its letter's type and its dimensions") {
    const nn::Model model = modelOf(kHalf, "T2x16 v3 k1");
    REQUIRE(model.main.inputIndexes.size() == 3);
    CHECK(model.main.operands[0].type == Type::TENSOR_FLOAT16);
    CHECK(Dimensions(model.main.operands[0].dimensions) == Dimensions{2, 16});
    CHECK(model.main.operands[1].type == Type::TENSOR_INT32);
    CHECK(model.main.operands[2].type == Type::TENSOR_BOOL8);
}

TEST_CASE("each value of a scalar's letter is an operand, including halves") {
    const nn::Model model = modelOf(kHalf, "f=1,0.5,-10,0 b=1 i=-7");
    CHECK(model.main.inputIndexes.size() == 0);
    REQUIRE(model.main.operations[0].inputs.size() == 6);
    CHECK(model.main.operands[0].type == Type::FLOAT16);
    CHECK(halfAt(model, 0) == 0x3C00);  // source: IEEE 754, binary16
    CHECK(halfAt(model, 1) == 0x3800);
    CHECK(halfAt(model, 2) == 0xC900);
    CHECK(halfAt(model, 3) == 0);
    CHECK(model.operandValues[model.main.operands[4].location.offset] == 1);
    CHECK(model.operandValues[model.main.operands[5].location.offset] == 0xF9);
    CHECK(model.operandValues[model.main.operands[5].location.offset + 3] == 0xFF);
}

TEST_CASE("a tensor's values are its elements, a single one is all elements") {
    const nn::Model model = modelOf(kUnsigned, "v2x2=1,2,3,4 T3=9");
    const std::vector<std::uint8_t> values = model.operandValues;
    const auto at = model.main.operands[0].location.offset;
    CHECK(values[at + 4] == 2);
    CHECK(values[at + 12] == 4);
    const auto other = model.main.operands[1].location.offset;
    CHECK(values[other] == 9);
    CHECK(values[other + 2] == 9);
}

TEST_CASE("counts, omitted operands and subgraphs are added") {
    const nn::Model model = modelOf(kUnsigned, "2*T- 3*T4 M=1,0");
    REQUIRE(model.main.operations[0].inputs.size() == 7);
    CHECK(model.main.operands[1].lifetime == nn::OperandLifeTime::NO_VALUE);
    CHECK(model.main.inputIndexes.size() == 3);
    CHECK(model.main.operands[5].lifetime == nn::OperandLifeTime::SUBGRAPH);
    CHECK(model.main.operands[5].location.offset == 1);
    CHECK(model.main.operands[6].location.offset == 0);
}

TEST_CASE("quantized operands have scales and zero points, the lowest one for a probability") {
    const nn::Model model = modelOf(kUnsigned, "T4 T4/256_ R4x4 F8x3x3x8=0 B8=0");
    const auto& operands = model.main.operands;
    CHECK(operands[0].scale == 0.5F);
    CHECK(operands[0].zeroPoint == 128);
    CHECK(operands[1].scale == 1.0F / 256.0F);
    CHECK(operands[1].zeroPoint == 0);
    CHECK(operands[2].type == Type::TENSOR_QUANT16_ASYMM);
    CHECK(operands[2].scale == 0.125F);
    CHECK(operands[3].type == Type::TENSOR_QUANT8_SYMM_PER_CHANNEL);
    CHECK(operands[3].extraParams.channelQuant().scales.size() == 8);
    CHECK(operands[3].extraParams.channelQuant().channelDim == 0);
    CHECK(operands[4].type == Type::TENSOR_INT32);
    CHECK(operands[4].scale == 0.0F);
    const nn::Model plain = modelOf({Type::TENSOR_QUANT8_ASYMM_SIGNED, {}}, "T4/256_ B8=0");
    CHECK(plain.main.operands[0].zeroPoint == -128);
    CHECK(plain.main.operands[1].scale == 0.25F);
}

TEST_SUITE_END();
