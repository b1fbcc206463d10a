// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/process_pool.h"
#include "sim/base/progress_line.h"
#include "sim/base/random.h"
#include "sim/ci/case_options.h"
#include "sim/cli/command_options.h"
#include "sim/config/load_config.h"
#include "sim/interrupt/preemption_stress.h"
#include "sim/stress/fault_stress.h"
#include "sim/stress/kill_stress.h"
#include "sim/stress/stress.h"

namespace vnpu::sim {

namespace {

struct StressArguments {
    StressOptions options;
    std::string config = "edge";
    bool json = false;
    std::uint64_t kills = 0;
    std::string model = "zoo:ds_cnn";
    std::uint64_t preemptions = 0;
    std::uint64_t faults = 0;
    std::string story;
    CaseOptions cases;
};

/// A case that fails by what is listed.
CaseOutcome listCase(const std::string& suite, const std::string& name,
                     const std::vector<std::string>& wrong) {
    CaseOutcome outcome{.name = {.suite = suite, .name = name}};
    if (!wrong.empty()) {
        outcome.result = CaseResult::kFailed;
        outcome.message =
                fmt::format("{} wrong, expected none: {}", wrong.size(), fmt::join(wrong, "\n"));
    }
    return outcome;
}

void printList(const char* what, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        fmt::print("{}: {}\n", what, line);
    }
}

/// Runs a stress program and shows its progress toward `total`.
template <typename Options, typename Run>
auto withProgress(Options& options, std::uint64_t total, const char* unit, const Run& run) {
    ProgressLine line;
    options.onProgress = line.counter(total, unit);
    return run(options);
}

void killClients(const StressArguments& arguments, CaseSession& session) {
    KillOptions options{.program = kOwnProgram,
                        .config = arguments.config,
                        .model = arguments.model,
                        .kills = arguments.kills,
                        .seed = arguments.options.seed};
    const KillReport report = withProgress(options, options.kills, "kills", runKills);
    printList("wrong", report.errors);
    printList("leaked", report.leaks());
    fmt::print("memory of the service: {} KiB before, {} KiB after\n",
               report.before.residentBytes >> 10, report.after.residentBytes >> 10);
    fmt::print(
            "{} kills, {} other jobs, all resources released after {:.3f} s: {} wrong, {} leaks\n",
            report.killed,
            report.after.devices.at(0).driver.jobsCompleted -
                    report.before.devices.at(0).driver.jobsCompleted,
            report.secondsToSettle, report.errors.size(), report.leaks().size());
    session.add(listCase("kills", "resources", report.leaks()));
    session.end(listCase("kills", "answers", report.errors));
}

void printPreemptions(const PreemptionStressReport& report, bool isJson) {
    nlohmann::ordered_json json;
    for (const auto& [name, share] : report.networks) {
        json["networks"][name] = {{"executions", share.executions}, {"wrong", share.wrong}};
        if (!isJson) {
            fmt::print("{:<24} {:>8} executions\n", name, share.executions);
        }
    }
    if (isJson) {
        json["rounds"] = report.rounds;
        json["preemptions"] = report.preemptions;
        json["restarts"] = report.restarts;
        json["saved_bytes"] = report.savedBytes;
        json["errors"] = report.errors;
        fmt::print("{}\n", json.dump(2));
        return;
    }
    printList("wrong", report.errors);
    fmt::print(
            "{} executions in {} rounds, {} preemptions with {} KiB saved, {} restarts: {} wrong\n",
            report.total().executions, report.rounds, report.preemptions, report.savedBytes >> 10,
            report.restarts, report.total().wrong);
}

void preempt(const StressArguments& arguments, CaseSession& session) {
    PreemptionStressOptions options{.preemptions = arguments.preemptions,
                                    .seed = arguments.options.seed};
    const PreemptionStressReport report = withProgress(
            options, options.preemptions, "preemptions", [&](const auto& stressOptions) {
                return stressPreemption(loadConfig(arguments.config), stressOptions);
            });
    printPreemptions(report, arguments.json);
    for (const auto& [name, share] : report.networks) {
        CaseOutcome outcome{.name = {.suite = "preemptions", .name = name},
                            .figures = {{"executions", fmt::format("{}", share.executions)}}};
        if (share.wrong != 0) {
            outcome.result = CaseResult::kFailed;
            outcome.message =
                    fmt::format("{} of {} executions gave other outputs than the network alone",
                                share.wrong, share.executions);
        }
        session.add(outcome);
    }
    session.end(listCase("preemptions", "answers", report.errors));
}

double toMilliseconds(std::chrono::nanoseconds time) {
    return static_cast<double>(time.count()) * 1e-6;
}

void printText(const FaultStressReport& report) {
    fmt::print("{}", report.table());
    printList("wrong", report.wrong);
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

void writeStory(const std::string& path, const std::string& story) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << story;
    out.close();
    if (!out) {
        throw InputError(fmt::format(
                "--story: can't write {}, expected a file in a folder that can be written", path));
    }
}

void injectFaults(const StressArguments& arguments, CaseSession& session) {
    FaultStressOptions options{.config = loadConfig(arguments.config),
                               .faults = arguments.faults,
                               .seed = arguments.options.seed};
    const FaultStressReport report =
            withProgress(options, options.faults, "faults", runFaultStress);
    if (!arguments.story.empty()) {
        writeStory(arguments.story, report.story);
    }
    arguments.json ? printJson(report) : printText(report);
    session.end(listCase("faults", "answers", report.wrong));
}

void printText(const StressReport& report) {
    fmt::print("{:<24} {:<28} {:>8}\n", "call", "answer", "count");
    for (const auto& [call, statuses] : report.tally.calls) {
        for (const auto& [status, count] : statuses) {
            fmt::print("{:<24} {:<28} {:>8}\n", call, status, count);
        }
    }
    printList("wrong", report.tally.errors);
    printList("leaked", report.leaks());
    fmt::print("{} jobs, {} wrong answers, {} leaks\n",
               report.after.driver.jobsCompleted - report.before.driver.jobsCompleted,
               report.tally.errorCount, report.leaks().size());
}

void printJson(const StressReport& report) {
    nlohmann::ordered_json json;
    json["calls"] = report.tally.calls;
    json["jobs"] = report.after.driver.jobsCompleted - report.before.driver.jobsCompleted;
    json["wrong_answers"] = report.tally.errorCount;
    json["wrong"] = report.tally.errors;
    json["leaks"] = report.leaks();
    fmt::print("{}\n", json.dump(2));
}

void stressCalls(const StressArguments& arguments, CaseSession& session) {
    StressOptions options = arguments.options;
    const StressReport report =
            withProgress(options, options.threads * options.callsPerThread, "calls",
                         [&](const StressOptions& stressOptions) {
                             LivePlatform platform({.config = loadConfig(arguments.config)});
                             return runStress(platform, stressOptions);
                         });
    arguments.json ? printJson(report) : printText(report);
    session.add(listCase("calls", "resources", report.leaks()));
    session.end(listCase("calls", "answers", report.tally.errors));
}

ExitCode stress(const StressArguments& arguments) {
    using Form = void (*)(const StressArguments&, CaseSession&);
    const auto [suite, run] =
            arguments.preemptions > 0 ? std::pair<const char*, Form>("preemptions", preempt)
            : arguments.faults > 0    ? std::pair<const char*, Form>("faults", injectFaults)
            : arguments.kills > 0     ? std::pair<const char*, Form>("kills", killClients)
                                      : std::pair<const char*, Form>("calls", stressCalls);
    CaseSession session("stress", arguments.cases);
    return runSession(session, arguments.json, [&, name = suite, form = run] {
        session.begin({.suite = name, .name = "answers"});
        form(arguments, session);
    });
}

}  // namespace

void addStressCommand(CLI::App& app, Action& action) {
    const auto arguments = std::make_shared<StressArguments>();
    CLI::App& command = addCommand(app, action, "stress",
                                   "Make mixed calls, valid and invalid, from many threads on one "
                                   "live device",
                                   arguments, stress);
    command.add_option("--threads", arguments->options.threads, "Threads; four of them are one app")
            ->capture_default_str()
            ->check(CLI::Range(1U, 256U));
    addNumber(command, "--calls", arguments->options.callsPerThread, "Calls of each thread");
    addSeed(command, arguments->options.seed, "Seed of the calls, kills, priorities or faults");
    addConfig(command, arguments->config);
    addJson(command, arguments->json);
    addNumber(
            command, "--preemptions", arguments->preemptions,
            "In place of the calls, in virtual time: run mixes of the zoo's networks with random "
            "priorities at random times until N preemptions, and compare each output with that of "
            "the network alone");
    addNumber(
            command, "--kills", arguments->kills,
            "In place of the calls: kill N clients of a service, which are processes of their own, "
            "at random moments");
    command.add_option("--model", arguments->model, "With --kills: the model of the clients")
            ->capture_default_str();
    addNumber(
            command, "--faults", arguments->faults,
            "In place of the calls, in virtual time: inject N faults into the device while clients "
            "work",
            1, 1'000'000);
    command.add_option("--story", arguments->story,
                       "With --faults: file for all calls, jobs and faults; the same seed gives "
                       "the same bytes")
            ->type_name("FILE");
    addCaseOptions(command, arguments->cases, {.isSelectable = false, .isRepeatable = false});
}

}  // namespace vnpu::sim
