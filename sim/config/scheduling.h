// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "driver/api/scheduling.h"
#include "driver/api/strategy.h"
#include "firmware/api/scheduling.h"
#include "sim/config/strict_toml.h"

namespace vnpu::sim {

/// The [scheduling] table of a scenario, which overrides how the driver and the firmware share the
/// device; an empty field leaves their default. Names and meanings are those of
/// firmware/api/scheduling.h and driver/api/strategy.h.
struct SchedulingOptions {
    std::optional<driver::Strategy> strategy;
    std::optional<fw::Policy> policy;
    std::optional<fw::Mechanism> mechanism;
    std::optional<fw::Granularity> granularity;
    std::optional<std::array<double, 4>> quantumUs;  // by band, idle first; 0: no turns
    std::optional<std::array<double, 4>> graceUs;    // by band
    std::optional<double> starvationShare;           // of a busy device, for each lower band
    std::optional<double> periodUs;                  // tokens: between looks without an event
    std::optional<double> preemptTimeoutUs;          // 0: no limit
    std::optional<double> appSliceUs;                // how far one app may get ahead of another
    std::optional<double> checkpointUs;              // between a model's checkpoints; 0: none
    std::optional<bool> forced;                      // saves and restores at every checkpoint
    std::string place;                               // "file:line" of the table, for messages

    bool isDefault() const;
};

/// Reads the [scheduling] table strictly; throws InputError.
SchedulingOptions readScheduling(const toml::table& table, const std::string& file);

/// The fields that are set, in their order: "policy tokens, mechanism checkpoint, checkpoint_us
/// 50"; "default" if none is set.
std::string describeScheduling(const SchedulingOptions& options);

/// The driver's own settings, overridden by those of the table.
driver::SchedulingOptions driverScheduling(const SchedulingOptions& options,
                                           std::uint32_t clockKhz);

}  // namespace vnpu::sim
