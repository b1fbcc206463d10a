// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/compiler.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/model_check.h"
#include "tests/support/text.h"

namespace vnpu::driver::test {
namespace {

using vnpu::test::contains;

/// One ADD of an input and itself.
ModelBuilder addModel(const Dimensions& input, const Dimensions& output) {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kFloat, input});
    const std::uint32_t y = builder.output({kFloat, output});
    builder.operation(OperationType::ADD, {x, x, builder.int32(0)}, y);
    return builder;
}

std::string reasonOf(const ModelBuilder& builder) {
    return findUnsupported(builder.build()).front();
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/compiler");

TEST_CASE("an unsupported operation is named in the reason [E-8]") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kFloat, {4}});
    builder.operation(OperationType::OEM_OPERATION, {x}, builder.output({kFloat, {4}}));
    CHECK(contains(reasonOf(builder), "the device has no such operation"));
    const auto compiled = compile(builder.build(), {}, edgeDevice());
    REQUIRE(!compiled.has_value());
    CHECK(compiled.error().status == ErrorStatus::GENERAL_FAILURE);
    CHECK(compiled.error().reason == reasonOf(builder));
}

TEST_CASE("operations and types of extensions are unsupported [E-8]") {
    const auto foreignOperation = static_cast<OperationType>(5 << 16 | 1);
    const auto foreignType = static_cast<OperandType>(5 << 16 | 2);
    ModelBuilder operation;
    const std::uint32_t x = operation.input({kFloat, {4}});
    operation.operation(foreignOperation, {x}, operation.output({kFloat, {4}}));
    CHECK(reasonOf(operation) == "operation 0 (0x50001): the device has no such operation");
    ModelBuilder type;
    const std::uint32_t y = type.input({foreignType, {4}});
    type.operation(OperationType::RELU, {y}, type.output({foreignType, {4}}));
    CHECK(contains(reasonOf(type), "0x50002"));
    CHECK(!compile(type.build(), {}, edgeDevice()).has_value());
}

TEST_CASE("operations without tiles run on the DSP [E-8]") {
    ModelBuilder variable;
    const std::uint32_t v = variable.input({kFloat, {4}});
    const std::uint32_t activation = variable.input({OperandType::INT32, {}});
    variable.operation(OperationType::ADD, {v, v, activation}, variable.output({kFloat, {4}}));

    ModelBuilder unsupported;
    const std::uint32_t x = unsupported.input({kFloat, {2, 6}});
    unsupported.operation(OperationType::LSH_PROJECTION,
                          {unsupported.input({kFloat, {2, 3}}), x, unsupported.noValue(kFloat),
                           unsupported.int32(1)},
                          unsupported.output({OperandType::TENSOR_INT32, {2}}));

    for (const ModelBuilder* builder : {&variable, &unsupported}) {
        CHECK(reasonOf(*builder).empty());
        const auto compiled = compile(builder->build(), {}, edgeDevice());
        REQUIRE(compiled.has_value());
        CHECK(opcodesOf(*compiled) ==
              std::vector<hw::Opcode>{hw::Opcode::kDspOperator, hw::Opcode::kEnd});
    }
}

TEST_CASE("shapes left open are taken from the options and carried through [E-8]") {
    const ModelBuilder builder = addModel({0, 3}, {0, 0});
    CHECK(reasonOf(builder).empty());
    CompileOptions options;
    options.inputDimensions = {{5, 3}};
    const auto compiled = compile(builder.build(), {}, edgeDevice(), options);
    REQUIRE(compiled.has_value());
    CHECK(compiled->inputs[0].dimensions == Dimensions{5, 3});
    CHECK(compiled->outputs[0].dimensions == Dimensions{5, 3});
    CHECK(compiled->outputs[0].sizeBytes == 60);
}

TEST_CASE("open input dimensions without options are the caller's mistake") {
    const auto compiled = compile(addModel({0, 3}, {0, 3}).build(), {}, edgeDevice());
    REQUIRE(!compiled.has_value());
    CHECK(compiled.error().status == ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("options that contradict the model are refused with both shapes") {
    CompileOptions options;
    options.inputDimensions = {{5, 4}};
    const auto compiled = compile(addModel({0, 3}, {0, 3}).build(), {}, edgeDevice(), options);
    REQUIRE(!compiled.has_value());
    CHECK(compiled.error().status == ErrorStatus::INVALID_ARGUMENT);
    CHECK(compiled.error().reason == "input 0 has dimensions [0, 3] in the model, given [5, 4]");
}

TEST_CASE("an output shape that contradicts the computed one is refused") {
    const auto compiled = compile(addModel({5, 3}, {5, 4}).build(), {}, edgeDevice());
    REQUIRE(!compiled.has_value());
    CHECK(contains(compiled.error().reason, "[5, 4] in the model, computed [5, 3]"));
}

TEST_CASE("constants in pools are used in place, copied ones become the driver's [MP-1][MP-2]") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kFloat, {4}});
    const std::uint32_t pooled =
            builder.pooled({kFloat, {4}}, bytesOf(std::vector<float>{1, 2, 3, 4}));
    const std::uint32_t copied =
            builder.constant({kFloat, {4}}, bytesOf(std::vector<float>{9, 9, 9, 9}));
    const std::uint32_t sum = builder.temporary({kFloat, {4}});
    builder.operation(OperationType::ADD, {x, pooled, builder.int32(0)}, sum);
    builder.operation(OperationType::MUL, {sum, copied, builder.int32(0)},
                      builder.output({kFloat, {4}}));
    const auto compiled = compile(builder.build(), builder.pools(), edgeDevice());
    REQUIRE(compiled.has_value());
    CHECK(compiled->constants.size() == 16);
    const auto pool = std::find_if(
            compiled->regions.begin(), compiled->regions.end(),
            [](const Region& region) { return region.kind == RegionKind::kConstantPool; });
    REQUIRE(pool != compiled->regions.end());
    CHECK(pool->sizeBytes == 16);
    CHECK(!pool->isWritable);
}

TEST_CASE("a pool that is too small for its constant is refused") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kFloat, {4}});
    const std::uint32_t pooled =
            builder.pooled({kFloat, {4}}, bytesOf(std::vector<float>{1, 2, 3, 4}));
    builder.operation(OperationType::ADD, {x, pooled, builder.int32(0)},
                      builder.output({kFloat, {4}}));
    const Bytes tooSmall(8);
    const std::vector<PoolView> pools{tooSmall};
    const auto compiled = compile(builder.build(), pools, edgeDevice());
    REQUIRE(!compiled.has_value());
    CHECK(compiled.error().status == ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("an operation that fits no tile runs on the DSP [Q-6]") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kFloat, {1, 4096}});
    builder.operation(OperationType::SOFTMAX, {x, builder.float32(1.0F)},
                      builder.output({kFloat, {1, 4096}}));
    const DeviceInfo small = tinyDevice(4096, 1024);
    const auto compiled = compile(builder.build(), {}, small);
    REQUIRE(compiled.has_value());
    CHECK(opcodesOf(*compiled) ==
          std::vector<hw::Opcode>{hw::Opcode::kDspOperator, hw::Opcode::kEnd});
    const auto roomy = compile(builder.build(), {}, edgeDevice());
    REQUIRE(roomy.has_value());
    CHECK(opcodesOf(*roomy).size() == 4);  // load, softmax, store, end
}

TEST_CASE("a model that can never fit is refused permanently, with the numbers [Q-6]") {
    DeviceInfo forgetful = edgeDevice();
    forgetful.memoryBytes = 1000;
    ModelBuilder constants;
    const std::uint32_t y = constants.input({kFloat, {400}});
    const std::uint32_t big = constants.constant({kFloat, {400}}, Bytes(1600));
    constants.operation(OperationType::ADD, {y, big, constants.int32(0)},
                        constants.output({kFloat, {400}}));
    const auto refused = compile(constants.build(), {}, forgetful);
    REQUIRE(!refused.has_value());
    CHECK(refused.error().status == ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    CHECK(contains(refused.error().reason, "1600 bytes, the device has 1000"));
}

TEST_CASE("an output may also feed a later operation [E-2]") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kFloat, {300}});
    const std::uint32_t y = builder.output({kFloat, {300}});
    const std::uint32_t z = builder.output({kFloat, {300}});
    builder.operation(OperationType::ADD, {x, x, builder.int32(0)}, y);
    builder.operation(OperationType::RELU, {y}, z);
    Dice dice(9);
    const Bytes input = dice.data(kFloat, 300);
    Values doubled = centered(input, kFloat, 0);
    for (double& value : doubled) {
        value *= 2;
    }
    const Bytes sums = store(doubled, {kFloat}, 1.0);
    const Bytes clamped = store(doubled, {kFloat, 0, 0, 1}, 1.0);
    CHECK(checkModel(builder, {input}, {sums, clamped}) == "");
}

TEST_CASE("RELU after an operation becomes its clamp, and only then is it folded") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kFloat, {300}});
    const std::uint32_t sum = builder.temporary({kFloat, {300}});
    builder.operation(OperationType::ADD, {x, x, builder.int32(0)}, sum);
    builder.operation(OperationType::RELU6, {sum}, builder.output({kFloat, {300}}));
    const auto compiled = compile(builder.build(), {}, edgeDevice());
    REQUIRE(compiled.has_value());
    CHECK(!compiled->operations[0].isFolded);
    CHECK(compiled->operations[1].isFolded);
    Dice dice(10);
    const Bytes input = dice.data(kFloat, 300);
    Values doubled = centered(input, kFloat, 0);
    for (double& value : doubled) {
        value *= 2;
    }
    CHECK(checkModel(builder, {input}, {store(doubled, {kFloat, 0, 0, 3}, 1.0)}) == "");
}

TEST_CASE("a tensor between two operations stays on chip where it fits") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kFloat, {1000}});
    const std::uint32_t sum = builder.temporary({kFloat, {1000}});
    builder.operation(OperationType::ADD, {x, x, builder.int32(0)}, sum);
    builder.operation(OperationType::LOGISTIC, {sum}, builder.output({kFloat, {1000}}));
    const auto roomy = compile(builder.build(), {}, edgeDevice());
    const auto tight = compile(builder.build(), {}, tinyDevice(2048, 512));
    REQUIRE((roomy.has_value() && tight.has_value()));
    CHECK(roomy->scratchBytes == 0);
    CHECK(tight->scratchBytes >= 4000);
    CHECK(roomy->sramBytesUsed <= edgeDevice().sramBytes);
}

TEST_CASE("estimates add up and a larger job takes longer [Q-5]") {
    const auto small = compile(addModel({100, 300}, {100, 300}).build(), {}, edgeDevice());
    const auto large = compile(addModel({400, 300}, {400, 300}).build(), {}, edgeDevice());
    REQUIRE((small.has_value() && large.has_value()));
    CHECK(small->estimatedCycles > 0);
    CHECK(large->estimatedCycles > 3 * small->estimatedCycles);
    // The controller begins the job in 630 cycles, four accesses of 100 cycles and 768 bytes at 4
    // a cycle, and ends it in five accesses and 384 bytes. The operation has the time between.
    const std::uint64_t controller = 630 + 4 * 100 + 768 / 4 + 5 * 100 + 384 / 4;
    CHECK(large->operations[0].cycles + controller <= large->estimatedCycles);
    CHECK(large->operations[0].cycles + controller + 50 >= large->estimatedCycles);
    CHECK(large->operations[0].dramBytes >= 2 * 400 * 300 * 4);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
