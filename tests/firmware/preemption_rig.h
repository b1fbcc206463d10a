// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/api/scheduling.h"
#include "tests/firmware/rig.h"

namespace vnpu::fw::test {

/// A rig whose jobs have checkpoints and save areas.
class PreemptionRig : public Rig {
  public:
    static constexpr std::uint32_t kStepCycles = 10'000;  // of each command on DMA channel 0

    PreemptionRig() { device.engineCycles[0] = kStepCycles; }

    /// Adds kSetScheduling as the next step.
    void setScheduling(const SchedulingParameters& wanted);

    /// A job of `steps` commands of kStepCycles, one after the other, each followed by a checkpoint
    /// with this many live bytes of SRAM; every second checkpoint lies between operations.
    JobSlot steppedJob(std::uint64_t jobId, std::uint32_t steps, bool hasSaveArea = true,
                       std::uint32_t liveBytes = 0);

    /// A job of `steps` commands of kStepCycles, queued one behind the other. From the third
    /// command on, each is preceded by a checkpoint that is reached when the last command is
    /// running and that holds the controller.
    JobSlot queuedJob(std::uint64_t jobId, std::uint32_t steps, std::uint32_t holdCycles);

    /// Submits a job `cycles` after the current cycle.
    void submitAfter(std::uint64_t cycles, std::uint32_t ring, const JobSlot& slot);

    /// The job ids of all marks of one event.
    std::vector<std::uint64_t> jobsAt(const std::string& event) const;

    /// The events of jobs: "start 1", "preempted 1", ...
    std::vector<std::string> story() const;

    /// All records of a ring after run().
    const CompletionRecord& recordOf(std::uint64_t jobId) const;

  private:
    void addSaveArea(JobSlot& slot);
};

SchedulingParameters scheduling(Policy policy, Mechanism mechanism, std::uint32_t flags = 0);

Message ringRequest(MessageType type, std::uint32_t ring, std::uint64_t jobId = 0);

}  // namespace vnpu::fw::test
