// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/slurm/slurm_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/base/process_pool.h"
#include "sim/base/split.h"

namespace vnpu::sim {

namespace {

constexpr std::chrono::minutes kLongestAnswer{5};  // chosen: Slurm's own retries take one or two
constexpr int kNotFound = 127;                     // exit code of `env`: POSIX.1-2017, env
constexpr std::string_view kTaskFields = "--format=%j|%K|%t|%r";  // name, index, state, reason

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \n");
    return begin == std::string_view::npos
                   ? ""
                   : std::string(text.substr(begin, text.find_last_not_of(" \n") + 1 - begin));
}

std::string errorOf(const std::string& program, const ProcessResult& result) {
    if (result.isExited && result.code == kNotFound) {
        return fmt::format(
                "{} is not on PATH, expected the programs of Slurm (Debian: slurm-client)",
                program);
    }
    const std::string text = trimmed(result.errors);
    return fmt::format("{} ended with {} {}{}", program, result.isExited ? "exit code" : "signal",
                       result.code, text.empty() ? "" : ": " + text);
}

/// Slurm replaces "%a" and similar in a path.
std::string logPattern(const std::string& path) {
    std::string pattern;
    for (const char c : path) {
        pattern += c == '%' ? "%%" : std::string(1, c);
    }
    return pattern + "_%a.txt";
}

std::optional<SlurmTask> taskOf(const std::string& line) {
    const std::vector<std::string> fields = split(line, '|');
    SlurmTask task;
    if (fields.size() != 4) {
        return std::nullopt;
    }
    const std::string index = trimmed(fields[1]);
    const auto [end, error] =
            std::from_chars(index.data(), index.data() + index.size(), task.index);
    if (error != std::errc() || end != index.data() + index.size()) {
        return std::nullopt;
    }
    task.array = trimmed(fields[0]);
    task.isRunning = trimmed(fields[2]) == "R";
    task.reason = trimmed(fields[3]);
    return task;
}

}  // namespace

tl::expected<std::string, std::string> SlurmCommands::run(std::vector<std::string> words) const {
    const std::string program = words.front();
    ProcessPool pool("/usr/bin/env", 1, stop_, kLongestAnswer);
    ProcessResult result{.isExited = true, .code = 0, .output = "", .errors = ""};
    const bool isWhole = pool.run(
            1,
            [&](std::size_t) {
                return ProcessTask{std::move(words), ""};
            },
            [&](std::size_t, ProcessResult ended) { result = std::move(ended); });
    if (!isWhole) {
        return tl::unexpected(program + " was interrupted");
    }
    if (!result.isExited || result.code != 0) {
        return tl::unexpected(errorOf(program, result));
    }
    return result.output;
}

tl::expected<std::string, std::string> SlurmCommands::submit(const SlurmArray& array) const {
    std::vector<std::string> words = {"sbatch",
                                      fmt::format("--cpus-per-task={}", array.processors),
                                      "--requeue",
                                      "--open-mode=append",
                                      "--chdir=" + array.folder,
                                      "--output=" + logPattern(array.log)};
    words.insert(words.end(), array.arguments.begin(), array.arguments.end());
    // The last option of a kind counts, so these cannot be changed.
    words.emplace_back("--parsable");
    words.push_back("--job-name=" + array.name);
    words.push_back(fmt::format("--array=0-{}{}", array.tasks - 1,
                                array.mostTasks == 0 ? "" : fmt::format("%{}", array.mostTasks)));
    words.push_back("--wrap=" + array.command);
    return run(std::move(words)).map([](const std::string& output) {
        return trimmed(split(output, ';').front());  // NUMBER or NUMBER;CLUSTER
    });
}

tl::expected<std::vector<SlurmTask>, std::string> SlurmCommands::tasks(
        const std::vector<std::string>& arrays) const {
    return run({"squeue", "--noheader", "--array", fmt::format("--user={}", getuid()),
                fmt::format("--name={}", fmt::join(arrays, ",")), std::string(kTaskFields)})
            .map([](const std::string& output) {
                std::vector<SlurmTask> tasks;
                for (const std::string& line : split(output, '\n')) {
                    if (const auto task = taskOf(line)) {
                        tasks.push_back(*task);
                    }
                }
                return tasks;
            });
}

}  // namespace vnpu::sim
