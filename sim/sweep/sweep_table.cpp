// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/json_text.h"
#include "sim/base/legend.h"
#include "sim/base/text_table.h"
#include "sim/metrics/figure_meanings.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

void add(Aggregate& sum, double value) {
    sum.least = sum.count == 0 ? value : std::min(sum.least, value);
    sum.most = sum.count == 0 ? value : std::max(sum.most, value);
    sum.mean += (value - sum.mean) / static_cast<double>(sum.count + 1);
    ++sum.count;
}

void addRatios(const Sweep& sweep, std::vector<AggregatedRow>& rows) {
    std::map<std::size_t, std::map<std::string, double>> means;
    for (const AggregatedRow& row : rows) {
        for (const auto& [name, figure] : row.figures) {
            means[row.row][name] = figure.mean;
        }
    }
    for (AggregatedRow& row : rows) {
        const std::optional<std::size_t> baseline = sweep.rows[row.row].baseline;
        if (!baseline || means.count(*baseline) == 0) {
            continue;
        }
        for (auto& [name, figure] : row.figures) {
            const auto base = means[*baseline].find(name);
            if (base != means[*baseline].end() && base->second != 0.0) {
                figure.ratio = figure.mean / base->second;
            }
        }
    }
}

bool hasBaseline(const Sweep& sweep) {
    return !sweep.rows.empty() && sweep.rows.front().baseline.has_value();
}

std::string numberText(double value) {
    return fmt::format("{:.4g}", value);
}

/// For programs: with enough digits to read back the same number.
std::string exactText(double value) {
    return fmt::format("{}", value);
}

/// The cells of one figure: the mean, the range if there are several seeds, the ratio if there is a
/// baseline.
void appendCells(const Sweep& sweep, const Aggregate* figure, std::vector<std::string>& cells) {
    const bool isThere = figure != nullptr;
    cells.push_back(isThere ? numberText(figure->mean) : "-");
    if (sweep.seeds.size() > 1) {
        cells.push_back(
                isThere ? fmt::format("{}..{}", numberText(figure->least), numberText(figure->most))
                        : "-");
    }
    if (hasBaseline(sweep)) {
        cells.push_back(isThere && figure->ratio ? fmt::format("x{:.3g}", *figure->ratio) : "-");
    }
}

const Aggregate* findFigure(const AggregatedRow& row, const std::string& name) {
    const auto found = row.figures.find(name);
    return found == row.figures.end() ? nullptr : &found->second;
}

std::string failureLines(const Sweep& sweep, const std::vector<AggregatedRow>& rows) {
    std::string out;
    for (const AggregatedRow& row : rows) {
        // The seeds of a row mostly fail for the same reason, so each reason has one line.
        std::map<std::string, std::vector<std::uint64_t>> reasons;
        for (const SweepFailure& failure : row.failures) {
            reasons[failure.error].push_back(failure.seed);
        }
        for (const auto& [reason, seeds] : reasons) {
            out += fmt::format("  {} seed {}: {}\n", sweep.rows[row.row].describe(sweep.axes),
                               fmt::join(seeds, ", "), reason);
        }
    }
    return out.empty() ? "" : "\nfailed\n" + out;
}

Json numberOrNull(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json rowJson(const Sweep& sweep, const AggregatedRow& row) {
    Json json;
    json["labels"] = Json::object();
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        json["labels"][sweep.axes[i]] = sweep.rows[row.row].labels[i];
    }
    json["points"] = row.pointCount;
    json["failures"] = Json::array();
    for (const SweepFailure& failure : row.failures) {
        json["failures"].push_back({{"seed", failure.seed}, {"error", failure.error}});
    }
    json["figures"] = Json::object();
    for (const auto& [name, figure] : row.figures) {
        json["figures"][name] = {{"mean", figure.mean},
                                 {"min", figure.least},
                                 {"max", figure.most},
                                 {"seeds", figure.count},
                                 {"ratio", numberOrNull(figure.ratio)}};
    }
    return json;
}

}  // namespace

std::vector<AggregatedRow> aggregate(const Sweep& sweep, const SweepOutcome& outcome) {
    std::map<std::size_t, AggregatedRow> rows;
    for (const SweepPoint& point : outcome.points) {
        if (!point.isDone) {
            continue;
        }
        AggregatedRow& row = rows[point.row];
        row.row = point.row;
        if (!point.answer.error.empty()) {
            row.failures.push_back({point.seed, point.answer.error});
            continue;
        }
        if (point.answer.failedExecutions != 0) {
            row.failures.push_back(
                    {point.seed,
                     fmt::format("{} executions failed or gave other outputs, the rest is "
                                 "in the table; {}",
                                 point.answer.failedExecutions, point.answer.failure)});
        }
        ++row.pointCount;
        for (const Figure& figure : point.answer.figures) {
            if (figure.value) {
                add(row.figures[figure.name], *figure.value);
            }
        }
    }
    std::vector<AggregatedRow> list;
    list.reserve(rows.size());
    for (auto& [index, row] : rows) {
        list.push_back(std::move(row));
    }
    addRatios(sweep, list);
    return list;
}

std::vector<CaseOutcome> casesOf(const Sweep& sweep, const SweepOutcome& outcome) {
    std::map<std::size_t, CaseOutcome> cases;
    for (const SweepPoint& point : outcome.points) {
        const auto [found, isNew] = cases.try_emplace(point.row);
        CaseOutcome& row = found->second;
        row.name = caseNameOf(sweep, point.row);
        if (!point.isDone && row.result == CaseResult::kPassed) {
            row.result = CaseResult::kSkipped;
            row.message = "not all of its points were run";
        }
    }
    for (const AggregatedRow& row : aggregate(sweep, outcome)) {
        CaseOutcome& one = cases.at(row.row);
        for (const std::string& column : sweep.columns) {
            if (const Aggregate* figure = findFigure(row, column)) {
                one.figures.emplace_back(column, exactText(figure->mean));
            }
        }
        if (!row.failures.empty()) {
            one.result = CaseResult::kFailed;
            one.message = fmt::format("{} of {} points failed; seed {}: {}", row.failures.size(),
                                      sweep.seeds.size(), row.failures.front().seed,
                                      row.failures.front().error);
        }
    }
    std::vector<CaseOutcome> list;
    for (auto& [index, one] : cases) {
        list.push_back(std::move(one));
    }
    return list;
}

std::string sweepText(const Sweep& sweep, const SweepOutcome& outcome) {
    const std::vector<AggregatedRow> rows = aggregate(sweep, outcome);
    TextTable table;
    for (const std::string& axis : sweep.axes) {
        table.addColumn(axis, TextTable::Align::kLeft);
    }
    table.addColumn("seeds");
    for (const std::string& column : sweep.columns) {
        table.addColumn(column);
        if (sweep.seeds.size() > 1) {
            table.addColumn("range");
        }
        if (hasBaseline(sweep)) {
            table.addColumn("of base");
        }
    }
    for (const AggregatedRow& row : rows) {
        std::vector<std::string> cells = sweep.rows[row.row].labels;
        cells.push_back(fmt::format("{}", row.pointCount));
        for (const std::string& column : sweep.columns) {
            appendCells(sweep, findFigure(row, column), cells);
        }
        table.addRow(std::move(cells));
    }
    return table.text() + failureLines(sweep, rows);
}

std::string sweepLegend(const Sweep& sweep) {
    std::vector<LegendEntry> entries = {
            {"seeds", "points of the row that were run without an error"}};
    for (const std::string& column : sweep.columns) {
        const std::string_view meaning = figureMeaning(column);
        const std::size_t part = column.find_first_of(".[@");
        if (!meaning.empty()) {
            entries.push_back({column, fmt::format("{}{}", meaning,
                                                   part == std::string::npos ? ""
                                                   : column[part] == '.'     ? "; of this priority"
                                                   : column[part] == '@'     ? "; of this app"
                                                                         : "; of this client")});
        }
    }
    if (sweep.seeds.size() > 1) {
        entries.push_back(
                {"range", "least and largest value of the seeds; the figure before is their mean"});
    }
    if (hasBaseline(sweep)) {
        entries.push_back({"of base", "the mean over that of the baseline's row"});
    }
    return "\n" + legendText(entries);
}

std::string sweepCsv(const Sweep& sweep, const SweepOutcome& outcome) {
    std::vector<std::string> cells = sweep.axes;
    cells.emplace_back("seeds");
    for (const std::string& column : sweep.columns) {
        for (const char* part : {"mean", "min", "max", "ratio"}) {
            cells.push_back(fmt::format("{}_{}", column, part));
        }
    }
    std::string out = csvLine(cells);
    for (const AggregatedRow& row : aggregate(sweep, outcome)) {
        cells = sweep.rows[row.row].labels;
        cells.push_back(fmt::format("{}", row.pointCount));
        for (const std::string& column : sweep.columns) {
            const Aggregate* figure = findFigure(row, column);
            const bool isThere = figure != nullptr;
            cells.push_back(isThere ? exactText(figure->mean) : "");
            cells.push_back(isThere ? exactText(figure->least) : "");
            cells.push_back(isThere ? exactText(figure->most) : "");
            cells.push_back(isThere && figure->ratio ? exactText(*figure->ratio) : "");
        }
        out += csvLine(cells);
    }
    return out;
}

std::string pointsCsv(const Sweep& sweep, const SweepOutcome& outcome) {
    // Rows may have different clients, so that a name has the place of its first occurrence.
    std::vector<std::string> names;
    std::set<std::string> known;
    for (const SweepPoint& point : outcome.points) {
        for (const Figure& figure : point.answer.figures) {
            if (known.insert(figure.name).second) {
                names.push_back(figure.name);
            }
        }
    }
    std::vector<std::string> cells = sweep.axes;
    cells.emplace_back("seed");
    cells.insert(cells.end(), names.begin(), names.end());
    std::string out = csvLine(cells);
    for (const SweepPoint& point : outcome.points) {
        if (point.answer.figures.empty()) {
            continue;
        }
        std::map<std::string, std::string> values;
        for (const Figure& figure : point.answer.figures) {
            values[figure.name] = figure.value ? exactText(*figure.value) : "";
        }
        cells = sweep.rows[point.row].labels;
        cells.push_back(fmt::format("{}", point.seed));
        for (const std::string& name : names) {
            cells.push_back(values[name]);
        }
        out += csvLine(cells);
    }
    return out;
}

std::string sweepJson(const Sweep& sweep, const SweepOutcome& outcome) {
    Json json;
    json["format"] = 1;  // rises when a key changes its meaning
    json["sweep"] = sweep.name;
    json["axes"] = sweep.axes;
    json["seeds"] = sweep.seeds;
    json["columns"] = sweep.columns;
    json["rows"] = Json::array();
    for (const AggregatedRow& row : aggregate(sweep, outcome)) {
        json["rows"].push_back(rowJson(sweep, row));
    }
    return jsonText(json, 2) + "\n";
}

}  // namespace vnpu::sim
