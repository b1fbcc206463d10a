// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/comparison_page.h"

#include <cmath>
#include <map>
#include <utility>

#include "sim/report/html/html_page.h"

namespace vnpu::sim {

namespace {

using PageJson = nlohmann::ordered_json;

/// Whether a quantity is an input of the run, as opposed to a result.
bool isSetting(const Change& change) {
    return change.kind == "config" || (change.kind == "run" && change.quantity == "seed") ||
           (change.kind == "client" && change.quantity == "model");
}

PageJson valueOf(std::optional<double> number, const std::string& word) {
    return number ? PageJson(*number) : word.empty() ? PageJson(nullptr) : PageJson(word);
}

PageJson changeRow(const Change& change) {
    const std::optional<double> relative = change.relative();
    return {{"verdict", nameOf(change.verdict)},
            {"kind", change.kind},
            {"row", change.row},
            {"quantity", change.quantity},
            {"before", valueOf(change.before, change.wordBefore)},
            {"after", valueOf(change.after, change.wordAfter)},
            {"relative",
             relative && std::isfinite(*relative) ? PageJson(*relative) : PageJson(nullptr)},
            {"is_from_zero", relative && std::isinf(*relative)},
            {"allowed", change.tolerance.text()},
            {"note", change.note}};
}

PageJson rowsOf(const char* what, const std::vector<ResultRow>& rows) {
    PageJson list = PageJson::array();
    for (const ResultRow& row : rows) {
        PageJson values = PageJson::object();
        for (const auto& [quantity, word] : row.words) {
            values[quantity] = word;
        }
        for (const auto& [quantity, figure] : row.figures) {
            values[quantity] = figure;
        }
        list.push_back({{"what", what},
                        {"kind", row.kind},
                        {"row", row.name},
                        {"values", values},
                        {"note", row.note}});
    }
    return list;
}

/// Each quantity with its tolerance, and how many of its values changed with each verdict.
PageJson quantityRows(const Comparison& comparison) {
    std::map<std::pair<std::string, std::string>, std::map<ChangeVerdict, std::size_t>> counts;
    for (const Change& change : comparison.changes) {
        ++counts[{change.kind, change.quantity}][change.verdict];
    }
    PageJson list = PageJson::array();
    for (const auto& [key, use] : comparison.uses) {
        const auto& [kind, name] = key;
        if (kind == "config") {
            continue;  // of which only the differences are shown
        }
        const Quantity quantity = quantityOf(name);
        auto& count = counts[key];
        list.push_back({{"kind", kind},
                        {"quantity", name},
                        {"better", directionText(quantity.better)},
                        {"allowed", use.tolerance.text()},
                        {"place", use.place},
                        {"values", use.values},
                        {"regressions", count[ChangeVerdict::kRegression]},
                        {"improvements", count[ChangeVerdict::kImprovement]},
                        {"changed", count[ChangeVerdict::kChanged]},
                        {"meaning", quantity.meaning}});
    }
    return list;
}

}  // namespace

PageJson comparisonPageData(const Comparison& comparison) {
    PageJson data;
    data["kind"] = "compare";
    data["results"] = comparison.kind;
    data["before"] = {{"source", comparison.sourceBefore}, {"subject", comparison.subjectBefore}};
    data["after"] = {{"source", comparison.sourceAfter}, {"subject", comparison.subjectAfter}};
    data["is_strict"] = comparison.isStrict;
    data["rows"] = comparison.rows.size();
    data["figures"] = comparison.figures;
    data["changes"] = PageJson::array();
    data["settings"] = PageJson::array();
    for (const Change& change : comparison.changes) {
        data[isSetting(change) ? "settings" : "changes"].push_back(changeRow(change));
    }
    data["added"] = rowsOf("added", comparison.added);
    data["removed"] = rowsOf("removed", comparison.removed);
    data["quantities"] = quantityRows(comparison);
    return data;
}

std::string comparisonPage(const Comparison& comparison) {
    return htmlPage("vnpu compare: " + (comparison.subjectAfter.empty() ? comparison.kind
                                                                        : comparison.subjectAfter),
                    comparisonPageData(comparison));
}

}  // namespace vnpu::sim
