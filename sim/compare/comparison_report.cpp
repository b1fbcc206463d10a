// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/json_text.h"
#include "sim/base/legend.h"
#include "sim/base/text_table.h"
#include "sim/compare/number_text.h"

namespace vnpu::sim {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kNameWidth = 36;      // chosen: the table then has at most 120 columns
constexpr std::size_t kQuantityWidth = 20;  // likewise
constexpr std::size_t kValueWidth = 10;     // likewise
constexpr std::size_t kShownRows = 10;      // chosen: of the rows that were added or removed

/// The text, shortened in its middle.
std::string shortened(const std::string& text, std::size_t width) {
    constexpr std::string_view kGap = "...";
    if (text.size() <= width) {
        return text;
    }
    const std::size_t head = (width - kGap.size()) / 2;
    const std::size_t tail = width - kGap.size() - head;
    return text.substr(0, head) + std::string(kGap) + text.substr(text.size() - tail);
}

std::string cellOf(std::optional<double> number, const std::string& word) {
    return shortened(valueText(number, word), kValueWidth);
}

std::string changesTable(const Comparison& comparison, std::size_t most,
                         std::set<std::string>& shown) {
    TextTable table({"verdict", "what", "quantity"}, {"before", "after", "change"}, {"allowed"});
    std::size_t counts[3] = {};
    for (const Change& change : comparison.changes) {
        if (counts[static_cast<std::size_t>(change.verdict)]++ >= most) {
            continue;
        }
        const std::optional<double> relative = change.relative();
        table.add(nameOf(change.verdict), shortened(change.kind + " " + change.row, kNameWidth),
                  shortened(change.quantity, kQuantityWidth),
                  cellOf(change.before, change.wordBefore), cellOf(change.after, change.wordAfter),
                  relative ? relativeText(*relative) : "-", change.tolerance.text());
        shown.insert(change.quantity);
    }
    std::string text = shown.empty() ? "" : table.text();
    for (std::size_t i = 0; i < std::size(counts); ++i) {
        if (counts[i] > most) {
            text += fmt::format("... and {} more: {}\n", counts[i] - most,
                                nameOf(static_cast<ChangeVerdict>(i)));
        }
    }
    return text;
}

/// What the rows with regressions say of themselves, such as the message of a failed case.
std::string notesText(const Comparison& comparison, std::size_t most) {
    std::string text;
    std::set<std::string> told;  // a row may have several changes
    for (const Change& change : comparison.changes) {
        const std::string line = fmt::format("{} {}: {}\n", change.kind, change.row, change.note);
        if (change.verdict == ChangeVerdict::kRegression && !change.note.empty() &&
            told.size() < most && told.insert(line).second) {
            text += line;
        }
    }
    return text.empty() ? "" : "\n" + text;
}

std::string rowsText(const char* what, const std::vector<ResultRow>& rows, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) {
        text += fmt::format("{}: {}\n", what, shortened(rows[i].text(), 100));
    }
    if (rows.size() > most) {
        text += fmt::format("{}: {} more\n", what, rows.size() - most);
    }
    return text;
}

std::string legend(const std::set<std::string>& shown) {
    std::vector<LegendEntry> entries;
    for (const std::string& name : shown) {
        const Quantity quantity = quantityOf(name);
        if (quantity.better != Better::kNeither) {
            entries.push_back({name, fmt::format("{}; {}", quantity.meaning,
                                                 directionText(quantity.better))});
        }
    }
    return entries.empty() ? "" : "\nquantities\n" + legendText(entries);
}

OrderedJson valueJson(std::optional<double> number, const std::string& word) {
    return number ? OrderedJson(*number) : word.empty() ? OrderedJson(nullptr) : OrderedJson(word);
}

OrderedJson rowsJson(const std::vector<ResultRow>& rows) {
    OrderedJson list = OrderedJson::array();
    for (const ResultRow& row : rows) {
        list.push_back({{"kind", row.kind}, {"row", row.name}});
    }
    return list;
}

OrderedJson changeJson(const Change& change) {
    constexpr const char* kVerdicts[] = {"regression", "improvement", "changed"};
    OrderedJson json = {{"verdict", kVerdicts[static_cast<std::size_t>(change.verdict)]},
                        {"kind", change.kind},
                        {"row", change.row},
                        {"quantity", change.quantity},
                        {"before", valueJson(change.before, change.wordBefore)},
                        {"after", valueJson(change.after, change.wordAfter)},
                        {"tolerance", change.tolerance.text()}};
    if (!change.note.empty()) {
        json["note"] = change.note;
    }
    return json;
}

}  // namespace

std::string comparisonText(const Comparison& comparison, std::size_t most) {
    std::string text = fmt::format("{} {}: {} -> {}\n", comparison.kind, comparison.subjectAfter,
                                   comparison.sourceBefore, comparison.sourceAfter);
    if (comparison.subjectBefore != comparison.subjectAfter) {
        text += fmt::format("before it was {}\n", comparison.subjectBefore);
    }
    std::set<std::string> shown;
    text += "\n" + changesTable(comparison, most, shown);
    text += notesText(comparison, std::min(most, kShownRows));
    text += rowsText("added", comparison.added, std::min(most, kShownRows));
    text += rowsText("removed", comparison.removed, std::min(most, kShownRows));
    text += fmt::format(
            "{}{} regressions, {} improvements, {} changes without a direction; {} figures of {} "
            "rows, {} rows added, {} removed\n",
            shown.empty() ? "" : "\n", comparison.count(ChangeVerdict::kRegression),
            comparison.count(ChangeVerdict::kImprovement),
            comparison.count(ChangeVerdict::kChanged), comparison.figures, comparison.rows.size(),
            comparison.added.size(), comparison.removed.size());
    return text + legend(shown);
}

std::string comparisonJson(const Comparison& comparison) {
    OrderedJson json = {
            {"format", 1},  // rises when a key changes its meaning
            {"kind", comparison.kind},
            {"before",
             {{"source", comparison.sourceBefore}, {"subject", comparison.subjectBefore}}},
            {"after", {{"source", comparison.sourceAfter}, {"subject", comparison.subjectAfter}}},
            {"regressions", comparison.count(ChangeVerdict::kRegression)},
            {"improvements", comparison.count(ChangeVerdict::kImprovement)},
            {"rows", comparison.rows.size()},
            {"figures", comparison.figures},
            {"changes", OrderedJson::array()},
            {"added", rowsJson(comparison.added)},
            {"removed", rowsJson(comparison.removed)}};
    for (const Change& change : comparison.changes) {
        json["changes"].push_back(changeJson(change));
    }
    return jsonText(json, 2) + "\n";
}

}  // namespace vnpu::sim
