// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "firmware/api/policies.h"
#include "hw_model/regs/registers.h"

namespace vnpu::fw {

/// Even shares of the device for the contexts that have jobs, whatever the bands and lengths of
/// these jobs. Each context has an account of the device cycles of its jobs, with the saving and
/// restoring of their data. The context with the lowest account goes first; the running one keeps
/// the device until its account is a slice above another.
///
/// A context that has had no job returns with an account of at least the lowest of the others less
/// a slice. It therefore goes next, and does not save up the time in which it wanted nothing.
class ContextShares {
  public:
    explicit ContextShares(const SchedulingParameters& parameters)
        : slice_(parameters.contextSliceCycles) {}

    /// A new context, whose index another one may have had.
    void reset(std::uint32_t context) { accounts_[context] = 0; }

    /// Called before every choice with the queue as it has been since the previous call.
    void observe(const Queue& queue);

    /// The context that goes first; the queue has at least one candidate.
    std::uint32_t choose(const Queue& queue) const;

    /// Cycles until choose() changes unless a job arrives or ends; kNeverCycles if it never will.
    std::uint64_t cyclesToChange(const Queue& queue) const;

    /// The device cycles that the jobs of a context have had.
    std::uint64_t servedCycles(std::uint32_t context) const { return served_[context]; }

  private:
    void findLowest();

    /// The context with the lowest account, or `except` if there is no other.
    std::uint32_t lowest(const Queue& queue, std::uint32_t except) const;

    static constexpr std::uint32_t kNoContext = hw::regs::kContextCount;

    const std::uint64_t slice_;
    std::uint64_t lastCycle_ = 0;
    std::uint32_t running_ = kNoContext;            // since then
    std::bitset<hw::regs::kContextCount> present_;  // since then: contexts with jobs
    /// The lowest account of the contexts with jobs, when there last were any.
    std::uint64_t lowest_ = 0;
    std::array<std::uint64_t, hw::regs::kContextCount> accounts_{};
    std::array<std::uint64_t, hw::regs::kContextCount> served_{};
};

}  // namespace vnpu::fw
