// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/api/scheduling.h"

namespace vnpu::sim {

/// Where jobs wait for their turn.
enum class SchedulingStrategy : std::uint8_t {
    kDevice = 0,  // the priorities are carried to the device, whose firmware chooses
    kQueue = 1,   // a queue per UID in the driver, one job at a time on the device
};

/// The [scheduling] table of a scenario: what it overrides of how the driver and the firmware share
/// the device. Empty: as they come. Names and meanings are those of firmware/api/scheduling.h.
struct SchedulingOptions {
    std::optional<SchedulingStrategy> strategy;
    std::optional<fw::Policy> policy;
    std::optional<fw::Mechanism> mechanism;
    std::optional<fw::Granularity> granularity;
    std::optional<std::array<double, 4>> quantumUs;  // by band, idle first; 0: no turns
    std::optional<std::array<double, 4>> graceUs;    // by band
    std::optional<double> starvationShare;           // of a busy device, for each lower band
    std::optional<double> periodUs;                  // tokens: between looks without an event
    std::optional<double> preemptTimeoutUs;          // 0: waits for as long as it takes
    std::optional<double> checkpointUs;              // between a model's checkpoints; 0: none
    std::optional<bool> forced;                      // saves and restores at every checkpoint
    std::string place;                               // "file:line" of the table, for messages

    bool isDefault() const;
};

/// The words of the table's keys, in the order of the enumerators.
const std::vector<std::string>& strategyWords();
const std::vector<std::string>& policyWords();
const std::vector<std::string>& mechanismWords();
const std::vector<std::string>& granularityWords();

std::string_view strategyName(SchedulingStrategy strategy);
std::string_view policyName(fw::Policy policy);
std::string_view mechanismName(fw::Mechanism mechanism);
std::string_view granularityName(fw::Granularity granularity);

/// "policy tokens, mechanism checkpoint, checkpoint_us 50": what is set, in the order of the
/// fields; "default" where nothing is.
std::string describeScheduling(const SchedulingOptions& options);

}  // namespace vnpu::sim
