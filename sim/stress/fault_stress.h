// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "driver/api/fault_report.h"
#include "hw_model/blocks/base/fault_kind.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

struct FaultStressOptions {
    hw::NpuConfig config;
    std::uint64_t faults = 100;
    std::uint32_t clients = 4;
    std::uint64_t seed = 1;
    std::function<void(std::uint64_t done)> onProgress = {};
};

/// The outcomes of the faults of one kind.
struct FaultTally {
    std::uint64_t injected = 0;
    std::uint64_t detected = 0;
    std::uint64_t attributed = 0;
    std::uint64_t harmless = 0;  // not reported, and proven to have had no effect
    std::map<driver::FaultRemedy, std::uint64_t> remedies;
    std::chrono::nanoseconds longest{};  // from the fault until its remedy
};

struct FaultStressReport {
    std::map<hw::FaultKind, FaultTally> kinds;
    std::uint64_t executions = 0;
    std::uint64_t failures = 0;
    std::uint32_t resets = 0;
    std::chrono::nanoseconds simulated{};
    std::vector<std::string> wrong;  // everything that was wrong
    std::string story;               // all calls, jobs and faults, a line each

    std::uint64_t injected() const;
    bool isGood() const { return wrong.empty(); }
    /// A table with a row for each kind.
    std::string table() const;
};

/// Clients work in virtual time while one fault after the other happens to the device, of random
/// kinds at random moments. The same seed gives the same run. Once per process.
FaultStressReport runFaultStress(const FaultStressOptions& options);

}  // namespace vnpu::sim
