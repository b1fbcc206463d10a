// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/slurm_arguments.h"

#include <fmt/format.h>

#include "sim/base/duration.h"
#include "sim/base/error.h"
#include "sim/cli/command_options.h"

namespace vnpu::sim {

namespace {

constexpr const char* kGroup = "Slurm";
constexpr const char* kSlurm = "--slurm";

}  // namespace

void addSlurmOptions(CLI::App& command, SlurmArguments& arguments) {
    command.add_flag(kSlurm, arguments.isSlurm,
                     "Run the points in job arrays of Slurm; program, folders and files must be "
                     "under the same paths on all nodes")
            ->group(kGroup);
    command.add_flag("--slurm-detach", arguments.isDetached,
                     "Take the points that are done, submit those that no task has, and return")
            ->group(kGroup);
    command.add_option("--slurm-args", arguments.arguments,
                       "More options for sbatch, such as \"--partition=long --mem=2G\"")
            ->type_name("TEXT")
            ->group(kGroup);
    addNumber(command, "--slurm-tasks", arguments.tasks,
              "Most tasks at the same time; 0: any number", 0)
            .group(kGroup);
    addNumber(command, "--chunk", arguments.chunk,
              "Points of a task; 0: a thousandth of the points, at least --jobs", 0)
            .group(kGroup);
    addNumber(command, "--retries", arguments.retries,
              "How often a point that failed is submitted again", 0, 100)
            .group(kGroup);
    command.add_option("--slurm-poll", arguments.interval,
                       "Time between two questions to squeue (default: \"5 s\")")
            ->type_name("TIME")
            ->group(kGroup);
}

SlurmOptions slurmOptions(const SlurmArguments& arguments, unsigned jobs,
                          std::optional<std::chrono::nanoseconds> limit,
                          const std::atomic<bool>* stop, ProgressLine& line) {
    SlurmOptions options{
            .jobs = jobs,
            .chunk = arguments.chunk,
            .mostTasks = static_cast<unsigned>(arguments.tasks),
            .retries = static_cast<unsigned>(arguments.retries),
            .arguments = CLI::detail::split_up(arguments.arguments),
            .isDetached = arguments.isDetached,
            .limit = limit,
            .stop = stop,
            .onNote = [&line](const std::string& text) { line.note("vnpu: " + text); }};
    if (!arguments.interval.empty()) {
        const std::optional<std::uint64_t> interval = parseDuration(arguments.interval);
        if (!interval) {
            throw InputError(fmt::format("--slurm-poll is \"{}\", expected {}", arguments.interval,
                                         kDurationForm));
        }
        options.interval = std::chrono::nanoseconds(*interval);
    }
    return options;
}

}  // namespace vnpu::sim
