// SPDX-License-Identifier: Apache-2.0
// Networks with coded weights on complete devices: results, times, interruptions, damage.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/api/device.h"
#include "hw_model/regs/command_reader.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/platform/platform.h"
#include "tests/integration/device_memory.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::test;
using Json = nlohmann::json;
using android::hardware::neuralnetworks::V1_3::ErrorStatus;
using android::hardware::neuralnetworks::V1_3::Priority;

/// A shipped device with decoders of 8 bytes a cycle, as a file.
class DecodingDevice {
  public:
    explicit DecodingDevice(const std::string& base) : path_(folder_.path() / "device.toml") {
        std::ofstream(path_) << "base = \"" << base << "\"\nname = \"decoding\"\n"
                             << "[decoder]\nbytes_per_cycle = 8\nstartup_cycles = 24\n";
    }
    std::string path() const { return path_.string(); }

  private:
    TemporaryFolder folder_;
    std::filesystem::path path_;
};

struct Inference {
    Json report;
    std::string output;

    std::uint64_t cycles() const { return report["runs"].back()["cycles"]; }
    double estimateError() const {
        return report["estimated_cycles"].get<double>() /
                       report["runs"].back()["job_cycles"].get<double>() -
               1.0;
    }
};

Inference infer(const std::string& model, const std::string& config,
                const std::vector<std::string>& further = {}) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments{"infer", model,    "--config", config, "--weight-bits",
                                       "5",     "--json", "--repeat", "2"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    const bool isTimingOnly =
            std::find(further.begin(), further.end(), "--timing-only") != further.end();
    if (!isTimingOnly) {
        arguments.insert(arguments.end(), {"--output", folder.path().string()});
    }
    const ProgramResult result = runVnpu(arguments);
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    return {Json::parse(result.output), isTimingOnly ? "" : readFile(folder.path() / "out0.bin")};
}

const std::vector<std::string> kCodedNetworks = {"zoo:ds_cnn", "zoo:autoencoder", "zoo:resnet8",
                                                 "zoo:mobilenet_v1_025_96", "zoo:mobilenet_v2"};

class FaultReports : public vnpu::driver::DriverObserver {
  public:
    void onFaultReport(std::chrono::nanoseconds /*now*/,
                       const vnpu::driver::FaultReport& report) override {
        reports.push_back(report);
    }
    std::vector<vnpu::driver::FaultReport> reports;
};

}  // namespace

TEST_SUITE_BEGIN("integration/coded_weights");

TEST_CASE("networks give the same bytes with coded weights, and take no longer [E-4]") {
    const DecodingDevice decoding("edge");
    for (const std::string& network : kCodedNetworks) {
        CAPTURE(network);
        const Inference plain = infer(network, "edge");
        const Inference coded = infer(network, decoding.path());
        CHECK(coded.output == plain.output);
        CHECK_FALSE(plain.report.contains("coded_bytes"));
        const double share = coded.report["coded_bytes"].get<double>() /
                             coded.report["decoded_bytes"].get<double>();
        CHECK(share > 5.0 / 8);
        CHECK(share < 0.75);
        CHECK(coded.cycles() <= plain.cycles() + plain.cycles() / 100);
    }
}

TEST_CASE("interrupted at its checkpoints, a network loads coded weights again [Q-3]") {
    const DecodingDevice decoding("edge");
    for (const char* how : {"checkpoint", "restart"}) {
        const ProgramResult result =
                runVnpu({"infer", "zoo:resnet8", "--config", decoding.path(), "--weight-bits", "4",
                         "--interrupt", how, "--checkpoint-cycles", "1"});
        CHECK(result.exitCode == 0);
        CHECK_MESSAGE(result.output.find(": the same bytes\n") != std::string::npos, result.output);
    }
}

TEST_CASE("without data the times of decoders are the same [E-3]") {
    const DecodingDevice decoding("edge");
    for (const std::string& network : kCodedNetworks) {
        CAPTURE(network);
        CHECK(infer(network, decoding.path()).report["runs"] ==
              infer(network, decoding.path(), {"--timing-only"}).report["runs"]);
    }
}

TEST_CASE("estimates are about as close with coded weights as without [E-3]") {
    for (const char* base : {"edge", "mobile", "nvdla-256"}) {
        CAPTURE(base);
        const DecodingDevice decoding(base);
        double plain = 0;
        double coded = 0;
        for (const std::string& network : kCodedNetworks) {
            plain += std::abs(infer(network, base, {"--timing-only"}).estimateError());
            coded += std::abs(infer(network, decoding.path(), {"--timing-only"}).estimateError());
        }
        const auto networks = static_cast<double>(kCodedNetworks.size());
        CHECK(coded / networks < plain / networks + 0.01);
    }
}

TEST_CASE("only devices with decoders report coded bytes") {
    const ProgramResult edge = runVnpu({"infer", "zoo:ds_cnn", "--timing-only"});
    CHECK(edge.output.find("weights  ") == std::string::npos);
    const ProgramResult decoding = runVnpu(
            {"infer", "zoo:ds_cnn", "--timing-only", "--config", "u55-128", "--weight-bits", "4"});
    CHECK(decoding.output.find("weights  ") != std::string::npos);
    // Uniform weights do not get shorter.
    const ProgramResult uniform =
            runVnpu({"infer", "zoo:ds_cnn", "--timing-only", "--config", "u55-128"});
    CHECK(uniform.output.find("weights  0 coded bytes") != std::string::npos);
    CHECK(runVnpu({"infer", "zoo:ds_cnn", "--weight-bits", "0.5"}).exitCode == 2);
}

TEST_CASE("a damaged block ends the execution, and the fault report says bad-code [E-4]") {
    simCase([] {
        FaultReports faults;
        vnpu::sim::Platform::Options options;
        options.config = vnpu::sim::loadConfig("edge");
        options.config.decoder.bytesPerCycle = 8;
        options.driverObserver = &faults;
        vnpu::sim::Platform platform(std::move(options));
        platform.addClient("test", 10001, [&](vnpu::sim::ClientContext& context) {
            const auto network = vnpu::sim::loadNetwork("zoo:ds_cnn", {.weightBits = 4.0});
            const auto runner = vnpu::sim::ModelRunner::prepare(context, network, Priority::MEDIUM);
            const auto compiled = vnpu::driver::compiledModelOf(runner->preparedModel());
            REQUIRE(runner->execute(vnpu::sim::ExecutionPath::kSync).status == ErrorStatus::NONE);
            CHECK(faults.reports.empty());
            vnpu::hw::CommandReader reader(compiled->commands);
            vnpu::hw::CommandView command;
            vnpu::hw::DmaTransfer coded{};
            while (reader.next(command)) {
                if (command.header->opcode == vnpu::hw::Opcode::kDmaTransfer &&
                    vnpu::hw::isCoded(command.as<vnpu::hw::DmaTransfer>())) {
                    coded = command.as<vnpu::hw::DmaTransfer>();
                }
            }
            REQUIRE(vnpu::hw::isCoded(coded));
            const auto constants = DeviceMemory(context.port()).find(compiled->constants);
            std::byte& damaged = constants[coded.source.offset + coded.codedBytes / 2];
            damaged ^= std::byte{0x10};
            CHECK(runner->execute(vnpu::sim::ExecutionPath::kSync).status ==
                  ErrorStatus::GENERAL_FAILURE);
            REQUIRE(faults.reports.size() == 1);
            CHECK(faults.reports[0].status == vnpu::hw::JobStatus::kBadCode);
            CHECK(vnpu::driver::toJson(faults.reports[0]).find("\"bad-code\"") !=
                  std::string::npos);
            damaged ^= std::byte{0x10};
            CHECK(runner->execute(vnpu::sim::ExecutionPath::kSync).status == ErrorStatus::NONE);
        });
        platform.run();
    });
}

TEST_SUITE_END();
