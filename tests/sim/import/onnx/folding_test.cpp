// SPDX-License-Identifier: Apache-2.0
// Operators on constants: the import computes them, and the expected values are calculated by hand.
#include <doctest/doctest.h>

#include "tests/sim/import/onnx/model_text.h"

namespace vnpu::test {
namespace {

using Numbers = std::vector<double>;

/// The only output of a model without inputs.
sim::graph::Value foldedOf(const std::string& constants, const std::string& node,
                           const std::string& modelText = "") {
    const sim::OnnxImport import = importText(constants + node + "output { name: 'y' }", modelText);
    CHECK(sim::graph::summarize(import.report) == "");
    REQUIRE(import.folded.size() == 1);
    return import.folded[0];
}

Numbers foldedNumbers(const sim::graph::Value& value) {
    return sim::graph::realsOf(value);
}

const std::string kMatrix = floatsConstant("x", {2, 3}, {1, 2, 3, 4, 5, 6});

}  // namespace

TEST_SUITE_BEGIN("sim/import/onnx/folding");

TEST_CASE("Shape counts its ends as Python does, and Size multiplies") {
    const std::string version = "opset_import { version: 15 }";
    CHECK(foldedNumbers(foldedOf(
                  kMatrix, nodeText("Shape", {"x"}, {"y"}, intAttribute("start", -1)), version)) ==
          Numbers{3});
    CHECK(foldedNumbers(foldedOf(kMatrix, nodeText("Size", {"x"}, {"y"}))) == Numbers{6});
}

TEST_CASE("Reshape: 0 keeps a dimension and -1 takes the rest") {
    const auto value = foldedOf(kMatrix + intsConstant("s", {3}, {0, 1, -1}),
                                nodeText("Reshape", {"x", "s"}, {"y"}));
    CHECK(value.dims == sim::graph::Dims{2, 1, 3});
}

TEST_CASE("Slice with negative bounds and steps") {
    const std::string constants = kMatrix + intsConstant("b", {1}, {-1}) +
                                  intsConstant("e", {1}, {-1000}) + intsConstant("a", {1}, {1}) +
                                  intsConstant("s", {1}, {-2});
    const auto value = foldedOf(constants, nodeText("Slice", {"x", "b", "e", "a", "s"}, {"y"}));
    CHECK(value.dims == sim::graph::Dims{2, 2});
    CHECK(foldedNumbers(value) == Numbers{3, 1, 6, 4});
}

TEST_CASE("Gather and GatherElements count negative indices from the back") {
    const auto rows =
            foldedOf(kMatrix + intsConstant("i", {1}, {-1}), nodeText("Gather", {"x", "i"}, {"y"}));
    CHECK(foldedNumbers(rows) == Numbers{4, 5, 6});
    const auto elements =
            foldedOf(kMatrix + intsConstant("i", {2, 1}, {2, -3}),
                     nodeText("GatherElements", {"x", "i"}, {"y"}, intAttribute("axis", 1)));
    CHECK(foldedNumbers(elements) == Numbers{3, 4});
}

TEST_CASE("ScatterElements: the last update counts, sums add all") {
    const std::string constants = floatsConstant("x", {3}, {1, 2, 3}) +
                                  intsConstant("i", {2}, {1, 1}) +
                                  floatsConstant("u", {2}, {10, 20});
    CHECK(foldedNumbers(foldedOf(constants, nodeText("ScatterElements", {"x", "i", "u"}, {"y"}))) ==
          Numbers{1, 20, 3});
    const std::string sum = textAttribute("reduction", "add");
    CHECK(foldedNumbers(foldedOf(constants,
                                 nodeText("ScatterElements", {"x", "i", "u"}, {"y"}, sum),
                                 "opset_import { version: 16 }")) == Numbers{1, 32, 3});
}

TEST_CASE("integer division truncates, Mod takes the divisor's sign and fmod the dividend's") {
    const std::string constants = intsConstant("a", {2}, {-7, 7}) + intsConstant("b", {2}, {2, -2});
    CHECK(foldedNumbers(foldedOf(constants, nodeText("Div", {"a", "b"}, {"y"}))) ==
          Numbers{-3, -3});
    CHECK(foldedNumbers(foldedOf(constants, nodeText("Mod", {"a", "b"}, {"y"}))) == Numbers{1, -1});
    CHECK(foldedNumbers(foldedOf(constants, nodeText("Mod", {"a", "b"}, {"y"},
                                                     intAttribute("fmod", 1)))) == Numbers{-1, 1});
}

TEST_CASE("Range, Trilu, EyeLike and ConstantOfShape") {
    const std::string limits =
            intsConstant("a", {}, {5}) + intsConstant("b", {}, {-1}) + intsConstant("c", {}, {-3});
    CHECK(foldedNumbers(foldedOf(limits, nodeText("Range", {"a", "b", "c"}, {"y"}))) ==
          Numbers{5, 2});
    CHECK(foldedNumbers(foldedOf(kMatrix, nodeText("Trilu", {"x"}, {"y"}),
                                 "opset_import { version: 14 }")) == Numbers{1, 2, 3, 0, 5, 6});
    CHECK(foldedNumbers(
                  foldedOf(kMatrix, nodeText("EyeLike", {"x"}, {"y"}, intAttribute("k", 1)))) ==
          Numbers{0, 1, 0, 0, 0, 1});
    CHECK(foldedNumbers(foldedOf(intsConstant("s", {1}, {2}),
                                 nodeText("ConstantOfShape", {"s"}, {"y"}))) == Numbers{0, 0});
}

TEST_CASE("the axes of Squeeze are an attribute up to version 12, then an input") {
    const std::string x = floatsConstant("x", {1, 2, 1}, {1, 2});
    const auto old = foldedOf(x, nodeText("Squeeze", {"x"}, {"y"}, intsAttribute("axes", {2})),
                              "opset_import { version: 11 }");
    CHECK(old.dims == sim::graph::Dims{1, 2});
    const auto current =
            foldedOf(x + intsConstant("a", {1}, {0}), nodeText("Squeeze", {"x", "a"}, {"y"}));
    CHECK(current.dims == sim::graph::Dims{2, 1});
}

TEST_CASE("a loop with a known number of passes, and its scanned results") {
    // sum = sum + i for i = 0, 1, 2; each sum is scanned
    const std::string body = "attribute { name: 'body' type: GRAPH g { name: 'b' " +
                             valueText("input", "i", 7, {}) + valueText("input", "c", 9, {}) +
                             valueText("input", "s", 7, {}) + nodeText("Add", {"s", "i"}, {"t"}) +
                             nodeText("Identity", {"t"}, {"u"}) +
                             nodeText("Identity", {"c"}, {"d"}) +
                             "output { name: 'd' } output { name: 't' } output { name: 'u' } } }";
    const std::string constants = intsConstant("n", {}, {3}) + intsConstant("z", {}, {10});
    CHECK(foldedNumbers(foldedOf(constants, nodeText("Loop", {"n", "", "z"}, {"last", "y"},
                                                     body))) == Numbers{10, 11, 13});
}

TEST_CASE("a function of the file takes attributes from its call") {
    const std::string flatten =
            "functions { name: 'Flat' domain: 'd' input: 'a' output: 'b' attribute: 'at' "
            "opset_import { version: 13 } "
            "node { op_type: 'Flatten' input: 'a' output: 'b' attribute { name: 'axis' "
            "ref_attr_name: 'at' type: INT } } }";
    const std::string call = "node { op_type: 'Flat' domain: 'd' input: 'x' output: 'y' " +
                             intAttribute("at", 0) + " }";
    const auto value = foldedOf(
            kMatrix, call,
            "opset_import { version: 13 } opset_import { domain: 'd' version: 1 } " + flatten);
    CHECK(value.dims == sim::graph::Dims{1, 6});
}

TEST_CASE("sequences exist during import") {
    const std::string nodes = nodeText("SequenceConstruct", {"x", "z"}, {"q"}) +
                              nodeText("SequenceLength", {"q"}, {"n"}) +
                              nodeText("ConcatFromSequence", {"q"}, {"y"}, intAttribute("axis", 0));
    const auto value = foldedOf(kMatrix + floatsConstant("z", {1, 3}, {7, 8, 9}), nodes);
    CHECK(foldedNumbers(value) == Numbers{1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_SUITE_END();

}  // namespace vnpu::test
