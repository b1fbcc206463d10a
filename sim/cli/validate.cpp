// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/progress_line.h"
#include "sim/ci/case_options.h"
#include "sim/cli/command_options.h"
#include "sim/report/write_report.h"
#include "sim/results/store_options.h"
#include "sim/validate/reference_table.h"
#include "sim/validate/rung.h"
#include "sim/validate/validation_page.h"
#include "sim/validate/validation_plot.h"
#include "sim/validate/validation_report.h"

namespace vnpu::sim {

namespace {

struct ValidateOptions {
    std::vector<std::string> rungs;  // empty: all
    std::string csv;
    std::string out;
    bool isQuiet = false;
    std::string mutant;  // empty: the true model
    unsigned jobs = defaultJobs();
    CaseOptions cases;
    StoreOptions store;
};

std::vector<Rung> chosenRungs(const ValidateOptions& options) {
    const std::vector<std::string>& names = options.rungs;
    std::vector<Rung> chosen;
    for (const Rung& rung : rungs()) {
        const bool isChosen =
                names.empty() || std::find(names.begin(), names.end(), rung.name) != names.end();
        // The rung of the mutants would only repeat what one of them is asked for.
        if (isChosen && (options.mutant.empty() || rung.rows != nullptr)) {
            chosen.push_back(rung);
        }
    }
    return chosen;
}

RungResult runAll(const ValidateOptions& options, CaseSession& session) {
    ProcessPool pool(kOwnProgram, options.jobs, nullptr, session.timeout());
    ProgressLine line(options.isQuiet);
    RungResult all;
    for (const Rung& rung : chosenRungs(options)) {
        if (session.isStopped()) {
            break;
        }
        const auto tell = [&](std::size_t done, std::size_t count) {
            line.show([&] { return fmt::format("{}: {} of {} runs", rung.name, done, count); });
        };
        tell(0, 1);
        RungResult result =
                runRung(rung, {.pool = pool,
                               .references = {referenceFolder(), findMutant(options.mutant)},
                               .onProgress = tell,
                               .cases = &session,
                               .rung = rung.name});
        for (const Check& check : result.checks) {
            session.add(outcomeOf(check));
        }
        all.append(std::move(result));
    }
    return all;
}

std::string textOf(const RungResult& result, bool hasLegend) {
    const std::string summary = checksSummary(result.checks);
    std::string text = summary + "\n";
    if (const std::string bands = errorBands(result.checks); !bands.empty()) {
        text += bands + "\n";
    }
    text += checksText(result.checks);
    text += hasLegend ? "\n" + checksLegend() : "";
    for (const std::string& note : result.notes) {
        text += fmt::format("\n{}", note);
    }
    return text + "\n" + summary;
}

void writeFolder(const std::filesystem::path& folder, const RungResult& result,
                 const std::string& text) {
    writeFile(folder / "validation.txt", text);
    writeFile(folder / "validation.csv", checksCsv(result.checks));
    writeFile(folder / "validation.svg", checksSvg(result.checks));
    writeFile(folder / "report.html", validationPage(result));
    if (!result.curves.empty()) {
        writeFile(folder / "sweeps.csv", curvesCsv(result.curves));
    }
    for (std::size_t i = 0; i < result.curves.size(); ++i) {
        writeFile(folder / fmt::format("sweep{}.svg", i), curveSvg(result.curves[i]));
    }
}

ExitCode validate(const ValidateOptions& options) {
    if (!options.out.empty()) {
        if (const std::error_code error = makeFolder(options.out)) {
            throw InputError(fmt::format("--out {}: no folder to write to: {}", options.out,
                                         error.message()));
        }
    }
    std::optional<ResultStore> store = openStore(options.store);
    CaseSession session("validate", options.cases);
    return runSession(session, false, [&] {
        const RungResult result = runAll(options, session);
        fmt::print("{}", textOf(result, !options.isQuiet));
        if (!options.csv.empty()) {
            writeFile(options.csv, checksCsv(result.checks));
        }
        if (!options.out.empty()) {
            writeFolder(options.out, result, textOf(result, true));
        }
        if (store) {
            storeChecks(*store, options.store.label, result.checks, session.cases());
        }
    });
}

}  // namespace

void addValidateCommand(CLI::App& app, Action& action) {
    const auto options = std::make_shared<ValidateOptions>();
    CLI::App& command = addCommand(app, action, "validate",
                                   "Compare the timing of the model with published references",
                                   options, validate);
    std::vector<std::string> names;
    std::string descriptions;
    for (const Rung& rung : rungs()) {
        names.emplace_back(rung.name);
        descriptions += fmt::format("\n  {}: {}", rung.name, rung.description);
    }
    command.footer("Rungs:" + descriptions +
                   "\nTables that are not part of the project are read from "
                   "$VNPU_SHARED/reference (default ../shared/reference)."
                   "\nThe exit code is 1 if any check fails.");
    command.add_option("--rung", options->rungs, "Only this rung; may be given several times")
            ->check(CLI::IsMember(names))
            ->type_name("NAME");
    command.add_option("--csv", options->csv, "Write the table as CSV")->type_name("FILE");
    command.add_option("--out", options->out,
                       "Folder for the table as text, CSV, plot and page, and for the sweeps")
            ->type_name("DIR");
    std::vector<std::string> mutantNames;
    for (const Mutant& mutant : mutants()) {
        mutantNames.emplace_back(mutant.name);
    }
    // Not listed: for trying from outside what the rung of the mutants does.
    command.add_option("--mutant", options->mutant,
                       "A deliberately wrong model instead of the true one")
            ->check(CLI::IsMember(mutantNames))
            ->type_name("NAME")
            ->group("");
    addStoreOptions(command, options->store);
    addJobs(command, options->jobs);
    addQuiet(command, options->isQuiet);
    addCaseOptions(command, options->cases, {.isRepeatable = false});
}

}  // namespace vnpu::sim
