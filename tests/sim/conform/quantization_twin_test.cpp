// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/quantization_twin.h"

#include <doctest/doctest.h>

#include "tests/sim/conform/vector_fixture.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

/// Like addFile(), with 8-bit operands: scale 0.5, zero point 100.
nlohmann::json quantFile() {
    auto json = addFile();
    auto& operands = json["models"][0]["main"]["operands"];
    const auto quant = [](const char* lifetime, std::vector<std::uint8_t> values) {
        auto operand = operandJson("TENSOR_QUANT8_ASYMM", {1, 2}, lifetime, binary(values));
        operand["scale"] = 0.5;
        operand["zero_point"] = 100;
        return operand;
    };
    operands[0] = quant("SUBGRAPH_INPUT", {0, 255});
    operands[1] = quant("CONSTANT_REFERENCE", {128, 127});
    operands[3] = quant("SUBGRAPH_OUTPUT", {28, 255});
    operands[3]["consumers"] = 0;
    return json;
}

}  // namespace

TEST_SUITE_BEGIN("sim/conform/quantization_twin");

TEST_CASE("the twin stores every value and zero point 128 lower") {
    const Example twin = makeSignedTwin(exampleOf(quantFile()));
    const ExampleOperand& input = twin.main.operands[0];
    CHECK(input.type == nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED);
    CHECK(input.zeroPoint == -28);
    CHECK(input.scale == 0.5F);
    CHECK(*input.data == std::vector<std::byte>{std::byte{0x80}, std::byte{0x7F}});
    CHECK(*twin.main.operands[1].data == std::vector<std::byte>{std::byte{0x00}, std::byte{0xFF}});
    CHECK(*twin.main.operands[3].data == std::vector<std::byte>{std::byte{0x9C}, std::byte{0x7F}});
}

TEST_CASE("operands of other types are the same in the twin, and it is of HAL 1.3") {
    const Example example = exampleOf(quantFile());
    const Example twin = makeSignedTwin(example);
    CHECK(twin.main.operands[2].type == nn::OperandType::INT32);
    CHECK(*twin.main.operands[2].data == *example.main.operands[2].data);
    CHECK(twin.suite == vnpu::driver::HalVersion::k13);
    CHECK(twin.name != example.name);
}

TEST_CASE("one operation with asymmetric 8-bit values is coupled") {
    CHECK(isCoupled(exampleOf(quantFile())));
    CHECK_FALSE(isCoupled(exampleOf(addFile())));
    auto json = quantFile();
    auto& operations = json["models"][0]["main"]["operations"];
    operations.push_back(operations[0]);
    CHECK_FALSE(isCoupled(exampleOf(json)));
}

TEST_CASE("operations on stored bytes are not coupled") {
    for (const char* type :
         {"HASHTABLE_LOOKUP", "LSH_PROJECTION", "PAD_V2", "CAST", "QUANTIZED_16BIT_LSTM"}) {
        auto json = quantFile();
        json["models"][0]["main"]["operations"][0]["type"] = type;
        CHECK_FALSE(isCoupled(exampleOf(json)));
    }
}

TEST_CASE("an invalid zero point does no harm") {
    auto json = quantFile();
    json["models"][0]["main"]["operands"][0]["zero_point"] = -2147483648LL;
    CHECK(makeSignedTwin(exampleOf(json)).main.operands[0].zeroPoint == 2147483520);
}

TEST_SUITE_END();
