// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/legend.h"
#include "sim/ci/case_options.h"
#include "sim/cli/command_options.h"
#include "sim/compare/baseline.h"
#include "sim/compare/comparison.h"
#include "sim/compare/comparison_page.h"
#include "sim/compare/comparison_report.h"
#include "sim/compare/read_results.h"
#include "sim/report/write_report.h"

namespace vnpu::sim {

namespace {

constexpr std::size_t kShownChanges = 40;  // chosen: what fits a screen

struct CompareArguments {
    std::vector<std::string> results;
    std::string baseline;
    std::string writeBaseline;
    std::string html;
    std::vector<std::string> tolerances;
    std::string toleranceFile;
    bool isStrict = false;
    bool showsAll = false;
    bool json = false;
    CaseOptions cases;
};

CompareOptions optionsOf(const CompareArguments& arguments) {
    CompareOptions options{.isStrict = arguments.isStrict,
                           .isBaseline = !arguments.baseline.empty()};
    if (!arguments.toleranceFile.empty()) {
        options.tolerances.addFile(arguments.toleranceFile);
    }
    for (const std::string& tolerance : arguments.tolerances) {
        options.tolerances.add(tolerance, "--tolerance");
    }
    return options;
}

/// Throws InputError that names the option if the file can't be written.
void writeFileOf(const char* option, const std::string& file, const std::string& text) {
    try {
        writeFile(file, text);
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("{}: {}", option, error.what()));
    }
}

void writeBaselineOf(const CompareArguments& arguments) {
    if (arguments.results.size() != 1 || !arguments.baseline.empty()) {
        throw InputError("--write-baseline: expected one folder or file of results");
    }
    const ResultSet results = readResults(arguments.results.front());
    writeFileOf("--write-baseline", arguments.writeBaseline, baselineText(results));
    fmt::print("{}: {} rows of {} {}\n", arguments.writeBaseline, results.rows.size(), results.kind,
               results.subject);
}

void compareWith(const CompareArguments& arguments, CaseSession& session) {
    const std::size_t wanted = arguments.baseline.empty() ? 2 : 1;
    if (arguments.results.size() != wanted) {
        throw InputError(
                fmt::format("expected {}, there are {}",
                            wanted == 2 ? "two folders or files of results, or one and --baseline"
                                        : "one folder or file of results beside --baseline",
                            arguments.results.size()));
    }
    const std::string& before =
            arguments.baseline.empty() ? arguments.results.front() : arguments.baseline;
    const Comparison comparison = compareResults(
            readResults(before), readResults(arguments.results.back()), optionsOf(arguments));
    for (const CaseOutcome& outcome : casesOf(comparison)) {
        if (session.selects(outcome.name)) {
            session.add(outcome);
        }
    }
    if (!arguments.html.empty()) {
        writeFileOf("--html", arguments.html, comparisonPage(comparison));
    }
    const std::size_t most =
            arguments.showsAll ? std::numeric_limits<std::size_t>::max() : kShownChanges;
    fmt::print("{}",
               arguments.json ? comparisonJson(comparison) : comparisonText(comparison, most));
}

ExitCode compare(const CompareArguments& arguments) {
    if (!arguments.writeBaseline.empty()) {
        writeBaselineOf(arguments);
        return ExitCode::kDone;
    }
    CaseSession session("compare", arguments.cases);
    return runSession(session, arguments.json, [&] { compareWith(arguments, session); });
}

std::string quantityList() {
    std::string text =
            "TOLERANCE is \"1%\" of the value before, \"0.5\" in the quantity's unit, \"1%+50\" of "
            "both, or\n\"any\"; NAME is a quantity, KIND.QUANTITY such as layer.cycles, or \"*\" "
            "for all others.\nThe exit code is 1 if a regression is not expected "
            "(--expect-fail).\n\nQuantities, better direction, tolerance:\n";
    constexpr const char* kSigns[] = {"lower", "higher", "same", "-"};
    std::vector<LegendEntry> entries;
    for (const Quantity& quantity : quantities()) {
        entries.push_back({fmt::format("{:<18} {:<7} {:<12}", quantity.name,
                                       kSigns[static_cast<std::size_t>(quantity.better)],
                                       quantity.tolerance.text()),
                           std::string(quantity.meaning)});
    }
    return text + legendText(entries);
}

}  // namespace

void addCompareCommand(CLI::App& app, Action& action) {
    const auto arguments = std::make_shared<CompareArguments>();
    CLI::App& command = addCommand(app, action, "compare",
                                   "Compare two folders or files of results and name regressions",
                                   arguments, compare);
    command.add_option("results", arguments->results,
                       "Results before and after: folders of \"run\", \"sweep\" or \"validate "
                       "--out\", or files: baseline, metrics.json, sweep.json, validation.csv, "
                       "JUnit XML, JSON lines, JSON of Google Benchmark")
            ->required()
            ->expected(1, 2)
            ->type_name("DIR|FILE");
    command.add_option("--baseline", arguments->baseline,
                       "Compare with this file of --write-baseline")
            ->type_name("FILE");
    command.add_option("--write-baseline", arguments->writeBaseline,
                       "Write the results as one small file, to be committed")
            ->type_name("FILE");
    command.add_option("--html", arguments->html, "Write the comparison as a page for a browser")
            ->type_name("FILE");
    command.add_option("--tolerance", arguments->tolerances,
                       "How much a quantity may change; may be given several times")
            ->type_name("NAME=TOLERANCE")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option("--tolerances", arguments->toleranceFile,
                       "TOML file with a table [tolerance], as in cycles = \"2%\"")
            ->type_name("FILE");
    command.add_flag("--strict", arguments->isStrict,
                     "Rows that were added or removed are regressions");
    command.add_flag("--all", arguments->showsAll, "Show all changes, not only the worst 40");
    addJson(command, arguments->json);
    addCaseOptions(command, arguments->cases, {.isRepeatable = false, .isTimed = false});
    command.footer(quantityList());
}

}  // namespace vnpu::sim
