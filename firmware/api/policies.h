// SPDX-License-Identifier: Apache-2.0
#pragma once

// The scheduling policies as pure rules. The firmware applies them to the jobs at the heads of its
// rings, the driver's forecast to the jobs that it has handed over. A new policy takes an
// enumerator (scheduling.h), and a rank function and a row in policies.cpp.

#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "firmware/api/scheduling.h"

namespace vnpu::fw {

inline constexpr std::uint64_t kUnknownTime = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::uint32_t kNoBand = 0xFFFFFFFF;

/// A job that may have the device. All times are in the caller's unit: device cycles in the
/// firmware, nanoseconds in the driver.
struct Candidate {
    std::uint32_t ring = 0;
    std::uint32_t sequence = 0;  // distinguishes the jobs of one ring
    std::uint32_t context = 0;   // the address space of its ring: one per app
    std::uint32_t band = 0;
    std::uint32_t level = 0;
    std::uint64_t arrival = 0;               // when the job was queued
    std::uint64_t executed = 0;              // over all its turns
    std::uint64_t waited = 0;                // since the arrival, minus the executed time
    std::uint64_t estimate = 0;              // of the job alone on the device; 0: unknown
    std::uint64_t remaining = kUnknownTime;  // estimate minus progress
    std::uint64_t deadline = 0;              // 0: none
};

/// The jobs that may have the device now.
struct Queue {
    std::span<const Candidate> candidates;  // at least one
    const Candidate* running = nullptr;     // one of the candidates, or none
    std::uint64_t now = 0;
    std::uint64_t served = 0;  // device time so far that these candidates share among themselves
    std::uint32_t owedBand = kNoBand;  // goes first because of its starvation share
};

/// The order of a candidate: the lowest rank gets the device.
struct Rank {
    std::uint64_t group = 0;  // a lower group goes first, whatever the keys
    std::uint64_t key = 0;

    friend auto operator<=>(const Rank&, const Rank&) = default;
};

/// Which candidates of equal rank alternate by quantum. Without turns, the running one goes first,
/// then the earliest arrival.
enum class Turns { kNone, kWithinBand, kAcrossBands };

struct PolicyRow {
    Policy policy;
    std::string_view name;  // in scenarios and reports
    Rank (*rankOf)(const Candidate& one, const Queue& queue);
    Turns turns = Turns::kNone;
    bool hasShares = false;  // starvationPermille counts
    bool hasPeriod = false;  // ranks change with time: recomputed every periodCycles
};

/// All policies, in the order of the enumerators.
std::span<const PolicyRow> policies();

/// The row of a policy below kPolicyCount.
const PolicyRow& rowOf(Policy policy);

}  // namespace vnpu::fw
