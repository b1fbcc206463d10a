// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/jobs/checkpoint_runner.h"
#include "firmware/core/jobs/step.h"
#include "firmware/core/jobs/turn_parts.h"
#include "hw_model/regs/command_reader.h"

namespace vnpu::fw {

/// Runs the command stream of the job that has the device: validates each command, dispatches those
/// of the engines and executes those of the controller. Between commands, and at every branch, it
/// services doorbells, messages and errors, so that no loop can hold the device.
class StreamRunner {
  public:
    StreamRunner(const TurnParts& parts, CheckpointRunner& checkpoints)
        : parts_(parts), checkpoints_(checkpoints) {}

    /// Runs from the fetcher's position to the end of the turn.
    Step run();

  private:
    hw::JobStatus check(const hw::CommandView& command) const;
    Step runCommand(const hw::CommandView& command);
    Step runControl(const hw::CommandView& command);
    Step writeTimestamp(const hw::CommandView& command);
    Step startSegment();
    Step startLoop(const hw::Loop& work);
    Step runBranch(const hw::CommandView& command);
    hw::JobStatus branch(const hw::Branch& work);
    hw::JobStatus checkLoop(const hw::Branch& work) const;
    hw::JobStatus readCondition(const hw::Branch& work, bool& holds) const;

    const TurnParts parts_;
    CheckpointRunner& checkpoints_;
};

}  // namespace vnpu::fw
