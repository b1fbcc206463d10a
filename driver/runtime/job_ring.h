// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "driver/port/device_port.h"
#include "driver/result.h"
#include "driver/runtime/dma_memory.h"
#include "firmware/api/job_ring.h"

namespace vnpu::driver {

/// One job ring in device memory (firmware/api/job_ring.h) and its doorbell. The firmware's words
/// in it are read with care: counters that make no sense are taken for "nothing new". Any thread.
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
    std::vector<fw::CompletionRecord> collect();

    /// Ends every wait of submit().
    void shutDown();

  private:
    JobRing(DevicePort& port, LiveCounters& counters, std::uint32_t index, DmaAllocation memory);
    bool trySubmit(const fw::JobSlot& slot, bool& isShutDown);
    fw::RingHeader& header() const;
    fw::JobSlot& slotAt(std::uint32_t counter) const;
    const fw::CompletionRecord& recordAt(std::uint32_t counter) const;

    DevicePort& port_;
    const std::uint32_t index_;
    const CountedLife life_;
    const DmaAllocation memory_;
    const std::unique_ptr<HostEvent> hasRoom_;
    std::mutex mutex_;  // guards what follows and the driver's words in memory_; rank 70
    std::uint32_t tail_ = 0;
    std::uint32_t completionHead_ = 0;
    bool isShutDown_ = false;
};

}  // namespace vnpu::driver
