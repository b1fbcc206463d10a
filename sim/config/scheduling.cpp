// SPDX-License-Identifier: Apache-2.0
#include "sim/config/scheduling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <vector>

#include "firmware/api/policies.h"

namespace vnpu::sim {

bool SchedulingOptions::isDefault() const {
    return describeScheduling(*this) == "default";
}

std::string describeScheduling(const SchedulingOptions& options) {
    std::vector<std::string> parts;
    const auto addWord = [&](const char* key, const auto& value, const auto& names) {
        if (value) {
            parts.push_back(fmt::format("{} {}", key, names[static_cast<std::size_t>(*value)]));
        }
    };
    const auto addNumber = [&](const char* key, const std::optional<double>& value) {
        if (value) {
            parts.push_back(fmt::format("{} {}", key, *value));
        }
    };
    const auto addBands = [&](const char* key, const std::optional<std::array<double, 4>>& value) {
        if (value) {
            parts.push_back(fmt::format("{} {}", key, fmt::join(*value, "/")));
        }
    };
    addWord("strategy", options.strategy, driver::kStrategyNames);
    if (options.policy) {
        parts.push_back(fmt::format("policy {}", fw::rowOf(*options.policy).name));
    }
    addWord("mechanism", options.mechanism, fw::kMechanismNames);
    addWord("granularity", options.granularity, fw::kGranularityNames);
    addBands("quantum_us", options.quantumUs);
    addBands("grace_us", options.graceUs);
    addNumber("starvation_share", options.starvationShare);
    addNumber("period_us", options.periodUs);
    addNumber("preempt_timeout_us", options.preemptTimeoutUs);
    addNumber("checkpoint_us", options.checkpointUs);
    if (options.forced) {
        parts.push_back(*options.forced ? "forced" : "not forced");
    }
    return parts.empty() ? "default" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace vnpu::sim
