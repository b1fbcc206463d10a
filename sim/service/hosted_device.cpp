// SPDX-License-Identifier: Apache-2.0
#include "sim/service/hosted_device.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/base/process_pool.h"
#include "sim/config/load_config.h"
#include "sim/platform/pace.h"
#include "sim/scenario/device_settings.h"
#include "sim/service/activity_json.h"
#include "sim/service/error_log.h"
#include "sim/service/instance_name.h"
#include "sim/service/live_device.h"
#include "sim/service/service_process.h"
#include "sim/trace/event_stream.h"
#include "sim/trace/trace_files.h"

namespace vnpu::sim {

using android::sp;
using android::hardware::neuralnetworks::V1_3::IDevice;

namespace {

class DeviceHere : public HostedDevice {
  public:
    explicit DeviceHere(const Options& options)
        : DeviceHere(options, loadDeviceSettings(options.deviceFile)) {}

    DeviceHere(const Options& options, const DeviceSettings& settings)
        : DeviceHere(options, settings,
                     withOverrides(loadConfig(options.config), settings.overrides)) {}

    DeviceHere(const Options& options, const DeviceSettings& settings, const hw::NpuConfig& config)
        : name_(instanceName(options.config)),
          pace_(options.pace),
          inForce_(describeSettings(settings, config)),
          meter_(config),
          events_(config, {}) {
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
        device_ = std::make_unique<LiveDevice>(platform, settings, options.seed);
    }
    ~DeviceHere() override {
        const std::chrono::nanoseconds end = device_->platform().port().now();
        device_.reset();
        events_.end(static_cast<std::uint64_t>(end.count()));
        try {
            if (traces_) {
                traces_->close();
            }
        } catch (const std::runtime_error& error) {
            fmt::print(stderr, "vnpu: {}\n", error.what());
        }
    }

    sp<IDevice> device() const override { return device_->platform().device(); }
    void addTo(ServiceStatus& status) const override {
        const auto count = [](std::chrono::nanoseconds time) {
            return static_cast<std::uint64_t>(time.count());
        };
        LivePlatform& platform = device_->platform();
        const LiveDevice::Injected injected = device_->injected();
        status.devices.push_back({.name = name_,
                                  .pace = pace_,
                                  .inForce = inForce_,
                                  .injectedFaults = injected.count,
                                  .driver = driver::countersOf(platform.device()),
                                  .simulationNs = count(platform.simulationTime()),
                                  .deviceNs = count(platform.port().now()),
                                  .load = meter_.load(),
                                  .userTimes = driver::deviceTimesOf(platform.device()),
                                  .activity = activityJson(driver::activityOf(platform.device())),
                                  .injected = injectedJson(injected, events_)});
    }
    void settle() override { device_->platform().settle(); }

  private:
    ErrorLog log_;
    const std::string name_;
    const std::string pace_;
    const DeviceSettingsText inForce_;
    LoadMeter meter_;
    std::optional<TraceFiles> traces_;
    EventStream events_;
    std::unique_ptr<LiveDevice> device_;
};

std::vector<std::string> argumentsFor(const HostedDevice::Options& options) {
    std::vector<std::string> words{"--config", options.config, "--pace", options.pace};
    const auto add = [&](const char* name, std::uint64_t value) {
        words.emplace_back(name);
        words.push_back(fmt::format("{}", value));
    };
    add("--seed", options.seed);
    if (!options.deviceFile.empty()) {
        words.insert(words.end(), {"--device", options.deviceFile});
    }
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
