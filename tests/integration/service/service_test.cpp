// SPDX-License-Identifier: Apache-2.0
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sim/client/model_runner.h"
#include "sim/client/remote_context.h"
#include "sim/import/source.h"
#include "sim/models/operand_types.h"
#include "sim/service/service_process.h"
#include "sim/service/service_status.h"
#include "sim/stress/kill_stress.h"
#include "tests/support/program.h"
#include "tests/support/source_folder.h"

namespace {

using namespace vnpu::sim;
using android::hardware::neuralnetworks::V1_3::ErrorStatus;
using vnpu::test::runVnpu;
using vnpu::test::TemporaryFolder;

const std::vector<std::string> kEdge = {"--config", "edge"};

std::unique_ptr<vnpu::hal::RpcClient> connect(const ServiceProcess& service) {
    auto client = vnpu::hal::RpcClient::connect(service.socketPath());
    REQUIRE(client.has_value());
    return std::move(*client);
}

bool endsWith(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

TEST_SUITE_BEGIN("integration/service");

TEST_CASE("examples pass on every path of a service [E-5]") {
    const auto vectors = vnpu::test::sharedFolder() / "nnapi_vectors";
    if (!std::filesystem::exists(vectors)) {
        MESSAGE("skipped: no ", vectors.string());
        return;
    }
    for (const char* path : {"sync", "async", "fenced", "burst"}) {
        const auto result = runVnpu(
                {"conform", vectors.string(), "--service", "--path", path, "--filter", "^add"});
        CHECK_MESSAGE(result.exitCode == 0, result.output, result.errors);
        CHECK(result.output.find(" passed, 0 failed, ") != std::string::npos);
    }
}

TEST_CASE("a client sees the same outputs on every path [E-5]") {
    ServiceProcess service(VNPU_PROGRAM, kEdge);
    std::string first;
    for (const char* path : {"sync", "async", "fenced", "burst"}) {
        const auto result = runVnpu({"client", "zoo:ds_cnn", "--socket", service.socketPath(),
                                     "--path", path, "--count", "3"});
        REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
        const auto begin = result.output.find("outputs ");
        const std::string hash = result.output.substr(begin, result.output.find('\n') - begin);
        first = first.empty() ? hash : first;
        CHECK(hash == first);
        CHECK(result.output.find("Time on the device is that of the job alone") !=
              std::string::npos);
    }
}

TEST_CASE("a service reports the resources of its clients, which leave nothing behind [B-4]") {
    ServiceProcess service(VNPU_PROGRAM, kEdge);
    const auto client = connect(service);
    const ServiceStatus before = readStatus(*client);
    REQUIRE(before.devices.size() == 1);
    CHECK(before.devices[0].name == "vnpu-edge");
    CHECK(before.devices[0].driver.livePreparedModels == 0);
    CHECK(before.devices[0].userTimes.empty());
    REQUIRE(before.users.size() == 1);
    CHECK(before.users[0].connections == 1);
    {
        RemoteContext context(service.socketPath());
        const auto runner =
                ModelRunner::prepare(context, loadNetwork("zoo:ds_cnn"), nn::Priority::MEDIUM);
        CHECK(runner->execute(ExecutionPath::kBurst).status == ErrorStatus::NONE);
        const ServiceStatus during = readStatus(*client);
        CHECK(during.devices.at(0).driver.livePreparedModels == 1);
        CHECK(during.devices[0].driver.livePowerHolds == 1);
        CHECK(during.devices[0].load.power == "active 1000 MHz");
        // The computation ended after power-on and had not ended before.
        const auto mac =
                during.devices[0].load.busy.at(vnpu::hw::engineIndex(vnpu::hw::Engine::kMac));
        CHECK(mac.count() > 0);
        CHECK(static_cast<std::uint64_t>(mac.count()) < during.devices[0].deviceNs);
        REQUIRE(during.devices[0].userTimes.size() == 1);
        const auto& [uid, time] = *during.devices[0].userTimes.begin();
        CHECK(uid == getuid());
        CHECK(time > mac);
        CHECK(static_cast<std::uint64_t>(time.count()) < during.devices[0].deviceNs);
        CHECK(before.devices[0]
                      .load.busy.at(vnpu::hw::engineIndex(vnpu::hw::Engine::kMac))
                      .count() == 0);
        CHECK(during.users[0].connections == 2);
        CHECK(during.users[0].objects > before.users[0].objects);
    }
    const auto top =
            runVnpu({"top", "--once", "--interval", "0.01", "--socket", service.socketPath()});
    CHECK(top.exitCode == 0);
    CHECK(top.output.find("vnpu-edge: 1 jobs done") == 0);
    CHECK(top.output.find("engines  dma0 0 %") != std::string::npos);
    CHECK(top.output.find("kept awake by 0 bursts") != std::string::npos);
    CHECK(top.output.find("; active 1000 MHz\n") != std::string::npos);
}

TEST_CASE("an idle service gives the memory of its work back [E-5]") {
    ServiceProcess service(VNPU_PROGRAM, kEdge);
    const auto client = connect(service);
    const std::uint64_t before = readStatus(*client).residentBytes;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            RemoteContext context(service.socketPath());
            const auto network = loadNetwork("zoo:mobilenet_v2");
            for (int j = 0; j < 2; ++j) {
                ModelRunner::prepare(context, network, nn::Priority::MEDIUM);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    // Sanitizers have allocators of their own.
    constexpr std::uint64_t kMost = std::uint64_t{VNPU_IS_SANITIZED ? 2048 : 40} << 20;
    std::uint64_t after = UINT64_MAX;
    for (int i = 0; i < 60 && after > before + kMost; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        after = readStatus(*client).residentBytes;
    }
    CHECK(after < before + kMost);
}

TEST_CASE("clients killed at random moments leave nothing behind [B-4]") {
    const KillReport report = runKills({.program = VNPU_PROGRAM, .kills = 20});
    for (const std::string& error : report.errors) {
        FAIL_CHECK(error);
    }
    for (const std::string& leak : report.leaks()) {
        FAIL_CHECK(leak);
    }
    CHECK(report.killed > 0);
    CHECK(report.killed + report.endedBefore == 20);
}

TEST_CASE(
        "a killed service is an error for its clients immediately, and a new one serves them "
        "[B-4]") {
    const auto network = loadNetwork("zoo:ds_cnn");
    auto service = std::make_unique<ServiceProcess>(VNPU_PROGRAM, kEdge);
    for (const ExecutionPath path : {ExecutionPath::kSync, ExecutionPath::kBurst}) {
        RemoteContext context(service->socketPath());
        const auto runner = ModelRunner::prepare(context, network, nn::Priority::MEDIUM);
        REQUIRE(runner->execute(path).status == ErrorStatus::NONE);
        auto last = std::async(std::launch::async, [&] {
            ErrorStatus status = ErrorStatus::NONE;
            while (status == ErrorStatus::NONE) {
                status = runner->execute(path).status;
            }
            return status;
        });
        CHECK(service->process().end(SIGKILL) == 128 + SIGKILL);
        REQUIRE(last.wait_for(std::chrono::seconds(30)) == std::future_status::ready);
        CHECK(last.get() != ErrorStatus::NONE);
        CHECK(context.device()->getStatus().isDeadObject());
        service = std::make_unique<ServiceProcess>(VNPU_PROGRAM, kEdge);
        RemoteContext again(service->socketPath());
        CHECK(ModelRunner::prepare(again, network, nn::Priority::MEDIUM)->execute(path).status ==
              ErrorStatus::NONE);
    }
}

TEST_CASE("a service's devices have the settings of a file, and top lists them [E-5a] [E-7]") {
    const TemporaryFolder folder;
    const std::string file = (folder / "device.toml").string();
    vnpu::test::writeFile(file, R"([scheduling]
mechanism = "restart"

[power]
autosuspend_us = 500

[dram]
background = 0.5

[[fault]]
kind = "dma-error"
job = 2
)");
    for (const std::vector<std::string>& configs :
         {kEdge, std::vector<std::string>{"--config", "edge", "--config", "nvdla-large"}}) {
        std::vector<std::string> arguments = configs;
        arguments.insert(arguments.end(), {"--device", file});
        ServiceProcess service(VNPU_PROGRAM, arguments);
        RemoteContext context(service.socketPath(), "vnpu-edge");
        const auto runner =
                ModelRunner::prepare(context, loadNetwork("zoo:ds_cnn"), nn::Priority::MEDIUM);
        CHECK(runner->execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        CHECK(runner->execute(ExecutionPath::kSync).status == ErrorStatus::GENERAL_FAILURE);
        CHECK(runner->execute(ExecutionPath::kSync).status == ErrorStatus::NONE);
        const auto top =
                runVnpu({"top", "--once", "--interval", "0.01", "--socket", service.socketPath()});
        REQUIRE_MESSAGE(top.exitCode == 0, top.errors);
        for (const char* line :
             {", mechanism restart, granularity tile, ",
              "\npower    clock 1000 MHz, suspended after 500 us without work, 50 % of the DRAM "
              "bandwidth used from outside\n",
              "\nfaults   dma-error from 0 ms on; 1 injected\n", ", pace max\n"}) {
            CHECK_MESSAGE(top.output.find(line) != std::string::npos, line, top.output);
        }
    }
}

TEST_CASE("SIGTERM ends a service cleanly under load and removes its socket [E-5]") {
    ServiceProcess service(VNPU_PROGRAM, kEdge);
    ChildProgram busy({VNPU_PROGRAM, "client", "zoo:ds_cnn", "--socket", service.socketPath(),
                       "--count", "1000000000"});
    const auto client = connect(service);
    while (readStatus(*client).devices.at(0).driver.jobsCompleted < 3) {
        std::this_thread::yield();
    }
    const auto top =
            runVnpu({"top", "--once", "--interval", "0.5", "--socket", service.socketPath()});
    CHECK(top.output.find("100 %\n") != std::string::npos);  // its user has the device alone
    CHECK(service.process().end(SIGTERM) == 0);
    CHECK_FALSE(std::filesystem::exists(service.socketPath()));
    CHECK(busy.wait() == 1);
    CHECK_FALSE(
            client->find(android::hidl::base::V1_0::IBase::descriptor, kStatusService).has_value());
}

TEST_CASE("several devices are served by name [E-5]") {
    const ServiceProcess service(VNPU_PROGRAM, {"--config", "edge", "--config", "nvdla-large"});
    const auto client = connect(service);
    for (const char* name : {"vnpu-edge", "vnpu-nvdla_large"}) {
        for (const char* path : {"sync", "burst"}) {
            const auto result = runVnpu({"client", "zoo:ds_cnn", "--socket", service.socketPath(),
                                         "--service", name, "--path", path, "--count", "3"});
            CHECK_MESSAGE(result.exitCode == 0, result.errors);
        }
    }
    const ServiceStatus status = readStatus(*client);
    REQUIRE(status.devices.size() == 2);
    CHECK(status.devices[0].name == "vnpu-edge");
    CHECK(status.devices[0].driver.jobsCompleted == 6);
    CHECK(status.devices[1].name == "vnpu-nvdla_large");
    CHECK(status.devices[1].driver.jobsCompleted == 6);
    const auto top =
            runVnpu({"top", "--once", "--interval", "0.01", "--socket", service.socketPath()});
    CHECK(top.output.find("vnpu-edge: 6 jobs done") != std::string::npos);
    CHECK(top.output.find("vnpu-nvdla_large: 6 jobs done") != std::string::npos);
}

TEST_CASE("serve refuses invalid options with exit code 2 [E-5]") {
    const ServiceProcess service(VNPU_PROGRAM, kEdge);
    const auto used = runVnpu({"serve", "--socket", service.socketPath()});
    CHECK(used.exitCode == 2);
    CHECK(endsWith(used.errors, ": another service listens there\n"));
    CHECK(runVnpu({"serve", "--socket", "/nowhere/vnpu.sock"}).exitCode == 2);
    CHECK(runVnpu({"serve", "--config", "no_such"}).exitCode == 2);
    const auto mode = runVnpu({"serve", "--mode", "0999"});
    CHECK(mode.exitCode == 2);
    CHECK(mode.errors.find("--mode \"0999\"") != std::string::npos);
    const auto twice = runVnpu({"serve", "--config", "edge", "--config", "edge"});
    CHECK(twice.exitCode == 2);
    CHECK(twice.errors.find("a second vnpu-edge") != std::string::npos);
    const auto others =
            runVnpu({"serve", "--config", "edge", "--config", "mobile", "--mode", "0660"});
    CHECK(others.exitCode == 2);
    CHECK(others.errors.find("expected none but the owner's permissions") != std::string::npos);
    const TemporaryFolder folder;
    const std::string file = (folder / "device.toml").string();
    vnpu::test::writeFile(file, "[dram]\nbackground = 2.0\n");
    for (const std::vector<std::string>& configs :
         {kEdge, std::vector<std::string>{"--config", "edge", "--config", "mobile"}}) {
        std::vector<std::string> arguments = {"serve", "--device", file};
        arguments.insert(arguments.end(), configs.begin(), configs.end());
        const auto device = runVnpu(arguments);
        CHECK(device.exitCode == 2);
        CHECK(device.errors.find("vnpu: " + file + ":2: [dram] on edge: ") == 0);
    }
    const auto nobody = runVnpu({"client", "zoo:ds_cnn", "--socket", "/nowhere/vnpu.sock"});
    CHECK(nobody.exitCode == 1);
}

TEST_SUITE_END();
