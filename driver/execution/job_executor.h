// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "driver/control/device_times.h"
#include "driver/control/environment.h"
#include "driver/control/interrupt_handler.h"
#include "driver/control/job_queue.h"
#include "driver/control/job_ring.h"
#include "driver/control/job_tracker.h"
#include "driver/control/recovery.h"
#include "driver/control/wait_budget.h"
#include "driver/qos/power_governor.h"
#include "driver/result.h"
#include "firmware/api/job_ring.h"

namespace vnpu::driver {

/// Runs jobs on the device, from the queue before it to the completion record, and watches the
/// firmware while it waits. Any thread but the interrupt thread.
class JobExecutor {
  public:
    JobExecutor(const Environment& environment, InterruptHandler& interrupts, Recovery& recovery,
                PowerGovernor& power);

    /// A job's owner and the limit of its waits.
    struct Terms {
        std::uint32_t uid = 0;
        std::uint32_t halPriority = 0;
        WaitBudget waitBudget;
        std::function<void(std::uint64_t id)> onSubmitted;  // before the doorbell; may be empty
    };

    /// Waits for the job's turn, submits it and awaits its end. `slot.jobId` and `slot.fenceValue`
    /// are filled in here. If the wait budget ends, the job is not started (no record) or aborted
    /// (a record with kAborted). GENERAL_FAILURE if the device breaks down by this job,
    /// DEVICE_UNAVAILABLE if it does not come back.
    Result<std::optional<fw::CompletionRecord>> scheduleAndRun(JobRing& ring, fw::JobSlot slot,
                                                               const Terms& terms);

    const DeviceTimes& deviceTimes() const { return deviceTimes_; }

  private:
    /// The heartbeat and the number of resets, each of which restarts the beat, at the last look.
    using Heartbeat = std::optional<std::pair<std::uint32_t, std::uint32_t>>;

    Result<fw::CompletionRecord> submitAndAwait(JobRing& ring, fw::JobSlot slot,
                                                const Terms& terms);
    Result<fw::CompletionRecord> awaitEnd(PendingJob& job, const JobRing& ring,
                                          std::chrono::nanoseconds firstPause, WaitBudget budget);
    void checkProgress(const PendingJob& job, Heartbeat& heartbeat);
    void abort(const PendingJob& job, const JobRing& ring);
    void collectLost(PendingJob& job);
    void reportFailure(const fw::CompletionRecord& record, const JobRing& ring);
    void reportLostContext(const fw::CompletionRecord& record, const JobRing& ring);
    void count(const fw::CompletionRecord& record, std::uint32_t uid);

    const Environment& environment_;
    InterruptHandler& interrupts_;
    Recovery& recovery_;
    PowerGovernor& power_;
    DeviceTimes deviceTimes_;
    const std::unique_ptr<JobQueue> queue_;  // null: the device has all jobs at once
};

}  // namespace vnpu::driver
