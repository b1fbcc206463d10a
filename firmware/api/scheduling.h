// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the firmware shares the device. Until kSetScheduling provides parameters, the firmware serves
// the highest band first and the rings of a band in turn, without preemption. The names are those
// of scenarios and reports, in the order of the enumerators.

#include <cstdint>
#include <iterator>
#include <string_view>

#include "firmware/api/job_ring.h"

namespace vnpu::fw {

/// Which job runs next. policies.h describes each.
enum class Policy : std::uint32_t {
    kBands = 0,             // highest band, then highest level, then the rings in turn by quantum
    kFirstCome = 1,         // in the order of arrival
    kRoundRobin = 2,        // the rings in turn by quantum, whatever their band
    kShortestFirst = 3,     // least remaining time: estimate minus executed time
    kTokens = 4,            // PREMA's: tokens grow with band and waiting
    kEarliestDeadline = 5,  // jobs without a deadline last
    kLeastLaxity = 6,       // deadline minus remaining time minus now; without deadline last
};
inline constexpr std::uint32_t kPolicyCount = 7;

/// What happens to the running job when the policy chooses another.
enum class Mechanism : std::uint32_t {
    kNone = 0,        // it runs to its end
    kCheckpoint = 1,  // it is saved at its next checkpoint and continues later
    kRestart = 2,     // it is stopped immediately and starts again later
    kDynamic = 3,     // the cheapest of the three by remaining time, progress and bytes to save
};
inline constexpr std::string_view kMechanismNames[] = {"none", "checkpoint", "restart", "dynamic"};
inline constexpr std::uint32_t kMechanismCount = std::size(kMechanismNames);

/// A job that was stopped this many times runs to its end, so that every job ends. chosen: enough
/// for bursts of short jobs; a job wastes at most this many times its own duration.
inline constexpr std::uint32_t kMaxRestarts = 8;

/// The checkpoints at which a job may be saved.
enum class Granularity : std::uint32_t {
    kTile = 0,       // all
    kOperation = 1,  // those between operations (hw::kCheckpointOperation)
};
inline constexpr std::string_view kGranularityNames[] = {"tile", "operation"};
inline constexpr std::uint32_t kGranularityCount = std::size(kGranularityNames);

/// Written by the driver; read once, when kSetScheduling names it. 8-byte aligned.
struct SchedulingParameters {
    std::uint32_t sizeBytes;  // sizeof(SchedulingParameters)
    Policy policy;
    Mechanism mechanism;
    Granularity granularity;
    std::uint32_t flags;  // kSchedule*
    /// The share of a busy device's cycles, in thousandths, that each lower band is owed while a
    /// higher one is never idle; 0 to kMaxStarvationPermille. With 0 lower bands may starve.
    std::uint32_t starvationPermille;
    std::uint64_t quantumCycles[kBandCount];  // by band: length of a job's turn; 0: no turns
    std::uint64_t
            graceCycles[kBandCount];  // by band: minimum length of a turn, whatever the quantum
    std::uint64_t periodCycles;       // kTokens: interval of decisions without an event
    /// The maximum time from the decision to the end of the save; after it the job is stopped and
    /// starts again later. 0: no limit.
    std::uint64_t preemptTimeoutCycles;
    /// With kScheduleFairContexts: how far the device time of one context may get ahead of another
    /// that waits; not 0.
    std::uint64_t contextSliceCycles;
    std::uint64_t reserved[2];  // 0
};
static_assert(sizeof(SchedulingParameters) == 128);

inline constexpr std::uint32_t kMaxStarvationPermille = 333;  // three bands below one

/// Saves and restores the running job at every checkpoint that counts, even if no other job waits.
inline constexpr std::uint32_t kScheduleForced = 1U << 0;
/// Contexts with jobs get even shares of the device; the policy orders the jobs of one context.
inline constexpr std::uint32_t kScheduleFairContexts = 1U << 1;

}  // namespace vnpu::fw
