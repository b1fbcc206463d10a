// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/api/policies.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::fw {

/// Round-robin turns of rings. A turn lasts until its job ends, or has used up its band's quantum
/// and run for its band's grace period. A job that loses the device to a job of another rank
/// continues its turn later.
class TurnOrder {
  public:
    explicit TurnOrder(const SchedulingParameters& parameters) : parameters_(parameters) {}

    /// The candidate whose turn it is among those that `takesPart` accepts; there must be at least
    /// one.
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
    /// The distance from the ring of the last turn, which itself comes last.
    std::uint32_t distance(const Candidate& candidate) const {
        return (candidate.ring + hw::regs::kRingCount - 1 - lastRing_) % hw::regs::kRingCount;
    }

    const SchedulingParameters& parameters_;
    std::uint32_t lastRing_ = hw::regs::kRingCount - 1;
    std::uint32_t sequence_ = 0;     // of the job that has the turn
    std::uint64_t usedAtStart_ = 0;  // its executed time when the turn began
    bool hasBegun_ = false;          // whether any turn has begun
};

}  // namespace vnpu::fw
