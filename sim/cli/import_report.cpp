// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/import_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/text_table.h"
#include "sim/cli/tensor_report.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "-" : fmt::format("{:.1f} %", percent(part, whole));
}

}  // namespace

std::string checkTable(const std::vector<CheckedModel>& models) {
    TextTable table({"model", "runs"}, {"operators", "unsupported", "MACs that run"}, {"reason"});
    for (const CheckedModel& model : models) {
        const graph::Report& report = model.report;
        std::string reason = model.error;
        for (const graph::UnsupportedKind& kind : graph::kindsOf(report)) {
            reason += fmt::format("{}{} x {}: {}", reason.empty() ? "" : "; ", kind.places.size(),
                                  kind.name, kind.reason);
        }
        if (reason.empty()) {
            reason = fmt::format("{}", fmt::join(report.notes, "; "));
        }
        table.add(model.name, model.runs() ? "whole" : "no", report.operators,
                  report.unsupported.size(), share(report.runnableMacs, report.macs), reason);
    }
    const auto whole = std::count_if(models.begin(), models.end(),
                                     [](const CheckedModel& model) { return model.runs(); });
    return table.text() + fmt::format("{} of {} models run whole\n", whole, models.size());
}

std::string unsupportedText(const std::vector<CheckedModel>& models) {
    TextTable table({"operator"}, {"times", "MACs without it"}, {"first at", "reason"});
    std::string text;
    for (const CheckedModel& model : models) {
        for (const graph::UnsupportedKind& kind : graph::kindsOf(model.report)) {
            table.add(kind.name, kind.places.size(), share(kind.macsWithout, model.report.macs),
                      fmt::format("operator {}", kind.places.front()), kind.reason);
        }
        const graph::Report& report = model.report;
        text += fmt::format(
                "{}: {} of {} operators cannot run; {} of {} multiply-accumulates need none of "
                "them\n",
                model.name, report.unsupported.size(), report.operators,
                share(report.runnableMacs, report.macs), withSeparators(report.macs));
    }
    const bool isEmpty = std::all_of(models.begin(), models.end(), [](const CheckedModel& model) {
        return model.report.isComplete();
    });
    return isEmpty ? text : table.text() + text;
}

std::string checkJson(const std::vector<CheckedModel>& models) {
    Json json = Json::array();
    for (const CheckedModel& model : models) {
        const graph::Report& report = model.report;
        Json entry{{"model", model.name},
                   {"runs", model.runs()},
                   {"operators", report.operators},
                   {"macs", report.macs},
                   {"runnable_macs", report.runnableMacs}};
        if (!model.error.empty()) {
            entry["error"] = model.error;
        }
        entry["unsupported"] = Json::array();
        for (const graph::UnsupportedKind& kind : graph::kindsOf(report)) {
            entry["unsupported"].push_back({{"operator", kind.name},
                                            {"places", kind.places},
                                            {"reason", kind.reason},
                                            {"macs_without", kind.macsWithout}});
        }
        entry["notes"] = report.notes;
        json.push_back(std::move(entry));
    }
    return jsonText(json, 2) + "\n";
}

}  // namespace vnpu::sim
