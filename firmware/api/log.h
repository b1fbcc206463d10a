// SPDX-License-Identifier: Apache-2.0
#pragma once

// The firmware's log: a ring of fixed-size records in the driver's memory; it overwrites the
// oldest.

#include <cstdint>

namespace vnpu::fw {

enum class LogEvent : std::uint32_t {
    kBoot = 1,            // a = boot API version, b = 0: cold (power-on), 1: warm (reset)
    kContextCreated = 2,  // a = context
    kContextDestroyed = 3,
    kRingCreated = 4,  // a = ring, b = context
    kRingDestroyed = 5,
    kJobStart = 6,      // a = ring, b = job id
    kJobEnd = 7,        // a = JobStatus, b = job id
    kFault = 8,         // a = JobStatus, b = faulting address
    kBadMessage = 9,    // a = message type
    kBadDoorbell = 10,  // a = ring, b = value
    // Preemption; a = ring, b = job id.
    kPreemptRequest = 11,  // the running job must yield
    kJobPreempted = 12,    // its context is saved
    kJobResumed = 13,      // its context is back on the chip
    kJobStopped = 14,      // its progress is lost
    kJobRestarted = 15,    // it starts again from the beginning
    kSaveFailed = 16,      // its save area faults, is too small, or does not hold its context
    kScheduling = 17,      // a = Policy, b = Mechanism
    kRingSuspended = 18,   // a = ring
    kRingResumed = 19,     // a = ring
    kSuspend = 20,         // power-down; complete only if kResume follows
    kResume = 21,          // power-up; a = contexts restored
    kClockLevel = 22,      // a = level, b = its kHz
    kPowerHold = 23,       // a = PowerHold (mailbox.h)
    kKeptSaved = 24,       // a = ring, b = job id: its data on the chip is saved, too
    kEngineHang = 32,      // a = engine, b = job id
    kStopped = 33,         // a = engine that no abort frees, b = job id; only a reset helps
};

/// The first 64 bytes of the log memory.
struct LogHeader {
    std::uint32_t recordCount;  // firmware: capacity
    std::uint32_t reserved0;
    /// firmware: records written in all; the newest is (written - 1) % recordCount
    std::uint64_t written;
    std::uint64_t reserved1[6];
};
static_assert(sizeof(LogHeader) == 64);

struct LogRecord {
    std::uint64_t cycle;
    LogEvent event;
    std::uint32_t a;
    std::uint64_t b;
    std::uint64_t reserved;
};
static_assert(sizeof(LogRecord) == 32);

}  // namespace vnpu::fw
