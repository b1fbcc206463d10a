// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "firmware/api/mailbox.h"
#include "firmware/api/scheduling.h"
#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/log_ring.h"
#include "firmware/core/scheduling/job_chooser.h"
#include "firmware/core/scheduling/preemption.h"
#include "firmware/core/scheduling/ring_table.h"
#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Decides which job has the device. The jobs at the heads of the rings are the candidates; a
/// policy chooses among them, at a job's end and, where preemption is on, while a job runs: at
/// every arrival and message, and when the policy's time has come. Where it chooses another than
/// the running one, a mechanism says what happens to that:
///
///   none wanted --another chosen--> kSave --checkpoint--> saved
///       ^                             |  |
///       +--- the running one chosen --+  +-- preemptTimeoutCycles, or the mechanism --> kStop
///
/// Without parameters it serves the bands as BandsPolicy does, does not look at the slots, and
/// preempts nothing.
class Scheduler {
  public:
    struct Parts {
        hw::ControllerPort& port;
        RingTable& rings;
        LogRing& log;
    };

    explicit Scheduler(const Parts& parts);

    static constexpr std::uint32_t kNoRing = 0xFFFFFFFF;

    /// kSetScheduling; the policy begins anew.
    MessageStatus setParameters(std::uint64_t busAddress);

    /// The ring whose job is to run next; false if there is none that may run.
    bool pick(std::uint32_t& ring);

    /// Whether the last pick() passed over a ring only because its completion ring is full.
    bool isStalled() const { return isStalled_; }

    void onStart(std::uint32_t ring);
    /// The ring's job has the device only to save what it has kept: nothing is decided meanwhile.
    void onSaveKept(std::uint32_t ring) {
        runningRing_ = ring;
        isSavingKept_ = true;
    }
    void onTurnEnd();
    std::uint32_t runningRing() const { return runningRing_; }

    /// Asks the policy again if something came or its time has come.
    void look(bool somethingCame);

    /// Whether the running job may lose the device before its end.
    bool isPreemptive() const { return hasParameters_ || wish_ != Wish::kNone; }

    /// Whether a save may come to be wanted at this checkpoint.
    bool mayWantSave(const hw::Checkpoint& checkpoint) const;

    /// Whether the running job is to be saved at this checkpoint, because another is to run.
    bool wantsSave(const hw::Checkpoint& checkpoint) const {
        return wish_ == Wish::kSave && counts(checkpoint);
    }

    /// The SRAM (sram_blocks.h) that the job uses which is to run instead; all where none is.
    std::uint64_t wantedBlocks() const { return wantedBlocks_; }

    /// Whether it is to be saved there in any case.
    bool forcesSave(const hw::Checkpoint& checkpoint) const;

    /// Whether the running job is to be stopped, or to leave at once because its context, on its
    /// way back, is still whole in memory.
    bool mustStop() const;

    /// At most `limitCycles`, less if a look is due before; not 0.
    std::uint64_t cyclesToSleep(std::uint64_t limitCycles);

  private:
    enum class Wish { kNone, kSave, kStop };

    bool counts(const hw::Checkpoint& checkpoint) const;
    Queue collect();
    Candidate describe(std::uint32_t ring, std::uint64_t nowCycle);
    void evaluate();
    void decide(const Queue& queue);
    void wish(Wish wish, std::uint64_t nowCycle);
    Victim victim(std::uint64_t nowCycle);
    std::uint64_t progressOf(const HeadJob& head, std::uint64_t nowCycle) const;
    std::uint64_t turnOf(const HeadJob& head, std::uint64_t nowCycle) const;
    bool mustGetOn(const Candidate& running, const Candidate& chosen);
    std::uint64_t switchCycles(const HeadJob& head) const;

    hw::ControllerPort& port_;
    RingTable& rings_;
    LogRing& log_;
    SchedulingParameters parameters_{};
    bool hasParameters_ = false;
    std::optional<JobChooser> chooser_;  // made anew with the parameters
    std::array<Candidate, hw::regs::kRingCount> candidates_;
    bool isStalled_ = false;
    std::uint32_t runningRing_ = kNoRing;
    bool isSavingKept_ = false;
    Wish wish_ = Wish::kNone;
    std::uint64_t wantedBlocks_ = hw::kAllSramBlocks;
    std::uint64_t lookCycle_ = kNeverCycles;     // the policy's time
    std::uint64_t timeoutCycle_ = kNeverCycles;  // of a save that is wanted
    std::uint64_t dramLatencyCycles_ = 0;
    std::uint64_t dramBytesPer1024Cycles_ = 1;
};

}  // namespace vnpu::fw
