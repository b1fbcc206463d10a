// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/scheduling_handover.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "sim/error.h"

namespace vnpu::sim {

namespace {

/// What the firmware does without parameters: the highest band first, no preemption, no turns
/// within a job.
bool isAsItComes(const SchedulingOptions& options) {
    const auto isNone = [](const std::optional<double>& value) {
        return value.value_or(0.0) == 0.0;
    };
    const auto areNone = [](const std::optional<std::array<double, 4>>& values) {
        return !values || std::all_of(values->begin(), values->end(),
                                      [](double value) { return value == 0.0; });
    };
    return options.strategy.value_or(SchedulingStrategy::kDevice) == SchedulingStrategy::kDevice &&
           options.policy.value_or(fw::Policy::kBands) == fw::Policy::kBands &&
           options.mechanism.value_or(fw::Mechanism::kNone) == fw::Mechanism::kNone &&
           areNone(options.quantumUs) && areNone(options.graceUs) &&
           isNone(options.starvationShare) && isNone(options.checkpointUs) &&
           !options.forced.value_or(false);
}

}  // namespace

void handOver(const SchedulingOptions& scheduling, driver::DriverOptions& /*options*/) {
    if (!isAsItComes(scheduling)) {
        throw InputError(
                fmt::format("{}: scheduling is {}, expected policy bands, mechanism none: "
                            "this driver offers no other",
                            scheduling.place, describeScheduling(scheduling)));
    }
}

}  // namespace vnpu::sim
