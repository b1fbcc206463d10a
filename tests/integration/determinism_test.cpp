// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>

#include "tests/support/program.h"

namespace {

namespace fs = std::filesystem;
using vnpu::test::readFile;
using vnpu::test::runVnpu;
using vnpu::test::TemporaryFolder;

constexpr const char* kScenario = R"(
[scenario]
name = "short"
duration = "60 ms"
config = "edge"
seed = 7

[[client]]
name = "picture"
uid = 10001
model = "zoo:resnet8"
priority = "low"
path = "async"
arrival = "closed_loop"
think_time = "1 ms"

[[client]]
name = "keyword"
uid = 10002
model = "zoo:ds_cnn"
priority = "high"
path = "sync"
arrival = "poisson"
rate_hz = 200
)";

std::set<std::string> filesOf(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        names.insert(entry.path().filename());
    }
    return names;
}

void runInto(const TemporaryFolder& folder, const std::string& name,
             const std::vector<std::string>& more) {
    vnpu::test::writeFile(folder / "short.toml", kScenario);
    std::vector<std::string> arguments = {"run", (folder / "short.toml").string(), "--out",
                                          (folder / name).string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = runVnpu(arguments);
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
}

}  // namespace

TEST_SUITE_BEGIN("integration/determinism");

TEST_CASE("the same scenario and seed give the same files byte for byte [E-4]") {
    const TemporaryFolder folder;
    runInto(folder, "a", {"--trace", "perfetto,vcd"});
    runInto(folder, "b", {"--trace", "perfetto,vcd"});
    const auto names = filesOf(folder / "a");
    CHECK(names == filesOf(folder / "b"));
    CHECK(names.contains("summary.txt"));
    CHECK(names.contains("trace.perfetto-trace"));
    CHECK(names.contains("trace.vcd"));
    for (const std::string& name : names) {
        CHECK_MESSAGE(readFile(folder / "a" / name) == readFile(folder / "b" / name), name);
    }
}

TEST_CASE("a DRAM of banks gives the same files byte for byte, and reports its rows [E-4]") {
    const TemporaryFolder folder;
    runInto(folder, "a", {"--config", "edge-lpddr4"});
    runInto(folder, "b", {"--config", "edge-lpddr4"});
    runInto(folder, "timing", {"--config", "edge-lpddr4", "--timing-only"});
    for (const char* name : {"summary.txt", "metrics.json", "jobs.csv", "layers.csv"}) {
        CHECK_MESSAGE(readFile(folder / "a" / name) == readFile(folder / "b" / name), name);
    }
    for (const char* name : {"jobs.csv", "layers.csv"}) {
        CHECK_MESSAGE(readFile(folder / "a" / name) == readFile(folder / "timing" / name), name);
    }
    CHECK(readFile(folder / "a" / "summary.txt").find("\nrows:      ") != std::string::npos);
    CHECK(readFile(folder / "a" / "metrics.json").find("\"row_hit_rate\": 0.9") !=
          std::string::npos);
}

TEST_CASE("another seed gives different arrivals [E-4]") {
    const TemporaryFolder folder;
    runInto(folder, "a", {"--seed", "7"});
    runInto(folder, "b", {"--seed", "8"});
    CHECK(readFile(folder / "a" / "jobs.csv") != readFile(folder / "b" / "jobs.csv"));
}

TEST_CASE("timing-only mode keeps every time [E-3]") {
    const TemporaryFolder folder;
    runInto(folder, "data", {});
    runInto(folder, "timing", {"--timing-only"});
    for (const char* name : {"jobs.csv", "layers.csv"}) {
        CHECK_MESSAGE(readFile(folder / "data" / name) == readFile(folder / "timing" / name), name);
    }
}

TEST_SUITE_END();
