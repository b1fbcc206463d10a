// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/policies/bands_policy.h"

#include <algorithm>

namespace vnpu::fw {
namespace {

bool areEqual(const Candidate& one, const Candidate& other) {
    return one.band == other.band && one.level == other.level;
}

}  // namespace

BandsPolicy::BandsPolicy(const SchedulingParameters& parameters)
    : turns_{TurnOrder(parameters), TurnOrder(parameters), TurnOrder(parameters),
             TurnOrder(parameters)},
      share_(parameters) {}

const Candidate& BandsPolicy::choose(const Queue& queue) const {
    const std::uint32_t owed = share_.owedBand();
    const auto rank = [&](const Candidate& one) {
        return std::tuple(one.band == owed, one.band, one.level);
    };
    const Candidate& first = *std::max_element(
            queue.candidates.begin(), queue.candidates.end(),
            [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
    return turns_[first.band].choose(queue,
                                     [&](const Candidate& one) { return areEqual(one, first); });
}

std::uint64_t BandsPolicy::cyclesToLook(const Queue& queue) const {
    const std::uint64_t share = share_.cyclesToChange();
    if (queue.running == nullptr) {
        return share;
    }
    const Candidate& running = *queue.running;
    const bool isShared = std::any_of(
            queue.candidates.begin(), queue.candidates.end(),
            [&](const Candidate& one) { return &one != &running && areEqual(one, running); });
    return isShared ? std::min(share, turns_[running.band].turnLeft(running)) : share;
}

}  // namespace vnpu::fw
