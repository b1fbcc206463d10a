// SPDX-License-Identifier: Apache-2.0
// External load on the device's DRAM, as scenarios and sweeps configure it.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.h"

namespace {

using namespace vnpu::test;
using Json = nlohmann::json;

struct RunFiles {
    Json metrics;
    std::string jobs;
};

RunFiles runWith(const std::string& dramTable) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "load.toml").string();
    std::ofstream(path)
            << "[scenario]\nname = \"load\"\nduration = \"60 ms\"\nconfig = \"edge\"\n"
               "timing_only = true\n"
            << dramTable
            << "[[client]]\nname = \"camera\"\nuid = 10101\nmodel = \"zoo:mobilenet_v2\"\n"
               "arrival = \"closed_loop\"\n";
    const std::string out = (folder.path() / "out").string();
    const ProgramResult result = runVnpu({"run", path, "--no-isolated", "--json", "--out", out});
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    return {Json::parse(result.output), readFile(folder.path() / "out" / "jobs.csv")};
}

double meanOf(const RunFiles& run) {
    return run.metrics["clients"][0]["device_ms_mean"].get<double>();
}

}  // namespace

TEST_SUITE_BEGIN("integration/memory_load");

TEST_CASE("zero external load leaves every time unchanged [E-4]") {
    const RunFiles without = runWith("");
    CHECK(runWith("[dram]\nbackground = 0.0\n").jobs == without.jobs);
}

TEST_CASE("external load delays answers, up to its share and reproducibly [E-3] [E-4]") {
    const double alone = meanOf(runWith(""));
    const RunFiles half = runWith("[dram]\nbackground = 0.5\n");
    CHECK(runWith("[dram]\nbackground = 0.5\n").jobs == half.jobs);
    const double quarter = meanOf(runWith("[dram]\nbackground = 0.25\n"));
    CHECK(quarter > 1.02 * alone);
    CHECK(meanOf(half) > 1.02 * quarter);
    // The waiting time for memory can double, and short transfers also wait for bursts.
    CHECK(meanOf(half) < 2.5 * alone);
}

TEST_CASE("an invalid load is refused with its place [E-7]") {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "load.toml").string();
    std::ofstream(path) << "[scenario]\nname = \"load\"\nduration = \"1 ms\"\nconfig = \"edge\"\n"
                           "[dram]\nbackground = 1.5\n"
                           "[[client]]\nname = \"c\"\nuid = 10101\nmodel = \"zoo:ds_cnn\"\n"
                           "arrival = \"closed_loop\"\n";
    const ProgramResult result = runVnpu({"run", path});
    CHECK(result.exitCode == 2);
    CHECK(result.errors.find("load.toml:6: [dram] on edge: dram.background is 1.5, expected 0 to "
                             "0.95") != std::string::npos);
}

TEST_SUITE_END();
