// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sim/sweep/point_store.h"
#include "sim/sweep/worker.h"

namespace vnpu::sim {

/// A run that is missing in the store, and the hash under which its answer is stored.
struct SweepJob {
    WorkerRequest request;
    std::string hash;
};

/// The place where the runs of a sweep are computed. Used by one thread.
class JobRunner {
  public:
    /// Called with the index of a job and its answer, which may be an error.
    using Finished = std::function<void(std::size_t, const WorkerAnswer&)>;

    virtual ~JobRunner() = default;

    /// Runs the jobs, whose hashes all differ, puts answers without an error into the store, and
    /// calls `finished` once for each job, on this thread and in any order. Returns false if it
    /// ended before all jobs did.
    virtual bool run(const std::vector<SweepJob>& jobs, const PointStore& store,
                     const Finished& finished) = 0;
};

}  // namespace vnpu::sim
