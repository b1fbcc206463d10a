// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/lint_report.h"

#include <fmt/format.h>

#include "sim/bringup/register_text.h"

namespace vnpu::sim {

namespace {

constexpr std::uint64_t kMostLines = 3;  // chosen: enough to see a pattern

constexpr LintRuleRow kRules[] = {
#define VNPU_LINT_RULE(enumerator, name, sentence) {name, sentence},
#include "sim/bringup/lint_rules.def"
};

const LintRuleRow& lintRowOf(LintRule rule) {
    return kRules[static_cast<std::size_t>(rule)];
}

}  // namespace

std::span<const LintRuleRow> lintRules() {
    return kRules;
}

void LintReport::mistake(std::uint64_t time, LintRule rule, const std::string& where,
                         const std::string& detail) {
    ++count_;
    const std::uint64_t times = ++counts_[{where, rule}];
    if (times <= kMostLines) {
        const LintRuleRow& row = lintRowOf(rule);
        sink_(fmt::format("lint: {}: {}: {}: {}{}{}", timeText(time), where, row.name, row.sentence,
                          detail.empty() ? "" : fmt::format(" ({})", detail),
                          times == kMostLines ? "; further ones are only counted" : ""));
    }
}

void LintReport::printSummary(std::uint64_t accesses) const {
    sink_(fmt::format("lint: {} {} in {} register accesses", count_,
                      count_ == 1 ? "mistake" : "mistakes", accesses));
    for (const auto& [key, times] : counts_) {
        sink_(fmt::format("lint: {}: {}: {}", key.first, lintRowOf(key.second).name, times));
    }
}

}  // namespace vnpu::sim
