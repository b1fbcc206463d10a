// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/models/network.h"
#include "sim/scenario/device_settings.h"

namespace vnpu::sim {

enum class ClientPriority : std::uint8_t { kLow = 0, kMedium = 1, kHigh = 2 };
inline constexpr std::string_view kPriorityNames[] = {"low", "medium", "high"};

enum class ArrivalKind : std::uint8_t {
    kPeriodic = 0,
    kClosedLoop = 1,
    kPoisson = 2,
    kUniform = 3,
    kTrace = 4,
};
inline constexpr std::string_view kArrivalNames[] = {"periodic", "closed_loop", "poisson",
                                                     "uniform", "trace"};

/// In the order of NNAPI's ExecutionPreference.
enum class ClientPreference : std::uint8_t { kLowPower = 0, kFast = 1, kSustained = 2 };
inline constexpr std::string_view kPreferenceNames[] = {"low_power", "fast", "sustained"};

enum class ClientPath : std::uint8_t { kSync = 0, kAsync = 1, kBurst = 2, kFenced = 3 };
inline constexpr std::string_view kPathNames[] = {"sync", "async", "burst", "fenced"};

constexpr std::string_view nameOf(ClientPriority priority) {
    return kPriorityNames[static_cast<std::size_t>(priority)];
}
constexpr std::string_view nameOf(ArrivalKind arrival) {
    return kArrivalNames[static_cast<std::size_t>(arrival)];
}
constexpr std::string_view nameOf(ClientPreference preference) {
    return kPreferenceNames[static_cast<std::size_t>(preference)];
}
constexpr std::string_view nameOf(ClientPath path) {
    return kPathNames[static_cast<std::size_t>(path)];
}

/// One client of a scenario. Times are nanoseconds since the common start, at which every client
/// has prepared its model.
struct ClientSpec {
    std::string name;
    std::uint32_t uid = 0;
    std::string model;        // as written, for reports
    std::string modelSource;  // for loadNetwork: paths are relative to the scenario file
    std::string modelPlace;   // "file:line" of it, for messages
    std::uint32_t batch = 1;  // inputs of one inference
    ClientPriority priority = ClientPriority::kMedium;
    ClientPreference preference = ClientPreference::kFast;
    ClientPath path = ClientPath::kSync;
    ArrivalKind arrival = ArrivalKind::kPeriodic;
    double rateHz = 0.0;         // periodic, poisson; 0 where the period is given
    std::uint64_t periodNs = 0;  // periodic; 0 where the rate is given
    std::uint64_t thinkNs = 0;   // closed loop: from an answer to the next call
    std::uint64_t phaseNs = 0;   // before the first arrival (poisson: before its clock starts)
    std::uint64_t jitterNs = 0;  // periodic: largest random delay
    std::uint64_t windowNs = 0;  // uniform: the frames arrive within it
    std::vector<std::uint64_t> traceNs{};  // trace: rising
    std::uint64_t deadlineNs = 0;          // after arrival; 0: none
    double deadlineFactor = 0.0;           // after arrival, of the isolated time; 0: none
    std::uint64_t count = 0;               // frames at most; 0: no limit
    /// How many executions are to fail, or to give other outputs than the first: at least and at
    /// most.
    std::uint64_t leastFailures = 0, mostFailures = 0;
    std::vector<NetworkState> states;  // kept by the device from frame to frame
    std::string statePlace;            // "file:line" of them, for messages
    std::string processPlace;          // "file:line" of `process = true`: in a process of its own
};

struct Scenario : DeviceSettings {
    std::string name;
    /// Arrivals happen in [0, durationNs); 0: until all clients have ended.
    std::uint64_t durationNs = 0;
    std::string config;        // as written
    std::string configSource;  // for loadConfig
    std::string configPlace;   // "file:line" of it, for messages
    std::uint64_t seed = 1;
    bool timingOnly = false;
    bool judgesRefusals = false;  // see RefusalJudge; of timing-only runs
    std::vector<ClientSpec> clients;
};

/// Whether the client ends without a duration.
inline bool isBounded(const ClientSpec& client) {
    return client.count != 0 || client.arrival == ArrivalKind::kTrace;
}

}  // namespace vnpu::sim
