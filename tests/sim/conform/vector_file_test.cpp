// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/vector_file.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/random.h"
#include "tests/sim/base/input_error.h"
#include "tests/sim/conform/vector_fixture.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

std::string refusal(const std::vector<std::byte>& bytes) {
    return inputErrorOf([&] { parseVectorFile("v.cbor", bytes); });
}

std::string refusal(const nlohmann::json& json) {
    return refusal(cborOf(json));
}

}  // namespace

TEST_SUITE_BEGIN("sim/conform/vector_file");

TEST_CASE("a model is read with its operands, operations and results") {
    const VectorFile file = parseVectorFile("v.cbor", cborOf(addFile()));
    CHECK(file.spec == "add");
    REQUIRE(file.examples.size() == 1);
    const Example& example = file.examples[0];
    CHECK(example.name == "add_two");
    REQUIRE(example.main.operands.size() == 4);
    CHECK(example.main.operands[1].lifetime == nn::OperandLifeTime::CONSTANT_REFERENCE);
    CHECK(example.main.operands[3].data->size() == 8);
    REQUIRE(example.main.operations.size() == 1);
    CHECK(example.main.operations[0].type == nn::OperationType::ADD);
    CHECK(example.main.operations[0].inputs == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE("an omitted input has no data") {
    auto json = addFile();
    json["models"][0]["main"]["operands"][0]["data"] = nullptr;
    const VectorFile file = parseVectorFile("v.cbor", cborOf(json));
    CHECK_FALSE(file.examples[0].main.operands[0].data.has_value());
}

TEST_CASE("violations are refused with their place") {
    auto json = addFile();
    auto& graph = json["models"][0]["main"];
    SUBCASE("a missing key") {
        json["models"][0].erase("is_relaxed");
        CHECK(refusal(json) == "v.cbor: models[0]: has no key \"is_relaxed\"");
    }
    SUBCASE("a wrong kind of value") {
        graph["inputs"] = "zero";
        CHECK(refusal(json) == "v.cbor: models[0].main.inputs: is string, expected an array");
    }
    SUBCASE("an unknown type") {
        graph["operands"][0]["type"] = "TENSOR_INT4";
        CHECK(refusal(json) ==
              "v.cbor: models[0].main.operands[0].type: \"TENSOR_INT4\" is not a "
              "name of NNAPI 1.3");
    }
    SUBCASE("an index out of range") {
        graph["operations"][0]["inputs"] = {0, 4, 2};
        CHECK(refusal(json) ==
              "v.cbor: models[0].main.operations[0].inputs: holds operand 4, the "
              "subgraph has 4");
    }
    SUBCASE("data of another size") {
        graph["operands"][1]["data"] = binary(std::vector<float>{1.0F});
        CHECK(refusal(json) ==
              "v.cbor: models[0].main.operands[1]: data has 4 bytes, expected 8 "
              "for TENSOR_FLOAT32 of 1x2");
    }
    SUBCASE("a constant without data") {
        graph["operands"][1]["data"] = nullptr;
        CHECK(refusal(json) ==
              "v.cbor: models[0].main.operands[1]: data is null, expected the "
              "value of a constant");
    }
    SUBCASE("a result without data") {
        graph["operands"][3]["data"] = nullptr;
        CHECK(refusal(json) ==
              "v.cbor: models[0]: add_two: output operand 3 has no expected result");
    }
    SUBCASE("a number too large") {
        graph["operands"][0]["dims"] = {1, 4294967296ULL};
        CHECK(refusal(json) ==
              "v.cbor: models[0].main.operands[0].dims[1]: is 4294967296, "
              "expected 0 to 4294967295");
    }
}

TEST_CASE("data that is not CBOR, is truncated, or continues after its end is refused") {
    const std::vector<std::byte> good = cborOf(addFile());
    CHECK(refusal(std::vector<std::byte>{}).find("v.cbor: is not a CBOR item: ") == 0);
    for (std::size_t length = 0; length < good.size(); ++length) {
        const auto end = good.begin() + static_cast<std::ptrdiff_t>(length);
        CHECK(refusal(std::vector<std::byte>(good.begin(), end)) != kNoError);
    }
    std::vector<std::byte> longer = good;
    longer.push_back(std::byte{0});
    CHECK(refusal(longer) != kNoError);
}

TEST_CASE("deep nesting is refused before it exhausts the stack") {
    CHECK(refusal(std::vector<std::byte>(1'000'000, std::byte{0x81})) ==
          "v.cbor: byte 16: more than 16 levels of nesting");
}

TEST_CASE("tags and indefinite lengths are refused") {
    CHECK(refusal(std::vector<std::byte>{std::byte{0x9F}, std::byte{0xFF}}) ==
          "v.cbor: byte 0 is 0x9f, expected no tags and definite lengths");
    CHECK(refusal(std::vector<std::byte>{std::byte{0xC0}, std::byte{0x00}}) ==
          "v.cbor: byte 0 is 0xc0, expected no tags and definite lengths");
}

TEST_CASE("seeded bit flips are refused or read, and nothing crashes") {
    const std::vector<std::byte> good = cborOf(addFile());
    Random random(7);
    int refused = 0, misplaced = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        std::vector<std::byte> bad = good;
        for (std::uint64_t flips = 1 + random.next() % 4; flips > 0; --flips) {
            bad[random.next() % bad.size()] ^= static_cast<std::byte>(1U << random.next() % 8);
        }
        const std::string message = refusal(bad);
        const bool isRefused = message != kNoError;
        refused += isRefused ? 1 : 0;
        misplaced += isRefused && !message.starts_with("v.cbor: ") ? 1 : 0;
    }
    CHECK(refused > 0);
    CHECK(misplaced == 0);
}

TEST_SUITE_END();
