// SPDX-License-Identifier: Apache-2.0
// Device faults during mixed work: each is handled, and no wrong result is reported as correct.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "hw_model/blocks/base/fault_kind.h"
#include "sim/config/load_config.h"
#include "sim/stress/fault_stress.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;
using vnpu::test::readFile;
using vnpu::test::runVnpu;
using vnpu::test::simCase;
using vnpu::test::TemporaryFolder;
namespace hw = vnpu::hw;

constexpr std::uint64_t kFaults = 280;  // chosen: each kind twenty times, in a few seconds

/// Upper limits of the time until a fault is handled, by kind, in milliseconds of device time.
/// source: the driver's time limits: 2 ms of the watchdog, 100 ms of the heartbeat and the mailbox
std::chrono::milliseconds boundOf(hw::FaultKind kind) {
    switch (kind) {
        case hw::FaultKind::kControllerHang:
            return std::chrono::milliseconds(210);  // silence of one, then of the other
        case hw::FaultKind::kEngineHang:
        case hw::FaultKind::kEngineStuck:
            return std::chrono::milliseconds(20);
        case hw::FaultKind::kLostInterrupt:
            return std::chrono::milliseconds(110);
        default:
            return std::chrono::milliseconds(100);
    }
}

}  // namespace

TEST_SUITE_BEGIN("integration/fault");

TEST_CASE("every fault during mixed work is handled, and every other result is correct [E-7]") {
    simCase([] {
        const FaultStressReport report =
                runFaultStress({.config = loadConfig("edge"), .faults = kFaults, .seed = 20});
        for (const std::string& wrong : report.wrong) {
            FAIL_CHECK(wrong);
        }
        CHECK(report.injected() == kFaults);
        CHECK(report.kinds.size() == hw::kNoticedFaultKindCount);
        CHECK(report.failures > 0);
        CHECK(report.resets > 0);
        for (const auto& entry : report.kinds) {
            const auto kind = entry.first;
            const auto& tally = entry.second;
            INFO(hw::faultKindName(kind));
            CHECK(tally.injected == kFaults / hw::kNoticedFaultKindCount);
            CHECK(tally.attributed + tally.harmless == tally.injected);
            CHECK(tally.longest < boundOf(kind));
        }
        MESSAGE("\n" << report.table());
    });
}

TEST_CASE("the same seed gives identical faults, jobs and answers [E-4] [E-7]") {
    const TemporaryFolder folder;
    const auto run = [&](const char* name, const char* seed) {
        const auto result = runVnpu({"stress", "--faults", "56", "--seed", seed, "--story",
                                     (folder / name).string(), "--json"});
        CHECK_MESSAGE(result.exitCode == 0, result.output << result.errors);
        return readFile(folder / name);
    };
    const std::string story = run("a", "3");
    CHECK(story.size() > 10'000);
    CHECK(story == run("b", "3"));
    CHECK(story != run("c", "4"));
}

TEST_CASE("faults of a scenario happen, and its other frames are correct [E-7]") {
    const TemporaryFolder folder;
    vnpu::test::writeFile(folder / "faults.toml", R"([scenario]
name = "faults"
duration = "60 ms"
config = "edge"

[[client]]
name = "picture"
uid = 10001
model = "zoo:resnet8"
arrival = "closed_loop"

[[client]]
name = "keyword"
uid = 10002
model = "zoo:ds_cnn"
priority = "high"
arrival = "periodic"
period = "250 us"

[[fault]]
kind = "engine-stuck"
at = "10 ms"
engine = "mac"

[[fault]]
kind = "dram-double-flip"
at = "20 ms"

[[fault]]
kind = "engine-slow"
at = "30 ms"
lasting = "1 ms"
)");
    const auto result = runVnpu({"run", (folder / "faults.toml").string(), "--out",
                                 (folder / "out").string(), "--json"});
    CHECK(result.exitCode == 1);  // some frames fail
    const auto metrics = nlohmann::json::parse(result.output);
    std::uint64_t failed = 0;
    for (const auto& client : metrics["clients"]) {
        failed += client["frames"]["failed"].get<std::uint64_t>();
        CHECK(client["output_mismatches"] == 0);
        CHECK(client["frames"]["executed"] > 5);
    }
    // A job whose saved context is corrupted restarts; one that is hit itself fails.
    const double restarts = metrics["scheduling"]["figures"]["restarts"].get<double>();
    CHECK(static_cast<double>(failed) + restarts == 2);
    CHECK(failed >= 1);
    const std::string summary = readFile(folder / "out" / "summary.txt");
    CHECK(summary.find("injected engine-stuck") != std::string::npos);
    CHECK(summary.find("fatal-interrupt") != std::string::npos);
}

TEST_SUITE_END();
