// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "firmware/api/policies.h"

// Queues made by hand, for tests of policies and shares without time or hardware.

namespace vnpu::fw::test {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

inline SchedulingParameters with(Policy policy) {
    SchedulingParameters parameters{};
    parameters.policy = policy;
    return parameters;
}

inline Candidate at(std::uint32_t ring, std::uint32_t band = 1, std::uint64_t arrival = 0) {
    Candidate one;
    one.ring = ring;
    one.band = band;
    one.arrival = arrival;
    return one;
}

inline Queue queueOf(const std::vector<Candidate>& candidates, std::uint32_t runningRing = kNone,
                     std::uint64_t nowCycle = 0) {
    Queue queue;
    queue.candidates = candidates;
    queue.now = queue.served = nowCycle;
    for (const Candidate& one : candidates) {
        queue.running = one.ring == runningRing ? &one : queue.running;
    }
    return queue;
}

/// The ring that the chooser lets run.
template <typename Chooser>
std::uint32_t chosen(Chooser& chooser, const std::vector<Candidate>& candidates,
                     std::uint32_t runningRing = kNone, std::uint64_t nowCycle = 0) {
    return chooser.choose(queueOf(candidates, runningRing, nowCycle)).ring;
}

/// The cycles that each candidate gets of a device that runs the job that the chooser chooses and
/// looks again when the chooser asks for it; each ring has one endless job.
template <typename Chooser>
std::vector<std::uint64_t> share(Chooser& chooser, std::vector<Candidate> candidates,
                                 std::uint64_t endCycle, std::uint64_t startCycle = 0) {
    std::vector<std::uint64_t> executed(candidates.size(), 0);
    std::size_t running = kNone;
    for (std::uint64_t now = startCycle; now < endCycle;) {
        const auto queue = [&] {
            return queueOf(candidates, running == kNone ? kNone : candidates[running].ring, now);
        };
        chooser.observe(queue());
        const Candidate& next = chooser.choose(queue());
        const auto index = static_cast<std::size_t>(&next - candidates.data());
        if (index != running) {
            running = index;
            chooser.onStart(candidates[index]);
            chooser.observe(queue());
        }
        const std::uint64_t step =
                std::min(std::max<std::uint64_t>(chooser.cyclesToLook(queue()), 1), endCycle - now);
        now += step;
        executed[running] += step;
        candidates[running].executed += step;
    }
    return executed;
}

}  // namespace vnpu::fw::test
