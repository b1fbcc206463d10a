// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cost of the firmware's own work in controller cycles; the hardware charges register and
// memory accesses. The controller is assumed to be a single-issue 32-bit core at the device's
// clock, running from tightly coupled memory: about one instruction per cycle.

#include <cstdint>
#include <limits>

namespace vnpu::fw {

/// A time that is never reached.
inline constexpr std::uint64_t kNeverCycles = std::numeric_limits<std::uint64_t>::max();

inline constexpr std::uint32_t kBootCycles =
        2000;  // chosen: clearing of tables and self-check of a small core
inline constexpr std::uint32_t kMessageCycles =
        100;  // chosen: decode, a table look-up, build the reply
inline constexpr std::uint32_t kDoorbellCycles = 12;  // chosen: compare and store one counter
inline constexpr std::uint32_t kPickCycles = 32;  // chosen: four bands of bit scans over the rings
inline constexpr std::uint32_t kJobSetupCycles =
        160;  // chosen: checks of a slot's fields and clearing of counters
inline constexpr std::uint32_t kRegionCycles =
        12;  // chosen: six compares, two 64-bit stores per region
inline constexpr std::uint32_t kCommandCycles =
        24;  // chosen: decode, range checks and push; a block transfer
             // brought the bytes, so that nothing is copied word by word
inline constexpr std::uint32_t kSegmentCycles = 20;  // chosen: clear two counters of each engine
inline constexpr std::uint32_t kLoopCycles = 6;      // chosen: store 64 bits, set a bit
inline constexpr std::uint32_t kBranchCycles =
        20;  // chosen: 64-bit difference and comparison, test of a byte, new place of the fetch
inline constexpr std::uint32_t kCheckpointCycles =
        16;  // chosen: add up the ranges, look at one flag
inline constexpr std::uint32_t kSaveHeaderCycles =
        240;  // chosen: fill or check the words of a SaveArea, one of them per cycle and a half
inline constexpr std::uint32_t kCandidateCycles =
        24;  // chosen: gather six 64-bit fields of one ring's job, and compare them once
inline constexpr std::uint32_t kDecideCycles = 30;  // chosen: a few 64-bit differences and products
inline constexpr std::uint32_t kBlockCycles = 20;   // chosen: set up one block of stream fetch
inline constexpr std::uint32_t kAbortSearchCycles = 8;  // chosen: compare one 64-bit id
inline constexpr std::uint32_t kCompletionCycles =
        100;  // chosen: fill 32 words, and four instructions for each pair of the checksum
inline constexpr std::uint32_t kContextRestoreCycles =
        4;  // chosen: test a bit, load 64 bits; the stores are the hardware's charge
inline constexpr std::uint32_t kLogCycles = 12;  // chosen: fill eight words

/// Commands dispatched between two polls of the interrupts. chosen: some 400 cycles, so that an
/// abort or a message waits less than a microsecond and polling costs under 1 %.
inline constexpr std::uint32_t kCommandsPerPoll = 16;

/// First and longest sleep while a completion ring is full. chosen: from a quick reader's
/// microsecond to a wake-up rate that leaves memory alone.
inline constexpr std::uint64_t kMinBackoffCycles = 1024;
inline constexpr std::uint64_t kMaxBackoffCycles = 65536;

/// Minimum interval of a policy's periodic decisions. chosen: some 3 % of the controller's time
inline constexpr std::uint64_t kLeastLookCycles = 4096;

/// Bounds of the heartbeat interval, and the default for 0. chosen: no shorter than the time of one
/// block of commands.
inline constexpr std::uint64_t kMinHeartbeatCycles = 4096;
inline constexpr std::uint64_t kDefaultHeartbeatCycles = 1'000'000;

/// The same for the watchdog. chosen: a working engine makes progress every cycle, so the bound
/// only has to exceed the firmware's own pauses.
inline constexpr std::uint64_t kMinWatchdogCycles = 4096;
inline constexpr std::uint64_t kDefaultWatchdogCycles = 2'000'000;
inline constexpr std::uint32_t kDumpCycles = 200;  // chosen: fill a hundred words

}  // namespace vnpu::fw
