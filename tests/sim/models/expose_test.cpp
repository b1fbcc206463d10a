// SPDX-License-Identifier: Apache-2.0
#include "sim/models/expose.h"

#include <doctest/doctest.h>

#include "sim/import/source.h"
#include "sim/models/operand_types.h"

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/models/expose");

TEST_CASE("a range of operations gets its outputs as model outputs") {
    const Network network = loadNetwork("zoo:ds_cnn", {.zeroWeights = true});
    const Network part = exposeOperations(network, 2, 3);
    REQUIRE(part.outputs.size() == 4);
    CHECK(part.outputs[0].name == "softmax");
    CHECK(part.outputs[1].name == "conv1_pointwise");
    CHECK(part.outputs[3].name == "conv2_pointwise");
    CHECK(part.outputs[1].sizeBytes == 25 * 5 * 64);
    CHECK(outputOfOperation(part, 2) == 1);
    CHECK(outputOfOperation(part, 4) == 3);
    CHECK_FALSE(outputOfOperation(part, 5).has_value());
    const auto& graph = part.model.main;
    CHECK(graph.operands[graph.operations[2].outputs[0]].lifetime ==
          nn::OperandLifeTime::SUBGRAPH_OUTPUT);
}

TEST_CASE("the model's own outputs keep their places, and the range ends with the model") {
    const Network network = loadNetwork("zoo:ds_cnn", {.zeroWeights = true});
    const Network part = exposeOperations(network, 12, 100);
    CHECK(part.outputs.size() == 1);
    CHECK(outputOfOperation(part, 12) == 0);
}

TEST_SUITE_END();
