// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "sim/base/text_table.h"
#include "sim/cli/command_options.h"
#include "sim/service/service_status.h"

namespace vnpu::sim {

namespace {

struct TopOptions {
    std::string socket;
    double intervalSeconds = 1.0;
    bool isOnce = false;
};

/// Rates of a device since the previous sample.
struct Rates {
    double jobs = 0;                              // a second
    double simulation = 0;                        // share of a processor
    double deviceMs = 0;                          // of device time
    std::array<double, hw::kEngineCount> busy{};  // share of that
};

Rates ratesOf(const DeviceStatus& before, const DeviceStatus& now, double seconds) {
    const auto grown = [](std::uint64_t earlier, std::uint64_t later) {
        return later < earlier ? 0.0 : static_cast<double>(later - earlier);
    };
    Rates rates{.jobs = grown(before.driver.jobsCompleted, now.driver.jobsCompleted) / seconds,
                .simulation = grown(before.simulationNs, now.simulationNs) * 1e-9 / seconds,
                .deviceMs = grown(before.deviceNs, now.deviceNs) * 1e-6};
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        const std::chrono::duration<double, std::milli> busy =
                now.load.busy.at(i) - before.load.busy.at(i);
        // A command is counted when it ends, so it may have begun before the previous sample.
        rates.busy.at(i) =
                rates.deviceMs > 0 ? std::clamp(busy.count() / rates.deviceMs, 0.0, 1.0) : 0.0;
    }
    return rates;
}

std::string describeEngines(const DeviceStatus& device, const Rates& rates) {
    std::string text;
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        const auto engine = static_cast<hw::Engine>(i);
        if (engine != hw::Engine::kController) {  // it has no commands of its own
            text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", hw::engineName(engine),
                                rates.busy.at(i) * 100.0);
        }
    }
    return fmt::format("engines  {} of {:.3f} ms of device time; {}\n", text, rates.deviceMs,
                       device.load.power.empty() ? "gone" : device.load.power);
}

std::string describeFaults(const DeviceStatus& device) {
    return device.injectedFaults == 0
                   ? device.inForce.faults
                   : fmt::format("{}; {} injected", device.inForce.faults, device.injectedFaults);
}

std::string describe(const DeviceStatus& device, const Rates& rates) {
    const driver::DriverCounters& driver = device.driver;
    return fmt::format(
            "{}: {} jobs done, {:.1f} a second, {} under way, simulation {:.0f} % of a processor, "
            "pace {}\n"
            "sharing  {}\n"
            "memory   {}\n"
            "power    {}\n"
            "faults   {}\n"
            "device   {} prepared models, {} contexts, {} rings, {} pools, {} KiB of memory, {} "
            "KiB on chip ({} KiB of constants), kept awake by {} bursts\n{}",
            device.name, driver.jobsCompleted, rates.jobs,
            driver.jobsSubmitted - driver.jobsCompleted, rates.simulation * 100.0, device.pace,
            device.inForce.scheduling, device.inForce.memory, device.inForce.power,
            describeFaults(device), driver.livePreparedModels, driver.liveContexts,
            driver.liveRings, driver.livePoolMappings, driver.dmaBytes >> 10,
            driver.onChipBytes >> 10, driver.onChipConstantBytes >> 10, driver.livePowerHolds,
            describeEngines(device, rates));
}

/// The share of each user in the device time of all jobs that ended since the previous sample.
std::map<std::uint32_t, double> sharesOf(const ServiceStatus& before, const ServiceStatus& now) {
    std::map<std::uint32_t, double> used;
    double all = 0;
    for (std::size_t i = 0; i < now.devices.size(); ++i) {
        for (const auto& [uid, time] : now.devices[i].userTimes) {
            const auto& earlier = before.devices.at(i).userTimes;
            const auto found = earlier.find(uid);
            const std::chrono::duration<double> grown =
                    time - (found == earlier.end() ? std::chrono::nanoseconds(0) : found->second);
            used[uid] += grown.count();
            all += grown.count();
        }
    }
    for (auto& [uid, share] : used) {
        share = all > 0 ? share / all : 0.0;
    }
    return used;
}

std::string describe(const ServiceStatus& before, const ServiceStatus& status, double seconds) {
    std::string text;
    for (std::size_t i = 0; i < status.devices.size(); ++i) {
        const DeviceStatus& now = status.devices[i];
        text += describe(now, ratesOf(before.devices.at(i), now, seconds));
    }
    text += fmt::format("process  {} threads, {} descriptors, {} MiB resident\n\n", status.threads,
                        status.descriptors, status.residentBytes >> 20);
    const std::map<std::uint32_t, double> shares = sharesOf(before, status);
    TextTable table({}, {"user", "connections", "calls", "objects", "callbacks", "device share"});
    for (const hal::RpcServer::Usage& user : status.users) {
        const auto share = shares.find(user.uid);
        table.add(user.uid, user.connections, user.calls, user.objects, user.references,
                  share == shares.end() ? "-" : fmt::format("{:.0f} %", share->second * 100.0));
    }
    return text + table.text();
}

ExitCode top(const TopOptions& options) {
    auto client = hal::RpcClient::connect(options.socket.empty() ? hal::serviceSocketPath()
                                                                 : options.socket);
    if (!client) {
        throw std::runtime_error(client.error());
    }
    const bool isTerminal = isatty(STDOUT_FILENO) == 1;
    ServiceStatus before = readStatus(**client);
    do {
        std::this_thread::sleep_for(std::chrono::duration<double>(options.intervalSeconds));
        ServiceStatus status = readStatus(**client);
        fmt::print("{}{}", isTerminal && !options.isOnce ? "\033[H\033[2J" : "",
                   describe(before, status, options.intervalSeconds));
        before = std::move(status);
        std::fflush(stdout);
    } while (!options.isOnce);
    return ExitCode::kDone;
}

}  // namespace

void addTopCommand(CLI::App& app, Action& action) {
    const auto options = std::make_shared<TopOptions>();
    CLI::App& command = addCommand(app, action, "top", "Show the load of a service and its clients",
                                   options, top);
    addSocket(command, options->socket);
    command.add_option("--interval", options->intervalSeconds, "Seconds between two samples")
            ->capture_default_str()
            ->check(CLI::Range(0.01, 3600.0));
    command.add_flag("--once", options->isOnce, "Print one sample after one interval");
}

}  // namespace vnpu::sim
