// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "sim/base/error.h"
#include "sim/compare/baseline.h"
#include "sim/compare/number_text.h"

namespace vnpu::sim {

namespace {

ChangeVerdict verdictOfRise(Better better) {
    switch (better) {
        case Better::kLower:
        case Better::kSame:
            return ChangeVerdict::kRegression;
        case Better::kHigher:
            return ChangeVerdict::kImprovement;
        case Better::kNeither:
            break;
    }
    return ChangeVerdict::kChanged;
}

ChangeVerdict verdictOf(Better better, double before, double after) {
    if (after > before || better == Better::kSame) {
        return verdictOfRise(better);
    }
    return verdictOfRise(better == Better::kLower    ? Better::kHigher
                         : better == Better::kHigher ? Better::kLower
                                                     : better);
}

/// Words with an order are better if they rank higher; without one only their equality counts.
ChangeVerdict verdictOf(Better better, const std::string& before, const std::string& after) {
    const std::optional<int> rankBefore = rankOf(before), rankAfter = rankOf(after);
    if (better == Better::kHigher && rankBefore && rankAfter) {
        return *rankAfter < *rankBefore   ? ChangeVerdict::kRegression
               : *rankAfter > *rankBefore ? ChangeVerdict::kImprovement
                                          : ChangeVerdict::kChanged;
    }
    return better == Better::kSame ? ChangeVerdict::kRegression : ChangeVerdict::kChanged;
}

/// Compares the rows that both sets have.
class RowComparison {
  public:
    RowComparison(const ResultRow& before, const ResultRow& after, const CompareOptions& options,
                  Comparison& comparison)
        : before_(before), after_(after), options_(options), comparison_(comparison) {}

    void run() {
        for (const auto& [quantity, value] : before_.figures) {
            const auto found = after_.figures.find(quantity);
            if (found != after_.figures.end()) {
                compareNumbers(quantity, value, found->second);
            } else {
                addMissing(quantity, value, std::nullopt);
            }
        }
        for (const auto& [quantity, value] : after_.figures) {
            if (!before_.figures.contains(quantity) && !isLeftOut(quantity)) {
                addMissing(quantity, std::nullopt, value);
            }
        }
        for (const auto& [quantity, word] : before_.words) {
            const auto found = after_.words.find(quantity);
            compareWords(quantity, word, found == after_.words.end() ? "-" : found->second);
        }
        for (const auto& [quantity, word] : after_.words) {
            if (!before_.words.contains(quantity) && !isLeftOut(quantity)) {
                compareWords(quantity, "-", word);
            }
        }
    }

  private:
    bool isLeftOut(const std::string& quantity) const {
        return options_.isBaseline && quantityOf(quantity).better == Better::kNeither;
    }

    /// The change of a value that is compared now.
    Change changeOf(const std::string& quantity) {
        QuantityUse& use = comparison_.uses[{after_.kind, quantity}];
        if (use.values++ == 0) {
            use.tolerance = options_.tolerances.of(after_.kind, quantity);
            use.place = options_.tolerances.placeOf(after_.kind, quantity);
        }
        return {.kind = after_.kind,
                .row = after_.name,
                .quantity = quantity,
                .tolerance = use.tolerance,
                .note = after_.note};
    }

    void compareNumbers(const std::string& quantity, double before, double after) {
        ++comparison_.figures;
        Change change = changeOf(quantity);
        // The number of a run is exact, but its text in a file may be rounded in the last digit.
        const double allowed = change.tolerance.allowed(before) + 1e-12 * std::abs(before);
        if (change.tolerance.isAny || !(std::abs(after - before) > allowed)) {
            return;
        }
        change.verdict = verdictOf(quantityOf(quantity).better, before, after);
        change.before = before;
        change.after = after;
        comparison_.changes.push_back(std::move(change));
    }

    /// A number that only one side has, such as a latency where no execution was done.
    void addMissing(const std::string& quantity, std::optional<double> before,
                    std::optional<double> after) {
        Change change = changeOf(quantity);
        if (change.tolerance.isAny) {
            return;
        }
        change.before = before;
        change.after = after;
        comparison_.changes.push_back(std::move(change));
    }

    void compareWords(const std::string& quantity, const std::string& before,
                      const std::string& after) {
        ++comparison_.figures;
        Change change = changeOf(quantity);
        if (before == after || change.tolerance.isAny) {
            return;
        }
        change.verdict = verdictOf(quantityOf(quantity).better, before, after);
        change.wordBefore = before;
        change.wordAfter = after;
        comparison_.changes.push_back(std::move(change));
    }

    const ResultRow& before_;
    const ResultRow& after_;
    const CompareOptions& options_;
    Comparison& comparison_;
};

/// Regressions first; within a verdict words, then the largest relative change.
bool isWorse(const Change& a, const Change& b) {
    const auto key = [](const Change& change) {
        const std::optional<double> relative = change.relative();
        return std::tuple(change.verdict, relative ? -std::abs(*relative)
                                                   : -std::numeric_limits<double>::infinity());
    };
    return key(a) < key(b);
}

/// Whether a quantity, or "KIND.QUANTITY", is in the results.
bool holds(const ResultSet& results, std::string_view name) {
    const auto isIn = [&](const ResultRow& row) {
        const auto has = [&](const std::string& quantity) {
            return row.figures.contains(quantity) || row.words.contains(quantity);
        };
        return has(std::string(name)) || (name.starts_with(row.kind + ".") &&
                                          has(std::string(name.substr(row.kind.size() + 1))));
    };
    return std::any_of(results.rows.begin(), results.rows.end(), isIn);
}

/// A case that did not exist before is a regression if it fails.
bool isBadRow(const ResultRow& row) {
    return std::any_of(row.words.begin(), row.words.end(), [](const auto& entry) {
        return rankOf(entry.second) == 0 && quantityOf(entry.first).better == Better::kHigher;
    });
}

}  // namespace

std::optional<double> Change::relative() const {
    if (!before || !after) {
        return std::nullopt;
    }
    if (*before == 0.0) {
        return std::copysign(std::numeric_limits<double>::infinity(), *after);
    }
    return (*after - *before) / std::abs(*before);
}

std::string Change::text() const {
    std::string out = fmt::format("{} {} -> {} (", quantity, valueText(before, wordBefore),
                                  valueText(after, wordAfter));
    if (const std::optional<double> change = relative()) {
        out += relativeText(*change) + ", ";
    }
    out += fmt::format("allowed {})", tolerance.text());
    return note.empty() ? out : out + ": " + note;
}

std::size_t Comparison::count(ChangeVerdict verdict) const {
    return static_cast<std::size_t>(
            std::count_if(changes.begin(), changes.end(),
                          [&](const Change& change) { return change.verdict == verdict; }));
}

Comparison compareResults(const ResultSet& before, const ResultSet& after,
                          const CompareOptions& options) {
    if (before.kind != after.kind) {
        throw InputError(
                fmt::format("{} has results of kind {} and {} of kind {}, expected one "
                            "kind",
                            before.source, before.kind, after.source, after.kind));
    }
    options.tolerances.checkNames(
            [&](std::string_view name) { return holds(before, name) || holds(after, name); });
    Comparison comparison{.kind = after.kind,
                          .subjectBefore = before.subject,
                          .subjectAfter = after.subject,
                          .sourceBefore = before.source,
                          .sourceAfter = after.source,
                          .isStrict = options.isStrict};
    std::map<std::pair<std::string, std::string>, const ResultRow*> known;
    for (const ResultRow& row : after.rows) {
        known[{row.kind, row.name}] = &row;
    }
    for (const ResultRow& row : before.rows) {
        const auto found = known.find({row.kind, row.name});
        if (found == known.end()) {
            comparison.removed.push_back(row);
            continue;
        }
        comparison.rows.push_back({.suite = row.kind, .name = row.name});
        RowComparison(row, *found->second, options, comparison).run();
        known.erase(found);
    }
    for (const ResultRow& row : after.rows) {
        if (known.contains({row.kind, row.name}) && (!options.isBaseline || isInBaseline(row))) {
            comparison.added.push_back(row);
        }
    }
    std::stable_sort(comparison.changes.begin(), comparison.changes.end(), isWorse);
    return comparison;
}

std::vector<CaseOutcome> casesOf(const Comparison& comparison) {
    std::map<CaseName, std::string> regressions;
    for (const Change& change : comparison.changes) {
        if (change.verdict == ChangeVerdict::kRegression) {
            std::string& text = regressions[{.suite = change.kind, .name = change.row}];
            text += (text.empty() ? "" : "\n") + change.text();
        }
    }
    std::vector<CaseOutcome> cases;
    const auto add = [&](const CaseName& name, const std::string& failure) {
        cases.push_back({.name = name,
                         .result = failure.empty() ? CaseResult::kPassed : CaseResult::kFailed,
                         .message = failure});
    };
    for (const CaseName& name : comparison.rows) {
        const auto found = regressions.find(name);
        add(name, found == regressions.end() ? "" : found->second);
    }
    for (const ResultRow& row : comparison.added) {
        add({.suite = row.kind, .name = row.name},
            isBadRow(row)         ? fmt::format("was added and fails: {}", row.note)
            : comparison.isStrict ? "was added"
                                  : "");
    }
    for (const ResultRow& row : comparison.removed) {
        add({.suite = row.kind, .name = row.name}, comparison.isStrict ? "was removed" : "");
    }
    return cases;
}

}  // namespace vnpu::sim
