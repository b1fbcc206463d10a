// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/process_pool.h"
#include "sim/sweep/sweep_job.h"

namespace vnpu::sim {

struct SlurmOptions {
    std::string program = kOwnProgram;     // `vnpu`, under this path on all machines
    unsigned jobs = 1;                     // processes of a task at the same time
    std::size_t chunk = 0;                 // points of a task; 0: as chunkOf() says
    unsigned mostTasks = 0;                // at the same time; 0: any number
    unsigned retries = 2;                  // how often a point that failed is submitted again
    std::vector<std::string> arguments{};  // more options for sbatch
    bool isDetached = false;               // submit and return
    std::chrono::nanoseconds interval = std::chrono::seconds(5);  // between questions to squeue
    std::optional<std::chrono::nanoseconds> limit{};              // of a point on the wall clock
    const std::atomic<bool>* stop = nullptr;                      // may be null
    std::function<void(const std::string&)> onNote{};  // a line for the user; may be empty
};

/// The tasks that one array may have: Slurm's MaxArraySize is 1001 if a cluster does not change it.
/// source: slurm.conf(5)
inline constexpr std::size_t kTasksOfArray = 1000;

/// The points of a task: at least one for each process, and enough that one array holds all points.
std::size_t chunkOf(std::size_t points, unsigned jobs);

/// Runs jobs in Slurm's job arrays. All state is in the folder "slurm" beside the store's folder
/// and in Slurm's queue, so that after the end of this process another one goes on: it waits for
/// points that tasks still have, and submits those that no task has.
class SlurmRunner : public JobRunner {
  public:
    explicit SlurmRunner(SlurmOptions options) : options_(std::move(options)) {}

    /// Returns false if it was stopped, or is detached and points are missing. Throws
    /// std::runtime_error if another process runs jobs of this store, or if sbatch fails. While
    /// squeue fails, as without the controller, it waits; only a detached run throws.
    bool run(const std::vector<SweepJob>& jobs, const PointStore& store,
             const Finished& finished) override;

  private:
    SlurmOptions options_;
};

}  // namespace vnpu::sim
