// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/conform_onnx.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/json_text.h"
#include "sim/base/legend.h"
#include "sim/base/progress_line.h"
#include "sim/ci/case_options.h"
#include "sim/conform/onnx_cases.h"

namespace vnpu::sim {

namespace {

using NamesByReason = std::map<std::string, std::vector<std::string>>;

NamesByReason refusals(const std::vector<OnnxOutcome>& outcomes) {
    NamesByReason reasons;
    for (const OnnxOutcome& outcome : outcomes) {
        if (outcome.result == OnnxResult::kRefused) {
            reasons[outcome.detail].push_back(outcome.name);
        }
    }
    return reasons;
}

void printText(const std::vector<OnnxOutcome>& outcomes, bool isVerbose, bool isQuiet) {
    for (const OnnxOutcome& outcome : outcomes) {
        if (outcome.result == OnnxResult::kFailed) {
            fmt::print("failed   {}: {}\n", outcome.name, outcome.detail);
        }
    }
    const NamesByReason reasons = refusals(outcomes);
    std::vector<std::pair<std::string, std::vector<std::string>>> ordered(reasons.begin(),
                                                                          reasons.end());
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
        return a.second.size() > b.second.size();
    });
    for (const auto& [reason, names] : ordered) {
        fmt::print("refused  {:>4}  {}\n", names.size(), reason);
        for (const std::string& name : names) {
            if (isVerbose) {
                fmt::print("               {}\n", name);
            }
        }
    }
    if (!isQuiet) {
        fmt::print("\n{}\n",
                   legendText({{"passed", "cases whose outputs are within ONNX's tolerance"},
                               {"failed", "cases with another output"},
                               {"refused",
                                "cases that the import does not take, by reason with their number; "
                                "-v lists them"}}));
    }
    const OnnxSum sum = sumOf(outcomes);
    fmt::print(
            "of the passed, {} with inputs that were constants during import, and {} computed by "
            "the import alone\n",
            sum.bound, sum.folded);
    fmt::print("{}\n", sum.line());
}

void printJson(const std::vector<OnnxOutcome>& outcomes) {
    const OnnxSum sum = sumOf(outcomes);
    nlohmann::ordered_json json = {{"passed", sum.passed},
                                   {"failed", sum.failed},
                                   {"refused", sum.refused},
                                   {"with_constant_inputs", sum.bound},
                                   {"folded", sum.folded}};
    constexpr const char* kResults[] = {"passed", "failed", "refused"};
    for (const OnnxOutcome& outcome : outcomes) {
        nlohmann::ordered_json entry = {
                {"name", outcome.name},
                {"result", kResults[static_cast<std::size_t>(outcome.result)]}};
        if (!outcome.detail.empty()) {
            entry["detail"] = outcome.detail;
        }
        if (!outcome.bound.empty()) {
            entry["constant_inputs"] = outcome.bound;
        }
        json["cases"].push_back(std::move(entry));
    }
    fmt::print("{}\n", jsonText(json, 2));
}

}  // namespace

ExitCode conformOnnx(const ConformOnnxOptions& options) {
    std::optional<ResultStore> store = openStore(options.store);
    CaseSession session("conform", options.cases);
    return runSession(session, options.isJson, [&] {
        const auto outcomes = [&] {
            ProgressLine line(options.isQuiet);
            return runOnnxCases(
                    {options.folder, session, options.config,
                     [&line](std::size_t i, std::size_t count, const std::string& name) {
                         line.show([&] { return fmt::format("{}/{} {}", i + 1, count, name); });
                     }});
        }();
        if (options.isJson) {
            printJson(outcomes);
        } else {
            printText(outcomes, options.isVerbose, options.isQuiet);
        }
        if (store) {
            storeCases(*store, options.store.label, "conform", options.folder, session.cases());
        }
    });
}

}  // namespace vnpu::sim
