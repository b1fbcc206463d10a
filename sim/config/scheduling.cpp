// SPDX-License-Identifier: Apache-2.0
#include "sim/config/scheduling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <vector>

namespace vnpu::sim {

bool SchedulingOptions::isDefault() const {
    return describeScheduling(*this) == "default";
}

const std::vector<std::string>& strategyWords() {
    static const std::vector<std::string> words = {"device", "queue"};
    return words;
}

std::string_view strategyName(SchedulingStrategy strategy) {
    return strategyWords()[static_cast<std::size_t>(strategy)];
}

const std::vector<std::string>& policyWords() {
    static const std::vector<std::string> words = {
            "bands",  "first_come",        "round_robin", "shortest_first",
            "tokens", "earliest_deadline", "least_laxity"};
    return words;
}

std::string_view policyName(fw::Policy policy) {
    return policyWords()[static_cast<std::size_t>(policy)];
}

const std::vector<std::string>& mechanismWords() {
    static const std::vector<std::string> words = {"none", "checkpoint", "restart", "dynamic"};
    return words;
}

std::string_view mechanismName(fw::Mechanism mechanism) {
    return mechanismWords()[static_cast<std::size_t>(mechanism)];
}

const std::vector<std::string>& granularityWords() {
    static const std::vector<std::string> words = {"tile", "operation"};
    return words;
}

std::string_view granularityName(fw::Granularity granularity) {
    return granularityWords()[static_cast<std::size_t>(granularity)];
}

std::string describeScheduling(const SchedulingOptions& options) {
    std::vector<std::string> parts;
    const auto addWord = [&](const char* key, const auto& value, auto name) {
        if (value) {
            parts.push_back(fmt::format("{} {}", key, name(*value)));
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
    addWord("strategy", options.strategy, strategyName);
    addWord("policy", options.policy, policyName);
    addWord("mechanism", options.mechanism, mechanismName);
    addWord("granularity", options.granularity, granularityName);
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
