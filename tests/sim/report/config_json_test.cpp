// SPDX-License-Identifier: Apache-2.0
#include "sim/report/config_json.h"

#include <doctest/doctest.h>

#include "sim/config/load_config.h"

namespace {

using vnpu::sim::configJson;
using vnpu::sim::loadConfig;

TEST_SUITE_BEGIN("sim/report/config_json");

TEST_CASE("the JSON object has the tables and keys of the file [E-3]") {
    const auto json = configJson(loadConfig("edge"));
    CHECK(json["name"] == "edge");
    CHECK(json["clock_khz"] == 1'000'000);
    CHECK(json["mac"]["rows"] == 16);
    CHECK(json["mac"]["dataflow"] == "weight-stationary");
    CHECK(json["mac"]["weight_double_buffer"] == true);
    CHECK(json["dram"]["bytes_per_cycle"] == 3.75);
    CHECK(json["peaks"]["tops"] == doctest::Approx(0.512));
    CHECK(json["dsp"]["lanes8"] == 16);
    CHECK(json.size() == 16);  // name, clock, thirteen tables, peaks
    CHECK(json["decoder"]["bytes_per_cycle"] == 0);
    CHECK(json["power"]["resume_ns"] == 20'000);
}

TEST_SUITE_END();

}  // namespace
