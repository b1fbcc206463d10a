// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace vnpu::sim {

/// A job array for `sbatch`.
struct SlurmArray {
    std::string name;                    // of the job
    std::size_t tasks = 1;               // with the indexes 0 to tasks - 1
    unsigned mostTasks = 0;              // at the same time; 0: any number
    unsigned processors = 1;             // of a task
    std::string folder;                  // in which the tasks start
    std::string log;                     // path without the "_INDEX.txt" that is added to it
    std::string command;                 // for the shell; $SLURM_ARRAY_TASK_ID is the index
    std::vector<std::string> arguments;  // more options, which take precedence over those for
                                         // resources and folders
};

/// A task that is not at its end: waiting, running, or about to be started again.
struct SlurmTask {
    std::string array;  // name of its job
    std::size_t index = 0;
    bool isRunning = false;
    std::string reason;  // for which it waits, in Slurm's words
};

/// Slurm's programs on PATH. Errors are sentences with what the program wrote to its standard
/// error. Used by one thread.
class SlurmCommands {
  public:
    /// `stop` may be null; it ends a program that does not answer.
    explicit SlurmCommands(const std::atomic<bool>* stop) : stop_(stop) {}

    /// Returns the job's number.
    tl::expected<std::string, std::string> submit(const SlurmArray& array) const;
    /// The tasks of this user in arrays with one of these names; without accounting, so tasks that
    /// have ended are not among them.
    tl::expected<std::vector<SlurmTask>, std::string> tasks(
            const std::vector<std::string>& arrays) const;

  private:
    tl::expected<std::string, std::string> run(std::vector<std::string> words) const;

    const std::atomic<bool>* stop_;
};

}  // namespace vnpu::sim
