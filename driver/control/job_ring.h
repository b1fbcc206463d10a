// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/control/dma_memory.h"
#include "driver/port/device_port.h"
#include "driver/port/mutex.h"
#include "driver/result.h"
#include "firmware/api/job_ring.h"

namespace vnpu::driver {

/// The end of a job as its ring reports it.
struct JobCompletion {
    fw::CompletionRecord record;
    std::uint32_t ring = 0;
    /// Why the record is not plausible; empty if it is. Of a doubtful record only jobId is valid:
    /// the job that it most likely describes.
    std::string doubt;
};

/// One job ring in device memory (firmware/api/job_ring.h) and its doorbell. The driver trusts
/// neither the firmware's counters (impossible ones mean "nothing new") nor its records, which are
/// compared with the submitted jobs. Any thread.
class JobRing {
  public:
    static constexpr std::uint32_t kSlots =
            16;  // chosen: eight prepared models with two executions each
    static constexpr std::uint32_t kCompletions = 16;  // one per slot: no more jobs are in flight

    /// `index` names the doorbell. The firmware does not know of the ring yet.
    static Result<std::unique_ptr<JobRing>> create(DevicePort& port, LiveCounters& counters,
                                                   std::uint32_t index);

    std::uint32_t index() const { return index_; }
    std::uint64_t busAddress() const { return memory_.busAddress(); }

    /// Writes the slot and rings the doorbell; waits while as many jobs are in flight as there are
    /// slots. DEVICE_UNAVAILABLE after shutDown().
    Result<void> submit(const fw::JobSlot& slot);

    /// Takes the completion records written since the last call, oldest first.
    std::vector<JobCompletion> collect();

    /// The number of the oldest record that collect() would take; none if it would take none.
    std::optional<std::uint32_t> oldestRecord();

    /// Prepares the ring for the next firmware while the device is held in reset: removes the ended
    /// job, if it is one of this ring's, and keeps the others. Returns their number. Until
    /// resume(), no doorbell is rung, because the firmware does not know the ring.
    std::size_t settle(std::uint64_t endedJob);

    /// The header's present contents.
    fw::RingHeader headerNow();

    /// The firmware knows the ring again; announces all jobs.
    void resume();

    /// Announces all jobs to the firmware again.
    void ringDoorbell();

    /// Ends every wait of submit().
    void shutDown();

  private:
    JobRing(DevicePort& port, LiveCounters& counters, std::uint32_t index, DmaAllocation memory);
    fw::RingHeader& header() const;
    fw::JobSlot& slotAt(std::uint32_t counter) const;
    const fw::CompletionRecord& recordAt(std::uint32_t counter) const;
    JobCompletion check(const fw::CompletionRecord& record) VNPU_REQUIRES(mutex_);
    std::uint32_t writtenRecords() const VNPU_REQUIRES(mutex_);
    void writeHeader() VNPU_REQUIRES(mutex_);

    DevicePort& port_;
    const std::uint32_t index_;
    const CountedLife life_;
    const DmaAllocation memory_;
    const std::unique_ptr<HostEvent> hasRoom_;
    Mutex mutex_ VNPU_LOCK_RANK(70);
    std::deque<fw::JobSlot> jobs_ VNPU_GUARDED_BY(mutex_);  // submitted, not ended, oldest first
    std::uint32_t tail_ VNPU_GUARDED_BY(mutex_) = 0;
    std::uint32_t completionHead_ VNPU_GUARDED_BY(mutex_) = 0;
    bool isSettled_ VNPU_GUARDED_BY(mutex_) = false;  // by settle(), until resume()
    bool isShutDown_ VNPU_GUARDED_BY(mutex_) = false;
};

}  // namespace vnpu::driver
