// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/core/jobs/step.h"
#include "firmware/core/jobs/turn_parts.h"
#include "hw_model/regs/command_reader.h"

namespace vnpu::fw {

/// Executes checkpoints: decides how long the job stays at one, and saves its context there.
///
/// With preemption, a job stays at a checkpoint while the DSP works: an operator takes long, and
/// after the checkpoint the job could not be saved while it waits for the DSP.
class CheckpointRunner {
  public:
    explicit CheckpointRunner(const TurnParts& parts) : parts_(parts) {}

    const TurnParts& parts() const { return parts_; }

    /// Called when a turn begins or continues after the checkpoint of its save area.
    void begin();

    /// Executes a kCheckpoint command.
    Step visit(const hw::CommandView& command);

    /// Stays at a checkpoint whose waits are reached; saves the job there if another must run or if
    /// `isForced`.
    Step stayAt(const hw::Checkpoint& checkpoint, bool isForced);

    /// Saves what a preempted job has kept in `blocks` of SRAM; always ends the turn.
    Step saveKept(std::uint64_t blocks);

  private:
    Step save(const hw::Checkpoint& checkpoint, bool isForced);
    Step leaveSaved(Stop stop);

    const TurnParts parts_;
    std::uint64_t holdEnd_ = 0;      // end of the hold at the current checkpoint; 0: no hold
    std::uint64_t passedCycle_ = 0;  // when the turn began, or the last checkpoint was left
};

}  // namespace vnpu::fw
