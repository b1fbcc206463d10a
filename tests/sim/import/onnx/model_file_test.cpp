// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/model_file.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "sim/import/onnx/tensor_values.h"
#include "tests/sim/import/onnx/model_text.h"

namespace vnpu::test {
namespace {

std::string readRefusalOf(const std::string& graph) {
    try {
        sim::onnx::parseModel(modelFromText(graph), "m.onnx");
    } catch (const sim::InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/onnx/model_file");

TEST_CASE("tensors come from raw bytes or from the list of their type") {
    const auto model = sim::onnx::parseModel(
            modelFromText("initializer { name: 'r' data_type: 6 dims: 1 raw_data: "
                          "'\\001\\000\\000\\000' }"
                          "initializer { name: 'h' data_type: 10 dims: 1 int32_data: 15360 }"),
            "m.onnx");
    CHECK(sim::onnx::numbersOf(*model.graph.constants.at("r")) == std::vector<double>{1});
    CHECK(sim::onnx::numbersOf(*model.graph.constants.at("h")) == std::vector<double>{1});
}

TEST_CASE("what does not fit is told with its place [E-5]") {
    CHECK(readRefusalOf("initializer { name: 'r' data_type: 1 dims: 2 float_data: 1 }") ==
          "m.onnx: tensor r: 4 bytes of data, expected 8");
    CHECK(readRefusalOf("initializer { name: 'r' data_type: 99 dims: 1 }") ==
          "m.onnx: tensor r: element type 99, expected 1 to 16");
    CHECK(readRefusalOf("initializer { name: 'r' data_type: 1 dims: -1 }")
                  .find("a dimension of -1") != std::string::npos);
    CHECK(readRefusalOf("initializer { name: 'r' data_type: 1 dims: 2000000000 dims: 2000000000 }")
                  .find("a dimension of 2000000000") != std::string::npos);
    CHECK(readRefusalOf("initializer { name: 'r' data_type: 1 dims: 1 data_location: EXTERNAL "
                        "external_data { key: 'location' value: '../a' } }") ==
          "m.onnx: tensor r: data in \"../a\", expected a file in the model's folder");
}

TEST_CASE("bytes that are no model are refused [E-5]") {
    const std::string text = "no model";
    CHECK_THROWS_WITH_AS(sim::onnx::parseModel(std::as_bytes(std::span(text)), "m.onnx"),
                         "m.onnx: not a model of ONNX", sim::InputError);
    CHECK_THROWS_AS(sim::onnx::parseModel({}, "m.onnx"), sim::InputError);
}

TEST_CASE("integers beyond 32 bits are refused, but for those that mean the end") {
    const auto model =
            sim::onnx::parseModel(modelFromText(intsConstant("a", {1}, {std::int64_t{1} << 40}) +
                                                intsConstant("b", {2}, {INT64_MAX, INT64_MIN})),
                                  "m.onnx");
    CHECK_THROWS_AS(sim::onnx::valueOf(*model.graph.constants.at("a")), sim::graph::Refusal);
    CHECK(sim::graph::realsOf(sim::onnx::valueOf(*model.graph.constants.at("b"))) ==
          std::vector<double>{INT32_MAX, INT32_MIN});
}

TEST_SUITE_END();

}  // namespace vnpu::test
