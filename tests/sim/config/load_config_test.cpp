// SPDX-License-Identifier: Apache-2.0
#include "sim/config/load_config.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/error.h"
#include "sim/config/embedded_files.h"
#include "tests/sim/base/input_error.h"

namespace {

using vnpu::hw::Dataflow;
using vnpu::sim::InputError;
using vnpu::sim::loadConfig;
using vnpu::sim::parseConfig;

std::string textOf(const char* name) {
    const auto* file = vnpu::sim::findEmbedded(vnpu::sim::embeddedConfigs(), name);
    REQUIRE(file != nullptr);
    return std::string(file->text);
}

std::string configError(const std::string& text) {
    return vnpu::sim::test::inputErrorOf([&] { parseConfig(text, "my.toml"); });
}

TEST_SUITE_BEGIN("sim/config/load_config");

TEST_CASE("missing keys are taken from the base [E-3]") {
    const auto config =
            parseConfig("base = \"mobile\"\nname = \"mine\"\n[mac]\nrows = 8\n", "my.toml");
    const auto base = loadConfig("mobile");
    CHECK(config.name == "mine");
    CHECK(config.mac.rows == 8);
    CHECK(config.mac.columns == base.mac.columns);
    CHECK(config.dram.bytesPerCycle == base.dram.bytesPerCycle);
}

TEST_CASE("each type of value is read [E-3]") {
    const auto config = parseConfig(
            "base = \"edge\"\n"
            "clock_khz = 123_456\n"
            "[mac]\ndataflow = \"output-stationary\"\nweight_double_buffer = false\n"
            "[dram]\nbytes_per_cycle = 2\n",
            "my.toml");
    CHECK(config.clockKhz == 123'456);
    CHECK(config.mac.dataflow == Dataflow::kOutputStationary);
    CHECK_FALSE(config.mac.weightDoubleBuffer);
    CHECK(config.dram.bytesPerCycle == 2.0);
}

TEST_CASE("without a base every key is required [E-3]") {
    CHECK(configError("name = \"mine\"\n") ==
          "my.toml:1: clock_khz is missing, expected an integer (kHz), or base = \"edge\" to "
          "take it from there");
}

TEST_CASE("without a base every table is required [E-3]") {
    CHECK(configError("name = \"mine\"\nclock_khz = 1000\n") ==
          "my.toml:1: table [mac] is missing, expected it or base = \"edge\"");
}

TEST_CASE("an unknown base is refused [E-3]") {
    CHECK(configError("base = \"moblie\"\n")
                  .find("my.toml:1: base is \"moblie\", expected one of ") == 0);
    CHECK(configError("base = \"moblie\"\n").find("did you mean \"mobile\"?") != std::string::npos);
}

TEST_CASE("an unknown key is refused with the nearest known one [E-3]") {
    CHECK(configError("base = \"edge\"\n[mac]\ncolums = 4\n") ==
          "my.toml:3: unknown key mac.colums; did you mean \"columns\"?");
}

TEST_CASE("an unknown table is refused [E-3]") {
    CHECK(configError("base = \"edge\"\n[sramm]\nkib = 4\n") ==
          "my.toml:2: unknown key sramm; did you mean \"sram\"?");
}

TEST_CASE("text instead of an integer is refused [E-3]") {
    CHECK(configError("base = \"edge\"\n[mac]\nrows = \"16\"\n") ==
          "my.toml:3: mac.rows is a string, expected an integer");
}

TEST_CASE("a decimal number instead of an integer is refused [E-3]") {
    CHECK(configError("base = \"edge\"\n\n[sram]\nkib = 512.5\n") ==
          "my.toml:4: sram.kib is a decimal number, expected an integer");
}

TEST_CASE("a number instead of a boolean is refused [E-3]") {
    CHECK(configError("base = \"edge\"\n[mac]\nweight_double_buffer = 1\n") ==
          "my.toml:3: mac.weight_double_buffer is an integer, expected true or false");
}

TEST_CASE("a negative number is refused [E-3]") {
    CHECK(configError("base = \"edge\"\n[dram]\nlatency_cycles = -1\n") ==
          "my.toml:3: dram.latency_cycles is -1, expected 0 to 4294967295");
}

TEST_CASE("a number that does not fit is refused [E-3]") {
    CHECK(configError("base = \"edge\"\nclock_khz = 4294967296\n") ==
          "my.toml:2: clock_khz is 4294967296, expected 0 to 4294967295");
}

TEST_CASE("an unknown dataflow is refused [E-3]") {
    CHECK(configError("base = \"edge\"\n[mac]\ndataflow = \"weight_stationary\"\n") ==
          "my.toml:3: mac.dataflow is \"weight_stationary\", expected one of "
          "weight-stationary, "
          "output-stationary, broadcast; did you mean \"weight-stationary\"?");
}

TEST_CASE("a number out of the device's range is reported with its line [E-3]") {
    CHECK(configError("base = \"edge\"\n[mac]\ncolumns = 4\nrows = 0\n") ==
          "my.toml:4: mac.rows is 0, expected 1 to 4095");
}

TEST_CASE("a number out of range is reported with the file's spelling [E-3]") {
    CHECK(configError("base = \"edge\"\n[mac]\nfloat_divisor = 0\n")
                  .find("my.toml:3: mac.float_divisor is 0, expected 1 ") == 0);
}

TEST_CASE("resident memory that is too large or not in whole pages is refused [E-3]") {
    CHECK(configError("base = \"edge\"\n[sram]\nresident_kib = 6\n") ==
          "my.toml:3: sram.resident_kib is 6, expected a multiple of the MMU's page of 4 KiB");
    CHECK(configError("base = \"edge\"\n[sram]\nresident_kib = 65536\n") ==
          "my.toml:3: sram.resident_kib is 65536, expected 0 to 65535");
}

TEST_CASE("a file without a base may omit [energy], but no part of it [E-3] [E-6]") {
    std::string text = textOf("edge");
    const std::size_t begin = text.find("[energy]");
    const std::size_t end = text.find("[host]");
    REQUIRE(begin < end);
    const std::size_t price = text.find("dram_byte_pj", begin);
    std::string partly = text;
    partly.erase(price, partly.find('\n', price) + 1 - price);
    CHECK(configError(partly).find(": energy.dram_byte_pj is missing, expected a number (pJ per "
                                   "byte), or base") != std::string::npos);
    text.erase(begin, end - begin);
    CHECK(parseConfig(text, "my.toml").energy.dramBytePj == 0.0);
    CHECK(parseConfig("base = \"edge\"\n", "my.toml").energy.dramBytePj > 0.0);
}

TEST_CASE("an invalid price is refused [E-7]") {
    CHECK(configError("base = \"edge\"\n[energy]\nmac8_pj = -0.5\n") ==
          "my.toml:3: energy.mac8_pj is -0.5, expected 0 to 1000000");
    CHECK(configError("base = \"edge\"\n[energy]\nsram_byte_pj = nan\n")
                  .find("my.toml:3: energy.sram_byte_pj ") == 0);
    CHECK(configError("base = \"edge\"\n[energy]\nclock_mw = \"much\"\n")
                  .find("my.toml:3: energy.clock_mw is a string, expected ") == 0);
    CHECK(configError("base = \"edge\"\n[energy]\nclock_mv = 1\n") ==
          "my.toml:3: unknown key energy.clock_mv; did you mean \"clock_mw\"?");
}

TEST_CASE("a value instead of a table is refused [E-3]") {
    CHECK(configError("base = \"edge\"\nmac = 3\n") ==
          "my.toml:2: mac is an integer, expected a table");
}

TEST_CASE("a syntax error is reported with its line [E-3]") {
    CHECK(configError("base = \"edge\"\n[mac\n").find("my.toml:2: ") == 0);
}

TEST_CASE("a name that is neither shipped nor a file is refused [E-3]") {
    CHECK_THROWS_WITH_AS(
            loadConfig("egde"),
            "configuration \"egde\" is unknown, expected edge, edge-ddr4, edge-lpddr4, mobile, "
            "nvdla-1024, nvdla-128, nvdla-2048, nvdla-256, nvdla-32, nvdla-512, "
            "nvdla-64, nvdla-large, os128, os16, os32, tpu128, u55-128, u55-256, "
            "u65-256, u65-512, ws128, ws16, ws32 or the path of a .toml file; did "
            "you mean \"edge\"?",
            InputError);
}

TEST_CASE("an unreadable path is refused [E-3]") {
    CHECK_THROWS_AS(loadConfig("no/such/file.toml"), InputError);
}

TEST_SUITE_END();

}  // namespace
