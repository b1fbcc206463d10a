// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/result_checks.h"

#include <doctest/doctest.h>

#include "tests/sim/conform/vector_fixture.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

/// Two outputs: 1x2 and 3.
Example floatsThenBytes() {
    auto json = addFile();
    auto& graph = json["models"][0]["main"];
    graph["operands"].push_back(operandJson("TENSOR_QUANT8_ASYMM", {3}, "SUBGRAPH_OUTPUT",
                                            binary(std::vector<std::uint8_t>{1, 2, 3})));
    graph["outputs"] = {3, 4};
    return exampleOf(json);
}

CallResult resultWith(std::vector<nn12::OutputShape> shapes) {
    CallResult result;
    result.outputShapes = std::move(shapes);
    return result;
}

CallResult resultWith(nn12::Timing timing) {
    CallResult result;
    result.timing = timing;
    return result;
}

}  // namespace

TEST_SUITE_BEGIN("sim/conform/result_checks");

TEST_CASE("shapes must be complete and correct, or may be omitted") {
    const Example example = floatsThenBytes();
    CHECK(checkShapes(example, resultWith({{{1, 2}, true}, {{3}, true}}), false) == "");
    CHECK(checkShapes(example, resultWith({{{1, 2}, true}}), true) ==
          "1 output shapes, expected 2");
    CHECK(checkShapes(example, resultWith({{{1, 2}, true}, {{0}, true}}), false) ==
          "output 1: shape is 0, expected 3");
    CHECK(checkShapes(example, resultWith({{{1, 2}, true}, {{3}, false}}), false) ==
          "output 1: reported as insufficient");
    CHECK(checkShapes(example, CallResult{}, true) == "");
    CHECK(checkShapes(example, CallResult{}, false) == "0 output shapes, expected 2");
}

TEST_CASE("with a short first output only that one is insufficient, and all have shapes") {
    const Example example = floatsThenBytes();
    CHECK(checkShortShapes(example, resultWith({{{1, 2}, false}, {{3}, true}})) == "");
    CHECK(checkShortShapes(example, resultWith({{{1, 2}, true}, {{3}, true}})) ==
          "output 0: reported as sufficient");
    CHECK(checkShortShapes(example, resultWith({{{1, 2}, false}, {{3}, false}})) ==
          "output 1: reported as insufficient");
    CHECK(checkShortShapes(example, resultWith({{{0, 2}, false}, {{3}, true}})) ==
          "output 0: shape is 0x2, expected 1x2");
    CHECK(checkShortShapes(example, CallResult{}) == "0 output shapes, expected 2");
}

TEST_CASE("times are reported if and only if they were requested") {
    CHECK(checkTiming(CallResult{}, false) == "");
    CHECK(checkTiming(resultWith({7, UINT64_MAX}), false) == "times are reported, expected none");
    CHECK(checkTiming(resultWith({UINT64_MAX, 9}), false) == "times are reported, expected none");
    CHECK(checkTiming(resultWith({7, 9}), true) == "");
    CHECK(checkTiming(resultWith({9, 9}), true) == "");
    CHECK(checkTiming(resultWith({10, 9}), true) ==
          "10 us on the device, more than 9 us in the driver");
    CHECK(checkTiming(CallResult{}, true) == "");  // times need not be known
}

TEST_CASE("a failure reports nothing but its status") {
    CHECK(checkSilence(CallResult{}) == "");
    CHECK(checkSilence(resultWith({{{1, 2}, true}})) ==
          "execution failed as expected, but reports output shapes");
    CHECK(checkSilence(resultWith({1, 2})) == "times are reported, expected none");
}

TEST_CASE("an unexpected status is reported with the expected one") {
    CallResult result;
    CHECK(checkStatus(result, nn::ErrorStatus::GENERAL_FAILURE) == "");
    CHECK(checkStatus(result, nn::ErrorStatus::INVALID_ARGUMENT) ==
          "execution: GENERAL_FAILURE, expected INVALID_ARGUMENT");
}

TEST_CASE("an output with a dimension of 0 is not completely known") {
    Example example = floatsThenBytes();
    CHECK(areOutputsKnown(example));
    example.main.operands[4].dimensions = {0};
    CHECK_FALSE(areOutputsKnown(example));
}

TEST_SUITE_END();
