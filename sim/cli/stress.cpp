// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/process_pool.h"
#include "sim/cli/command_options.h"
#include "sim/cli/progress_line.h"
#include "sim/cli/stress_faults.h"
#include "sim/config/load_config.h"
#include "sim/interrupt/preemption_stress.h"
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

ExitCode killClients(const StressArguments& arguments) {
    KillOptions options{.program = kOwnProgram,
                        .config = arguments.config,
                        .model = arguments.model,
                        .kills = arguments.kills,
                        .seed = arguments.options.seed};
    const KillReport report = [&] {
        ProgressLine line;
        options.onProgress = line.counter(options.kills, "kills");
        return runKills(options);
    }();
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
            report.executions(), report.rounds, report.preemptions, report.savedBytes >> 10,
            report.restarts, report.wrong());
}

ExitCode preempt(const StressArguments& arguments) {
    PreemptionStressOptions options{.preemptions = arguments.preemptions,
                                    .seed = arguments.options.seed};
    const PreemptionStressReport report = [&] {
        ProgressLine line;
        options.onProgress = line.counter(options.preemptions, "preemptions");
        return stressPreemption(loadConfig(arguments.config), options);
    }();
    printPreemptions(report, arguments.json);
    return report.wrong() == 0 ? ExitCode::kDone : ExitCode::kFailed;
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
    const StressReport report = [&] {
        ProgressLine line;
        options.onProgress = line.counter(options.threads * options.callsPerThread, "calls");
        LivePlatform platform({.config = loadConfig(arguments.config)});
        return runStress(platform, options);
    }();
    arguments.json ? printJson(report) : printText(report);
    return report.isGood() ? ExitCode::kDone : ExitCode::kFailed;
}

ExitCode stress(const StressArguments& arguments) {
    if (arguments.preemptions > 0) {
        return preempt(arguments);
    }
    if (arguments.faults > 0) {
        return stressFaults({.faults = arguments.faults,
                             .seed = arguments.options.seed,
                             .config = arguments.config,
                             .story = arguments.story,
                             .json = arguments.json});
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
    addNumber(command, "--preemptions", arguments->preemptions,
              "Instead, in virtual time: mixes of the zoo's networks with random priorities at "
              "random times until N preemptions; each output is compared with that of the network "
              "alone");
    addNumber(command, "--kills", arguments->kills,
              "Instead: N clients of a service, in processes of their own, are killed at random "
              "moments");
    command.add_option("--model", arguments->model, "With --kills: the model of the clients")
            ->capture_default_str();
    addNumber(command, "--faults", arguments->faults,
              "Instead, in virtual time: clients work while N faults happen to the device", 1,
              1'000'000);
    command.add_option("--story", arguments->story,
                       "With --faults: file for all calls, jobs and faults; the same seed gives "
                       "the same bytes")
            ->type_name("FILE");
}

}  // namespace vnpu::sim
