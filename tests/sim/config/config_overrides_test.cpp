// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config_overrides.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/config/load_config.h"
#include "tests/sim/base/input_error.h"

namespace {

using namespace vnpu::sim;

ConfigOverrides overridesOf(const std::string& lines, const std::string& table = "power") {
    const auto root = parseToml("[" + table + "]\n" + lines, "s.toml");
    ConfigOverrides overrides;
    readConfigOverrides(*root[table].as_table(), table, "s.toml", overrides);
    return overrides;
}

std::string overridesError(const std::string& lines, const std::string& table = "power") {
    return vnpu::sim::test::inputErrorOf(
            [&] { withOverrides(loadConfig("mobile"), overridesOf(lines, table)); });
}

TEST_SUITE_BEGIN("sim/config/config_overrides");

TEST_CASE("given numbers replace those of the configuration, the others stay") {
    const vnpu::hw::NpuConfig mobile = loadConfig("mobile");
    const auto config = withOverrides(mobile, overridesOf("autosuspend_us = 7\nresume_ns = 9\n"));
    CHECK(config.power.autosuspendUs == 7);
    CHECK(config.power.resumeNs == 9);
    CHECK(config.power.level1Khz == mobile.power.level1Khz);
    CHECK(config.clockKhz == mobile.clockKhz);
    CHECK(withOverrides(mobile, overridesOf("")).power.autosuspendUs == mobile.power.autosuspendUs);
}

TEST_CASE("only the external load of the DRAM can be overridden") {
    const vnpu::hw::NpuConfig mobile = loadConfig("mobile");
    const auto config = withOverrides(mobile, overridesOf("background = 0.25\n", "dram"));
    CHECK(config.dram.background == 0.25);
    CHECK(config.dram.bytesPerCycle == mobile.dram.bytesPerCycle);
    CHECK(overridesError("bytes_per_cycle = 3.0\n", "dram")
                  .find("s.toml:2: unknown key dram.bytes_per_cycle") == 0);
    CHECK(overridesError("background = 0.99\n", "dram") ==
          "s.toml:2: [dram] on mobile: dram.background is 0.99, expected 0 to 0.95");
    CHECK(overridesError("background = \"half\"\n", "dram").find("s.toml:2: dram.background ") ==
          0);
}

TEST_CASE("typing mistakes are reported with their line") {
    CHECK(overridesError("autosuspend = 7\n").find("s.toml:2: unknown key power.autosuspend") == 0);
    CHECK(overridesError("resume_ns = \"9 us\"\n").find("s.toml:2: power.resume_ns") == 0);
    CHECK(overridesError("resume_ns = 20_000_000\n") ==
          "s.toml:2: [power] on mobile: power.resume_ns is 20000000, expected 0 to 10000000");
    CHECK(overridesError("\nlevel1_khz = 1_000_000\n").find("s.toml:3: [power] on mobile") == 0);
}

TEST_SUITE_END();

}  // namespace
