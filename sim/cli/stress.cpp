// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/cli/commands.h"
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

ExitCode killClients(const StressArguments& arguments) {
    KillOptions options{.program = "/proc/self/exe",
                        .config = arguments.config,
                        .model = arguments.model,
                        .kills = arguments.kills,
                        .seed = arguments.options.seed};
    const bool isTerminal = isatty(STDERR_FILENO) == 1;
    if (isTerminal) {
        options.onProgress = [&](std::uint64_t killed) {
            fmt::print(stderr, "\r\033[K{}/{} kills", killed, options.kills);
        };
    }
    const KillReport report = runKills(options);
    fmt::print("{}", isTerminal ? "\r\033[K" : "");
    for (const std::string& error : report.errors) {
        fmt::print("wrong: {}\n", error);
    }
    for (const std::string& leak : report.leaks()) {
        fmt::print("leaked: {}\n", leak);
    }
    fmt::print("memory of the service: {} KiB before, {} KiB after\n",
               report.before.residentBytes >> 10, report.after.residentBytes >> 10);
    fmt::print("{} kills, {} jobs beside them, nothing left after {:.3f} s: {} wrong, {} leaks\n",
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
    for (const std::string& error : report.errors) {
        fmt::print("wrong: {}\n", error);
    }
    fmt::print(
            "{} executions in {} rounds, {} preemptions with {} KiB saved, {} restarts: {} wrong\n",
            report.executions(), report.rounds, report.preemptions, report.savedBytes >> 10,
            report.restarts, report.wrong());
}

ExitCode preempt(const StressArguments& arguments) {
    PreemptionStressOptions options{.preemptions = arguments.preemptions,
                                    .seed = arguments.options.seed};
    const bool isTerminal = isatty(STDERR_FILENO) == 1;
    if (isTerminal) {
        options.onProgress = [&](std::uint64_t done) {
            fmt::print(stderr, "\r\033[K{}/{} preemptions", done, options.preemptions);
        };
    }
    const PreemptionStressReport report = stressPreemption(loadConfig(arguments.config), options);
    fmt::print(stderr, "{}", isTerminal ? "\r\033[K" : "");
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
    for (const std::string& error : report.tally.errors) {
        fmt::print("wrong: {}\n", error);
    }
    for (const std::string& leak : report.leaks()) {
        fmt::print("leaked: {}\n", leak);
    }
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

ExitCode stress(const StressArguments& arguments) {
    StressOptions options = arguments.options;
    const std::uint64_t total = options.threads * options.callsPerThread;
    std::mutex mutex;  // one line at a time
    if (isatty(STDERR_FILENO) == 1) {
        options.onProgress = [&mutex, total](std::uint64_t done) {
            const std::lock_guard guard(mutex);
            fmt::print(stderr, "\r\033[K{}/{} calls", done, total);
        };
    }
    StressReport report;
    {
        LivePlatform platform({.config = loadConfig(arguments.config)});
        report = runStress(platform, options);
    }
    if (options.onProgress) {
        fmt::print(stderr, "\r\033[K");
    }
    if (arguments.json) {
        printJson(report);
    } else {
        printText(report);
    }
    return report.isGood() ? ExitCode::kDone : ExitCode::kFailed;
}

}  // namespace

void addStressCommand(CLI::App& app, Action& action) {
    const auto arguments = std::make_shared<StressArguments>();
    CLI::App* command = app.add_subcommand(
            "stress", "Let threads make mixed calls, right and wrong, on one live device");
    command->add_option("--threads", arguments->options.threads, "Threads; four are one app")
            ->capture_default_str()
            ->check(CLI::Range(1U, 256U));
    command->add_option("--calls", arguments->options.callsPerThread, "Calls of each thread")
            ->capture_default_str()
            ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
    command->add_option("--seed", arguments->options.seed, "Which calls are made")
            ->capture_default_str();
    command->add_option("--config", arguments->config, "Device configuration: name or TOML file")
            ->capture_default_str();
    command->add_flag("--json", arguments->json, "Print JSON");
    command->add_option("--preemptions", arguments->preemptions,
                        "Instead: mixes of the zoo's networks, with random priorities at random "
                        "times, until so many preemptions; each output is compared with that of "
                        "the network alone. In virtual time")
            ->type_name("N")
            ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
    command->add_option("--kills", arguments->kills,
                        "Instead: so many clients of a service, in processes of their own, are "
                        "killed at random moments")
            ->type_name("N")
            ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
    command->add_option("--model", arguments->model, "What those clients run")
            ->capture_default_str();
    command->add_option("--faults", arguments->faults,
                        "Instead: clients in virtual time, and so many faults of the device among "
                        "their work")
            ->type_name("N")
            ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}));
    command->add_option("--story", arguments->story,
                        "File for all calls, jobs and faults of that, the same for the same seed")
            ->type_name("FILE");
    command->callback([arguments, &action] {
        action = [arguments] {
            if (arguments->preemptions > 0) {
                return preempt(*arguments);
            }
            if (arguments->faults > 0) {
                return stressFaults({.faults = arguments->faults,
                                     .seed = arguments->options.seed,
                                     .config = arguments->config,
                                     .story = arguments->story,
                                     .json = arguments->json});
            }
            return arguments->kills > 0 ? killClients(*arguments) : stress(*arguments);
        };
    });
}

}  // namespace vnpu::sim
