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
    std::uint64_t preemptions = 10'000;  // at least so many, then the round is the last
    std::uint64_t seed = 1;
    std::vector<std::string> networks = {};  // of the zoo; empty: all
    /// Told after each round how many preemptions there were.
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

    std::uint64_t executions() const;
    std::uint64_t wrong() const;
};

/// Random mixes of networks and priorities, under random policies and mechanisms, until there were
/// enough preemptions: each round a network runs once while others come at random times, again and
/// again. Each output is compared with that of the network alone. In virtual time, on a device
/// whose chip is overwritten at each start of a job; the same seed gives the same report. Once per
/// process.
PreemptionStressReport stressPreemption(const hw::NpuConfig& config,
                                        const PreemptionStressOptions& options);

}  // namespace vnpu::sim
