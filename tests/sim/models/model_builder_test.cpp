// SPDX-License-Identifier: Apache-2.0
#include "sim/models/model_builder.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <stdexcept>

#include "vnpu/hal/shared_memory.h"

namespace {

using namespace vnpu::sim;

OperandSpec floatOperand(std::vector<std::uint32_t> dimensions) {
    return {.type = nn::OperandType::TENSOR_FLOAT32, .dimensions = std::move(dimensions)};
}

}  // namespace

TEST_SUITE_BEGIN("sim/models/model_builder");

TEST_CASE("every use of an operand counts as a consumer") {
    ModelBuilder builder("net");
    const auto in = builder.addInput(floatOperand({1, 4}), "in");
    const auto out = builder.addTemporary(floatOperand({1, 4}), "out");
    builder.addOperation(nn::OperationType::ADD, {in, in, builder.addInt32(0)}, out);
    builder.markOutput(out);
    const Network network = builder.build();
    CHECK(network.model.main.operands[in].numberOfConsumers == 2);
    CHECK(network.model.main.operands[out].numberOfConsumers == 0);
    CHECK(network.model.main.operands[out].lifetime == nn::OperandLifeTime::SUBGRAPH_OUTPUT);
}

TEST_CASE("an operation may have several outputs, omitted inputs, and subgraphs") {
    ModelBuilder builder("net");
    const auto branch = builder.addSubgraph(3);
    const auto omitted = builder.addOmitted({.type = nn::OperandType::TENSOR_FLOAT32});
    const auto first = builder.addTemporary(floatOperand({2}), "first");
    const auto second = builder.addTemporary(floatOperand({2}), "second");
    builder.addOperation(nn::OperationType::IF, {branch, omitted}, {first, second});
    const Network network = builder.build();
    const auto& operands = network.model.main.operands;
    CHECK(operands[branch].lifetime == nn::OperandLifeTime::SUBGRAPH);
    CHECK(operands[branch].location.offset == 3);
    CHECK(operands[omitted].lifetime == nn::OperandLifeTime::NO_VALUE);
    CHECK(operands[omitted].location.length == 0);
    CHECK(network.model.main.operations[0].outputs.size() == 2);
    CHECK(network.operationNames[0] == "first");
}

TEST_CASE("constants of up to 128 bytes go into operandValues, four-byte aligned [MP-1]") {
    ModelBuilder builder("net");
    const auto flag = builder.addBool(true);
    const auto number = builder.addInt32(0x01020304);
    const auto large = builder.addConstant(floatOperand({32}), std::array<std::byte, 128>{});
    builder.addInput(floatOperand({1}));
    const Network network = builder.build();
    CHECK(network.model.pools.size() == 0);
    CHECK(network.model.main.operands[flag].location.offset == 0);
    CHECK(network.model.main.operands[flag].location.length == 1);
    CHECK(network.model.main.operands[number].location.offset == 4);
    CHECK(network.model.operandValues[4] == 4);
    CHECK(network.model.main.operands[large].location.offset == 8);
    CHECK(network.model.operandValues.size() == 136);
}

TEST_CASE("larger constants share one pool at multiples of 64 bytes [MP-2]") {
    ModelBuilder builder("net");
    std::array<std::byte, 132> bytes{};
    bytes.fill(std::byte{7});
    const auto first = builder.addConstant(floatOperand({33}), bytes);
    const auto zeros = builder.addZeroConstant(floatOperand({40}));
    const auto last = builder.addConstant(floatOperand({33}), bytes);
    const Network network = builder.build();
    REQUIRE(network.model.pools.size() == 1);
    const auto& operands = network.model.main.operands;
    CHECK(operands[first].location.offset == 0);
    CHECK(operands[zeros].location.offset == 192);
    CHECK(operands[last].location.offset == 384);
    const auto pool = vnpu::hal::MappedPool::create(network.model.pools[0]);
    REQUIRE(pool.has_value());
    CHECK(pool->size() == 384 + 132);
    CHECK(pool->data()[131] == std::byte{7});
    CHECK(pool->data()[192] == std::byte{0});
    CHECK(pool->data()[384] == std::byte{7});
}

TEST_CASE("constants that NNAPI's offsets cannot reach are refused") {
    ModelBuilder builder("net");
    builder.addZeroConstant(floatOperand({0x3FFFFFF0}));  // 64 bytes short of 2^32
    CHECK_THROWS_AS(builder.addZeroConstant(floatOperand({33})), std::runtime_error);
    CHECK_THROWS_AS(builder.addZeroConstant(floatOperand({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF})),
                    std::runtime_error);
}

TEST_CASE("per-channel scales go into the extra parameters") {
    ModelBuilder builder("net");
    const auto filter =
            builder.addZeroConstant({.type = nn::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                                     .dimensions = {1, 1, 1, 2},
                                     .channelScales = {0.5F, 0.25F},
                                     .channelDimension = 3});
    const Network network = builder.build();
    const auto& extra = network.model.main.operands[filter].extraParams;
    CHECK(extra.channelQuant().channelDim == 3);
    CHECK(extra.channelQuant().scales.size() == 2);
}

TEST_CASE("operations are named after their outputs unless a name is given") {
    ModelBuilder builder("net");
    const auto in = builder.addInput(floatOperand({1}));
    const auto a = builder.addTemporary(floatOperand({1}), "a");
    const auto b = builder.addTemporary(floatOperand({1}), "b");
    builder.addOperation(nn::OperationType::RELU, {in}, a);
    builder.addOperation(nn::OperationType::RELU, {a}, b, "last");
    builder.markOutput(b);
    CHECK(builder.build().operationNames == std::vector<std::string>{"a", "last"});
}

TEST_SUITE_END();
