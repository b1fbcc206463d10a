// SPDX-License-Identifier: Apache-2.0
// Energy through driver, firmware and device, and as the commands report it.
#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hw_model/timing/energy.h"
#include "sim/client/execution_meter.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/platform/platform.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu;
using namespace vnpu::sim;
using namespace std::chrono_literals;
using namespace vnpu::test;
using hw::EnergyComponent;
using Json = nlohmann::json;
using Priority = android::hardware::neuralnetworks::V1_3::Priority;

/// The energy of one execution and 20 ms of idle time after it.
hw::Energy executionAndIdleTime(const hw::NpuConfig& config) {
    ExecutionMeter meter(config);
    hw::Energy energy;
    Platform platform({.config = config, .deviceObserver = &meter});
    platform.addClient("test", 10001, [&](ClientContext& context) {
        const auto model =
                ModelRunner::prepare(context, loadNetwork("zoo:ds_cnn"), Priority::MEDIUM);
        model->execute(ExecutionPath::kSync);
        meter.take(context.now());
        const auto begin = context.now();
        model->execute(ExecutionPath::kSync);
        context.sleepUntil(begin + 20ms);
        energy = hw::energyOf(config, meter.take(context.now()).activity);
    });
    platform.run();
    return energy;
}

Json jsonOf(const std::vector<std::string>& arguments) {
    const ProgramResult result = runVnpu(arguments);
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    return Json::parse(result.output);
}

double componentSum(const Json& energy) {
    double sum = 0;
    for (const auto& part : energy["components"]) {
        sum += part.get<double>();
    }
    return sum;
}

}  // namespace

TEST_SUITE_BEGIN("integration/energy");

TEST_CASE("in 20 ms awake, leakage and clock use their milliwatts [E-6]") {
    simCase([] {
        const hw::NpuConfig config = loadConfig("mobile");
        const hw::Energy energy = executionAndIdleTime(config);
        // The clock stops while its level changes.
        CHECK(energy[EnergyComponent::kLeakage] ==
              doctest::Approx(config.energy.awakeMw * 20e6).epsilon(1e-6));
        CHECK(energy[EnergyComponent::kClock] <= config.energy.clockMw * 20e6);
        CHECK(energy[EnergyComponent::kClock] > config.energy.clockMw * 19e6 / 2);
        CHECK(energy[EnergyComponent::kSleep] == 0);
    });
}

TEST_CASE("with sleep the device uses less energy for the same execution [B-1] [E-6]") {
    simCase([] {
        hw::NpuConfig config = loadConfig("mobile");
        config.power.autosuspendUs = 1000;
        const hw::Energy energy = executionAndIdleTime(config);
        // Awake for the execution and a millisecond after it, asleep for the rest.
        CHECK(energy[EnergyComponent::kLeakage] < config.energy.awakeMw * 2e6);
        CHECK(energy[EnergyComponent::kSleep] > config.energy.asleepMw * 18e6);
        // A twentieth of the energy of 20 ms awake at full clock, and sleep for the rest.
        const double awake = (config.energy.awakeMw + config.energy.clockMw) * 20e6;
        CHECK(energy[EnergyComponent::kLeakage] + energy[EnergyComponent::kClock] +
                      energy[EnergyComponent::kSleep] <
              0.1 * awake);
        CHECK(energy[EnergyComponent::kMacArray] > 0);
    });
}

TEST_CASE("infer reports energy by component, reproducibly and without data [E-4] [E-6]") {
    const std::vector<std::string> command = {"infer", "zoo:ds_cnn", "--json", "--repeat", "2"};
    const Json run = jsonOf(command)["runs"][1];
    const Json& energy = run["energy"];
    CHECK(energy["unit"] == "uJ");
    CHECK(energy["components"].size() == hw::kEnergyComponentCount);
    CHECK(componentSum(energy) == doctest::Approx(energy["total"].get<double>()));
    const hw::NpuConfig config = loadConfig("edge");
    CHECK(energy["components"]["leakage"].get<double>() ==
          doctest::Approx(run["call_ns"].get<double>() * config.energy.awakeMw * 1e-6));
    CHECK(jsonOf(command)["runs"][1] == run);
    std::vector<std::string> timing = command;
    timing.emplace_back("--timing-only");
    CHECK(jsonOf(timing)["runs"][1]["energy"] == energy);
    const ProgramResult text = runVnpu({"infer", "zoo:ds_cnn"});
    CHECK(text.output.find(" uJ from call to answer, an estimate\n") != std::string::npos);
    CHECK(text.output.find("         mac_array ") != std::string::npos);
}

TEST_CASE("the MAC array's energy covers its products and its results [E-6]") {
    const Json json = jsonOf({"infer", "zoo:autoencoder", "--json"});
    const hw::NpuConfig config = loadConfig("edge");
    // Fully connected layers only: as many products as the model has; ten layers of 128, 8 and
    // 640 results.
    const double results = 8 * 128 + 8 + 640;
    const double expected = json["macs"].get<double>() * config.energy.mac8Pj +
                            results * 4 * config.energy.vectorOp8Pj;
    CHECK(json["runs"][0]["energy"]["components"]["mac_array"].get<double>() ==
          doctest::Approx(expected * 1e-6));
}

TEST_CASE("without prices there is no energy [E-6]") {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "free.toml").string();
    std::string text = "base = \"edge\"\nname = \"free\"\n[energy]\n";
    for (const char* key :
         {"mac8_pj", "mac_float_pj", "vector_op8_pj", "vector_op_float_pj", "dsp_op8_pj",
          "dsp_op_float_pj", "dsp_cycle_pj", "accumulator_byte_pj", "sram_byte_pj",
          "resident_byte_pj", "interconnect_byte_pj", "dram_byte_pj", "controller_cycle_pj",
          "awake_mw", "clock_mw", "asleep_mw"}) {
        text += std::string(key) + " = 0\n";
    }
    std::ofstream(path) << text;
    CHECK(jsonOf({"infer", "zoo:ds_cnn", "--json", "--config", path})["runs"][0]["energy"]
                  .is_null());
    const ProgramResult infer = runVnpu({"infer", "zoo:ds_cnn", "--config", path});
    CHECK(infer.exitCode == 0);
    CHECK(infer.output.find("energy") == std::string::npos);
}

TEST_CASE("a run reports the energy of each client and of the device [E-6]") {
    const TemporaryFolder folder;
    const Json json = jsonOf({"run", "default", "--timing-only", "--no-isolated", "--json", "--out",
                              folder.path().string()});
    const double device = json["energy"]["total"].get<double>();
    double clients = 0;
    for (const Json& client : json["clients"]) {
        const Json& energy = client["energy_per_job"];
        CHECK(componentSum(energy) == doctest::Approx(energy["total"].get<double>()));
        for (const char* shared : {"controller", "clock", "leakage", "sleep"}) {
            CHECK(energy["components"][shared] == 0.0);
        }
        clients += energy["total"].get<double>() * client["jobs"].get<double>();
    }
    CHECK(clients > 0);
    CHECK(clients < device);
    // The engines work only for clients; the remainder belongs to the device itself.
    const Json& all = json["energy"]["components"];
    const double own = all["controller"].get<double>() + all["clock"].get<double>() +
                       all["leakage"].get<double>() + all["sleep"].get<double>();
    CHECK(clients + own <= device);
    const std::string summary = readFile(folder.path() / "summary.txt");
    CHECK(summary.find("camera, an execution") != std::string::npos);
    CHECK(summary.find("device, all") != std::string::npos);
}

TEST_CASE("info shows the prices [E-6]") {
    const ProgramResult text = runVnpu({"info", "--config", "edge"});
    CHECK(text.output.find("energy.dram_byte_pj") != std::string::npos);
    CHECK(text.output.find("pJ per byte") != std::string::npos);
    CHECK(jsonOf({"info", "--config", "tpu128", "--json"})["energy"]["dram_byte_pj"] == 31.2);
}

TEST_SUITE_END();
