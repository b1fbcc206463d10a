// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/cli/command_options.h"
#include "sim/config/load_config.h"
#include "sim/platform/pace.h"
#include "sim/report/device_peaks.h"
#include "sim/report/write_report.h"
#include "sim/scenario/device_settings.h"
#include "sim/service/idle_heap.h"
#include "sim/service/service_host.h"
#include "sim/trace/trace_files.h"
#include "sim/watch/service_watch.h"
#include "vnpu/hal/rpc_client.h"

namespace vnpu::sim {

namespace {

struct ServeOptions {
    ServiceHost::Options host;
    std::string mode = "0600";
    std::optional<std::uint16_t> http;  // port
};

mode_t parseMode(const std::string& text) {
    const char* const last = text.data() + text.size();
    mode_t mode = 0;
    const auto [end, error] = std::from_chars(text.data(), last, mode, 8);
    if (error != std::errc() || end != last || mode > 0777) {
        throw InputError(
                fmt::format("--mode \"{}\", expected octal permissions such as 0660", text));
    }
    return mode;
}

/// Blocks the signals that end the service in all threads, so that only serve() receives them.
sigset_t holdEndSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return signals;
}

/// Raises the limit of descriptors: pools, fences and queues of many clients need many.
void raiseDescriptorLimit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

std::unique_ptr<ServiceWatch> watchService(ServiceHost& service, const ServiceHost::Options& host,
                                           std::uint16_t port) {
    const DeviceSettings settings = loadDeviceSettings(host.device.deviceFile);
    std::vector<ServiceWatch::Device> devices;
    for (std::size_t i = 0; i < host.configs.size(); ++i) {
        const hw::NpuConfig config = withOverrides(loadConfig(host.configs[i]), settings.overrides);
        devices.push_back({service.names()[i], describeDevice(config)});
    }
    return std::make_unique<ServiceWatch>(
            ServiceWatch::Options{.port = port,
                                  .socketPath = host.socketPath,
                                  .devices = std::move(devices),
                                  .status = [&service] { return service.status(); }});
}

ExitCode serve(const ServeOptions& options) {
    ServiceHost::Options host = options.host;
    if (host.socketPath.empty()) {
        host.socketPath = hal::serviceSocketPath();
    }
    host.mode = parseMode(options.mode);
    parsePace(host.device.pace);  // reports a mistake before the device starts
    TraceFiles::checkKinds(host.device.traces);
    if (!host.device.traces.empty()) {
        makeOutFolder(host.device.traceFolder);
    }
    const sigset_t signals = holdEndSignals();
    raiseDescriptorLimit();
    ServiceHost service(host);
    const std::unique_ptr<ServiceWatch> watch =
            options.http ? watchService(service, host, *options.http) : nullptr;
    // Written at once, because a program that waits for the first line may not read a second one.
    fmt::print("serving {} at {}\n{}", fmt::join(service.names(), ", "), host.socketPath,
               watch ? fmt::format("showing it at http://127.0.0.1:{}/\n", watch->port()) : "");
    std::fflush(stdout);
    IdleHeap heap;
    const timespec interval{.tv_sec = IdleHeap::kInterval.count(), .tv_nsec = 0};
    while (sigtimedwait(&signals, nullptr, &interval) < 0) {
        heap.look();
    }
    return ExitCode::kDone;
}

}  // namespace

void addServeCommand(CLI::App& app, Action& action) {
    const auto options = std::make_shared<ServeOptions>();
    HostedDevice::Options& device = options->host.device;
    device.userLimits.executions = 256;  // chosen: as many as calls in progress
    device.traceFolder = "out/serve";
    CLI::App& command =
            addCommand(app, action, "serve", "Serve live devices to other processes at a socket",
                       options, serve);
    command.add_option("--socket", options->host.socketPath,
                       "Unix socket (default: VNPU_SOCKET, vnpu.sock in XDG_RUNTIME_DIR, or "
                       "/tmp/vnpu-<uid>.sock)")
            ->type_name("PATH");
    command.add_option("--config", options->host.configs,
                       "Device, a shipped configuration or a TOML file; one device for each of "
                       "several")
            ->capture_default_str();
    addDevice(command, device.deviceFile);
    command.add_option("--http", options->http,
                       "Show clients, queues, engines and faults to browsers at this port of "
                       "127.0.0.1; 0: a free one. Every user of this machine can read them")
            ->type_name("PORT");
    addSeed(command, device.seed, "Seed of the device's faults that have a chance");
    command.add_option("--pace", device.pace, "Simulated time: max, realtime, or a factor")
            ->capture_default_str();
    command.add_option("--mode", options->mode, "Permissions of the socket, octal")
            ->capture_default_str();
    const auto limit = [&](const char* name, auto& value, const char* help) {
        command.add_option(name, value, help)
                ->capture_default_str()
                ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 40));
    };
    limit("--limit-connections", device.limits.connections, "Connections of one user");
    limit("--limit-calls", device.limits.calls, "Calls in progress of one user");
    limit("--limit-bytes", device.limits.bytesUnderWay, "Bytes of those calls");
    command.add_option("--limit-message", device.limits.messageBytes,
                       "Bytes of one call; clients have VNPU_LIMIT_MESSAGE")
            ->capture_default_str()
            ->check(CLI::Range(std::size_t{1}, hal::RpcLimits::kMostMessageBytes));
    limit("--limit-objects", device.limits.objects,
          "Prepared models, buffers and bursts of one user");
    limit("--limit-callbacks", device.limits.references,
          "Callbacks of one user: executions and preparations in progress");
    limit("--limit-executions", device.userLimits.executions,
          "Executions in progress of one user, on all paths");
    command.add_option("--limit-memory", device.userLimits.memoryBytes,
                       "Bytes of device memory of one user (default: all of it)")
            ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
    command.add_option("--trace", device.traces,
                       "Traces to write while the service runs: vcd, perfetto or both")
            ->type_name("KIND,...");
    command.add_option("--out", device.traceFolder,
                       "Folder for the traces; several devices have a subfolder each")
            ->type_name("DIR")
            ->capture_default_str();
    command.add_flag("--log", device.isLogging, "Print on stderr what the driver refuses and why");
}

}  // namespace vnpu::sim
