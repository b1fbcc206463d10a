// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/turn_order.h"

#include <algorithm>

#include "firmware/core/base/cycle_costs.h"

namespace vnpu::fw {

void TurnOrder::onStart(const Candidate& candidate) {
    if (turnLeft(candidate) != 0) {
        return;
    }
    hasBegun_ = true;
    lastRing_ = candidate.ring;
    sequence_ = candidate.sequence;
    usedAtStart_ = candidate.executed;
}

std::uint64_t TurnOrder::turnLeft(const Candidate& candidate) const {
    if (!hasBegun_ || candidate.ring != lastRing_ || candidate.sequence != sequence_) {
        return 0;
    }
    const std::uint64_t quantum = parameters_.quantumCycles[candidate.band];
    if (quantum == 0) {
        return kNeverCycles;
    }
    const auto left = [](std::uint64_t whole, std::uint64_t used) {
        return whole > used ? whole - used : 0;
    };
    return std::max(left(quantum, candidate.executed - usedAtStart_),
                    left(parameters_.graceCycles[candidate.band], candidate.executed));
}

}  // namespace vnpu::fw
