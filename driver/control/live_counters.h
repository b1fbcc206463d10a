// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "driver/api/driver_counters.h"

namespace vnpu::driver {

/// The counters as they change. Any thread.
struct LiveCounters : CounterFields<std::atomic<std::uint64_t>> {
    std::atomic<std::uint64_t> calls{0};       // of the HAL; the last call's id
    std::atomic<std::uint64_t> modelsMade{0};  // the last prepared model's id

    DriverCounters snapshot() const {
        return {.hostCopiedBytes = hostCopiedBytes,
                .livePoolMappings = livePoolMappings,
                .liveContexts = liveContexts,
                .liveRings = liveRings,
                .livePreparedModels = livePreparedModels,
                .livePowerHolds = livePowerHolds,
                .dmaBytes = dmaBytes,
                .jobsSubmitted = jobsSubmitted,
                .jobsCompleted = jobsCompleted,
                .onChipBytes = onChipBytes,
                .onChipConstantBytes = onChipConstantBytes,
                .preemptions = preemptions,
                .restarts = restarts,
                .savedBytes = savedBytes,
                .switchCycles = switchCycles,
                .deadlinesRefusedTransient = deadlinesRefusedTransient,
                .deadlinesRefusedPersistent = deadlinesRefusedPersistent,
                .deadlinesAborted = deadlinesAborted,
                .deadlinesMet = deadlinesMet,
                .deadlinesLate = deadlinesLate,
                .refusalsThatFit = refusalsThatFit};
    }
};

/// Counts one live object for as long as it exists.
class CountedLife {
  public:
    explicit CountedLife(std::atomic<std::uint64_t>& counter) : counter_(counter) { ++counter_; }
    ~CountedLife() { --counter_; }
    CountedLife(const CountedLife&) = delete;
    CountedLife& operator=(const CountedLife&) = delete;

  private:
    std::atomic<std::uint64_t>& counter_;
};

}  // namespace vnpu::driver
