// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/child_program.h"
#include "tests/support/program.h"

namespace vnpu::test {

/// Slurm's own programs on this machine, with all files in a temporary folder and ports of this
/// machine that are free: munged, slurmctld and a slurmd for each of two nodes with one processor.
/// While the object lives, Slurm's client programs in this process's environment use it.
class SlurmCluster {
  public:
    static constexpr std::size_t kNodes = 2;

    /// Why there can be no cluster here; empty if there can.
    static std::string obstacle();

    /// Returns once both nodes are idle.
    SlurmCluster();
    ~SlurmCluster();
    SlurmCluster(const SlurmCluster&) = delete;
    SlurmCluster& operator=(const SlurmCluster&) = delete;

    void killController();
    void startController();
    /// The processes of jobs that run on a node.
    std::vector<pid_t> jobProcesses(std::size_t node) const;
    /// Ends slurmd and all of the node's processes at once, as a power failure does.
    void killNode(std::size_t node);
    /// Its tasks go on. It registers again, so that the controller learns of the tasks that ended
    /// before it had saved their ends.
    void restartNode(std::size_t node);
    /// What an administrator does after a controller has lost its last seconds: it may give a task
    /// the number of one that it has forgotten, drains the node that knows both, and holds the job.
    void resumeNodeAndJobs(std::size_t node) const;
    /// The state of the nodes and the queue, for messages.
    std::string state() const;

  private:
    void startNode(std::size_t node);
    void writeConfiguration() const;

    TemporaryFolder folder_;
    std::optional<sim::ChildProgram> munge_, controller_;
    std::array<std::optional<sim::ChildProgram>, kNodes> nodes_;
};

}  // namespace vnpu::test
