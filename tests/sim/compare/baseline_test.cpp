// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/baseline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/base/error.h"
#include "sim/compare/comparison.h"

namespace {

using namespace vnpu::sim;

ResultSet someResults() {
    ResultSet results("run", "default");
    ResultRow& layer = results.row("layer", "camera: \"conv\"");
    layer.figures = {{"cycles", 1234.1}, {"macs", 5000.0}};
    layer.words = {{"type", "CONV_2D"}};
    results.row("client", "camera").words = {{"output_hash", "0123"}};
    results.row("config", "of the device").figures = {{"clock_khz", 1e6}};
    return results;
}

ResultSet readBack(const std::string& text) {
    return resultsOfBaseline(nlohmann::json::parse(text), "base.json");
}

}  // namespace

TEST_SUITE_BEGIN("sim/compare/baseline");

TEST_CASE("a baseline holds the quantities with a direction, exactly, a line for each row") {
    const std::string text = baselineText(someResults());
    CHECK(text ==
          "{\"vnpu_baseline\": 1, \"kind\": \"run\", \"subject\": \"default\", \"rows\": [\n"
          "[\"layer\",\"camera: \\\"conv\\\"\",{\"cycles\":1234.1}],\n"
          "[\"client\",\"camera\",{\"output_hash\":\"0123\"}]\n"
          "]}\n");
    const ResultSet results = readBack(text);
    REQUIRE(results.rows.size() == 2);
    CHECK(results.rows[0].figures.at("cycles") == 1234.1);
    CHECK(results.rows[1].words.at("output_hash") == "0123");
}

TEST_CASE("results compared with their own baseline have no change") {
    const ResultSet results = someResults();
    const Comparison comparison =
            compareResults(readBack(baselineText(results)), results, {.isBaseline = true});
    CHECK(comparison.changes.empty());
    CHECK(comparison.added.empty());
    CHECK(comparison.removed.empty());
}

TEST_CASE("a set without rows is a baseline, too") {
    CHECK(readBack(baselineText(ResultSet("cases"))).rows.empty());
}

TEST_CASE("another format is an input error") {
    CHECK_THROWS_AS(readBack("{\"vnpu_baseline\": 2}"), InputError);
}

TEST_SUITE_END();
