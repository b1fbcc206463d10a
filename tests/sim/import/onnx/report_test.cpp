// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <set>

#include "sim/base/error.h"
#include "sim/import/onnx/operator_table.h"
#include "tests/sim/import/onnx/model_text.h"

namespace vnpu::test {
namespace {

const std::string kInput = valueText("input", "x", 1, {2, 3});

std::string refusalOf(const std::string& graph, const sim::NetworkOptions& options = {}) {
    try {
        return sim::graph::summarize(importText(graph, "", options).report);
    } catch (const sim::InputError& error) {
        return error.what();
    }
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/onnx/report");

TEST_CASE("all operators that cannot run are named at once, with the reason") {
    const auto import = importText(kInput + nodeText("Bernoulli", {"x"}, {"a"}) +
                                   nodeText("Nonsense", {"x"}, {"b"}) +
                                   nodeText("Add", {"a", "b"}, {"y"}) + "output { name: 'y' }");
    REQUIRE(import.report.unsupported.size() == 2);
    CHECK(import.report.unsupported[0].name == "Bernoulli");
    CHECK(import.report.unsupported[1].reason == "not an operator of ONNX's versions 1 to 17");
    CHECK_FALSE(import.network.has_value());
}

TEST_CASE("a value that must be known names the input that it comes from") {
    const auto import = importText(kInput + valueText("input", "s", 7, {2}) +
                                   nodeText("Reshape", {"x", "s"}, {"y"}) + "output { name: 'y' }");
    CHECK(import.wantedConstants == std::set<std::string>{"s"});
    CHECK(sim::graph::summarize(import.report) ==
          "operator 0 (Reshape): the shape is known only at run time, expected a constant");
}

TEST_CASE("mistakes of the file and of the options are told with their place [E-5]") {
    CHECK(refusalOf(valueText("input", "x", 1, {2, -1}) + nodeText("Relu", {"x"}, {"y"}) +
                    "output { name: 'y' }") ==
          "m.onnx: input x: dimension 1 is open, expected --shape \"x\"=...");
    CHECK(refusalOf(valueText("input", "x", 8, {2}) + nodeText("Relu", {"x"}, {"y"}) +
                    "output { name: 'y' }") ==
          "m.onnx: input x: a tensor of type string, which NNAPI does not have");
    CHECK(refusalOf(kInput + nodeText("Relu", {"x"}, {"y"})) ==
          "m.onnx: model outputs: there is none, expected at least 1");
    sim::NetworkOptions options;
    options.shapes["z"] = {1};
    CHECK(refusalOf(kInput + nodeText("Relu", {"x"}, {"y"}) + "output { name: 'y' }", options) ==
          "m.onnx: model inputs: none is \"z\", expected one of x");
}

TEST_CASE("the table has each operator once, and says how or why not") {
    std::set<std::string> names;
    std::size_t imported = 0;
    for (const sim::onnx::Operator& entry : sim::onnx::allOperators()) {
        CHECK_MESSAGE(names.insert(std::string(entry.domain) + "." + entry.name).second,
                      entry.name);
        CHECK((entry.run == nullptr) == (entry.status == sim::onnx::Status::kRefused));
        CHECK(*entry.how != '\0');
        imported += entry.run != nullptr ? 1 : 0;
    }
    CHECK(imported >= 110);
}

TEST_SUITE_END();

}  // namespace vnpu::test
