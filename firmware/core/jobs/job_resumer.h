// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/api/save_area.h"
#include "firmware/core/jobs/checkpoint_runner.h"
#include "firmware/core/jobs/step.h"
#include "firmware/core/jobs/turn_parts.h"

namespace vnpu::fw {

/// Brings a preempted job back to the checkpoint at which it was saved. Nothing in its save area is
/// trusted, because the driver can write there: the header is compared with the slot and the
/// stream. If the area does not match, the job loses its progress (JobTurn::giveUpSave).
class JobResumer {
  public:
    JobResumer(const TurnParts& parts, CheckpointRunner& checkpoints)
        : parts_(parts), checkpoints_(checkpoints) {}

    /// Restores the context and stays at its checkpoint; the stream continues after it.
    Step resume();

  private:
    bool matches(const SaveArea& area);
    hw::JobStatus findCheckpoint(const SaveArea& area);
    Step resumeDsp(const SaveArea& area);

    const TurnParts parts_;
    CheckpointRunner& checkpoints_;
};

}  // namespace vnpu::fw
