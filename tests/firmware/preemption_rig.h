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

    /// kSetScheduling as the next step.
    void setScheduling(const SchedulingParameters& wanted);

    /// A job of `steps` commands of kStepCycles, one after the other, a checkpoint of so many live
    /// bytes of SRAM after each; every second one stands between operations.
    JobSlot steppedJob(std::uint64_t jobId, std::uint32_t steps, bool hasSaveArea = true,
                       std::uint32_t liveBytes = 0);

    /// A job of `steps` commands of kStepCycles, queued one behind the other; before each from the
    /// third on a checkpoint, reached when the last one is under way, that holds the controller.
    JobSlot queuedJob(std::uint64_t jobId, std::uint32_t steps, std::uint32_t holdCycles);

    /// Submits at a cycle, counted from now on.
    void submitAfter(std::uint64_t cycles, std::uint32_t ring, const JobSlot& slot);

    /// The marks of one event, as the ids of their jobs.
    std::vector<std::uint64_t> jobsAt(const std::string& event) const;

    /// "start 1", "preempted 1", ... of what happened to jobs.
    std::vector<std::string> story() const;

    /// All records of a ring after run().
    const CompletionRecord& recordOf(std::uint64_t jobId) const;

  private:
    void addSaveArea(JobSlot& slot);
};

SchedulingParameters scheduling(Policy policy, Mechanism mechanism, std::uint32_t flags = 0);

Message ringRequest(MessageType type, std::uint32_t ring, std::uint64_t jobId = 0);

}  // namespace vnpu::fw::test
