// SPDX-License-Identifier: Apache-2.0
// Constants that stay in the device's on-chip memory between executions: the same results, fewer
// bytes from DRAM, with interruptions, beside other models and across a reset of the device.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "driver/api/device.h"
#include "sim/client/device_calls.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/platform/platform.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::test;
using Json = nlohmann::json;
using android::hardware::neuralnetworks::V1_3::ErrorStatus;

constexpr std::uint64_t kLargePage = 64 * 1024;
// Dense layers of 640, 128, 128, 128, 128, 8, 128, 128, 128, 128 and 640 outputs.
constexpr double kAutoencoderWeights = 2 * 640 * 128 + 6 * 128 * 128 + 2 * 128 * 8;

/// The mobile device with this much on-chip memory, as a file.
class RoomyDevice {
  public:
    explicit RoomyDevice(std::uint32_t residentKib) : path_(folder_.path() / "device.toml") {
        std::ofstream(path_) << "base = \"mobile\"\nname = \"roomy\"\n[sram]\nresident_kib = "
                             << residentKib << '\n';
    }
    std::string path() const { return path_.string(); }

  private:
    TemporaryFolder folder_;
    std::filesystem::path path_;
};

struct OnChipInference {
    Json report;
    std::string output;

    /// Bytes of the last execution by the energy of a component and its price of one byte.
    double bytes(const char* component, double picojoule) const {
        const Json& energy = report["runs"].back()["energy"]["components"];
        return energy[component].get<double>() * 1e6 / picojoule;
    }
    double dramBytes(const vnpu::hw::NpuConfig& config) const {
        return bytes("dram", config.energy.dramBytePj);
    }
    double residentBytes(const vnpu::hw::NpuConfig& config) const {
        return bytes("resident", config.energy.residentBytePj);
    }
    std::uint64_t cycles() const { return report["runs"].back()["cycles"]; }
};

OnChipInference inferWithShare(const std::string& model, const std::string& config,
                               const std::string& share) {
    const TemporaryFolder folder;
    const ProgramResult result =
            runVnpu({"infer", model, "--config", config, "--constants-on-chip", share, "--json",
                     "--repeat", "2", "--output", folder.path().string()});
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    return {Json::parse(result.output), readFile(folder.path() / "out0.bin")};
}

}  // namespace

TEST_SUITE_BEGIN("integration/on_chip_constants");

TEST_CASE("constants on chip are read there instead of from DRAM [E-4]") {
    const RoomyDevice device(512);
    const auto config = vnpu::sim::loadConfig(device.path());
    const OnChipInference without = inferWithShare("zoo:autoencoder", device.path(), "0");
    const OnChipInference with = inferWithShare("zoo:autoencoder", device.path(), "1");
    CHECK(with.output == without.output);
    CHECK(without.residentBytes(config) == 0);
    CHECK(with.residentBytes(config) >= kAutoencoderWeights);
    // What is read on chip is no longer read from DRAM, which counts whole bursts.
    const double saved = without.dramBytes(config) - with.dramBytes(config);
    CHECK(saved >= with.residentBytes(config));
    CHECK(saved < with.residentBytes(config) +
                          config.dma.burstBytes * with.report["commands"].get<double>());
    // A matrix of weights is used once, so that the time of DRAM bounds that of the network.
    CHECK(static_cast<double>(without.cycles()) > kAutoencoderWeights / config.dram.bytesPerCycle);
    CHECK(static_cast<double>(without.cycles() - with.cycles()) >
          0.5 * kAutoencoderWeights / config.dram.bytesPerCycle);
}

TEST_CASE("a part of the constants stays on chip, within its share [E-4]") {
    const RoomyDevice device(512);
    const auto config = vnpu::sim::loadConfig(device.path());
    for (const std::string model : {"zoo:autoencoder", "zoo:mobilenet_v2"}) {
        CAPTURE(model);
        // The autoencoder waits for its weights. Loads that are hidden behind computation cost no
        // time without these pages either.
        const bool waitsForWeights = model == "zoo:autoencoder";
        const OnChipInference without = inferWithShare(model, device.path(), "0");
        const OnChipInference quarter = inferWithShare(model, device.path(), "0.25");
        CHECK(quarter.output == without.output);
        const std::uint64_t placed = quarter.report["on_chip_constant_bytes"];
        CHECK(placed > kLargePage);
        CHECK(placed <= 2 * kLargePage);
        // A network reads each of its weights once. A transfer that is only partly in these pages
        // comes from DRAM as a whole: at most one at each of their two ends, of up to 24 KiB in
        // MobileNetV2.
        CHECK(quarter.residentBytes(config) <= static_cast<double>(placed));
        CHECK(quarter.residentBytes(config) >
              (waitsForWeights ? 0.75 : 0.625) * static_cast<double>(placed));
        CHECK(quarter.cycles() + (waitsForWeights ? 1 : 0) <= without.cycles());
    }
}

TEST_CASE("interrupted models find their constants on chip again [Q-3]") {
    const RoomyDevice device(512);
    for (const char* how : {"checkpoint", "restart"}) {
        const ProgramResult result =
                runVnpu({"infer", "zoo:ds_cnn", "--config", device.path(), "--constants-on-chip",
                         "1", "--interrupt", how, "--checkpoint-cycles", "1"});
        CHECK_MESSAGE(result.exitCode == 0, result.errors);
        CHECK_MESSAGE(result.output.find(": the same bytes\n") != std::string::npos, result.output);
    }
}

TEST_CASE("apps that share a device keep their own constants across a reset [MD-3]") {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "two.toml") << R"([scenario]
name = "two"
config = "mobile"
duration = "20 ms"

[memory]
constants_on_chip = 0.75

[sram]
resident_kib = 512

[[fault]]
kind = "engine-hang"
engine = "mac"
at = "5 ms"

[[client]]
name = "one"
uid = 10101
model = "zoo:ds_cnn"
arrival = "periodic"
period = "1 ms"
priority = "high"

[[client]]
name = "two"
uid = 10102
model = "zoo:autoencoder"
arrival = "closed_loop"
)";
    const ProgramResult result = runVnpu({"run", (folder.path() / "two.toml").string(), "--out",
                                          (folder.path() / "out").string()});
    CAPTURE(result.output);
    CAPTURE(result.errors);
    const Json metrics = Json::parse(readFile(folder.path() / "out" / "metrics.json"));
    std::uint64_t failed = 0;
    for (const Json& client : metrics["clients"]) {
        CHECK(client["output_mismatches"] == 0);
        failed += client["frames"]["failed"].get<std::uint64_t>();
    }
    CHECK(failed >= 1);  // of the reset
    CHECK(failed <= 2);
}

TEST_CASE("the on-chip memory of a model is free after its end [MD-6]") {
    simCase([] {
        auto config = vnpu::sim::loadConfig("mobile");
        vnpu::sim::Platform platform({.config = config, .onChip = {.constantsShare = 1}});
        platform.addClient("app", 10001, [&](vnpu::sim::ClientContext& context) {
            const auto counters = [&] { return vnpu::driver::countersOf(context.device()); };
            const auto network = vnpu::sim::loadNetwork("zoo:ds_cnn", {});
            {
                const auto first = vnpu::sim::prepareModel(context, network.model, {});
                REQUIRE(first.status == ErrorStatus::NONE);
                const std::uint64_t one = counters().onChipConstantBytes;
                CHECK(one > 0);
                const auto second = vnpu::sim::prepareModel(context, network.model, {});
                REQUIRE(second.status == ErrorStatus::NONE);
                CHECK(counters().onChipConstantBytes == 2 * one);
                CHECK(counters().onChipBytes == 2 * one);
            }
            CHECK(counters().onChipConstantBytes == 0);
            CHECK(counters().onChipBytes == 0);
        });
        platform.run();
    });
}

TEST_CASE("a share that is none is refused with its place [E-7]") {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "bad.toml").string();
    for (const auto& [value, words] : std::vector<std::pair<std::string, std::string>>{
                 {"1.5", "is 1.5, expected a share of the on-chip memory from 0 to 1"},
                 {"nan", "is nan, expected a share of the on-chip memory from 0 to 1"},
                 {"\"all\"", "constants_on_chip"}}) {
        std::ofstream(path)
                << "[scenario]\nname = \"bad\"\nconfig = \"edge\"\nduration = \"1 ms\"\n"
                << "[memory]\nconstants_on_chip = " << value << '\n'
                << "[[client]]\nname = \"a\"\nuid = 10101\nmodel = \"zoo:ds_cnn\"\n"
                << "arrival = \"closed_loop\"\n";
        const ProgramResult result = runVnpu({"run", path});
        CHECK(result.exitCode == 2);
        CHECK_MESSAGE(result.errors.find("bad.toml:6") != std::string::npos, result.errors);
        CHECK_MESSAGE(result.errors.find(words) != std::string::npos, result.errors);
    }
}

TEST_SUITE_END();
