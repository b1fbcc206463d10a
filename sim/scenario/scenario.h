// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/models/network.h"

namespace vnpu::sim {

enum class ClientPriority : std::uint8_t { kLow = 0, kMedium = 1, kHigh = 2 };
enum class ArrivalKind : std::uint8_t { kPeriodic = 0, kClosedLoop = 1, kPoisson = 2 };
enum class ClientPath : std::uint8_t { kSync = 0, kAsync = 1 };

/// One client of a scenario. Times are nanoseconds since the common start, at which every client
/// has prepared its model.
struct ClientSpec {
    std::string name;
    std::uint32_t uid = 0;
    std::string model;        // as written, for reports
    std::string modelSource;  // for loadNetwork: paths are relative to the scenario file
    std::string modelPlace;   // "file:line" of it, for messages
    ClientPriority priority = ClientPriority::kMedium;
    ClientPath path = ClientPath::kSync;
    ArrivalKind arrival = ArrivalKind::kPeriodic;
    double rateHz = 0.0;            // periodic, poisson; 0 where the period is given
    std::uint64_t periodNs = 0;     // periodic; 0 where the rate is given
    std::uint64_t thinkNs = 0;      // closed loop: from an answer to the next question
    std::uint64_t phaseNs = 0;      // before the first arrival (poisson: before its clock starts)
    std::uint64_t deadlineNs = 0;   // after arrival; 0: none
    std::uint64_t count = 0;        // frames at most; 0: no limit
    std::vector<StatePair> states;  // kept by the device from frame to frame
    std::string statePlace;         // "file:line" of them, for messages
};

struct Scenario {
    std::string name;
    std::uint64_t durationNs = 0;  // arrivals happen in [0, durationNs)
    std::string config;            // as written
    std::string configSource;      // for loadConfig
    std::string configPlace;       // "file:line" of it, for messages
    std::uint64_t seed = 1;
    std::vector<ClientSpec> clients;
};

/// A shipped scenario by name ("default") or a TOML file by path. Throws InputError with file, line
/// and what was expected.
Scenario loadScenario(const std::string& nameOrPath);

/// As loadScenario, from TOML text; `file` stands in messages, and paths in it are relative to its
/// folder.
Scenario parseScenario(std::string_view text, const std::string& file);

std::string_view priorityName(ClientPriority priority);
std::string_view arrivalName(ArrivalKind arrival);
std::string_view pathName(ClientPath path);

}  // namespace vnpu::sim
