// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/down_conversion.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/conform/example_request.h"
#include "sim/conform/vector_model.h"
#include "tests/sim/conform/vector_fixture.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

Example addExample() {
    return parseVectorFile("v.cbor", cborOf(addFile())).examples[0];
}

/// Which versions have words for it.
struct Versions {
    bool has10, has11, has12;
    bool operator==(const Versions&) const = default;
};

Versions versionsOf(const nn::Model& model) {
    return {toModel10(model).has_value(), toModel11(model).has_value(),
            toModel12(model).has_value()};
}

}  // namespace

TEST_SUITE_BEGIN("sim/conform/down_conversion");

TEST_CASE("an earlier model says the same") {
    const nn::Model model = makeModel(addExample());
    const auto earlier = toModel10(model);
    REQUIRE(earlier.has_value());
    REQUIRE(earlier->operands.size() == 4);
    CHECK(earlier->operands[0].type == nn10::OperandType::TENSOR_FLOAT32);
    CHECK(earlier->operands[0].lifetime == nn10::OperandLifeTime::MODEL_INPUT);
    CHECK(earlier->operands[0].numberOfConsumers == 1);
    CHECK(earlier->operands[1].lifetime == nn10::OperandLifeTime::CONSTANT_REFERENCE);
    CHECK(earlier->operands[1].location == model.main.operands[1].location);
    CHECK(earlier->operands[3].dimensions == model.main.operands[3].dimensions);
    REQUIRE(earlier->operations.size() == 1);
    CHECK(earlier->operations[0].type == nn10::OperationType::ADD);
    CHECK(earlier->operations[0].inputs == model.main.operations[0].inputs);
    CHECK(earlier->operations[0].outputs == model.main.operations[0].outputs);
    CHECK(earlier->inputIndexes == model.main.inputIndexes);
    CHECK(earlier->outputIndexes == model.main.outputIndexes);
    CHECK(earlier->operandValues == model.operandValues);
    CHECK(earlier->pools.size() == 1);
}

TEST_CASE("what a version has no word for is not said in it") {
    nn::Model model = makeModel(addExample());
    CHECK(versionsOf(model) == Versions{true, true, true});
    SUBCASE("relaxed computation came with 1.1") {
        model.relaxComputationFloat32toFloat16 = true;
        CHECK(versionsOf(model) == Versions{false, true, true});
        CHECK(toModel11(model)->relaxComputationFloat32toFloat16);
        CHECK(toModel12(model)->relaxComputationFloat32toFloat16);
    }
    SUBCASE("SUB came with 1.1") {
        model.main.operations[0].type = nn::OperationType::SUB;
        CHECK(versionsOf(model) == Versions{false, true, true});
    }
    SUBCASE("float16 came with 1.2") {
        model.main.operands[0].type = nn::OperandType::TENSOR_FLOAT16;
        CHECK(versionsOf(model) == Versions{false, false, true});
    }
    SUBCASE("scales per channel came with 1.2") {
        model.main.operands[0].extraParams.channelQuant({{1.0F, 2.0F}, 1});
        CHECK(versionsOf(model) == Versions{false, false, true});
        CHECK(toModel12(model)->operands[0].extraParams == model.main.operands[0].extraParams);
    }
    SUBCASE("extensions came with 1.2") {
        model.extensionNameToPrefix.resize(1);
        CHECK(versionsOf(model) == Versions{false, false, true});
        CHECK(toModel12(model)->extensionNameToPrefix.size() == 1);
    }
    SUBCASE("signed 8-bit values came with 1.3") {
        model.main.operands[0].type = nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
        CHECK(versionsOf(model) == Versions{false, false, false});
    }
    SUBCASE("subgraphs came with 1.3") {
        model.referenced.resize(1);
        CHECK(versionsOf(model) == Versions{false, false, false});
    }
    SUBCASE("ELU came with 1.3") {
        model.main.operations[0].type = nn::OperationType::ELU;
        CHECK(versionsOf(model) == Versions{false, false, false});
    }
}

TEST_CASE("a request says the same, and knows no memory domains") {
    const ExampleRequest request(addExample());
    const auto earlier = toRequest10(request.request());
    REQUIRE(earlier.has_value());
    CHECK(earlier->inputs == request.request().inputs);
    CHECK(earlier->outputs == request.request().outputs);
    REQUIRE(earlier->pools.size() == 2);
    CHECK(earlier->pools[1].size() == 8);
    nn::Request token = request.request();
    token.pools[1].token(1);
    CHECK_FALSE(toRequest10(token).has_value());
}

TEST_SUITE_END();
