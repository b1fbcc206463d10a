// SPDX-License-Identifier: Apache-2.0
// The shared library that brings a device into the process that loads it, as a passthrough HAL
// does: IDevice::getService("vnpu-edge") boots it. See README.md.
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "sim/config/load_config.h"
#include "sim/scenario/device_settings.h"
#include "sim/service/error_log.h"
#include "sim/service/instance_name.h"
#include "sim/service/live_device.h"
#include "sim/trace/event_stream.h"
#include "vnpu/hal/service_registry.h"

namespace vnpu::sim {

namespace {

namespace nnapi = android::hardware::neuralnetworks;

std::string environment(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

/// The device of the process. It exists until the end of the process, because callers may hold it
/// until then.
class Passthrough {
  public:
    static Passthrough& instance() {
        static Passthrough* const passthrough = std::make_unique<Passthrough>().release();
        return *passthrough;
    }

    android::sp<nnapi::V1_3::IDevice> start(const std::string& config) {
        try {
            const DeviceSettings settings = loadDeviceSettings(environment("VNPU_DEVICE", ""));
            LivePlatform::Options options{
                    .config = withOverrides(loadConfig(config), settings.overrides),
                    .pace = parsePace(environment("VNPU_PACE", "max"))};
            events_ = std::make_unique<EventStream>(options.config, std::vector<ClientInfo>());
            events_->addSink(log_);
            options.driverObserver =
                    environment("VNPU_LOG", "0") == "0" ? nullptr : events_->observer();
            device_ = std::make_unique<LiveDevice>(options, settings);
        } catch (const std::exception& error) {
            fmt::print(stderr, "vnpu: {}\n", error.what());
            return nullptr;
        }
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

/// Runs when the library is loaded, before the code of the program.
[[maybe_unused]] const bool kIsOffered = [] {
    const std::string config = environment("VNPU_CONFIG", "edge");
    hal::offerService({nnapi::V1_3::IDevice::descriptor, nnapi::V1_2::IDevice::descriptor,
                       nnapi::V1_1::IDevice::descriptor, nnapi::V1_0::IDevice::descriptor},
                      instanceName(config),
                      [config] { return Passthrough::instance().start(config); });
    return true;
}();

}  // namespace

}  // namespace vnpu::sim

// libsystemc's own main refers to sc_main; the program that loads this library has its own main.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) {
    return 0;
}
