// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "firmware/api/policies.h"
#include "firmware/core/scheduling/context_shares.h"
#include "firmware/core/scheduling/job_chooser.h"
#include "hw_model/regs/registers.h"

namespace vnpu::fw {

/// Chooses among the jobs of all contexts. With kScheduleFairContexts it first chooses the context,
/// by even shares, and then, by the policy, one of this context's jobs; otherwise the policy
/// chooses among all jobs. Uses no registers, memory or clock.
class DeviceChooser {
  public:
    /// The parameters must outlive it and must not change.
    explicit DeviceChooser(const SchedulingParameters& parameters);

    /// A new context, whose index another one may have had.
    void onContextCreated(std::uint32_t context);

    /// Called before every choice with the queue as it has been since the previous call.
    void observe(const Queue& queue);

    /// The candidate of the queue that should run.
    const Candidate& choose(const Queue& queue);

    /// Called when a job gets the device.
    void onStart(const Candidate& candidate);

    /// Cycles until choose() may return another candidate for the same queue, whose running job is
    /// its choice; kNeverCycles if it never will.
    std::uint64_t cyclesToLook(const Queue& queue);

    /// Whether shares, not the policy, decide which of the two goes first.
    bool areApart(const Candidate& a, const Candidate& b) const { return groupOf(a) != groupOf(b); }

  private:
    /// Jobs of one group are ordered by the policy.
    std::uint32_t groupOf(const Candidate& one) const { return isFair_ ? one.context : 0; }
    Queue queueOf(std::uint32_t group, const Queue& queue);

    const SchedulingParameters& parameters_;
    const bool isFair_;
    ContextShares shares_;
    std::array<std::optional<JobChooser>, hw::regs::kContextCount> choosers_;  // by group
    std::array<Candidate, hw::regs::kRingCount> members_;  // of the group last asked for
};

}  // namespace vnpu::fw
