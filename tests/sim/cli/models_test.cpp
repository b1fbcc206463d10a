// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/program.h"

namespace {

using Json = nlohmann::json;
using vnpu::test::runVnpu;

/// The row of an operation in a type; the second type, if any, is the same.
Json rowOf(const Json& rows, const std::string& operation, const std::string& type) {
    for (const Json& row : rows) {
        const bool isPlain = row["other_type"].is_null() || row["other_type"] == row["type"];
        if (row["operation"] == operation && row["type"] == type && isPlain) {
            return row;
        }
    }
    FAIL("no row of " << operation << " in " << type);
    return {};
}

}  // namespace

TEST_SUITE_BEGIN("sim/cli/models");

// Only the smallest of configurations that differ just in size, because each takes a second.
TEST_CASE("every kind of device supports every operation in every type and reports how it runs") {
    for (const char* config :
         {"edge", "mobile", "tpu128", "nvdla-large", "nvdla-32", "ws32", "os16", "u55-128"}) {
        CAPTURE(config);
        const auto result = runVnpu({"models", "--ops", "--json", "--config", config});
        CHECK(result.exitCode == 0);
        const Json rows = Json::parse(result.output);
        std::set<std::string> operations;
        for (const Json& row : rows) {
            CAPTURE(row.dump());
            operations.insert(row["operation"]);
            CHECK_FALSE(row.contains("refused"));
            CHECK(row["engines"].size() == row["cost"].size());
            for (const auto& formulas : row["cost"]) {
                CHECK(formulas[0] != "?");
            }
        }
        CHECK(operations.size() == 102);
        CHECK(rowOf(rows, "CONV_2D", "TENSOR_QUANT8_ASYMM")["place"] == "tiled");
        CHECK(rowOf(rows, "CONV_2D", "TENSOR_QUANT8_ASYMM")["engines"][0] == "mac");
        CHECK(rowOf(rows, "LSTM", "TENSOR_FLOAT32")["place"] == "whole");
        CHECK(rowOf(rows, "LSTM", "TENSOR_FLOAT32")["engines"] == Json{"dsp"});
    }
}

TEST_CASE("a filter selects operations by name") {
    const auto result = runVnpu({"models", "--ops", "--filter", "^MAX"});
    CHECK(result.exitCode == 0);
    CHECK(result.output.find("\nMAX_POOL_2D") != std::string::npos);
    CHECK(result.output.find("\nMAXIMUM") != std::string::npos);
    CHECK(result.output.find("REDUCE_MAX") == std::string::npos);
    CHECK(runVnpu({"models", "--ops", "--filter", "("}).exitCode == 2);
}

TEST_CASE("a table ends with the meaning of its letters") {
    const auto result = runVnpu({"models", "--ops", "--filter", "^RNN$"});
    CHECK(result.output.find("operation  type") == 0);
    CHECK(result.output.find("\ndsp: start-up ") != std::string::npos);
}

TEST_SUITE_END();
