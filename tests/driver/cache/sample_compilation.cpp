// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/cache/sample_compilation.h"

#include <doctest/doctest.h>

namespace vnpu::driver::test {

using nn::V1_3::Operand;
using nn::V1_3::OperandLifeTime;
using nn::V1_3::OperandType;

namespace {

constexpr std::uint16_t kExtensionPrefix = 7;

Operand image(OperandLifeTime lifetime) {
    Operand operand;
    operand.type = OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    operand.dimensions = {1, 2, 3};
    operand.scale = 0.25F;
    operand.zeroPoint = -5;
    operand.lifetime = lifetime;
    operand.numberOfConsumers = lifetime == OperandLifeTime::SUBGRAPH_INPUT ? 1 : 0;
    return operand;
}

Operand constant(OperandLifeTime lifetime, const nn::V1_0::DataLocation& location) {
    Operand operand;
    operand.type = OperandType::TENSOR_INT32;
    operand.dimensions = {location.length / 4};
    operand.lifetime = lifetime;
    operand.location = location;
    return operand;
}

nn::V1_3::Subgraph relu() {
    nn::V1_3::Subgraph subgraph;
    subgraph.operands = {image(OperandLifeTime::SUBGRAPH_INPUT),
                         image(OperandLifeTime::SUBGRAPH_OUTPUT)};
    subgraph.operations = {{.type = nn::V1_3::OperationType::RELU, .inputs = {0}, .outputs = {1}}};
    subgraph.inputIndexes = {0};
    subgraph.outputIndexes = {1};
    return subgraph;
}

nn::V1_3::Subgraph withConstants(const nn::V1_3::Subgraph& subgraph) {
    using Lifetime = OperandLifeTime;
    Operand filter;
    filter.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    filter.dimensions = {2, 2};
    filter.lifetime = Lifetime::CONSTANT_COPY;
    filter.location = {.poolIndex = 0, .offset = 8, .length = 4};
    filter.extraParams.channelQuant({.scales = {0.5F, 0.125F}, .channelDim = 1});
    Operand foreign;
    foreign.type = static_cast<OperandType>(kExtensionPrefix << 16 | 3);
    foreign.lifetime = Lifetime::CONSTANT_COPY;
    foreign.location = {.poolIndex = 0, .offset = 0, .length = 4};
    foreign.extraParams.extension(android::hardware::hidl_vec<std::uint8_t>{9, 8, 7});
    nn::V1_3::Subgraph result = subgraph;
    result.operands = {
            subgraph.operands[0],
            subgraph.operands[1],
            constant(Lifetime::CONSTANT_COPY, {.poolIndex = 0, .offset = 0, .length = 8}),
            filter,
            foreign,
            constant(Lifetime::CONSTANT_REFERENCE, {.poolIndex = 0, .offset = 12, .length = 4}),
            constant(Lifetime::CONSTANT_REFERENCE, {.poolIndex = 0, .offset = 4, .length = 8}),
            constant(Lifetime::CONSTANT_REFERENCE, {.poolIndex = 0, .offset = 8, .length = 8}),
            constant(Lifetime::CONSTANT_REFERENCE, {.poolIndex = 0, .offset = 32, .length = 4}),
            constant(Lifetime::CONSTANT_REFERENCE, {.poolIndex = 2, .offset = 99996, .length = 4})};
    return result;
}

CompiledModel compiledRelu() {
    CompiledModel compiled;
    for (int i = 0; i < 48; ++i) {
        compiled.commands.push_back(static_cast<std::byte>(i * 5));
    }
    compiled.commandCount = 3;
    compiled.constants = {std::byte{1}, std::byte{2}, std::byte{3}};
    compiled.scratchBytes = 4096;
    compiled.sramBytesUsed = 777;
    compiled.inputs = {{{1, 2, 3}, 6}};
    compiled.outputs = {{{1, 2, 3}, 6}};
    compiled.regions = {{RegionKind::kDriverConstants, 0, 3, false},
                        {RegionKind::kScratch, 0, 4096, true},
                        {RegionKind::kConstantPool, 2, 100000, false},
                        {RegionKind::kInput, 0, 6, false},
                        {RegionKind::kOutput, 0, 6, true}};
    compiled.operations = {{.operation = 0,
                            .name = "RELU",
                            .cycles = 123456789012,
                            .macs = 3,
                            .dramBytes = 12,
                            .commands = 2,
                            .isFolded = true}};
    compiled.estimatedCycles = 123456789013;
    compiled.checkpointCount = 11;
    compiled.saveBytes = 4097;
    compiled.longestIntervalCycles = 987654321098;
    return compiled;
}

}  // namespace

SampleCompilation::SampleCompilation() : compiled(compiledRelu()) {
    model.main = withConstants(relu());
    model.referenced = {relu()};
    model.operandValues = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
    model.relaxComputationFloat32toFloat16 = true;
    model.extensionNameToPrefix = {{.name = "com.example.thing", .prefix = kExtensionPrefix}};
    model.pools.resize(3);
    for (const std::size_t sizeBytes : {std::size_t{64}, std::size_t{1000}, std::size_t{100000}}) {
        std::vector<std::byte> bytes(sizeBytes);
        for (std::size_t i = 0; i < sizeBytes; ++i) {
            bytes[i] = static_cast<std::byte>(i % 251 + 1);  // never 0
        }
        model.pools[poolBytes.size()] =
                android::hardware::hidl_memory("ashmem", nullptr, sizeBytes);
        poolBytes.push_back(std::move(bytes));
    }
    pools.assign(poolBytes.begin(), poolBytes.end());
}

CacheSource SampleCompilation::source() const {
    return {.model = model,
            .pools = pools,
            .compiled = &compiled,
            .terms = {.priority = nn::V1_3::Priority::HIGH, .checkpointCycles = 12345}};
}

void checkSame(const CompiledModel& a, const CompiledModel& b) {
    CHECK(a.commands == b.commands);
    CHECK_EQ(a.commandCount, b.commandCount);
    CHECK(a.constants == b.constants);
    CHECK_EQ(a.scratchBytes, b.scratchBytes);
    CHECK_EQ(a.sramBytesUsed, b.sramBytesUsed);
    CHECK_EQ(a.estimatedCycles, b.estimatedCycles);
    CHECK_EQ(a.checkpointCount, b.checkpointCount);
    CHECK_EQ(a.saveBytes, b.saveBytes);
    CHECK_EQ(a.longestIntervalCycles, b.longestIntervalCycles);
    REQUIRE_EQ(a.regions.size(), b.regions.size());
    for (std::size_t i = 0; i < a.regions.size(); ++i) {
        CHECK(a.regions[i].kind == b.regions[i].kind);
        CHECK_EQ(a.regions[i].index, b.regions[i].index);
        CHECK_EQ(a.regions[i].sizeBytes, b.regions[i].sizeBytes);
        CHECK_EQ(a.regions[i].isWritable, b.regions[i].isWritable);
    }
    REQUIRE_EQ(a.inputs.size(), b.inputs.size());
    REQUIRE_EQ(a.outputs.size(), b.outputs.size());
    for (std::size_t i = 0; i < a.inputs.size(); ++i) {
        CHECK(a.inputs[i].dimensions == b.inputs[i].dimensions);
        CHECK_EQ(a.inputs[i].sizeBytes, b.inputs[i].sizeBytes);
    }
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
        CHECK(a.outputs[i].dimensions == b.outputs[i].dimensions);
        CHECK_EQ(a.outputs[i].sizeBytes, b.outputs[i].sizeBytes);
    }
    REQUIRE_EQ(a.operations.size(), b.operations.size());
    for (std::size_t i = 0; i < a.operations.size(); ++i) {
        CHECK_EQ(a.operations[i].operation, b.operations[i].operation);
        CHECK_EQ(a.operations[i].name, b.operations[i].name);
        CHECK_EQ(a.operations[i].cycles, b.operations[i].cycles);
        CHECK_EQ(a.operations[i].macs, b.operations[i].macs);
        CHECK_EQ(a.operations[i].dramBytes, b.operations[i].dramBytes);
        CHECK_EQ(a.operations[i].commands, b.operations[i].commands);
        CHECK_EQ(a.operations[i].isFolded, b.operations[i].isFolded);
    }
}

void checkSame(const nn::V1_3::Model& a, const nn::V1_3::Model& b) {
    CHECK((a.main == b.main));
    CHECK((a.referenced == b.referenced));
    CHECK((a.operandValues == b.operandValues));
    CHECK_EQ(a.relaxComputationFloat32toFloat16, b.relaxComputationFloat32toFloat16);
    CHECK((a.extensionNameToPrefix == b.extensionNameToPrefix));
    REQUIRE_EQ(a.pools.size(), b.pools.size());
    for (std::size_t i = 0; i < a.pools.size(); ++i) {
        CHECK_EQ(a.pools[i].size(), b.pools[i].size());
    }
}

}  // namespace vnpu::driver::test
