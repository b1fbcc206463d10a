// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/process_pool.h"
#include "sim/base/progress_line.h"
#include "sim/base/random.h"
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
};

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

ExitCode killClients(const StressArguments& arguments) {
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
    return report.isGood() ? ExitCode::kDone : ExitCode::kFailed;
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

ExitCode preempt(const StressArguments& arguments) {
    PreemptionStressOptions options{.preemptions = arguments.preemptions,
                                    .seed = arguments.options.seed};
    const PreemptionStressReport report = withProgress(
            options, options.preemptions, "preemptions", [&](const auto& stressOptions) {
                return stressPreemption(loadConfig(arguments.config), stressOptions);
            });
    printPreemptions(report, arguments.json);
    return report.total().wrong == 0 ? ExitCode::kDone : ExitCode::kFailed;
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

ExitCode injectFaults(const StressArguments& arguments) {
    FaultStressOptions options{.config = loadConfig(arguments.config),
                               .faults = arguments.faults,
                               .seed = arguments.options.seed};
    const FaultStressReport report =
            withProgress(options, options.faults, "faults", runFaultStress);
    if (!arguments.story.empty()) {
        writeStory(arguments.story, report.story);
    }
    arguments.json ? printJson(report) : printText(report);
    return report.isGood() ? ExitCode::kDone : ExitCode::kFailed;
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

ExitCode stressCalls(const StressArguments& arguments) {
    StressOptions options = arguments.options;
    const StressReport report =
            withProgress(options, options.threads * options.callsPerThread, "calls",
                         [&](const StressOptions& stressOptions) {
                             LivePlatform platform({.config = loadConfig(arguments.config)});
                             return runStress(platform, stressOptions);
                         });
    arguments.json ? printJson(report) : printText(report);
    return report.isGood() ? ExitCode::kDone : ExitCode::kFailed;
}

ExitCode stress(const StressArguments& arguments) {
    if (arguments.preemptions > 0) {
        return preempt(arguments);
    }
    if (arguments.faults > 0) {
        return injectFaults(arguments);
    }
    return arguments.kills > 0 ? killClients(arguments) : stressCalls(arguments);
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
}

}  // namespace vnpu::sim
