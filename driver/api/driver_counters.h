// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace vnpu::driver {

/// What the driver holds and has done, as it stood at one moment.
struct DriverCounters {
    std::uint64_t hostCopiedBytes =
            0;  // bytes of client pools that the host copied; 0 while every pool is used in place
                // and nothing is copied to or from a buffer of a memory domain
    std::uint64_t livePoolMappings = 0;  // client pools that the device can reach
    std::uint64_t liveContexts = 0;
    std::uint64_t liveRings = 0;
    std::uint64_t livePreparedModels = 0;
    std::uint64_t livePowerHolds = 0;  // open bursts, which keep the device awake
    std::uint64_t dmaBytes = 0;        // device memory in use, boot parameters and log included
    std::uint64_t jobsSubmitted = 0;
    std::uint64_t jobsCompleted = 0;  // whatever their status
    std::uint64_t onChipBytes = 0;    // of the device's resident memory in use, whole pages
    // Of finished jobs, as their records say.
    std::uint64_t preemptions = 0;
    std::uint64_t restarts = 0;
    std::uint64_t savedBytes = 0;
    std::uint64_t switchCycles = 0;
    // Executions with a deadline: refused before the start, stopped, finished in time or late; and
    // of the refused ones those that would have met it after all.
    std::uint64_t deadlinesRefusedTransient = 0;
    std::uint64_t deadlinesRefusedPersistent = 0;
    std::uint64_t deadlinesAborted = 0;
    std::uint64_t deadlinesMet = 0;
    std::uint64_t deadlinesLate = 0;
    std::uint64_t refusalsThatFit = 0;
};

/// The counters as they run. Any thread.
struct LiveCounters {
    std::atomic<std::uint64_t> hostCopiedBytes{0};
    std::atomic<std::uint64_t> livePoolMappings{0};
    std::atomic<std::uint64_t> liveContexts{0};
    std::atomic<std::uint64_t> liveRings{0};
    std::atomic<std::uint64_t> livePreparedModels{0};
    std::atomic<std::uint64_t> livePowerHolds{0};
    std::atomic<std::uint64_t> dmaBytes{0};
    std::atomic<std::uint64_t> jobsSubmitted{0};
    std::atomic<std::uint64_t> jobsCompleted{0};
    std::atomic<std::uint64_t> onChipBytes{0};
    std::atomic<std::uint64_t> preemptions{0};
    std::atomic<std::uint64_t> restarts{0};
    std::atomic<std::uint64_t> savedBytes{0};
    std::atomic<std::uint64_t> switchCycles{0};
    std::atomic<std::uint64_t> deadlinesRefusedTransient{0};
    std::atomic<std::uint64_t> deadlinesRefusedPersistent{0};
    std::atomic<std::uint64_t> deadlinesAborted{0};
    std::atomic<std::uint64_t> deadlinesMet{0};
    std::atomic<std::uint64_t> deadlinesLate{0};
    std::atomic<std::uint64_t> refusalsThatFit{0};

    /// Told of every copy of client bytes that the host makes. Set once, before the first; may be
    /// empty.
    std::function<void(std::uint64_t bytes)> onHostCopy;

    void countHostCopy(std::uint64_t bytes) {
        hostCopiedBytes += bytes;
        if (onHostCopy) {
            onHostCopy(bytes);
        }
    }

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

/// Counts one live object of some kind for as long as it exists.
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
