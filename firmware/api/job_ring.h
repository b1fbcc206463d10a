// SPDX-License-Identifier: Apache-2.0
#pragma once

// Job rings: a 64-byte header, then slotCount slots of 128 bytes, then completionCount completion
// records of 128 bytes, all in memory that the device reaches by bus address, 4 KiB aligned. The
// driver writes slots and tail and rings the doorbell with the new tail; the firmware reads them,
// writes records and completionTail, and raises IRQ_STATUS.JOB_DONE. Counters do not wrap at the
// slot count: slot = counter % slotCount. A ring is full when tail - head == slotCount. A new ring
// may already hold jobs: the firmware takes over the counters of the header, so that jobs survive a
// reset.
//
// The firmware writes a completion in this order: record, fenceValue, then head and completionTail.
// While a ring has no free completion record, none of its jobs is started; other rings are not
// affected.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "hw_model/regs/status.h"

namespace vnpu::fw {

inline constexpr std::uint32_t kRingMagic = 0x474E4952;  // "RING" in memory order
inline constexpr std::uint32_t kMaxRingSlots = 256;

/// Priority bands of the firmware's scheduler.
enum class PriorityBand : std::uint32_t { kIdle = 0, kNormal = 1, kFocus = 2, kRealtime = 3 };
inline constexpr std::uint32_t kBandCount = 4;

struct RingHeader {
    std::uint32_t magic;            // driver, once
    std::uint32_t version;          // driver, once: kRingApiVersion
    std::uint32_t slotCount;        // driver, once: power of two, 2 to kMaxRingSlots
    std::uint32_t completionCount;  // driver, once: as slotCount, and not less
    std::uint32_t tail;             // driver: jobs written
    std::uint32_t head;             // firmware: jobs taken
    std::uint32_t completionTail;   // firmware: records written
    std::uint32_t completionHead;   // driver: records read
    std::uint64_t fenceValue;       // firmware: value of the last finished job of this ring
    std::uint64_t reserved[3];
};
static_assert(sizeof(RingHeader) == 64);

/// A job as the driver describes it. Addresses are virtual, of the ring's context.
struct JobSlot {
    std::uint64_t jobId;               // not 0; the driver's choice
    std::uint64_t commandAddress;      // 8-byte aligned
    std::uint64_t regionTableAddress;  // RegionEntry[regionCount], 8-byte aligned
    std::uint32_t commandBytes;        // multiple of 8
    std::uint32_t regionCount;         // 1 to hw::kMaxRegions
    std::uint64_t fenceValue;          // written to the header when the job ends
    std::uint32_t flags;               // reserved, 0
    std::uint32_t commandStreamVersion;
    std::uint64_t loopTimeoutCycles;  // device cycles that one loop may take, 0: any
    std::uint64_t saveAddress;        // SaveArea (save_area.h), 64-byte aligned; 0: cannot be saved
    std::uint64_t saveBytes;          // of the save area
    std::uint64_t estimateCycles;     // of the job alone on the device; 0: unknown
    std::uint64_t deadlineCycle;      // device cycle, 0: none; used by policies, never ends a job
    std::uint32_t level;              // within the band, 0 to kMaxLevel, higher first
    /// The clock level for this job, 0 (fastest) to kMaxClockLevel, unless the device is held at a
    /// faster one. A level beyond the device's last one means the last one.
    std::uint32_t clockLevel;
    /// The SRAM that its commands use (sram_blocks.h), 0: any. A preempted job's data outside this
    /// SRAM stays on the chip. A command that uses more ends the job with kOutOfSram.
    std::uint64_t sramBlocks;
    std::uint64_t reserved[3];  // 0
};
static_assert(sizeof(JobSlot) == 128);

inline constexpr std::uint32_t kMaxLevel = 255;
inline constexpr std::uint32_t kMaxClockLevel = 15;

struct RegionEntry {
    std::uint64_t address;  // virtual
    std::uint64_t sizeBytes;
    std::uint32_t flags;     // kRegionWritable
    std::uint32_t reserved;  // 0
};
static_assert(sizeof(RegionEntry) == 24);

inline constexpr std::uint32_t kRegionWritable = 1U << 0;

/// Value of a command offset or an engine that a record does not name.
inline constexpr std::uint32_t kNoCommand = 0xFFFFFFFF;
inline constexpr std::uint32_t kNoEngine = 0xFFFFFFFF;

struct CompletionRecord {
    std::uint64_t jobId;
    std::uint64_t fenceValue;
    hw::JobStatus status;
    std::uint32_t failingCommand;  // offset in the stream of the command at fault, or kNoCommand
    std::uint64_t queuedCycle;     // device cycles: the firmware saw the job
    std::uint64_t startCycle;      // first dispatch
    std::uint64_t endCycle;        // last engine idle
    std::uint64_t faultAddress;    // virtual address of an MMU fault, else 0
    std::uint32_t commandCount;    // commands dispatched
    std::uint32_t preemptions;     // how often the job was saved
    std::uint32_t restarts;        // how often it was stopped and began from the start again
    std::uint32_t failingEngine;   // engine of the command at fault, or kNoEngine
    std::uint64_t savedBytes;      // written to the save area in all, and read back
    std::uint64_t switchCycles;    // saving and restoring
    std::uint64_t wastedCycles;    // progress that restarts threw away
    std::uint64_t executedCycles;  // on the engines, without the time that other jobs had
    /// Why saving or restoring its context failed, after which the job began from the start again;
    /// kOk: no failure.
    hw::JobStatus contextStatus;
    std::uint32_t contextEngine;  // the engine at fault in that case, or kNoEngine
    std::uint64_t reloadedBytes;  // restored by repeating transfers instead
    std::uint64_t checksum;       // checksumOf() the other words, because the record crosses a bus
};
static_assert(sizeof(CompletionRecord) == 128);

/// Covers all words but the last; any change within one word changes it. A record of zeroes is
/// invalid.
constexpr std::uint64_t checksumOf(const CompletionRecord& record) {
    constexpr std::size_t kWords = sizeof(CompletionRecord) / sizeof(std::uint64_t);
    const auto words = std::bit_cast<std::array<std::uint64_t, kWords>>(record);
    std::uint64_t sum = kRingMagic;
    for (std::size_t i = 0; i + 1 < kWords; ++i) {
        sum = std::rotl(sum, 1) ^ words[i];
    }
    return sum;
}

/// Byte size of a ring in memory.
constexpr std::uint64_t ringBytes(std::uint32_t slotCount, std::uint32_t completionCount) {
    return sizeof(RingHeader) + std::uint64_t{slotCount} * sizeof(JobSlot) +
           std::uint64_t{completionCount} * sizeof(CompletionRecord);
}

}  // namespace vnpu::fw
