// SPDX-License-Identifier: Apache-2.0
#include "sim/config/power_overrides.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/config/load_config.h"
#include "sim/error.h"

namespace {

using namespace vnpu::sim;

PowerOverrides overridesOf(const std::string& lines) {
    const auto root = parseToml("[power]\n" + lines, "s.toml");
    return readPowerOverrides(*root["power"].as_table(), "s.toml");
}

std::string errorOf(const std::string& lines) {
    try {
        withPower(loadConfig("mobile"), overridesOf(lines));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST_SUITE("sim/config/power_overrides") {
    TEST_CASE("what is given takes the place of the configuration's, the rest stays") {
        const vnpu::hw::NpuConfig mobile = loadConfig("mobile");
        const auto config = withPower(mobile, overridesOf("autosuspend_us = 7\nresume_ns = 9\n"));
        CHECK(config.power.autosuspendUs == 7);
        CHECK(config.power.resumeNs == 9);
        CHECK(config.power.level1Khz == mobile.power.level1Khz);
        CHECK(config.clockKhz == mobile.clockKhz);
        CHECK(withPower(mobile, overridesOf("")).power.autosuspendUs == mobile.power.autosuspendUs);
    }

    TEST_CASE("slips are told with their line") {
        CHECK(errorOf("autosuspend = 7\n").find("s.toml:2: unknown key power.autosuspend") == 0);
        CHECK(errorOf("resume_ns = \"9 us\"\n").find("s.toml:2: power.resume_ns") == 0);
        CHECK(errorOf("resume_ns = 20_000_000\n") ==
              "s.toml:2: [power] on mobile: power.resumeNs is 20000000, expected 0 to 10000000");
        CHECK(errorOf("\nlevel1_khz = 1_000_000\n").find("s.toml:3: [power] on mobile") == 0);
    }
}

}  // namespace
