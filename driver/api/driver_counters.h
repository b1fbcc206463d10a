// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::driver {

/// Resources in use and events so far, as plain numbers or as numbers that change.
template <typename Count>
struct CounterFields {
    /// Bytes of client pools that the host copied; 0 while every pool is used in place and nothing
    /// is copied to or from a buffer of a memory domain.
    Count hostCopiedBytes{0};
    Count livePoolMappings{0};  // client pools that the device can reach
    Count liveContexts{0};
    Count liveRings{0};
    Count livePreparedModels{0};
    Count livePowerHolds{0};  // open bursts, which keep the device awake
    Count dmaBytes{0};        // device memory in use, boot parameters and log included
    Count jobsSubmitted{0};
    Count jobsCompleted{0};        // with any status
    Count onChipBytes{0};          // of the device's resident memory in use, whole pages
    Count onChipConstantBytes{0};  // the part of them that holds constants of models
    // From the records of finished jobs.
    Count preemptions{0};
    Count restarts{0};
    Count savedBytes{0};
    Count switchCycles{0};
    // Executions with a deadline: refused before the start, stopped, finished in time or late, and
    // refused ones that would have met their deadline.
    Count deadlinesRefusedTransient{0};
    Count deadlinesRefusedPersistent{0};
    Count deadlinesAborted{0};
    Count deadlinesMet{0};
    Count deadlinesLate{0};
    Count refusalsThatFit{0};
};

/// The counters at one moment.
using DriverCounters = CounterFields<std::uint64_t>;

}  // namespace vnpu::driver
