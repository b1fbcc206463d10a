// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "driver/control/boot.h"
#include "driver/control/environment.h"
#include "driver/control/interrupt_handler.h"
#include "driver/control/job_history.h"
#include "driver/control/job_tracker.h"
#include "driver/control/mailbox_client.h"
#include "driver/control/recovery.h"
#include "driver/control/ring_registry.h"
#include "driver/execution/device_buffer.h"
#include "driver/execution/job_executor.h"
#include "driver/execution/sync_fence.h"
#include "driver/memory/context_table.h"
#include "driver/memory/on_chip_memory.h"
#include "driver/port/device_info.h"
#include "driver/port/device_port.h"
#include "driver/qos/admission.h"
#include "driver/qos/power_governor.h"
#include "driver/qos/ratio_estimate.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The booted device: everything that the HAL objects share. Any thread but the interrupt thread.
/// While a broken device is recovered (recovery.h), calls wait.
class DeviceRuntime : public std::enable_shared_from_this<DeviceRuntime> {
  public:
    /// Identifies and boots the device. Call on a host thread of the port.
    static Result<std::shared_ptr<DeviceRuntime>> create(DevicePort& port,
                                                         const DriverOptions& options);
    ~DeviceRuntime();

    const Environment& environment() const { return environment_; }
    DevicePort& port() const { return environment_.port; }
    const DeviceInfo& info() const { return info_; }
    const DriverOptions& options() const { return options_; }
    const DriverLog& log() const { return log_; }
    LiveCounters& counters() { return counters_; }
    FenceTable& fences() { return fences_; }
    BufferTable& buffers() { return buffers_; }
    OnChipMemory& onChip() { return onChip_; }
    ContextTable& contexts() { return contexts_; }
    AdmissionControl& admissions() { return admissions_; }
    PowerGovernor& power() { return power_; }
    JobExecutor& executor() { return executor_; }
    DeviceTimes::Times deviceTimes() const { return executor_.deviceTimes().snapshot(); }
    const Recovery& recovery() const { return recovery_; }
    JobHistory& history() { return history_; }
    DriverActivity activity() const {
        DriverActivity activity;
        history_.addTo(activity);
        recovery_.addTo(activity);
        return activity;
    }

    /// DEVICE_UNAVAILABLE if recovery has given up.
    Result<void> requireDevice() const;

    /// Nanoseconds that the host takes to compile, per operation.
    RatioEstimate& compileNs() { return compileNs_; }

    /// driver::reschedule.
    Result<void> reschedule(SchedulingOptions options);

  private:
    DeviceRuntime(DevicePort& port, const DriverOptions& options, const DeviceInfo& info);
    Result<void> boot();
    Result<void> postOwned(std::function<void()> work);

    const DriverOptions options_;
    const DeviceInfo info_;
    const DriverLog log_;
    LiveCounters counters_;
    MailboxClient mailbox_;
    RingRegistry rings_;
    JobTracker jobs_;
    const Environment environment_;
    OnChipMemory onChip_;
    FenceTable fences_;
    BufferTable buffers_;
    InterruptHandler interrupts_;
    Recovery recovery_;
    std::unique_ptr<BootMemory> bootMemory_;
    ContextTable contexts_;
    PowerGovernor power_;
    AdmissionControl admissions_;
    JobExecutor executor_;
    JobHistory history_;
    RatioEstimate compileNs_{0};
};

}  // namespace vnpu::driver
