// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/conform/vector_file.h"

namespace vnpu::sim::test {

/// An operand of the vectors' schema.
inline nlohmann::json operandJson(const std::string& type, const std::vector<unsigned>& dims,
                                  const std::string& lifetime, nlohmann::json data) {
    return {{"type", type},           {"dims", dims},
            {"consumers", 1},         {"scale", 0.0},
            {"zero_point", 0},        {"lifetime", lifetime},
            {"ignored", false},       {"channel_quant", nullptr},
            {"data", std::move(data)}};
}

template <typename T>
nlohmann::json binary(const std::vector<T>& values) {
    const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
    return nlohmann::json::binary({first, first + values.size() * sizeof(T)});
}

/// One model: two floats added to a constant pair, without activation. Operands: input, constant,
/// activation, output.
inline nlohmann::json addFile() {
    nlohmann::json graph;
    graph["operands"] = {
            operandJson("TENSOR_FLOAT32", {1, 2}, "SUBGRAPH_INPUT",
                        binary(std::vector<float>{1.0F, 2.0F})),
            operandJson("TENSOR_FLOAT32", {1, 2}, "CONSTANT_REFERENCE",
                        binary(std::vector<float>{10.0F, 20.0F})),
            operandJson("INT32", {}, "CONSTANT_COPY", binary(std::vector<std::int32_t>{0})),
            operandJson("TENSOR_FLOAT32", {1, 2}, "SUBGRAPH_OUTPUT",
                        binary(std::vector<float>{11.0F, 22.0F}))};
    graph["operands"][3]["consumers"] = 0;
    graph["operations"] = {{{"type", "ADD"}, {"inputs", {0, 1, 2}}, {"outputs", {3}}}};
    graph["inputs"] = {0};
    graph["outputs"] = {3};
    return {{"spec", "add"},
            {"hal", "V1_0"},
            {"models",
             {{{"name", "add_two"},
               {"min_hal", "V1_0"},
               {"expect_failure", false},
               {"is_relaxed", false},
               {"multinomial_tolerance", 0.0},
               {"main", graph},
               {"referenced", nlohmann::json::array()}}}}};
}

inline std::vector<std::byte> cborOf(const nlohmann::json& json) {
    const std::vector<std::uint8_t> cbor = nlohmann::json::to_cbor(json);
    const auto view = std::as_bytes(std::span(cbor));
    return {view.begin(), view.end()};
}

/// The example of a file with one model.
inline Example exampleOf(const nlohmann::json& json) {
    return parseVectorFile("v.cbor", cborOf(json)).examples[0];
}

}  // namespace vnpu::sim::test
