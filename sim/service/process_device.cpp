// SPDX-License-Identifier: Apache-2.0
#include "sim/service/process_device.h"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <vector>

#include "sim/config/load_config.h"
#include "sim/scenario/device_settings.h"
#include "sim/service/error_log.h"
#include "sim/service/instance_name.h"
#include "sim/service/live_device.h"
#include "sim/trace/event_stream.h"

namespace vnpu::sim {

namespace {

std::string environment(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

class ProcessDevice {
  public:
    static ProcessDevice& instance() {
        static ProcessDevice* const device = std::make_unique<ProcessDevice>().release();
        return *device;
    }

    /// Throws if the device cannot be started.
    android::sp<android::hardware::neuralnetworks::V1_3::IDevice> start(const std::string& config) {
        const DeviceSettings settings = loadDeviceSettings(environment("VNPU_DEVICE", ""));
        LivePlatform::Options options{
                .config = withOverrides(loadConfig(config), settings.overrides),
                .pace = parsePace(environment("VNPU_PACE", "max"))};
        events_ = std::make_unique<EventStream>(options.config, std::vector<ClientInfo>());
        events_->addSink(log_);
        options.driverObserver =
                environment("VNPU_LOG", "0") == "0" ? nullptr : events_->observer();
        device_ = std::make_unique<LiveDevice>(options, settings);
        // Static objects are destroyed while threads may still run, so that the device must not
        // change any more.
        std::atexit([] { instance().device_->platform().freeze(); });
        return device_->platform().device();
    }

  private:
    ErrorLog log_;
    std::unique_ptr<EventStream> events_;
    std::unique_ptr<LiveDevice> device_;
};

}  // namespace

std::string processDeviceConfig() {
    return environment("VNPU_CONFIG", "edge");
}

std::string processDeviceName(const std::string& config) {
    return instanceName(config);
}

android::sp<android::hardware::neuralnetworks::V1_3::IDevice> startProcessDevice(
        const std::string& config) {
    try {
        return ProcessDevice::instance().start(config);
    } catch (const std::exception& error) {
        fmt::print(stderr, "vnpu: {}\n", error.what());
        return nullptr;
    }
}

}  // namespace vnpu::sim
