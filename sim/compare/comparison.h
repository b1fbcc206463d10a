// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/ci/case_outcome.h"
#include "sim/compare/quantity.h"
#include "sim/compare/result_set.h"

namespace vnpu::sim {

enum class ChangeVerdict : std::uint8_t {
    kRegression,
    kImprovement,
    kChanged,  // of a quantity without a direction
};

constexpr const char* nameOf(ChangeVerdict verdict) {
    constexpr const char* kNames[] = {"REGRESSION", "improvement", "changed"};
    return kNames[static_cast<std::size_t>(verdict)];
}

/// A quantity of a row that changed by more than its tolerance. A number that one side lacks is
/// empty there; words have no numbers.
struct Change {
    ChangeVerdict verdict = ChangeVerdict::kChanged;
    std::string kind{}, row{}, quantity{};
    std::optional<double> before{}, after{};
    std::string wordBefore{}, wordAfter{};
    Tolerance tolerance{};
    std::string note{};  // of the row after the change: the message of a case

    /// after / before - 1; nothing for words, and infinite from 0 on.
    std::optional<double> relative() const;
    /// "cycles 12345 -> 13580 (+10.0 %, allowed 1 % + 50)", with the note.
    std::string text() const;
};

/// How a quantity of a kind of rows was compared.
struct QuantityUse {
    Tolerance tolerance{};
    std::string place{};     // where the tolerance was given, or "default"
    std::size_t values = 0;  // of rows that both sets have, also if only one has the value
};

/// Two sets of results, row by row.
struct Comparison {
    std::string kind{}, subjectBefore{}, subjectAfter{}, sourceBefore{}, sourceAfter{};
    std::vector<Change> changes{};  // regressions, then improvements, then others; worst first
    std::vector<ResultRow> added{}, removed{};
    std::vector<CaseName> rows{};  // that both have, by kind and name
    std::map<std::pair<std::string, std::string>, QuantityUse> uses{};  // by kind and quantity
    std::size_t figures = 0;  // numbers and words of both that were compared
    bool isStrict = false;    // rows that were added or removed are regressions

    std::size_t count(ChangeVerdict verdict) const;
};

struct CompareOptions {
    Tolerances tolerances{};
    bool isStrict = false;
    /// The set before is a baseline, which leaves out quantities without a direction.
    bool isBaseline = false;
};

/// Compares results of one kind. Throws InputError for two kinds, and for a tolerance of a quantity
/// that neither has.
Comparison compareResults(const ResultSet& before, const ResultSet& after,
                          const CompareOptions& options);

/// Each row as a case, which fails if it has a regression; added and removed rows, too.
std::vector<CaseOutcome> casesOf(const Comparison& comparison);

}  // namespace vnpu::sim
