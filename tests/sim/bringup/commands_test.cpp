// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "sim/config/config_text.h"
#include "sim/config/load_config.h"
#include "tests/support/program.h"

using vnpu::test::CommandFolder;

namespace {

constexpr const char* kModel = "zoo:ds_cnn";

}  // namespace

TEST_SUITE_BEGIN("sim/bringup/commands");

TEST_CASE("the own driver is without mistakes, and lint changes no result") {
    const CommandFolder folder;
    REQUIRE(folder.run("infer " + std::string(kModel) + " --json") == 0);
    const std::string plain = folder.read("out");
    REQUIRE(folder.run("infer " + std::string(kModel) + " --json --lint") == 0);
    CHECK(folder.read("out") == plain);
    CHECK(folder.read("err").find("lint: 0 mistakes in ") != std::string::npos);
}

TEST_CASE("a replay of an inference on the same device has no difference") {
    const CommandFolder folder;
    REQUIRE(folder.run("infer " + std::string(kModel) + " --record " + folder / "run.rec") == 0);
    CHECK(folder.run("replay " + folder / "run.rec") == 0);
    CHECK(folder.read("out").starts_with("no difference\n"));
}

TEST_CASE("a replay on a device with one changed register shows it as the first difference") {
    const CommandFolder folder;
    REQUIRE(folder.run("infer " + std::string(kModel) + " --record " + folder / "run.rec") == 0);
    vnpu::hw::NpuConfig config = vnpu::sim::loadConfig("edge");
    config.vector.lanes8 *= 2;
    folder.write("other.toml", vnpu::sim::configText(config));
    CHECK(folder.run("replay " + folder / "run.rec" + " --config " + folder / "other.toml") == 1);
    const std::string out = folder.read("out");
    CHECK(out.starts_with("first difference at "));
    CHECK(out.find("read of CONFIG_VECTOR: expected 0x") != std::string::npos);
    CHECK(out.find("LANES_8=") != std::string::npos);
}

TEST_CASE("a damaged recording is refused") {
    const CommandFolder folder;
    REQUIRE(folder.run("infer " + std::string(kModel) + " --record " + folder / "run.rec") == 0);
    std::string bytes = folder.read("run.rec");
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] + 1);
    folder.write("run.rec", bytes);
    CHECK(folder.run("replay " + folder / "run.rec") == 2);
    CHECK(folder.read("err").find("wrong checksum") != std::string::npos);
}

TEST_CASE("the log of accesses has the names of registers and fields") {
    const CommandFolder folder;
    REQUIRE(folder.run("infer " + std::string(kModel) + " --log-accesses " + folder / "log") == 0);
    const std::string log = folder.read("log");
    CHECK(log.find("  write CONTROL = 0x00000002  BOOT\n") != std::string::npos);
    CHECK(log.find("  read  IRQ_STATUS = 0x00000001  JOB_DONE\n") != std::string::npos);
    CHECK(log.find("  interrupt line high\n") != std::string::npos);
    CHECK(log.find("DMA read  0x") != std::string::npos);
}

TEST_SUITE_END();
