// SPDX-License-Identifier: Apache-2.0
#include "sim/service/hosted_device.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/base/process_pool.h"
#include "sim/config/load_config.h"
#include "sim/platform/live_platform.h"
#include "sim/platform/pace.h"
#include "sim/service/error_log.h"
#include "sim/service/instance_name.h"
#include "sim/service/service_process.h"
#include "sim/trace/event_stream.h"
#include "sim/trace/trace_files.h"

namespace vnpu::sim {

using android::sp;
using android::hardware::neuralnetworks::V1_3::IDevice;

namespace {

class DeviceHere : public HostedDevice {
  public:
    explicit DeviceHere(const Options& options) : DeviceHere(options, loadConfig(options.config)) {}

    DeviceHere(const Options& options, const hw::NpuConfig& config)
        : name_(instanceName(options.config)), meter_(config), events_(config, {}) {
        std::vector<EventSink*> sinks{&meter_};
        if (options.isLogging) {
            sinks.push_back(&log_);
        }
        if (!options.traces.empty()) {
            traces_.emplace(options.traces, options.traceFolder);
            traces_->addSinks(sinks);
        }
        for (EventSink* sink : sinks) {
            events_.addSink(*sink);
        }
        events_.begin();
        LivePlatform::Options platform{.config = config, .pace = parsePace(options.pace)};
        platform.userLimits = options.userLimits;
        platform.deviceObserver = &events_;
        // The meter needs no events of the driver.
        platform.driverObserver = sinks.size() > 1 ? &events_ : nullptr;
        platform_ = std::make_unique<LivePlatform>(platform);
    }
    ~DeviceHere() override {
        const std::chrono::nanoseconds end = platform_->port().now();
        platform_.reset();
        events_.end(static_cast<std::uint64_t>(end.count()));
        try {
            if (traces_) {
                traces_->close();
            }
        } catch (const std::runtime_error& error) {
            fmt::print(stderr, "vnpu: {}\n", error.what());
        }
    }

    sp<IDevice> device() const override { return platform_->device(); }
    void addTo(ServiceStatus& status) const override {
        const auto count = [](std::chrono::nanoseconds time) {
            return static_cast<std::uint64_t>(time.count());
        };
        status.devices.push_back({.name = name_,
                                  .driver = driver::countersOf(platform_->device()),
                                  .simulationNs = count(platform_->simulationTime()),
                                  .deviceNs = count(platform_->port().now()),
                                  .load = meter_.load(),
                                  .userTimes = driver::deviceTimesOf(platform_->device())});
    }
    void settle() override { platform_->settle(); }

  private:
    ErrorLog log_;
    const std::string name_;
    LoadMeter meter_;
    std::optional<TraceFiles> traces_;
    EventStream events_;
    std::unique_ptr<LivePlatform> platform_;
};

std::vector<std::string> argumentsFor(const HostedDevice::Options& options) {
    std::vector<std::string> words{"--config", options.config, "--pace", options.pace};
    const auto add = [&](const char* name, std::uint64_t value) {
        words.emplace_back(name);
        words.push_back(fmt::format("{}", value));
    };
    add("--limit-calls", options.limits.calls);
    add("--limit-bytes", options.limits.bytesUnderWay);
    add("--limit-message", options.limits.messageBytes);
    add("--limit-objects", options.limits.objects);
    add("--limit-callbacks", options.limits.references);
    add("--limit-executions", options.userLimits.executions);
    if (options.userLimits.memoryBytes != UINT64_MAX) {
        add("--limit-memory", options.userLimits.memoryBytes);
    }
    if (options.isLogging) {
        words.emplace_back("--log");
    }
    if (!options.traces.empty()) {
        const std::filesystem::path folder = options.traceFolder / instanceName(options.config);
        words.insert(words.end(), {"--trace", options.traces, "--out", folder.string()});
    }
    return words;
}

class DeviceApart : public HostedDevice {
  public:
    explicit DeviceApart(const Options& options)
        : name_(instanceName(options.config)), process_(kOwnProgram, argumentsFor(options)) {
        auto client = hal::RpcClient::connect(process_.socketPath(), options.limits);
        if (!client) {
            throw std::runtime_error(client.error());
        }
        client_ = std::move(*client);
        const auto found = client_->find(IDevice::descriptor, name_);
        device_ = found ? IDevice::castFrom(*found).withDefault(nullptr) : nullptr;
        if (device_ == nullptr) {
            throw std::runtime_error(fmt::format("the process of {} serves no such device", name_));
        }
    }

    sp<IDevice> device() const override { return device_; }
    void addTo(ServiceStatus& status) const override {
        ServiceStatus own;
        try {
            own = readStatus(*client_);
        } catch (const std::runtime_error&) {
            own.devices.emplace_back().name = name_;
        }
        status.devices.push_back(own.devices.front());
        status.descriptors += own.descriptors;
        status.threads += own.threads;
        status.residentBytes += own.residentBytes;
    }

  private:
    const std::string name_;
    ServiceProcess process_;
    std::unique_ptr<hal::RpcClient> client_;
    sp<IDevice> device_;
};

}  // namespace

std::unique_ptr<HostedDevice> HostedDevice::createHere(const Options& options) {
    return std::make_unique<DeviceHere>(options);
}

std::unique_ptr<HostedDevice> HostedDevice::createApart(const Options& options) {
    return std::make_unique<DeviceApart>(options);
}

}  // namespace vnpu::sim
