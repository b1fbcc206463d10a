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
    /// Told now and then how many calls are done; from any of the threads.
    std::function<void(std::uint64_t done)> onProgress = {};
};

/// What a process and its driver hold.
struct HeldResources {
    std::uint64_t descriptors = 0;
    driver::DriverCounters driver;
};

struct StressReport {
    StressTally tally;
    HeldResources before, after;  // with every object of the stress gone
    /// What is held after and was not before, one line each.
    std::vector<std::string> leaks() const;
    bool isGood() const { return tally.errorCount == 0 && leaks().empty(); }
};

/// Lets threads of several apps loose on one live device at once.
StressReport runStress(LivePlatform& platform, const StressOptions& options);

}  // namespace vnpu::sim
