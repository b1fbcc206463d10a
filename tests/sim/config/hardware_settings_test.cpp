// SPDX-License-Identifier: Apache-2.0
#include "sim/config/hardware_settings.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sim/config/load_config.h"
#include "tests/sim/base/input_error.h"

TEST_SUITE_BEGIN("sim/config/hardware_settings");

namespace {

using namespace vnpu::sim;

/// A file of this text for the life of the object.
class SettingsFile {
  public:
    explicit SettingsFile(const std::string& text) { std::ofstream(path) << text; }
    ~SettingsFile() { std::filesystem::remove(path); }
    SettingsFile(const SettingsFile&) = delete;
    SettingsFile& operator=(const SettingsFile&) = delete;

    const std::string path =
            std::filesystem::temp_directory_path() / "vnpu_hardware_settings_test.toml";
};

}  // namespace

TEST_CASE("reads the tables of the hardware and ignores those of driver and clients [issue 28]") {
    const SettingsFile file(
            "[power]\nautosuspend_us = 7\n[scheduling]\npolicy = \"tokens\"\n"
            "[[fault]]\nkind = \"engine-hang\"\nat = \"2 us\"\n");
    const HardwareSettings settings = loadHardwareSettings(file.path);
    CHECK(withOverrides(loadConfig("edge"), settings.overrides).power.autosuspendUs == 7);
    REQUIRE(settings.faults.size() == 1);
    CHECK(settings.faults[0].spec.kind == vnpu::hw::FaultKind::kEngineHang);
    CHECK(settings.faults[0].atNs == 2000);
}

TEST_CASE("an unknown table, and a file that is not there, are refused [issue 28]") {
    const SettingsFile file("[powr]\nautosuspend_us = 7\n");
    CHECK_THROWS_AS(loadHardwareSettings(file.path), InputError);
    CHECK_THROWS_AS(loadHardwareSettings("/nowhere/device.toml"), InputError);
}

TEST_SUITE_END();
