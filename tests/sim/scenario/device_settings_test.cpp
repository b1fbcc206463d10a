// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/device_settings.h"

#include <doctest/doctest.h>

#include "sim/config/load_config.h"
#include "tests/sim/base/input_error.h"
#include "tests/support/program.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::CommandFolder;

DeviceSettingsText inForce(const DeviceSettings& settings) {
    return describeSettings(settings, withOverrides(loadConfig("edge"), settings.overrides));
}

}  // namespace

TEST_SUITE_BEGIN("sim/scenario/device_settings");

TEST_CASE("a device file has the tables of a scenario [E-5a]") {
    const CommandFolder folder;
    const DeviceSettings settings = loadDeviceSettings(folder.write("device.toml", R"(
[scheduling]
policy = "tokens"
mechanism = "restart"

[power]
autosuspend_us = 10_000

[dram]
background = 0.25

[[fault]]
kind = "engine-hang"
at = "20 ms"
engine = "mac"
times = 3
)"));
    CHECK_FALSE(settings.isDefault());
    const DeviceSettingsText text = inForce(settings);
    CHECK(text.scheduling.find("policy tokens, mechanism restart, granularity tile") !=
          std::string::npos);
    CHECK(text.power ==
          "clock 1000 MHz, suspended after 10000 us without work, 25 % of the DRAM bandwidth used "
          "from outside");
    CHECK(text.faults == "engine-hang of mac 3 times from 20 ms on");
}

TEST_CASE("a scenario serves as a device file, without its clients [E-5a]") {
    const CommandFolder folder;
    const DeviceSettings settings = loadDeviceSettings(folder.write("scenario.toml", R"(
[scenario]
name = "s"

[[client]]
name = "ignored"

[scheduling]
granularity = "operation"
)"));
    CHECK(inForce(settings).scheduling.find("granularity operation") != std::string::npos);
    CHECK(loadDeviceSettings("default").isDefault());  // a shipped scenario
}

TEST_CASE("a device without a file has the driver's settings, and they are listed [E-5a]") {
    const DeviceSettings settings = loadDeviceSettings("");
    CHECK(settings.isDefault());
    const DeviceSettingsText text = inForce(settings);
    CHECK(text.scheduling ==
          "strategy apps, policy bands, mechanism checkpoint, granularity tile, app_slice_us 2000, "
          "checkpoint_us 50");
    CHECK(text.power ==
          "clock 1000 MHz, never suspended, 0 % of the DRAM bandwidth used from outside");
    CHECK(text.faults == "none");
}

TEST_CASE("a mistake in a device file is reported with file, line and what was expected [E-5a]") {
    const CommandFolder folder;
    const auto errorOf = [&](const char* text) {
        const std::string path = folder.write("d.toml", text);
        const std::string error = vnpu::sim::test::inputErrorOf([&] { loadDeviceSettings(path); });
        return error.substr(error.rfind('/') + 1);
    };
    CHECK(errorOf("[sheduling]\npolicy = \"bands\"\n") ==
          "d.toml:1: unknown key sheduling; did you mean \"scheduling\"?");
    CHECK(errorOf("[scheduling]\npolicy = \"band\"\n").find("d.toml:2: scheduling.policy") == 0);
    CHECK(errorOf("\n[power]\nautosuspend_us = \"soon\"\n")
                  .find("d.toml:3: power.autosuspend_us") == 0);
    CHECK(errorOf("[[fault]]\nkind = \"flood\"\n").find("d.toml:2: fault.kind") == 0);
    CHECK(vnpu::sim::test::inputErrorOf([] { loadDeviceSettings("no_such.toml"); })
                  .find("device file \"no_such.toml\" can't be read, expected the path of a .toml "
                        "file or one of ") == 0);
}

TEST_SUITE_END();
