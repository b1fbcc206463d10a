// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

struct PreemptionStressOptions {
    std::uint64_t preemptions = 10'000;  // the round that reaches this number is the last
    std::uint64_t seed = 1;
    std::vector<std::string> networks = {};  // of the zoo; empty: all
    /// Called after each round with the number of preemptions so far.
    std::function<void(std::uint64_t done)> onProgress = {};
};

struct PreemptionStressReport {
    struct Share {
        std::uint64_t executions = 0;
        std::uint64_t wrong = 0;
    };
    std::uint64_t rounds = 0;
    std::uint64_t preemptions = 0;  // saved and restored
    std::uint64_t restarts = 0;
    std::uint64_t savedBytes = 0;
    std::map<std::string, Share> networks;
    std::vector<std::string> errors;  // the first few

    Share total() const;
};

/// Runs random mixes of networks and priorities under random policies and mechanisms until there
/// were enough preemptions. In each round one network runs once while others arrive repeatedly at
/// random times. Each output is compared with that of the network alone. In virtual time, on a
/// device whose on-chip memories are overwritten at each start of a job; the same seed gives the
/// same report. Once per process.
PreemptionStressReport stressPreemption(const hw::NpuConfig& config,
                                        const PreemptionStressOptions& options);

}  // namespace vnpu::sim
