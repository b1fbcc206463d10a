// SPDX-License-Identifier: Apache-2.0
#pragma once

// The memory for a preempted job's context: SaveArea, then the live SRAM ranges, the live
// accumulators and, if an operator of the DSP is unfinished, the DSP's local state. Each of these
// pieces starts at a 64-byte boundary. The memory is mapped into the job's context, but lies in
// none of its regions, so that only the firmware reads and writes it.

#include <cstdint>

#include "hw_model/regs/command_stream.h"

namespace vnpu::fw {

inline constexpr std::uint32_t kSaveMagic = 0x45564153;  // "SAVE" in memory order
inline constexpr std::uint32_t kSaveAlignment = 64;
inline constexpr std::uint32_t kNoDspCommand = 0xFFFFFFFF;

struct SaveArea {
    std::uint32_t magic;        // kSaveMagic
    std::uint32_t nextCommand;  // offset in the stream
    std::uint64_t jobId;
    hw::Checkpoint checkpoint;                // what is live and saved
    std::uint32_t tokens[hw::kEngineCount];   // commands of this segment that each engine finished
    std::uint64_t begunLoops;                 // bit l: loop l has begun
    std::uint64_t loopCycles[hw::kMaxLoops];  // cycles that each of those has taken
    std::uint32_t dspCommand;  // offset in the stream of the unfinished operator, or kNoDspCommand
    std::uint32_t dspStateBytes;  // 0 without one
    std::uint64_t dspDoneCycles;  // from DSP_DONE_CYCLES and DSP_DONE_BYTES
    std::uint64_t dspDoneBytes;
    std::uint64_t reserved[2];
};
static_assert(hw::kEngineCount % 2 == 0, "what follows the tokens is 8-byte aligned");
static_assert(sizeof(SaveArea) % kSaveAlignment == 0);

/// Room for the context of any job: the header, the used SRAM in pieces, the accumulators, the
/// DSP's state.
constexpr std::uint64_t saveAreaBytes(std::uint64_t sramBytes, std::uint64_t accumulatorBytes) {
    return sizeof(SaveArea) + sramBytes + std::uint64_t{hw::kMaxLiveRanges} * kSaveAlignment +
           accumulatorBytes + kSaveAlignment + hw::kMaxDspStateBytes;
}

}  // namespace vnpu::fw
