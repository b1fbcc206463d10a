// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "driver/control/dma_memory.h"
#include "driver/port/device_port.h"
#include "driver/result.h"
#include "firmware/api/job_ring.h"

namespace vnpu::driver {

/// The end of a job, as its ring tells it.
struct JobCompletion {
    fw::CompletionRecord record;
    std::uint32_t ring = 0;
    /// Why the record cannot be true; empty if it can. Then only its jobId says something: the job
    /// that it most likely is about.
    std::string doubt;
};

/// One job ring in device memory (firmware/api/job_ring.h) and its doorbell. The firmware's words
/// in it are read with care: counters that make no sense are taken for "nothing new", records are
/// held against what was submitted. Any thread.
class JobRing {
  public:
    static constexpr std::uint32_t kSlots =
            16;  // chosen: eight prepared models with two executions each
    static constexpr std::uint32_t kCompletions =
            16;  // as many: no more jobs than slots are in flight

    /// `index` names the doorbell. The firmware does not know of the ring yet.
    static Result<std::unique_ptr<JobRing>> create(DevicePort& port, LiveCounters& counters,
                                                   std::uint32_t index);

    std::uint32_t index() const { return index_; }
    std::uint64_t busAddress() const { return memory_.busAddress(); }

    /// Writes the slot and rings; waits while as many jobs are in flight as there are slots.
    /// DEVICE_UNAVAILABLE after shutDown().
    Result<void> submit(fw::JobSlot slot);

    /// Takes the completion records written since the last call, oldest first.
    std::vector<JobCompletion> collect();

    /// Whether collect() would find any.
    bool hasRecords();

    /// While the device is held in reset: takes the job out, if it is one of this ring's, and makes
    /// the ring ready for the next firmware, with the jobs that are left. Returns how many.
    std::size_t settle(std::uint64_t endedJob);

    /// The id of the job that waits longest, or runs; 0: none.
    std::uint64_t oldestJob();

    /// What the header says at present.
    fw::RingHeader headerNow();

    /// Tells the firmware of all jobs again.
    void ringDoorbell();

    /// Ends every wait of submit().
    void shutDown();

  private:
    JobRing(DevicePort& port, LiveCounters& counters, std::uint32_t index, DmaAllocation memory);
    bool trySubmit(const fw::JobSlot& slot, bool& isShutDown);
    fw::RingHeader& header() const;
    fw::JobSlot& slotAt(std::uint32_t counter) const;
    const fw::CompletionRecord& recordAt(std::uint32_t counter) const;
    JobCompletion check(const fw::CompletionRecord& record);
    std::uint32_t writtenRecords() const;
    void writeHeader();

    DevicePort& port_;
    const std::uint32_t index_;
    const CountedLife life_;
    const DmaAllocation memory_;
    const std::unique_ptr<HostEvent> hasRoom_;
    std::mutex mutex_;  // guards what follows and the driver's words in memory_; rank 70
    std::deque<fw::JobSlot> jobs_;  // submitted, not ended, oldest first
    std::uint32_t tail_ = 0;
    std::uint32_t completionHead_ = 0;
    bool isShutDown_ = false;
};

}  // namespace vnpu::driver
