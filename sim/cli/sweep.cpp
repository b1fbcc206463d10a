// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "sim/base/error.h"
#include "sim/base/progress_line.h"
#include "sim/ci/case_options.h"
#include "sim/cli/command_options.h"
#include "sim/cli/slurm_arguments.h"
#include "sim/report/write_report.h"
#include "sim/results/store_options.h"
#include "sim/sweep/run_sweep.h"
#include "sim/sweep/sweep_page.h"
#include "sim/sweep/sweep_progress.h"
#include "sim/sweep/sweep_table.h"

namespace vnpu::sim {

namespace {

struct SweepArguments {
    std::string sweep;
    std::string out;
    CaseOptions cases;
    unsigned jobs = defaultJobs();
    bool hasJobs = false;
    bool json = false;
    bool isQuiet = false;
    bool isMerging = false;
    SlurmArguments slurm;
    StoreOptions store;
};

std::atomic<bool> wasInterrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

/// Makes SIGINT end a sweep after the completed points; a second SIGINT ends the program at once.
class InterruptGuard {
  public:
    InterruptGuard() {
        struct sigaction action = {};
        action.sa_handler = [](int) { wasInterrupted = true; };
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        sigaction(SIGINT, &action, &previous_);
    }
    ~InterruptGuard() { sigaction(SIGINT, &previous_, nullptr); }
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

  private:
    struct sigaction previous_ = {};
};

SweepOutcome runAll(const SweepArguments& arguments, const Sweep& sweep,
                    const std::filesystem::path& folder, CaseSession& session) {
    const InterruptGuard guard;
    ProgressLine line(arguments.isQuiet);
    SweepProgressText progressText;
    std::optional<SlurmRunner> slurm;
    if (arguments.slurm.isUsed()) {
        slurm.emplace(slurmOptions(arguments.slurm, arguments.hasJobs ? arguments.jobs : 1,
                                   session.timeout(), &wasInterrupted, line));
    }
    return runSweep(sweep, {.folder = folder.string(),
                            .cases = &session,
                            .isMerging = arguments.isMerging,
                            .jobs = arguments.jobs,
                            .runner = slurm ? &*slurm : nullptr,
                            .stop = &wasInterrupted,
                            .onProgress = [&](const SweepProgress& progress) {
                                if (arguments.cases.isFailFast && progress.failed != 0) {
                                    wasInterrupted = true;
                                }
                                line.show([text = progressText.text(
                                                   progress, std::chrono::steady_clock::now())] {
                                    return text;
                                });
                            }});
}

/// The shards of a sweep share its folder, so that the tables of each have a folder there.
std::filesystem::path tableFolder(const std::filesystem::path& folder, const Shard& shard) {
    return shard.count == 1
                   ? folder
                   : folder / "shards" / fmt::format("{}-of-{}", shard.index + 1, shard.count);
}

void tellStop(const SweepArguments& arguments, const SweepOutcome& outcome) {
    const auto done = std::ranges::count(outcome.points, true, &SweepPoint::isDone);
    if (arguments.isMerging) {
        fmt::print(stderr,
                   "vnpu: {} of {} points are stored, the same command without --merge runs the "
                   "others\n",
                   done, outcome.points.size());
        return;
    }
    fmt::print(stderr, "vnpu: {}: {} of {} points done, the same command goes on\n",
               wasInterrupted ? "interrupted" : "submitted to Slurm", done, outcome.points.size());
}

void sweepWith(const SweepArguments& arguments, CaseSession& session) {
    if (arguments.isMerging && session.shard().count != 1) {
        throw InputError("--merge takes the points of all shards, expected no shard");
    }
    const Sweep sweep = loadSweep(arguments.sweep);
    const std::filesystem::path folder = arguments.out.empty()
                                                 ? std::filesystem::path("out") / sweep.name
                                                 : std::filesystem::path(arguments.out);
    const std::filesystem::path tables = tableFolder(folder, session.shard());
    makeOutFolder(tables);
    std::optional<ResultStore> store = openStore(arguments.store);
    const SweepOutcome outcome = runAll(arguments, sweep, folder, session);
    for (CaseOutcome& row : casesOf(sweep, outcome)) {
        if (arguments.isMerging && row.result == CaseResult::kSkipped) {
            row.result = CaseResult::kFailed;  // nothing else will run it
        }
        session.add(row);
    }
    const std::string text = sweepText(sweep, outcome);
    const std::string json = sweepJson(sweep, outcome);
    const std::string legend = sweepLegend(sweep);
    writeFile(tables / "sweep.txt", text + legend);
    writeFile(tables / "sweep.csv", sweepCsv(sweep, outcome));
    writeFile(tables / "points.csv", pointsCsv(sweep, outcome));
    writeFile(tables / "sweep.json", json);
    writeFile(tables / "report.html", sweepPage(sweep, outcome));
    if (store) {
        storeSweep(*store, arguments.store.label, sweep, outcome, session.cases());
    }
    if (arguments.json) {
        fmt::print("{}", json);
    } else {
        fmt::print("{} points, {} of them stored before, in {}\n\n{}{}", outcome.points.size(),
                   outcome.stored, tables.string(), text, arguments.isQuiet ? "" : legend);
    }
    if (outcome.isStopped) {
        tellStop(arguments, outcome);
    }
}

ExitCode sweepCommand(const SweepArguments& arguments) {
    CaseSession session("sweep", arguments.cases);
    const ExitCode code =
            runSession(session, arguments.json, [&] { sweepWith(arguments, session); });
    // A sweep that was stopped is not done, even if all of its rows so far are good.
    return wasInterrupted ? ExitCode::kFailed : code;
}

}  // namespace

void addSweepCommand(CLI::App& app, Action& action) {
    const auto arguments = std::make_shared<SweepArguments>();
    CLI::App& command = addCommand(app, action, "sweep",
                                   "Run a scenario with many values and seeds and print a table",
                                   arguments, sweepCommand);
    command.add_option("sweep", arguments->sweep, "A shipped sweep or a TOML file")
            ->required()
            ->type_name("FILE.toml");
    command.add_option("--out", arguments->out,
                       "Folder for tables and stored points (default: out/<sweep>)")
            ->type_name("DIR");
    addJobs(command, arguments->jobs);
    addQuiet(command, arguments->isQuiet);
    command.get_option("--jobs")->each(
            [arguments](const std::string&) { arguments->hasJobs = true; });
    addJson(command, arguments->json, "Print sweep.json in place of the table");
    addStoreOptions(command, arguments->store);
    addSlurmOptions(command, arguments->slurm);
    command.add_flag("--merge", arguments->isMerging,
                     "Run nothing: write the tables of the points that are stored; one that is "
                     "missing fails")
            ->excludes("--slurm", "--slurm-detach");
    addCaseOptions(command, arguments->cases, {.isRepeatable = false});
    command.footer(
            "A case is a row, whose name is \"axis=value axis=value\"; the time limit is that of "
            "a point. Shards may run at the same time with the same folder: each writes its tables "
            "to DIR/shards/I-of-N, and the command with --merge then writes those of all rows.");
}

}  // namespace vnpu::sim
