// SPDX-License-Identifier: Apache-2.0
// Which NNAPI operations a model becomes: layouts, fusing and quantized forms.
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/base/error.h"
#include "tests/sim/import/onnx/model_text.h"

namespace vnpu::test {
namespace {

using Names = std::vector<std::string>;

const std::string kImage = valueText("input", "x", 1, {1, 2, 4, 4});
const std::string kWeights = floatsConstant("w", {2, 2, 1, 1}, {1, 2, 3, 4});
const std::string kOutput = "output { name: 'y' }";

std::string scaleConstants(const std::string& prefix, float scale) {
    return floatsConstant(prefix + "s", {}, {scale}) + "initializer { name: '" + prefix +
           "z' data_type: 3 int32_data: 0 }\n";
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/onnx/structure");

TEST_CASE("a convolutional network is transposed once at its input and once at its output") {
    const auto import = importText(
            kImage + kWeights + nodeText("Conv", {"x", "w"}, {"a"}) +
            nodeText("Relu", {"a"}, {"b"}) +
            nodeText("MaxPool", {"b"}, {"c"}, intsAttribute("kernel_shape", {2, 2})) +
            nodeText("Conv", {"c", "w"}, {"d"}) + nodeText("Add", {"d", "c"}, {"y"}) + kOutput);
    CHECK(operationsOf(import) ==
          Names{"TRANSPOSE", "CONV_2D", "MAX_POOL_2D", "CONV_2D", "ADD", "TRANSPOSE"});
}

TEST_CASE("BatchNormalization with constants becomes part of the weights before it") {
    const std::string constants =
            kWeights + floatsConstant("g", {2}, {2, 2}) + floatsConstant("b", {2}, {0, 1}) +
            floatsConstant("m", {2}, {0, 0}) + floatsConstant("v", {2}, {1, 1});
    const auto import =
            importText(kImage + constants + nodeText("Conv", {"x", "w"}, {"a"}) +
                       nodeText("BatchNormalization", {"a", "g", "b", "m", "v"}, {"y"}) + kOutput);
    CHECK(operationsOf(import) == Names{"TRANSPOSE", "CONV_2D", "TRANSPOSE"});
}

TEST_CASE("between DequantizeLinear and QuantizeLinear the device computes in 8 bits") {
    const std::string constants = scaleConstants("a", 0.5F) + scaleConstants("b", 0.25F) +
                                  "initializer { name: 'w' data_type: 3 dims: 2 dims: 2 dims: 1 "
                                  "dims: 1 int32_data: 1 int32_data: 2 "
                                  "int32_data: 3 int32_data: 4 }\n";
    const auto import =
            importText(kImage + constants + nodeText("QuantizeLinear", {"x", "as", "az"}, {"q"}) +
                       nodeText("DequantizeLinear", {"q", "as", "az"}, {"r"}) +
                       nodeText("DequantizeLinear", {"w", "bs", "bz"}, {"v"}) +
                       nodeText("Conv", {"r", "v"}, {"c"}) + nodeText("Relu", {"c"}, {"d"}) +
                       nodeText("QuantizeLinear", {"d", "as", "az"}, {"y"}) + kOutput);
    const Names names = operationsOf(import);
    CHECK(std::count(names.begin(), names.end(), "CONV_2D") == 1);
    CHECK(std::count(names.begin(), names.end(), "DEQUANTIZE") == 0);
    CHECK(std::count(names.begin(), names.end(), "QUANTIZE") == 1);
    CHECK(import.network->outputs[0].scale == 0.5F);
}

TEST_CASE("an output that is a constant beyond 32 bits is refused with its name") {
    CHECK_THROWS_WITH_AS(importText(kImage + intsConstant("y", {1}, {-2199023255651}) + kOutput),
                         doctest::Contains("y has the number -2199023255651"), sim::InputError);
}

TEST_CASE("shape arithmetic leaves no operation") {
    const std::string nodes = nodeText("Shape", {"x"}, {"s"}) +
                              nodeText("Gather", {"s", "zero"}, {"n"}) +
                              nodeText("Concat", {"n", "rest"}, {"t"}, intAttribute("axis", 0)) +
                              nodeText("Reshape", {"x", "t"}, {"y"});
    const auto import = importText(kImage + intsConstant("zero", {1}, {0}) +
                                   intsConstant("rest", {1}, {-1}) + nodes + kOutput);
    CHECK(operationsOf(import) == Names{"RESHAPE"});
    CHECK(import.network->outputs[0].dimensions == std::vector<std::uint32_t>{1, 32});
}

TEST_CASE("an open first dimension is a batch of one; other ones are given") {
    const std::string graph =
            valueText("input", "x", 1, {-1, 3}) + nodeText("Relu", {"x"}, {"y"}) + kOutput;
    CHECK(importText(graph).network->inputs[0].dimensions == std::vector<std::uint32_t>{1, 3});
    sim::NetworkOptions options;
    options.shapes["x"] = {5, 3};
    CHECK(importText(graph, "", options).network->inputs[0].dimensions ==
          std::vector<std::uint32_t>{5, 3});
}

TEST_SUITE_END();

}  // namespace vnpu::test
