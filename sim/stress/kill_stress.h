// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/service/service_status.h"

namespace vnpu::sim {

struct KillOptions {
    std::string program;  // a vnpu
    std::string config = "edge";
    std::string model = "zoo:ds_cnn";
    std::uint64_t kills = 1000;
    std::uint64_t seed = 1;
    /// Told now and then how many are dead.
    std::function<void(std::uint64_t killed)> onProgress{};
};

struct KillReport {
    std::uint64_t killed = 0;
    std::uint64_t endedBefore = 0;    // victims that were done before their time
    std::vector<std::string> errors;  // of the clients that nobody killed, or of the service
    ServiceStatus before, after;
    double secondsToSettle = 0;  // after the last death, until nothing of the dead was left

    /// What is held after and was not before, one line each.
    std::vector<std::string> leaks() const;
    bool isGood() const { return errors.empty() && leaks().empty(); }
};

/// Starts a service, and clients that are killed at random moments of their lives while others go
/// on beside them, and looks at what is left. The same seed gives the same moments, as far as time
/// goes.
KillReport runKills(const KillOptions& options);

}  // namespace vnpu::sim
