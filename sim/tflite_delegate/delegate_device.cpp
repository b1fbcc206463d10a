// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/delegate_device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "driver/api/device.h"
#include "sim/base/error.h"
#include "sim/client/driver_log.h"
#include "sim/client/remote_context.h"
#include "sim/config/load_config.h"
#include "sim/platform/live_platform.h"
#include "sim/platform/port_client.h"

namespace vnpu::sim::tflite_delegate {

namespace {

class ServiceDevice : public DelegateDevice {
  public:
    explicit ServiceDevice(const Options& options) : context_(options.socket, options.service) {}

    ClientContext& context() override { return context_; }
    std::string lastReason() const override { return ""; }

  private:
    RemoteContext context_;
};

/// The driver calls it on any thread.
class LastReason : public driver::DriverObserver {
  public:
    void onLog(std::chrono::nanoseconds /*now*/, std::string_view line) override {
        const std::lock_guard guard(mutex_);
        line_ = line;
    }
    std::string text() const {
        const std::lock_guard guard(mutex_);
        return line_.empty() ? "" : ": " + line_;
    }

  private:
    mutable std::mutex mutex_;  // guards line_
    std::string line_;
};

class LocalDevice : public DelegateDevice {
  public:
    explicit LocalDevice(const Options& options)
        : config_(options.config),
          pace_(options.pace),
          platform_({.config = loadConfig(options.config),
                     .pace = parsePace(options.pace),
                     .driverObserver = &reason_}),
          context_(kName, getuid(), platform_.port(), platform_.device()) {}

    void requireSame(const Options& options) const {
        if (options.config != config_ || options.pace != pace_) {
            throw InputError(fmt::format(
                    "this process already has a device of configuration {} at pace {}, expected "
                    "the same for all delegates of a process, or the socket of a service",
                    config_, pace_));
        }
    }
    void freeze() { platform_.freeze(); }

    ClientContext& context() override { return context_; }
    std::string lastReason() const override { return reason_.text(); }

  private:
    static inline const std::string kName = "tflite";

    const std::string config_, pace_;
    LastReason reason_;
    LivePlatform platform_;
    PortClient context_;
};

/// The device of the process. It exists until the end of the process, because SystemC elaborates
/// once; then it stands still, because static objects are destroyed while threads may run.
std::shared_ptr<DelegateDevice> localDevice(const Options& options) {
    static std::mutex mutex;  // guards device
    static auto* const device = new std::shared_ptr<LocalDevice>();
    const std::lock_guard guard(mutex);
    if (*device == nullptr) {
        *device = std::make_shared<LocalDevice>(options);
        std::atexit([] { (*device)->freeze(); });
    } else {
        (*device)->requireSame(options);
    }
    return *device;
}

}  // namespace

std::shared_ptr<DelegateDevice> DelegateDevice::open(const Options& options) {
    if (!options.socket.empty()) {
        return std::make_shared<ServiceDevice>(options);
    }
    return localDevice(options);
}

std::vector<bool> supportedOperations(ClientContext& context, const nn::Model& model) {
    nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE;
    std::vector<bool> supported;
    const auto called = context.device()->getSupportedOperations_1_3(
            model, [&](nn::ErrorStatus told, const android::hardware::hidl_vec<bool>& answers) {
                status = told;
                supported.assign(answers.begin(), answers.end());
            });
    if (!called.isOk() || status != nn::ErrorStatus::NONE ||
        supported.size() != model.main.operations.size()) {
        throw std::runtime_error(fmt::format("the device does not say what it supports: {}",
                                             called.isOk() ? nameOf(status) : "no connection"));
    }
    return supported;
}

}  // namespace vnpu::sim::tflite_delegate
