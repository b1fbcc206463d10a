// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/api/policies.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::fw {

/// Rings in turn. A turn lasts until its job ends or its band's quantum is used up, but not before
/// the job has run for its band's grace period; one that loses the device to somebody else goes on
/// with the same turn later.
class TurnOrder {
  public:
    explicit TurnOrder(const SchedulingParameters& parameters) : parameters_(parameters) {}

    /// Whose turn it is among the candidates that `takesPart` holds for; there is one at least.
    template <typename TakesPart>
    const Candidate& choose(const Queue& queue, const TakesPart& takesPart) const {
        const Candidate* next = &queue.candidates.front();
        bool isFound = false;
        for (const Candidate& one : queue.candidates) {
            if (!takesPart(one)) {
                continue;
            }
            if (turnLeft(one) != 0) {
                return one;
            }
            if (!isFound || distance(one) < distance(*next)) {
                isFound = true;
                next = &one;
            }
        }
        return *next;
    }

    void onStart(const Candidate& candidate);

    /// Cycles until the candidate's turn ends if it runs; 0 if it is not its turn, kNeverCycles if
    /// nothing ends it.
    std::uint64_t turnLeft(const Candidate& candidate) const;

  private:
    /// Rings from the one that had the last turn, which comes last.
    std::uint32_t distance(const Candidate& candidate) const {
        return (candidate.ring + hw::regs::kRingCount - 1 - lastRing_) % hw::regs::kRingCount;
    }

    const SchedulingParameters& parameters_;
    std::uint32_t lastRing_ = hw::regs::kRingCount - 1;
    std::uint32_t sequence_ = 0;     // of the job that has the turn
    std::uint64_t usedAtStart_ = 0;  // what it had executed when the turn began
    bool hasBegun_ = false;          // at all
};

}  // namespace vnpu::fw
