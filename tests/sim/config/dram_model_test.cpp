// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "hw_model/timing/memory_timing.h"
#include "sim/config/config_text.h"
#include "sim/config/load_config.h"
#include "sim/report/config_json.h"
#include "tests/sim/base/input_error.h"

namespace {

using vnpu::sim::configText;
using vnpu::sim::loadConfig;
using vnpu::sim::parseConfig;

std::string errorOf(const std::string& text) {
    return vnpu::sim::test::inputErrorOf([&] { parseConfig(text, "my.toml"); });
}

TEST_SUITE_BEGIN("sim/config/dram_model");

TEST_CASE("a flat DRAM's text and JSON do not mention banks [E-3]") {
    const auto config = loadConfig("edge");
    CHECK(configText(config).find("model =") == std::string::npos);
    CHECK(configText(config).find("t_rcd") == std::string::npos);
    const auto json = vnpu::sim::configJson(config);
    CHECK_FALSE(json["dram"].contains("model"));
    CHECK_FALSE(json["dram"].contains("channels"));
    CHECK_FALSE(json["mmu"].contains("walk_cache_lines"));
}

TEST_CASE("a banked DRAM's text and JSON have every field [E-3]") {
    const auto config = loadConfig("edge-lpddr4");
    const auto json = vnpu::sim::configJson(config);
    CHECK(json["dram"]["model"] == "banked");
    CHECK(json["dram"]["mapping"] == "row-bank-column");
    CHECK(json["dram"]["t_cl_cycles"] == 17.5);
    CHECK(json["mmu"]["walk_cache_lines"] == 16);
    CHECK(configText(parseConfig(configText(config), "copy")) == configText(config));
}

TEST_CASE("the model of a shipped DRAM can be changed back [E-3]") {
    const auto config = parseConfig(
            "base = \"edge-lpddr4\"\n[dram]\nmodel = \"flat\"\nlatency_cycles = 250\n", "my.toml");
    CHECK(config.dram.model == vnpu::hw::DramModel::kFlat);
    // Rows without a cost of a miss cost nothing.
    CHECK(vnpu::hw::dramRate(config.dram, 64, 1000) == vnpu::hw::dramSustainedRate(config.dram));
}

TEST_CASE("the driver sees the latency of edge, and LPDDR4 at nine tenths of its peak [E-3]") {
    for (const char* name : {"edge-lpddr4", "edge-ddr4"}) {
        CAPTURE(name);
        const auto config = loadConfig(name);
        CHECK(vnpu::hw::dramLatencyCycles(config.dram) == 250);
        const double share = vnpu::hw::dramSustainedRate(config.dram) / config.dram.bytesPerCycle;
        CHECK(share > 0.9);
        CHECK(share < 0.96);
    }
}

TEST_CASE("slips are answered with file, line and what was expected [E-3]") {
    const std::string base = "base = \"edge-lpddr4\"\n[dram]\n";
    CHECK(errorOf("base = \"edge\"\n[dram]\nmodel = \"bankd\"\n")
                  .find("my.toml:3: dram.model is \"bankd\", expected") == 0);
    CHECK(errorOf(base + "mapping = \"column\"\n")
                  .find("my.toml:3: dram.mapping is \"column\", expected") == 0);
    CHECK(errorOf("base = \"edge\"\n[dram]\nmodel = \"banked\"\n")
                  .find("my.toml:2: dram.banks is 0, expected a power of two") == 0);
    CHECK(errorOf(base + "t_rcd_cycles = 0\n") ==
          "my.toml:3: dram.t_rcd_cycles is 0, expected more with model = \"banked\"");
    CHECK(errorOf(base + "t_rrd_l_cycles = -2\n") ==
          "my.toml:3: dram.t_rrd_l_cycles is -2, expected 0 to 10000");
    CHECK(errorOf(base + "t_rdc_cycles = 4\n") ==
          "my.toml:3: unknown key dram.t_rdc_cycles; did you mean \"t_rcd_cycles\"?");
}

TEST_SUITE_END();

}  // namespace
