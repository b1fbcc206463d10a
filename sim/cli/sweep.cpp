// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "sim/base/progress_line.h"
#include "sim/ci/case_options.h"
#include "sim/cli/command_options.h"
#include "sim/report/write_report.h"
#include "sim/sweep/run_sweep.h"
#include "sim/sweep/sweep_page.h"
#include "sim/sweep/sweep_table.h"

namespace vnpu::sim {

namespace {

struct SweepArguments {
    std::string sweep;
    std::string out;
    CaseOptions cases;
    unsigned jobs = defaultJobs();
    bool json = false;
    bool isQuiet = false;
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

/// "points: 12 of 700, 3 min 20 s left"
class SweepProgressText {
  public:
    std::string text(const SweepProgress& progress) {
        const auto now = std::chrono::steady_clock::now();
        if (progress.isMeasuringAlone != wasMeasuringAlone_) {
            wasMeasuringAlone_ = progress.isMeasuringAlone;
            begin_ = now;
            doneBefore_ = progress.done;
        }
        const auto done = static_cast<double>(progress.done - doneBefore_);
        const std::chrono::duration<double> passed = now - begin_;
        const double left = done > 0.0 ? passed.count() / done *
                                                 static_cast<double>(progress.count - progress.done)
                                       : 0.0;
        return fmt::format("{}: {} of {}{}", progress.isMeasuringAlone ? "models alone" : "points",
                           progress.done, progress.count,
                           done > 0.0 ? fmt::format(", about {:.0f} s left", left) : "");
    }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    bool wasMeasuringAlone_ = true;
    std::size_t doneBefore_ = 0;
};

SweepOutcome runAll(const SweepArguments& arguments, const Sweep& sweep,
                    const std::filesystem::path& folder, CaseSession& session) {
    const InterruptGuard guard;
    ProgressLine line(arguments.isQuiet);
    SweepProgressText progressText;
    return runSweep(sweep, {.folder = folder.string(),
                            .cases = &session,
                            .jobs = arguments.jobs,
                            .stop = &wasInterrupted,
                            .onProgress = [&](const SweepProgress& progress) {
                                if (arguments.cases.isFailFast && progress.failed != 0) {
                                    wasInterrupted = true;
                                }
                                line.show([&] { return progressText.text(progress); });
                            }});
}

void sweepWith(const SweepArguments& arguments, CaseSession& session) {
    const Sweep sweep = loadSweep(arguments.sweep);
    const std::filesystem::path folder = arguments.out.empty()
                                                 ? std::filesystem::path("out") / sweep.name
                                                 : std::filesystem::path(arguments.out);
    const SweepOutcome outcome = runAll(arguments, sweep, folder, session);
    for (const CaseOutcome& row : casesOf(sweep, outcome)) {
        session.add(row);
    }
    const std::string text = sweepText(sweep, outcome);
    const std::string json = sweepJson(sweep, outcome);
    const std::string legend = sweepLegend(sweep);
    writeFile(folder / "sweep.txt", text + legend);
    writeFile(folder / "sweep.csv", sweepCsv(sweep, outcome));
    writeFile(folder / "points.csv", pointsCsv(sweep, outcome));
    writeFile(folder / "sweep.json", json);
    writeFile(folder / "report.html", sweepPage(sweep, outcome));
    if (arguments.json) {
        fmt::print("{}", json);
    } else {
        fmt::print("{} points, {} of them stored before, in {}\n\n{}{}", outcome.points.size(),
                   outcome.stored, folder.string(), text, arguments.isQuiet ? "" : legend);
    }
    if (outcome.isStopped) {
        fmt::print(stderr, "vnpu: interrupted: {} of {} points done, the same command goes on\n",
                   std::ranges::count(outcome.points, true, &SweepPoint::isDone),
                   outcome.points.size());
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
    addJson(command, arguments->json, "Print sweep.json in place of the table");
    addCaseOptions(command, arguments->cases, {.isRepeatable = false});
    command.footer(
            "A case is a row, whose name is \"axis=value axis=value\"; the time limit is that of "
            "a point.");
}

}  // namespace vnpu::sim
