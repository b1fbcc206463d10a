// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/conform_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/base/legend.h"
#include "sim/base/text_table.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

void appendNotes(Json& list, const std::vector<ConformNote>& notes, const std::string& flavor) {
    for (const ConformNote& note : notes) {
        list.push_back({{"file", note.file},
                        {"model", note.example},
                        {"flavor", flavor},
                        {"detail", note.detail}});
    }
}

Json sumJson(const ConformSum& sum) {
    Json json;
    json["passed"] = sum.passed;
    json["failed"] = sum.failed;
    json["unsupported"] = sum.unsupported;
    json["omitted"] = sum.omitted;
    return json;
}

void printJson(const std::vector<ConformTally>& tallies) {
    Json json = sumJson(sumOf(tallies));
    json["failures"] = Json::array();
    json["unsupported_models"] = Json::array();
    json["flavors"] = Json::array();
    for (const ConformTally& tally : tallies) {
        const std::string name = describe(tally.flavor);
        appendNotes(json["failures"], tally.failed, name);
        appendNotes(json["unsupported_models"], tally.unsupported, name);
        Json flavor{{"flavor", name}};
        flavor.update(sumJson(sumOf({tally})));
        if (tally.flavor.interruption != Interruption::kNone) {
            flavor["interruptions"] = tally.interruptions;
            flavor["undisturbed"] = tally.undisturbed.size();
        }
        json["flavors"].push_back(std::move(flavor));
    }
    fmt::print("{}\n", jsonText(json, 2));
}

void printUnsupported(const ConformTally& tally, const std::string& suffix) {
    for (const ConformNote& note : tally.unsupported) {
        fmt::print("unsupported {}{}: {}\n", note.example, suffix, note.detail);
    }
    for (const auto& [operation, models] : tally.unsupportedOperations) {
        fmt::print("unsupported in {} models{}: {}\n", models, suffix, operation);
    }
}

void printInterruptions(const ConformTally& tally, const std::string& suffix, bool isVerbose) {
    if (tally.flavor.interruption == Interruption::kNone) {
        return;
    }
    for (const ConformNote& note : tally.undisturbed) {
        if (isVerbose) {
            fmt::print("undisturbed {}{}\n", note.example, suffix);
        }
    }
    fmt::print("{} interruptions{}; {} models were not interrupted\n", tally.interruptions, suffix,
               tally.undisturbed.size());
}

void printTable(const std::vector<ConformTally>& tallies) {
    TextTable table({"flavor"}, {"passed", "failed", "unsupported", "left out"});
    for (const ConformTally& tally : tallies) {
        const ConformSum sum = sumOf({tally});
        table.add(describe(tally.flavor), sum.passed, sum.failed, sum.unsupported, sum.omitted);
    }
    fmt::print("{}", table.text());
}

void printLegend() {
    fmt::print("\n{}\n",
               legendText({{"flavor",
                            "path of the executions and HAL version, with what else the models "
                            "were run with"},
                           {"passed", "models whose outputs are within the vectors' tolerance"},
                           {"failed", "models with another output or status; each is listed above"},
                           {"unsupported",
                            "models that the driver says that it can't run; -v lists them"},
                           {"left out",
                            "models that have no meaning in this flavor, such as those of a later "
                            "version"}}));
}

void printText(const std::vector<ConformTally>& tallies, const ConformReportOptions& options) {
    const bool isVerbose = options.isVerbose;
    const bool areSeveral = tallies.size() > 1;
    for (const ConformTally& tally : tallies) {
        const std::string suffix = areSeveral ? fmt::format(" ({})", describe(tally.flavor)) : "";
        if (isVerbose) {
            printUnsupported(tally, suffix);
        }
        printInterruptions(tally, suffix, isVerbose);
        for (const ConformNote& note : tally.failed) {
            fmt::print("FAILED {}{}: {}\n", note.example, suffix, note.detail);
        }
    }
    const ConformSum sum = sumOf(tallies);
    if (areSeveral) {
        printTable(tallies);
        if (!options.isQuiet) {
            printLegend();
        }
    } else if (sum.omitted != 0) {
        fmt::print("{} models left out: they have no meaning in this flavor\n", sum.omitted);
    }
    fmt::print("{}\n", sum.line());
}

}  // namespace

void printConformance(const std::vector<ConformTally>& tallies,
                      const ConformReportOptions& options) {
    if (options.isJson) {
        printJson(tallies);
    } else {
        printText(tallies, options);
    }
}

}  // namespace vnpu::sim
