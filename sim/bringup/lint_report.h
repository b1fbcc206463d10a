// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace vnpu::sim {

enum class LintRule : std::uint8_t {
#define VNPU_LINT_RULE(enumerator, name, sentence) enumerator,
#include "sim/bringup/lint_rules.def"
};

struct LintRuleRow {
    std::string_view name;
    std::string_view sentence;
};

/// All rules, in the order of the enumerators.
std::span<const LintRuleRow> lintRules();

/// Reports each mistake as one line and counts them by register and rule.
class LintReport {
  public:
    using Sink = std::function<void(const std::string& line)>;

    explicit LintReport(Sink sink) : sink_(std::move(sink)) {}

    /// `where` is the name of a register; `detail` has the values, may be empty. Lines of one rule
    /// and register beyond the third are only counted.
    void mistake(std::uint64_t time, LintRule rule, const std::string& where,
                 const std::string& detail = "");

    std::uint64_t count() const { return count_; }

    /// The counts by register and rule.
    void printSummary(std::uint64_t accesses) const;

  private:
    const Sink sink_;
    std::map<std::pair<std::string, LintRule>, std::uint64_t> counts_;
    std::uint64_t count_ = 0;
};

}  // namespace vnpu::sim
