// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "sim/base/process_pool.h"
#include "sim/sweep/sweep_job.h"

namespace vnpu::sim {

/// Runs jobs in processes of this machine.
class ProcessRunner : public JobRunner {
  public:
    explicit ProcessRunner(ProcessPool pool) : pool_(std::move(pool)) {}

    /// Returns false if the pool was stopped.
    bool run(const std::vector<SweepJob>& jobs, const PointStore& store,
             const Finished& finished) override;

  private:
    ProcessPool pool_;
};

}  // namespace vnpu::sim
