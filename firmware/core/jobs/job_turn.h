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
    /// The category to which time is charged.
    enum class Phase { kExecuting, kSwitching };

    JobTurn(hw::ControllerPort& port, Dispatcher& dispatcher, LogRing& log)
        : port_(port), dispatcher_(dispatcher), log_(log) {}

    /// Prepares the engines and preserves `keptBlocks` of SRAM. The turn of a saved job begins with
    /// its restore.
    void begin(HeadJob& head, std::uint64_t keptBlocks);

    /// Charges the time since the last call to the current phase and begins the next one.
    void enter(Phase phase);
    /// Charges the time since the last call to the current phase.
    void end() { enter(phase_); }
    /// Device cycle at which the current phase began.
    std::uint64_t phaseStart() const { return phaseStart_; }

    const Job& job() const { return head_->job; }
    JobProgress& progress() { return head_->progress; }
    JobResult& result() { return result_; }
    const JobResult& result() const { return result_; }

    /// Continues after Stop::kNone; any other stop ends the turn.
    Step stepOf(Stop stop);

    /// Continues after kOk; any other status finishes the job and is recorded for the command at
    /// `commandOffset`.
    Step stepOf(hw::JobStatus status, std::uint32_t commandOffset);

    /// Stops the turn because the save area failed with `why` at `engine`: the job starts again
    /// from the beginning and is not saved any more.
    Step giveUpSave(hw::JobStatus why, std::uint32_t engine = kNoEngine);

    /// The same after Stop::kEngineError while a context was moved. `failure` is the mover's; if it
    /// is kOk, the engine has the reason.
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
