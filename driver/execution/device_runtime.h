// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "driver/api/device.h"
#include "driver/api/driver_counters.h"
#include "driver/control/boot.h"
#include "driver/control/driver_log.h"
#include "driver/control/heartbeat_watch.h"
#include "driver/control/interrupt_handler.h"
#include "driver/control/job_tracker.h"
#include "driver/control/mailbox_client.h"
#include "driver/control/patience.h"
#include "driver/control/recovery.h"
#include "driver/control/ring_registry.h"
#include "driver/execution/sync_fence.h"
#include "driver/memory/buffer_table.h"
#include "driver/memory/context_table.h"
#include "driver/memory/on_chip_memory.h"
#include "driver/port/device_info.h"
#include "driver/port/device_port.h"
#include "driver/qos/admission.h"
#include "driver/qos/compile_rate.h"
#include "driver/qos/power_governor.h"
#include "driver/qos/strategies/job_strategy.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The booted device: whatever the HAL objects share. Any thread but the interrupt thread. When it
/// breaks down it is brought back (recovery.h), and calls wait for that.
class DeviceRuntime : public std::enable_shared_from_this<DeviceRuntime> {
  public:
    /// Identifies and boots the device. Call on a host thread of the port.
    static Result<std::shared_ptr<DeviceRuntime>> create(DevicePort& port,
                                                         const DriverOptions& options);
    ~DeviceRuntime();

    DevicePort& port() { return port_; }
    const DeviceInfo& info() const { return info_; }
    const DriverOptions& options() const { return options_; }
    const DriverLog& log() const { return log_; }
    LiveCounters& counters() { return counters_; }
    FenceTable& fences() { return fences_; }
    BufferTable& buffers() { return buffers_; }
    OnChipMemory& onChip() { return onChip_; }
    ContextTable& contexts() { return *contexts_; }
    std::size_t jobsInFlight() const { return jobs_.inFlight(); }
    /// Out of use for good.
    bool isBroken() const { return recovery_.isGivenUp(); }
    /// Being brought back.
    bool isRecovering() const { return recovery_.isRecovering(); }
    const Recovery& recovery() const { return recovery_; }

    /// A number for observers that joins the begin and the end of a call.
    std::uint64_t nextCallId() { return ++lastCallId_; }

    AdmissionControl& admissions() { return admissions_; }
    PowerGovernor& power() { return power_; }
    CompileRate& compileRate() { return compileRate_; }

    /// Whose job it is, and how long it is worth waiting for.
    struct JobTerms {
        std::uint32_t uid = 0;
        std::uint32_t halPriority = 0;
        Patience patience;                                  // for ever if empty
        std::function<void(std::uint64_t id)> onSubmitted;  // before the doorbell; may be empty
    };

    /// Hands a job over when it has its turn, and waits for its end. `slot.jobId` and
    /// `slot.fenceValue` are filled in here. GENERAL_FAILURE if the device breaks down by it,
    /// DEVICE_UNAVAILABLE if it does not come back; how the job ended otherwise is in the record:
    /// with kAborted, or not at all begun, if patience ended.
    Result<std::optional<fw::CompletionRecord>> runJob(JobRing& ring, fw::JobSlot slot,
                                                       const JobTerms& terms);

    /// driver::reschedule.
    Result<void> reschedule(SchedulingOptions options);

  private:
    DeviceRuntime(DevicePort& port, const DriverOptions& options, const DeviceInfo& info);
    Result<void> boot();
    Result<fw::CompletionRecord> runAtOnce(JobRing& ring, fw::JobSlot slot, const JobTerms& terms);
    Result<fw::CompletionRecord> awaitJob(PendingJob& job, const JobRing& ring,
                                          std::chrono::nanoseconds firstPause, Patience patience);
    void lookForLife(const PendingJob& job, HeartbeatWatch& heartbeat);
    void abort(const PendingJob& job, const JobRing& ring);
    void collectLost(PendingJob& job);
    void reportFailure(const fw::CompletionRecord& record, const JobRing& ring);
    void reportLostContext(const fw::CompletionRecord& record, const JobRing& ring);
    void count(const fw::CompletionRecord& record);

    DevicePort& port_;
    const DriverOptions options_;
    const DeviceInfo info_;
    const DriverLog log_;
    LiveCounters counters_;
    OnChipMemory onChip_;
    MailboxClient mailbox_;
    RingRegistry rings_;
    JobTracker jobs_;
    FenceTable fences_;
    BufferTable buffers_;
    InterruptHandler interrupts_;
    Recovery recovery_;
    std::unique_ptr<BootMemory> bootMemory_;
    std::unique_ptr<ContextTable> contexts_;
    PowerGovernor power_;
    AdmissionControl admissions_;
    const std::unique_ptr<JobStrategy> strategy_;
    CompileRate compileRate_;
    std::atomic<std::uint64_t> lastCallId_{0};
};

}  // namespace vnpu::driver
