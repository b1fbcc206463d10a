// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep_page.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "sim/report/html/html_page.h"
#include "sim/report/html/packed_column.h"
#include "sim/sweep/sweep_table.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// The labels of an axis in the order of the sweep, and each row's number of one.
Json axisJson(const Sweep& sweep, const std::vector<AggregatedRow>& rows, std::size_t axis) {
    std::vector<std::string> labels;
    for (const SweepRow& row : sweep.rows) {
        if (std::ranges::find(labels, row.labels[axis]) == labels.end()) {
            labels.push_back(row.labels[axis]);
        }
    }
    PackedColumn label;
    for (const AggregatedRow& row : rows) {
        const auto found = std::ranges::find(labels, sweep.rows[row.row].labels[axis]);
        label.add(static_cast<std::uint64_t>(found - labels.begin()));
    }
    return {{"name", sweep.axes[axis]}, {"labels", labels}, {"label", label.json()}};
}

/// The figures with a value, by the order of their first occurrence.
std::vector<std::string> figureNamesOf(const SweepOutcome& outcome) {
    std::vector<std::string> names;
    std::set<std::string> known;
    for (const SweepPoint& point : outcome.points) {
        for (const Figure& figure : point.answer.figures) {
            if (figure.value && point.answer.error.empty() && known.insert(figure.name).second) {
                names.push_back(figure.name);
            }
        }
    }
    return names;
}

Json figureJson(const std::string& name, const std::vector<AggregatedRow>& rows) {
    std::vector<double> mean, least, most, ratio;
    PackedColumn count;
    for (const AggregatedRow& row : rows) {
        const auto found = row.figures.find(name);
        const bool isThere = found != row.figures.end();
        mean.push_back(isThere ? found->second.mean : kMissing);
        least.push_back(isThere ? found->second.least : kMissing);
        most.push_back(isThere ? found->second.most : kMissing);
        ratio.push_back(isThere ? found->second.ratio.value_or(kMissing) : kMissing);
        count.add(isThere ? found->second.count : 0);
    }
    return {{"name", name},
            {"mean", packedNumbers(mean)},
            {"min", packedNumbers(least)},
            {"max", packedNumbers(most)},
            {"ratio", packedNumbers(ratio)},
            {"seeds", count.json()}};
}

Json failuresJson(const Sweep& sweep, const std::vector<AggregatedRow>& rows) {
    Json failures = Json::array();
    for (const AggregatedRow& row : rows) {
        for (const SweepFailure& failure : row.failures) {
            failures.push_back(
                    {sweep.rows[row.row].describe(sweep.axes), failure.seed, failure.error});
        }
    }
    return failures;
}

}  // namespace

Json sweepPageData(const Sweep& sweep, const SweepOutcome& outcome) {
    const std::vector<AggregatedRow> rows = aggregate(sweep, outcome);
    PackedColumn points;
    for (const AggregatedRow& row : rows) {
        points.add(row.pointCount);
    }
    Json data;
    data["kind"] = "sweep";
    data["name"] = sweep.name;
    data["seeds"] = sweep.seeds;
    data["columns"] = sweep.columns;
    data["row_count"] = sweep.rows.size();
    data["points_done"] = std::ranges::count(outcome.points, true, &SweepPoint::isDone);
    data["point_count"] = outcome.points.size();
    data["has_baseline"] = !sweep.rows.empty() && sweep.rows.front().baseline.has_value();
    data["axes"] = Json::array();
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        data["axes"].push_back(axisJson(sweep, rows, i));
    }
    data["points"] = points.json();
    data["figures"] = Json::array();
    for (const std::string& name : figureNamesOf(outcome)) {
        data["figures"].push_back(figureJson(name, rows));
    }
    data["failures"] = failuresJson(sweep, rows);
    return data;
}

std::string sweepPage(const Sweep& sweep, const SweepOutcome& outcome) {
    return htmlPage("vnpu sweep: " + sweep.name, sweepPageData(sweep, outcome));
}

}  // namespace vnpu::sim
