// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "driver/control/live_counters.h"
#include "driver/port/device_port.h"
#include "driver/port/mutex.h"
#include "driver/result.h"
#include "firmware/api/job_ring.h"

namespace vnpu::driver {

/// A submitted job: its submitter waits for `done`, then reads the outcome.
struct PendingJob {
    std::uint64_t id = 0;
    std::unique_ptr<HostEvent> done;
    /// The record, or why the job ended without a valid one; written before `done` is set.
    std::optional<Result<fw::CompletionRecord>> outcome;
};

/// The jobs on the device, by id. Any thread.
class JobTracker {
  public:
    JobTracker(DevicePort& port, LiveCounters& counters) : port_(port), counters_(counters) {}

    /// A new job under an id never used before.
    std::shared_ptr<PendingJob> add();

    /// Ends a job; false if there is none (an invented record, or one written twice).
    bool end(std::uint64_t id, Result<fw::CompletionRecord> outcome);

    bool isPending(std::uint64_t id) const;

    /// Forgets a job that was never handed over.
    void drop(std::uint64_t id);

    /// Ends all jobs with DEVICE_UNAVAILABLE.
    void endAll();

    std::size_t inFlight() const;
    /// Jobs that the device has ended, with any status.
    std::uint64_t completed() const { return counters_.jobsCompleted; }

  private:
    using Jobs = std::map<std::uint64_t, std::shared_ptr<PendingJob>>;

    DevicePort& port_;
    LiveCounters& counters_;
    mutable Mutex mutex_ VNPU_LOCK_RANK(80);
    Jobs jobs_ VNPU_GUARDED_BY(mutex_);
    std::uint64_t lastId_ VNPU_GUARDED_BY(mutex_) = 0;
};

}  // namespace vnpu::driver
