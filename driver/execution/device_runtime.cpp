// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/device_runtime.h"

#include <fmt/format.h>

#include <utility>

#include "driver/control/scheduling.h"

namespace vnpu::driver {

Result<std::shared_ptr<DeviceRuntime>> DeviceRuntime::create(DevicePort& port,
                                                             const DriverOptions& options) {
    VNPU_TRY_ASSIGN(auto info, DeviceInfo::read(port));
    std::shared_ptr<DeviceRuntime> runtime(new DeviceRuntime(port, options, info));
    VNPU_TRY(runtime->boot());
    return runtime;
}

DeviceRuntime::DeviceRuntime(DevicePort& port, const DriverOptions& options, const DeviceInfo& info)
    : options_(options),
      info_(info),
      log_(port, options.observer),
      mailbox_(port, [this](const FaultReport& report) { recovery_.handle(report); }),
      rings_(info.ringCount),
      jobs_(port, counters_),
      environment_{port, info_, options_, log_, counters_, mailbox_, rings_, jobs_},
      onChip_(port, info, counters_, options.onChip.constantsShare),
      interrupts_(environment_, [this](const FaultReport& report) { recovery_.handle(report); }),
      recovery_(environment_, interrupts_,
                [this](std::function<void()> work) { return postOwned(std::move(work)); }),
      contexts_(environment_),
      power_(environment_),
      admissions_(environment_),
      executor_(environment_, interrupts_, recovery_, power_) {}

DeviceRuntime::~DeviceRuntime() {
    holdInReset(environment_.port);
    environment_.port.setInterruptHandler({});
}

Result<void> DeviceRuntime::boot() {
    VNPU_TRY_ASSIGN(auto memory, BootMemory::create(environment_.port, counters_, info_));
    bootMemory_ = std::make_unique<BootMemory>(std::move(memory));
    environment_.port.setInterruptHandler([this] { interrupts_.handle(); });
    VNPU_TRY(bootFirmware(environment_.port, *bootMemory_, info_, mailbox_));
    if (auto set = setScheduling(*bootMemory_, mailbox_, options_.scheduling); !set) {
        if (set.error().status != ErrorStatus::GENERAL_FAILURE) {
            return set;
        }
        log_.line(fmt::format("scheduling is left to the firmware: {}", set.error().reason));
    }
    recovery_.arm(*bootMemory_);
    return {};
}

/// Runs the work on a host thread of the port, and keeps this object alive meanwhile.
Result<void> DeviceRuntime::postOwned(std::function<void()> work) {
    return environment_.port.post([self = weak_from_this().lock(), task = std::move(work)] {
        if (self != nullptr) {
            task();
        }
    });
}

Result<void> DeviceRuntime::requireDevice() const {
    if (recovery_.isGivenUp()) {
        return fail(ErrorStatus::DEVICE_UNAVAILABLE, "device has broken down");
    }
    return {};
}

Result<void> DeviceRuntime::reschedule(SchedulingOptions options) {
    const Strategy created = options_.scheduling.strategy;
    if (created == Strategy::kQueue || options.strategy == Strategy::kQueue) {
        options.strategy = created;
    }
    options.hasOneBand = options_.scheduling.hasOneBand;
    VNPU_TRY(setScheduling(*bootMemory_, mailbox_, options));
    admissions_.setScheduling(options);
    return {};
}

}  // namespace vnpu::driver
