// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/service/service_status.h"

namespace vnpu::sim {

struct KillOptions {
    std::string program;  // path of a vnpu
    std::string config = "edge";
    std::string model = "zoo:ds_cnn";
    std::uint64_t kills = 1000;
    std::uint64_t seed = 1;
    /// Called from time to time with the number of killed clients.
    std::function<void(std::uint64_t killed)> onProgress{};
};

struct KillReport {
    std::uint64_t killed = 0;
    std::uint64_t endedBefore = 0;    // victims that ended before their kill
    std::vector<std::string> errors;  // of the surviving clients, or of the service
    ServiceStatus before, after;
    /// From the last kill until all resources of the killed clients were released.
    double secondsToSettle = 0;

    /// Resources that are held after the run and were not before, one line each.
    std::vector<std::string> leaks() const;
    bool isGood() const { return errors.empty() && leaks().empty(); }
};

/// Starts a service and clients; kills some at random moments while others continue, and compares
/// the resources of the service before and after. The same seed gives the same moments, as far as
/// wall time allows.
KillReport runKills(const KillOptions& options);

}  // namespace vnpu::sim
