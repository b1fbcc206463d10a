// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the firmware shares the device. Until kSetScheduling gives parameters, it serves the highest
// band first, the rings of a band in turn, and preempts nothing.

#include <cstdint>

#include "firmware/api/job_ring.h"

namespace vnpu::fw {

/// Which job runs next. Remaining time is the job's estimate less what it has run.
enum class Policy : std::uint32_t {
    kBands = 0,             // highest band, then highest level, then the rings in turn by quantum
    kFirstCome = 1,         // in the order of arrival
    kRoundRobin = 2,        // the rings in turn by quantum, whatever their band
    kShortestFirst = 3,     // least remaining time
    kTokens = 4,            // PREMA's: tokens grow with band and waiting; see token_policy.h
    kEarliestDeadline = 5,  // jobs without a deadline last
    kLeastLaxity = 6,       // deadline less remaining time less now; those without last
};
inline constexpr std::uint32_t kPolicyCount = 7;

/// What happens to the running job when the policy wants another.
enum class Mechanism : std::uint32_t {
    kNone = 0,        // it runs to its end
    kCheckpoint = 1,  // it is saved at the next checkpoint and goes on later
    kRestart = 2,     // it is stopped at once and begins from the start later
    kDynamic = 3,     // the cheapest of the three by remaining time, progress and bytes to save
};
inline constexpr std::uint32_t kMechanismCount = 4;

/// A job that was stopped so often runs to its end, so that every job ends at last. chosen: enough
/// for bursts of short jobs; with it the time that a job throws away is at most this many times its
/// own.
inline constexpr std::uint32_t kMaxRestarts = 8;

/// Which checkpoints count.
enum class Granularity : std::uint32_t {
    kTile = 0,       // all
    kOperation = 1,  // those between operations (hw::kCheckpointOperation)
};
inline constexpr std::uint32_t kGranularityCount = 2;

/// Written by the driver; read once, when kSetScheduling names it. 8-byte aligned.
struct SchedulingParameters {
    std::uint32_t sizeBytes;  // sizeof(SchedulingParameters)
    Policy policy;
    Mechanism mechanism;
    Granularity granularity;
    std::uint32_t flags;  // kSchedule*
    /// Of 1000 cycles of a busy device, those that each lower band is owed while a higher one is
    /// never idle; at most kMaxStarvationPermille; 0: lower bands may starve.
    std::uint32_t starvationPermille;
    std::uint64_t quantumCycles[4];  // by band: its jobs take turns after this long; 0: never
    std::uint64_t graceCycles[4];    // by band: so long a job runs before a quantum can end it
    std::uint64_t periodCycles;      // kTokens: between two looks without an event
    /// From the decision to the job being saved; beyond it the job is stopped and begins again
    /// later. 0: it is waited for.
    std::uint64_t preemptTimeoutCycles;
    std::uint64_t reserved[3];  // 0
};
static_assert(sizeof(SchedulingParameters) == 128);

inline constexpr std::uint32_t kMaxStarvationPermille = 333;  // three bands below one

/// Saves and restores the running job at every checkpoint that counts, even if no other waits.
inline constexpr std::uint32_t kScheduleForced = 1U << 0;

}  // namespace vnpu::fw
