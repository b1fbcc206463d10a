// SPDX-License-Identifier: Apache-2.0
#include "sim/config/driver_scheduling.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace vnpu::sim {
namespace {

std::uint64_t toCycles(double microseconds, std::uint32_t clockKhz) {
    return static_cast<std::uint64_t>(std::llround(microseconds * clockKhz / 1000.0));
}

template <typename Value>
void replace(Value& value, const std::optional<Value>& other) {
    value = other.value_or(value);
}

}  // namespace

driver::SchedulingOptions driverScheduling(const SchedulingOptions& options,
                                           std::uint32_t clockKhz) {
    driver::SchedulingOptions result;
    replace(result.strategy, options.strategy);
    replace(result.policy, options.policy);
    replace(result.mechanism, options.mechanism);
    replace(result.granularity, options.granularity);
    replace(result.isForced, options.forced);
    if (options.starvationShare) {
        result.starvationPermille =
                static_cast<std::uint32_t>(std::lround(*options.starvationShare * 1000));
    }
    const auto replaceTimes = [&](std::array<std::uint64_t, 4>& cycles,
                                  const std::optional<std::array<double, 4>>& microseconds) {
        for (std::size_t band = 0; microseconds && band < cycles.size(); ++band) {
            cycles[band] = toCycles((*microseconds)[band], clockKhz);
        }
    };
    const auto replaceTime = [&](std::uint64_t& cycles, const std::optional<double>& microseconds) {
        cycles = microseconds ? toCycles(*microseconds, clockKhz) : cycles;
    };
    replaceTimes(result.quantumCycles, options.quantumUs);
    replaceTimes(result.graceCycles, options.graceUs);
    replaceTime(result.periodCycles, options.periodUs);
    replaceTime(result.preemptTimeoutCycles, options.preemptTimeoutUs);
    replaceTime(result.checkpointCycles, options.checkpointUs);
    return result;
}

}  // namespace vnpu::sim
