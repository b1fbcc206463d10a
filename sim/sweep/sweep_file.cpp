// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "sim/base/error.h"
#include "sim/config/strict_toml.h"
#include "sim/metrics/figures.h"
#include "sim/scenario/scenario_keys.h"
#include "sim/scenario/scenario_reader.h"
#include "sim/sweep/overrides.h"

namespace vnpu::sim {

namespace {

constexpr std::uint32_t kMaxSeeds = 10'000;    // chosen: more is a typing mistake
constexpr std::size_t kMaxPoints = 1'000'000;  // chosen: likewise
const std::vector<std::string> kDefaultColumns = {"antt",        "stp",    "fairness",   "sla_4",
                                                  "p99_ms.high", "missed", "preemptions"};

/// One value of an axis: its name and its changes.
struct AxisValue {
    std::string label;
    std::vector<Override> changes;
};

struct Axis {
    std::string name;
    std::string place;  // "file:line"
    std::vector<AxisValue> values;
};

std::string labelOf(const toml::node& node) {
    if (const auto* text = node.as_string()) {
        return text->get();
    }
    std::ostringstream out;
    node.visit([&](const auto& concrete) { out << concrete; });
    return out.str();
}

AxisValue readPoint(const toml::table& source, const std::string& file) {
    StrictTable table(source, file, "axis.point.");
    AxisValue value;
    table.require("label", "its name in the table");
    table.read("label", value.label);
    const toml::table* set = table.table("set");
    table.finish();
    if (set == nullptr) {
        table.fail("set",
                   "is missing, expected a table of dotted keys such as { "
                   "\"scheduling.policy\" = \"tokens\" }");
    }
    for (const auto& [key, node] : *set) {
        value.changes.emplace_back(std::string(key.str()), &node);
    }
    return value;
}

/// The points of a list `values`, all for one key.
void readValues(StrictTable& table, const toml::table& source, const std::string& key, Axis& axis) {
    const toml::array* values = source["values"].as_array();
    table.know("values");
    if (values == nullptr || values->empty()) {
        table.fail("values", "is not a list, expected the values that the key takes");
    }
    for (const toml::node& node : *values) {
        axis.values.push_back({labelOf(node), {{key, &node}}});
    }
}

Axis readAxis(const toml::table& source, const std::string& file) {
    StrictTable table(source, file, "axis.");
    table.know({"name", "key", "values", "point"});
    Axis axis;
    axis.place = table.place("");
    std::string key;
    const bool hasKey = table.read("key", key);
    const toml::array* points = table.tableArray("point");
    if (hasKey == (points != nullptr)) {
        table.fail(hasKey ? "point" : "key",
                   hasKey ? "is given together with key, expected one of the two"
                          : "is missing, expected a dotted key with values, or [[axis.point]]");
    }
    axis.name = key.substr(key.rfind('.') + 1);
    if (!hasKey || table.has("name")) {
        readName(table, axis.name);
    }
    if (hasKey) {
        readValues(table, source, key, axis);
    } else {
        for (const toml::node& point : *points) {
            axis.values.push_back(readPoint(*point.as_table(), file));
        }
    }
    table.finish();
    std::set<std::string> labels;
    for (const AxisValue& value : axis.values) {
        if (!labels.insert(value.label).second) {
            throw InputError(
                    fmt::format("{}: axis {}: \"{}\" is given twice, expected values that "
                                "differ",
                                axis.place, axis.name, value.label));
        }
    }
    return axis;
}

std::vector<std::uint64_t> readSeeds(StrictTable& table, const toml::table& source) {
    if (source["seeds"].is_array()) {
        std::vector<std::uint32_t> list;
        table.readList("seeds", list);
        return {list.begin(), list.end()};
    }
    std::uint32_t count = 1;
    table.read("seeds", count);
    if (count == 0 || count > kMaxSeeds) {
        table.fail("seeds", fmt::format("is {}, expected 1 to {} seeds, or a list of them", count,
                                        kMaxSeeds));
    }
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        seeds.push_back(seed);
    }
    return seeds;
}

/// Reads the tables of a sweep and makes its rows.
class SweepReader {
  public:
    SweepReader(std::string_view text, const std::string& file) : file_(file) {
        root_ = parseToml(text, file);
        baseText_ = text;
        sweep_.file = file;
    }

    Sweep read() {
        StrictTable top(root_, file_, "");
        const toml::table* head = top.table("sweep");
        const toml::array* axes = top.tableArray("axis");
        if (head == nullptr) {
            throw InputError(fmt::format(
                    "{}:1: table [sweep] is missing, expected it with name and seeds", file_));
        }
        StrictTable table(*head, file_, "sweep.");
        readHead(table, *head, top);
        for (std::size_t i = 0; axes != nullptr && i < axes->size(); ++i) {
            axes_.push_back(readAxis(*axes->get(i)->as_table(), file_));
            const std::string& name = axes_.back().name;
            if (std::find(sweep_.axes.begin(), sweep_.axes.end(), name) != sweep_.axes.end()) {
                throw InputError(
                        fmt::format("{}: axis {} is given twice, expected names that differ",
                                    axes_.back().place, name));
            }
            sweep_.axes.push_back(name);
        }
        const Scenario base = parseScenario(baseText_, sweep_.file, {.seed = sweep_.seeds.front()});
        makeRows(table);
        checkColumns(table, base);
        setBaselines(table, *head);
        return std::move(sweep_);
    }

  private:
    void readHead(StrictTable& table, const toml::table& source, StrictTable& top) {
        table.know({"name", "scenario", "seeds", "columns", "baseline"});
        readName(table, sweep_.name);
        sweep_.seeds = readSeeds(table, source);
        sweep_.columns = kDefaultColumns;
        table.readList("columns", sweep_.columns);
        std::string base;
        if (table.read("scenario", base)) {
            const std::filesystem::path folder = std::filesystem::path(file_).parent_path();
            const bool isPath = base.find('/') != std::string::npos || base.ends_with(".toml");
            ScenarioText text;
            try {
                text = readScenarioText(isPath ? resolvePath(base, folder) : base);
            } catch (const InputError& error) {
                table.fail("scenario", error.what());
            }
            top.finish();  // tables of a scenario are not allowed then
            baseText_ = text.text;
            sweep_.file = text.file;
        }
        table.finish();
    }

    /// The base scenario with the changes of one combination of values.
    SweepRow makeRow(const std::vector<std::size_t>& choice) {
        toml::table scenario = parseToml(baseText_, sweep_.file);
        scenario.erase("sweep");
        scenario.erase("axis");
        SweepRow row;
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            const AxisValue& value = axes_[i].values[choice[i]];
            row.labels.push_back(value.label);
            for (const Override& change : value.changes) {
                const std::string problem = applyOverride(scenario, change);
                if (!problem.empty()) {
                    throw InputError(fmt::format("{}: axis {}: {} {}", axes_[i].place,
                                                 axes_[i].name, value.label, problem));
                }
            }
        }
        std::ostringstream text;
        text << scenario;
        row.scenario = text.str();
        checkRow(row);
        return row;
    }

    /// The base has been checked, so that mistakes come from the axes.
    void checkRow(const SweepRow& row) const {
        try {
            parseScenario(row.scenario, sweep_.file);
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: with {}: {}", axes_.front().place,
                                         row.describe(sweep_.axes), error.what()));
        }
    }

    void makeRows(const StrictTable& table) {
        std::size_t count = sweep_.seeds.size();
        for (const Axis& axis : axes_) {
            count *= axis.values.size();
            if (count > kMaxPoints) {
                table.fail("name",
                           fmt::format("has more than {} points, expected fewer", kMaxPoints));
            }
        }
        for (std::size_t row = 0; row < count / sweep_.seeds.size(); ++row) {
            std::vector<std::size_t> choice(axes_.size());
            std::size_t rest = row;
            for (std::size_t i = axes_.size(); i-- > 0;) {  // the last axis changes fastest
                choice[i] = rest % axes_[i].values.size();
                rest /= axes_[i].values.size();
            }
            sweep_.rows.push_back(makeRow(choice));
        }
    }

    static void checkColumns(const StrictTable& table, const Scenario& scenario) {
        std::vector<std::string> columns;
        StrictTable reader = table;
        if (!reader.readList("columns", columns)) {
            return;
        }
        const std::vector<std::string> names = figureNames(scenario);
        for (const std::string& column : columns) {
            if (std::find(names.begin(), names.end(), column) == names.end()) {
                table.fail("columns", fmt::format("has \"{}\", which is not a figure{}", column,
                                                  didYouMean(column, names)));
            }
        }
    }

    void setBaselines(const StrictTable& table, const toml::table& head) {
        const toml::table* baseline = head["baseline"].as_table();
        if (baseline == nullptr) {
            if (table.has("baseline")) {
                table.fail(
                        "baseline",
                        "is not a table, expected axes and labels such as { policy = \"bands\" }");
            }
            return;
        }
        std::map<std::size_t, std::string> fixed;
        for (const auto& [key, node] : *baseline) {
            const auto axis = std::find(sweep_.axes.begin(), sweep_.axes.end(), key.str());
            if (axis == sweep_.axes.end()) {
                table.fail("baseline", fmt::format("names axis {}, expected one of {}", key.str(),
                                                   fmt::join(sweep_.axes, ", ")));
            }
            const auto index = static_cast<std::size_t>(axis - sweep_.axes.begin());
            fixed[index] = labelOf(node);
            if (std::ranges::count(axes_[index].values, fixed[index], &AxisValue::label) == 0) {
                table.fail("baseline", fmt::format("has {} = \"{}\", expected a value of that axis",
                                                   key.str(), fixed[index]));
            }
        }
        std::map<std::vector<std::string>, std::size_t> rows;
        for (std::size_t i = 0; i < sweep_.rows.size(); ++i) {
            rows[sweep_.rows[i].labels] = i;
        }
        for (SweepRow& row : sweep_.rows) {
            std::vector<std::string> labels = row.labels;
            for (const auto& [axis, label] : fixed) {
                labels[axis] = label;
            }
            row.baseline = rows.at(labels);
        }
    }

    std::string file_;
    toml::table root_;
    std::string baseText_;
    std::vector<Axis> axes_;
    Sweep sweep_;
};

}  // namespace

std::string SweepRow::describe(const std::vector<std::string>& axes) const {
    std::string out;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        out += fmt::format("{}{}={}", i == 0 ? "" : " ", axes[i], labels[i]);
    }
    return out.empty() ? "base" : out;
}

Sweep parseSweep(std::string_view text, const std::string& file) {
    return SweepReader(text, file).read();
}

CaseName caseNameOf(const Sweep& sweep, std::size_t row) {
    return {.suite = sweep.name, .name = sweep.rows[row].describe(sweep.axes)};
}

Sweep loadSweep(const std::string& nameOrPath) {
    const ScenarioText source = readScenarioText(nameOrPath);
    return parseSweep(source.text, source.file);
}

}  // namespace vnpu::sim
