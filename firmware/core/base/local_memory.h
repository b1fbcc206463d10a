// SPDX-License-Identifier: Apache-2.0
#pragma once

// The layout of the controller's local memory.
//
//   0x0000  region table of the running job: kMaxRegions x {u64 base address, u64 bytes}
//   0x0400  fetch buffer: the start of a command that the last block cut, and one block of the
//           stream
//   0x1F00  region table while a context is saved or restored: the save area alone
//   0x2000  command slots: kSlotsPerEngine of kMaxCommandBytes for each engine, where the engines
//           fetch from

#include <cstdint>

#include "hw_model/regs/command_stream.h"

namespace vnpu::fw {

/// One region as the engines read it.
struct LocalRegion {
    std::uint64_t address;  // hw::kRegionReadOnly: engines may not write it
    std::uint64_t sizeBytes;
};
static_assert(sizeof(LocalRegion) == 16);

inline constexpr std::uint32_t kRegionTableOffset = 0;
inline constexpr std::uint32_t kRegionTableBytes = hw::kMaxRegions * sizeof(LocalRegion);

/// Stream bytes that one fetch brings: the first is short, so that the engines start early; each
/// further one is twice as long, up to the last. chosen: at 4 KiB the latency of memory is a tenth
/// of the transfer.
inline constexpr std::uint32_t kFirstBlockBytes = 512;
inline constexpr std::uint32_t kBlockBytes = 4096;
inline constexpr std::uint32_t kFetchOffset = 0x400;
inline constexpr std::uint32_t kFetchBytes = hw::kMaxCommandBytes + kBlockBytes;

inline constexpr std::uint32_t kSaveRegionOffset = 0x1F00;

/// Commands in flight per engine. chosen: twice the queue depth of the shipped configurations, for
/// the engines read a command that they took from the queue until they finish it.
inline constexpr std::uint32_t kSlotsPerEngine = 16;
inline constexpr std::uint32_t kCommandEngines = hw::kEngineCount - 1;  // all but the controller
inline constexpr std::uint32_t kCommandSlotOffset = 0x2000;

constexpr std::uint32_t commandSlotOffset(std::uint32_t engine, std::uint32_t number) {
    return kCommandSlotOffset +
           (engine * kSlotsPerEngine + number % kSlotsPerEngine) * hw::kMaxCommandBytes;
}

/// The local memory that the firmware needs; with less it does not boot.
inline constexpr std::uint32_t kLocalMemoryBytes = commandSlotOffset(kCommandEngines, 0);

static_assert(kRegionTableOffset + kRegionTableBytes <= kFetchOffset);
static_assert(kFetchOffset + kFetchBytes <= kSaveRegionOffset);
static_assert(kSaveRegionOffset + sizeof(LocalRegion) <= kCommandSlotOffset);
static_assert(kLocalMemoryBytes <= 64 * 1024, "the smallest shipped configuration has 64 KiB");

}  // namespace vnpu::fw
