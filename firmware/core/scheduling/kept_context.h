// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw_model/regs/command_stream.h"

namespace vnpu::fw {

/// The part of a preempted job's context that is still on the chip and not in its save area,
/// because the jobs that have run since use other SRAM. It is recorded in the firmware's memory,
/// because the driver can write to the save area.
struct KeptContext {
    std::uint64_t blocks = 0;  // of SRAM (sram_blocks.h), 0: all is saved
    hw::Checkpoint checkpoint{};
    /// For each reload of the checkpoint, the blocks that it writes. Either all of them are kept or
    /// none, because a repeated reload would overwrite kept blocks.
    std::array<std::uint64_t, hw::kMaxReloads> reloadBlocks{};
};

}  // namespace vnpu::fw
