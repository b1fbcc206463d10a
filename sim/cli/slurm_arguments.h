// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/progress_line.h"
#include "sim/sweep/slurm/slurm_runner.h"

namespace vnpu::sim {

/// The options of a sweep about Slurm, as the user wrote them.
struct SlurmArguments {
    bool isSlurm = false;       // --slurm
    bool isDetached = false;    // --slurm-detach
    std::string arguments{};    // --slurm-args, words as in a shell
    std::string interval{};     // --slurm-poll, a duration; empty: the default
    std::uint64_t tasks = 0;    // --slurm-tasks
    std::uint64_t chunk = 0;    // --chunk
    std::uint64_t retries = 2;  // --retries

    bool isUsed() const { return isSlurm || isDetached; }
};

/// The group "Slurm" of the help.
void addSlurmOptions(CLI::App& command, SlurmArguments& arguments);

/// Throws InputError for a wrong duration. Notes go to `line`, which must outlive the options.
SlurmOptions slurmOptions(const SlurmArguments& arguments, unsigned jobs,
                          std::optional<std::chrono::nanoseconds> limit,
                          const std::atomic<bool>* stop, ProgressLine& line);

}  // namespace vnpu::sim
