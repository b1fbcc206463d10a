// SPDX-License-Identifier: Apache-2.0
// Operations that run untiled on the DSP, executed on plain byte arrays.
#include <doctest/doctest.h>

#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

Bytes ints(const std::vector<std::int32_t>& values) {
    return bytesOf(values);
}

bool usesOnlyDsp(const CompiledModel& model) {
    const std::vector<hw::Opcode> opcodes = opcodesOf(model);
    return std::all_of(opcodes.begin(), opcodes.end(), [](hw::Opcode opcode) {
        return opcode == hw::Opcode::kDspOperator || opcode == hw::Opcode::kEnd;
    });
}

/// The top k values of a row and their indices, with k as an input, which cannot be tiled.
ModelBuilder topK(const Dimensions& row, const Dimensions& found) {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kInt, row});
    const std::uint32_t k = builder.input({OperandType::INT32, {}});
    builder.operation(OperationType::TOPK_V2, {x, k},
                      {builder.output({kInt, found}), builder.output({kInt, found})});
    return builder;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/lowering");

TEST_CASE("an operation of several outputs runs on the DSP [E-2]") {
    const ModelBuilder builder = topK({5}, {2});
    CHECK(checkModel(builder, {ints({4, 9, -1, 7, 2}), ints({2})}, {ints({9, 7}), ints({1, 3})}) ==
          "");
    const auto compiled = compile(builder.build(), {}, edgeDevice());
    REQUIRE(compiled.has_value());
    CHECK(usesOnlyDsp(*compiled));
    CHECK(compiled->operations[0].cycles > 200);
    CHECK(compiled->operations[0].commands == 1);
}

TEST_CASE("dimensions that only the device knows are reported by it [MP-3]") {
    const auto compiled = compile(topK({5}, {}).build(), {}, edgeDevice());
    REQUIRE(compiled.has_value());
    REQUIRE(compiled->dynamicTensors.size() == 2);
    CHECK(compiled->isDynamicOutput(0));
    CHECK(compiled->isDynamicOutput(1));
    CHECK(compiled->outputs[0].sizeBytes == 0);
    const std::vector<Bytes> inputs = {ints({4, 9, -1, 7, 2}), ints({2})};
    const InterpretedRun run = interpret(*compiled, edgeDevice(), {}, inputs, 1);
    CHECK(run.error == "");
    CHECK(run.shapes[1] == Dimensions{2});
    CHECK(run.outputs[1] == ints({1, 3}));
}

TEST_CASE("a reader of a tensor of unknown size runs on the DSP too [E-2]") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kFloat, {2}});
    const std::uint32_t counts = builder.input({kInt, {1}});
    const std::uint32_t tiled = builder.temporary({kFloat, {}});
    builder.operation(OperationType::TILE, {x, counts}, tiled);
    builder.operation(OperationType::ADD, {tiled, tiled, builder.int32(0)},
                      builder.output({kFloat, {}}));
    const auto compiled = compile(builder.build(), {}, edgeDevice());
    REQUIRE(compiled.has_value());
    CHECK(usesOnlyDsp(*compiled));
    const std::vector<Bytes> inputs = {bytesOf<float>({1, 2}), ints({3})};
    const InterpretedRun run = interpret(*compiled, edgeDevice(), {}, inputs, 1);
    CHECK(run.error == "");
    CHECK(run.shapes[0] == Dimensions{6});
    CHECK(run.outputs[0] == bytesOf<float>({2, 4, 2, 4, 2, 4}));
}

TEST_CASE("a tensor between operations gets the room that the options set [Q-6]") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kFloat, {2}});
    const std::uint32_t counts = builder.input({kInt, {1}});
    const std::uint32_t tiled = builder.temporary({kFloat, {}});
    builder.operation(OperationType::TILE, {x, counts}, tiled);
    builder.operation(OperationType::NEG, {tiled}, builder.output({kFloat, {}}));
    const std::vector<Bytes> inputs = {bytesOf<float>({1, 2}), ints({1000})};
    const auto small = compile(builder.build(), {}, edgeDevice());
    REQUIRE(small.has_value());
    CHECK(small->dynamicTensors[0].output == DynamicTensor::kInternal);
    CHECK(small->dynamicTensors[0].capacityBytes < 8000);
    CHECK(interpret(*small, edgeDevice(), {}, inputs, 1).error.find("8000 bytes, room for") !=
          std::string::npos);
    const auto roomy = compile(builder.build(), {}, edgeDevice(), {.capacities = {8000}});
    REQUIRE(roomy.has_value());
    CHECK(roomy->dynamicTensors[0].capacityBytes == 8000);
    const InterpretedRun run = interpret(*roomy, edgeDevice(), {}, inputs, 1);
    CHECK(run.error == "");
    CHECK(run.shapes[0] == Dimensions{2000});
    const auto vast = compile(builder.build(), {}, edgeDevice(), {.capacities = {1ULL << 40}});
    REQUIRE(!vast.has_value());
    CHECK(vast.error().status == ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
}

TEST_CASE("an omitted operand is absent for the operator [E-2]") {
    // A hash of the whole input, without weights: equal seeds give the same bits.
    ModelBuilder builder;
    const std::uint32_t hash = builder.input({kFloat, {2, 2}});
    const std::uint32_t x = builder.input({kInt, {3, 2}});
    const std::uint32_t weight = builder.input({kFloat, {3}});
    builder.operation(OperationType::LSH_PROJECTION, {hash, x, weight, builder.int32(1)},
                      builder.output({kInt, {2}}));
    CompileOptions options;
    options.omittedInputs = {false, false, true};
    const auto compiled = compile(builder.build(), {}, edgeDevice(), options);
    REQUIRE(compiled.has_value());
    const std::vector<Bytes> inputs = {
            bytesOf<float>({0.1F, 0.2F, 0.3F, 0.4F}), ints({1, 2, 3, 4, 5, 6}), {}};
    const InterpretedRun run = interpret(*compiled, edgeDevice(), {}, inputs, 1);
    CHECK(run.error == "");
    CHECK(compiled->inputs[2].sizeBytes == 0);
}

TEST_CASE("tiled and whole give the same bytes [E-2]") {
    ModelBuilder builder;
    const TensorSpec image{OperandType::TENSOR_QUANT8_ASYMM, {1, 9, 9, 4}, 0.5F, 120};
    const std::uint32_t x = builder.input(image);
    Dice dice(11);
    const std::uint32_t filter = builder.constant({OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                                                   {3, 3, 3, 4},
                                                   0.0F,
                                                   0,
                                                   {0.25F, 0.125F, 0.0625F},
                                                   0},
                                                  dice.data(OperandType::TENSOR_QUANT8_ASYMM, 108));
    const std::uint32_t bias = builder.constant({kInt, {3}}, dice.data(kInt, 3));
    builder.operation(OperationType::CONV_2D,
                      {x, filter, bias, builder.int32(1), builder.int32(1), builder.int32(1),
                       builder.int32(0)},
                      builder.output({OperandType::TENSOR_QUANT8_ASYMM, {1, 9, 9, 3}, 8.0F, 100}));
    const std::vector<Bytes> inputs = {dice.data(OperandType::TENSOR_QUANT8_ASYMM, 324)};
    const auto tiled = compile(builder.build(), {}, edgeDevice());
    const auto whole = compile(builder.build(), {}, edgeDevice(), {.wholeOperations = {0}});
    REQUIRE((tiled.has_value() && whole.has_value()));
    CHECK(!usesOnlyDsp(*tiled));
    CHECK(usesOnlyDsp(*whole));
    const InterpretedRun a = interpret(*tiled, edgeDevice(), {}, inputs, 1);
    const InterpretedRun b = interpret(*whole, edgeDevice(), {}, inputs, 1);
    CHECK(a.error == "");
    CHECK(b.error == "");
    CHECK(a.outputs == b.outputs);
}

TEST_CASE("an attempt on tiles that is refused leaves no constants behind") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kHalf, {1, 1, 1, 1}});
    const std::uint32_t filter = builder.constant({kHalf, {1, 17, 17, 1}}, Bytes(17 * 17 * 2));
    const std::uint32_t bias = builder.constant({kHalf, {1}}, Bytes(2));
    std::vector<std::uint32_t> operands = {x, filter, bias};
    // 17 x 17 phases are too many for tiles.
    for (const std::int32_t argument : {0, 0, 0, 0, 17, 17, 0}) {
        operands.push_back(builder.int32(argument));
    }
    operands.push_back(builder.boolean(false));
    builder.operation(OperationType::TRANSPOSE_CONV_2D, operands,
                      builder.output({kHalf, {1, 17, 17, 1}}));
    const auto refused = compile(builder.build(), {}, edgeDevice());
    const auto forced = compile(builder.build(), {}, edgeDevice(), {.wholeOperations = {0}});
    REQUIRE(refused.has_value());
    REQUIRE(forced.has_value());
    CHECK(usesOnlyDsp(*refused));
    CHECK(refused->constants == forced->constants);
    CHECK(refused->commands == forced->commands);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
