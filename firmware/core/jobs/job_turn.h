// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/core/base/log_ring.h"
#include "firmware/core/jobs/dispatcher.h"
#include "firmware/core/jobs/step.h"
#include "firmware/core/scheduling/job.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// The turn of the job that has the device: its times, its result so far, and how errors of engines
/// and save area end it.
class JobTurn {
  public:
    /// What the time of a turn counts as.
    enum class Phase { kExecuting, kSwitching };

    JobTurn(hw::ControllerPort& port, Dispatcher& dispatcher, LogRing& log)
        : port_(port), dispatcher_(dispatcher), log_(log) {}

    /// Prepares the engines and preserves `keptBlocks` of SRAM. The turn of a saved job begins with
    /// its restore.
    void begin(HeadJob& head, std::uint64_t keptBlocks);

    /// Adds the time since the last call to the present phase and begins the next one.
    void enter(Phase phase);
    /// Adds the time since the last call to the present phase.
    void end() { enter(phase_); }
    /// Device cycle at which the present phase began.
    std::uint64_t phaseStart() const { return phaseStart_; }

    const Job& job() const { return head_->job; }
    JobProgress& progress() { return head_->progress; }
    JobResult& result() { return result_; }
    const JobResult& result() const { return result_; }

    /// Goes on after Stop::kNone; any other stop ends the turn.
    Step stepOf(Stop stop);

    /// Goes on after kOk; any other status finishes the job and is recorded for the command at
    /// `commandOffset`.
    Step stepOf(hw::JobStatus status, std::uint32_t commandOffset);

    /// Stops the turn because the save area failed, for `why` and by `engine`: the job begins from
    /// the start and is not saved again.
    Step giveUpSave(hw::JobStatus why, std::uint32_t engine = kNoEngine);

    /// Likewise after Stop::kEngineError while a context moved. `failure` is the mover's; with kOk
    /// the reason is the engine's.
    Step giveUpMove(hw::JobStatus failure);

    /// Reports that the job is back on the chip.
    void noteResumed();

    /// Clears the MMU's fault record, because a job that failed for another reason may also have
    /// faulted and the next job must not get the blame. Returns the faulting address, or 0.
    std::uint64_t releaseFault();

  private:
    hw::JobStatus readEngineError();

    hw::ControllerPort& port_;
    Dispatcher& dispatcher_;
    LogRing& log_;
    HeadJob* head_ = nullptr;
    JobResult result_;
    Phase phase_ = Phase::kExecuting;
    std::uint64_t phaseStart_ = 0;
};

}  // namespace vnpu::fw
