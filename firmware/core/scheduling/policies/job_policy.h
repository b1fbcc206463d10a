// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <tuple>

#include "firmware/api/scheduling.h"

namespace vnpu::fw {

inline constexpr std::uint64_t kUnknownCycles = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::uint64_t kNeverCycles = std::numeric_limits<std::uint64_t>::max();

/// The job at the head of one ring, as policies see it. Cycles are the device's.
struct Candidate {
    std::uint32_t ring = 0;
    std::uint32_t sequence = 0;  // tells the ring's jobs apart
    std::uint32_t band = 0;
    std::uint32_t level = 0;
    std::uint64_t arrivalCycle = 0;
    std::uint64_t executedCycles = 0;  // so far, in all
    std::uint64_t waitedCycles = 0;    // since its arrival, without what it executed
    std::uint64_t estimateCycles = 0;  // of the job alone, 0: unknown
    std::uint64_t remainingCycles = kUnknownCycles;
    std::uint64_t deadlineCycle = 0;  // 0: none
};

/// Who may run now.
struct Queue {
    std::span<const Candidate> candidates;  // by rising ring, at least one
    const Candidate* running = nullptr;     // one of them, or none
    std::uint64_t nowCycle = 0;
};

/// Which job runs next: at a job's end, and while one runs at every arrival and whenever the policy
/// asks for a look. One file pair each; nothing of it knows registers, memory or time.
class JobPolicy {
  public:
    virtual ~JobPolicy() = default;

    /// Called before every choice: the candidates have been so since.
    virtual void observe(const Queue& /*queue*/) {}

    /// The one that should run. While the answer is the running one, nothing happens.
    virtual const Candidate& choose(const Queue& queue) const = 0;

    /// A job gets the device, whether chosen or the only one.
    virtual void onStart(const Candidate& /*candidate*/) {}

    /// After so many cycles choose() may answer otherwise although nothing came; kNeverCycles if
    /// not.
    virtual std::uint64_t cyclesToLook(const Queue& /*queue*/) const { return kNeverCycles; }
};

/// The candidate with the least key; among equals the running one, then who came first, then the
/// lowest ring.
template <typename Key>
const Candidate& leastOf(const Queue& queue, const Key& key) {
    const auto rank = [&](const Candidate& one) {
        return std::tuple(key(one), &one != queue.running, one.arrivalCycle, one.ring);
    };
    const Candidate* least = &queue.candidates.front();
    for (const Candidate& one : queue.candidates) {
        if (rank(one) < rank(*least)) {
            least = &one;
        }
    }
    return *least;
}

}  // namespace vnpu::fw
