// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/stress_faults.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/random.h"
#include "sim/cli/progress_line.h"
#include "sim/config/load_config.h"
#include "sim/stress/fault_stress.h"

namespace vnpu::sim {

namespace {

double toMilliseconds(std::chrono::nanoseconds time) {
    return static_cast<double>(time.count()) * 1e-6;
}

void printText(const FaultStressReport& report) {
    fmt::print("{}", report.table());
    for (const std::string& wrong : report.wrong) {
        fmt::print("wrong: {}\n", wrong);
    }
    fmt::print(
            "{} faults in {:.1f} ms, {} executions, {} failed, {} resets, {} wrong; "
            "story {:016x}\n",
            report.injected(), toMilliseconds(report.simulated), report.executions, report.failures,
            report.resets, report.wrong.size(), fnv1a(report.story));
}

void printJson(const FaultStressReport& report) {
    nlohmann::ordered_json json;
    for (const auto& [kind, tally] : report.kinds) {
        auto& row = json["kinds"][std::string(hw::faultKindName(kind))];
        row["injected"] = tally.injected;
        row["detected"] = tally.detected;
        row["attributed"] = tally.attributed;
        row["harmless"] = tally.harmless;
        row["remedies"] = nlohmann::ordered_json::object();
        for (const auto& [remedy, count] : tally.remedies) {
            row["remedies"][std::string(driver::nameOf(remedy))] = count;
        }
        row["longest_ms"] = toMilliseconds(tally.longest);
    }
    json["executions"] = report.executions;
    json["failures"] = report.failures;
    json["resets"] = report.resets;
    json["simulated_ms"] = toMilliseconds(report.simulated);
    json["wrong"] = report.wrong;
    json["story"] = fmt::format("{:016x}", fnv1a(report.story));
    fmt::print("{}\n", json.dump(2));
}

}  // namespace

ExitCode stressFaults(const StressFaultsArguments& arguments) {
    FaultStressOptions options{.config = loadConfig(arguments.config),
                               .faults = arguments.faults,
                               .seed = arguments.seed};
    const FaultStressReport report = [&] {
        ProgressLine line;
        options.onProgress = line.counter(options.faults, "faults");
        return runFaultStress(options);
    }();
    if (!arguments.story.empty()) {
        std::ofstream out(arguments.story, std::ios::binary | std::ios::trunc);
        out << report.story;
        out.close();
        if (!out) {
            throw InputError(
                    fmt::format("--story: can't write {}, expected a file in a folder that "
                                "can be written",
                                arguments.story));
        }
    }
    arguments.json ? printJson(report) : printText(report);
    return report.isGood() ? ExitCode::kDone : ExitCode::kFailed;
}

}  // namespace vnpu::sim
