// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "driver/api/driver_counters.h"
#include "sim/platform/live_platform.h"
#include "sim/stress/stress_client.h"

namespace vnpu::sim {

struct StressOptions {
    std::uint32_t threads = 8;
    std::uint64_t callsPerThread = 10'000;
    std::uint64_t seed = 1;
    /// Called from time to time with the number of calls so far; on any of the threads.
    std::function<void(std::uint64_t done)> onProgress = {};
};

/// Resources that a process and its driver hold.
struct HeldResources {
    std::uint64_t descriptors = 0;
    driver::DriverCounters driver;
};

struct StressReport {
    StressTally tally;
    HeldResources before, after;  // without objects of the stress
    /// Resources that are held after the run and were not before, one line each.
    std::vector<std::string> leaks() const;
    bool isGood() const { return tally.errorCount == 0 && leaks().empty(); }
};

/// Makes calls on one live device from threads of several apps at once.
StressReport runStress(LivePlatform& platform, const StressOptions& options);

}  // namespace vnpu::sim
