// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "firmware/api/mailbox.h"
#include "firmware/api/scheduling.h"
#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/log_ring.h"
#include "firmware/core/scheduling/device_chooser.h"
#include "firmware/core/scheduling/preemption.h"
#include "firmware/core/scheduling/ring_table.h"
#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Decides which job has the device. The candidates are the jobs at the heads of the rings. A
/// policy chooses among them when a job ends and, with preemption, while a job runs: at every
/// arrival and message, and when a quantum or period ends. If it chooses another job than the
/// running one, a mechanism decides what happens to the running one:
///
///   none wanted --another chosen--> kSave --checkpoint--> saved
///       ^                             |  |
///       +--- the running one chosen --+  +-- preemptTimeoutCycles, or the mechanism --> kStop
///
/// Without parameters it applies Policy::kBands without reading the slots, and preempts nothing.
class Scheduler {
  public:
    struct Parts {
        hw::ControllerPort& port;
        RingTable& rings;
        LogRing& log;
    };

    explicit Scheduler(const Parts& parts);

    static constexpr std::uint32_t kNoRing = 0xFFFFFFFF;

    /// Serves kSetScheduling; the policy starts from its initial state.
    MessageStatus setParameters(std::uint64_t busAddress);

    void onContextCreated(std::uint32_t context) { chooser_->onContextCreated(context); }

    /// Selects the ring whose job runs next; false if no job may run.
    bool pick(std::uint32_t& ring);

    /// Whether the last pick() passed over a ring only because its completion ring is full.
    bool isStalled() const { return isStalled_; }

    void onStart(std::uint32_t ring);
    /// The ring's job has the device only to save its kept context; no decision is made meanwhile.
    void onSaveKept(std::uint32_t ring) {
        runningRing_ = ring;
        isSavingKept_ = true;
    }
    void onTurnEnd();
    std::uint32_t runningRing() const { return runningRing_; }

    /// Applies the policy again after an event or at its due time.
    void look(bool somethingCame);

    /// Whether the running job may lose the device before its end.
    bool isPreemptive() const { return hasParameters_ || wish_ != Wish::kNone; }

    /// Whether a save may be requested at this checkpoint.
    bool mayWantSave(const hw::Checkpoint& checkpoint) const;

    /// Whether the running job must be saved at this checkpoint so that another can run.
    bool wantsSave(const hw::Checkpoint& checkpoint) const {
        return wish_ == Wish::kSave && counts(checkpoint);
    }

    /// The SRAM (sram_blocks.h) that the next job uses; all if no other job is to run.
    std::uint64_t wantedBlocks() const { return wantedBlocks_; }

    /// Whether the running job must be saved there even if no other job waits.
    bool forcesSave(const hw::Checkpoint& checkpoint) const;

    /// Whether the running job must leave immediately: it is being stopped, or its context is still
    /// being restored and complete in memory.
    bool mustStop() const;

    /// At most `limitCycles`, less if the policy is due earlier; never 0.
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
    std::optional<DeviceChooser> chooser_;  // created with the parameters
    std::array<Candidate, hw::regs::kRingCount> candidates_;
    bool isStalled_ = false;
    std::uint32_t runningRing_ = kNoRing;
    bool isSavingKept_ = false;
    Wish wish_ = Wish::kNone;
    std::uint64_t wantedBlocks_ = hw::kAllSramBlocks;
    std::uint64_t lookCycle_ = kNeverCycles;     // when the policy is due
    std::uint64_t timeoutCycle_ = kNeverCycles;  // of a requested save
    std::uint64_t dramLatencyCycles_ = 0;
    std::uint64_t dramBytesPer1024Cycles_ = 1;
};

}  // namespace vnpu::fw
