// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw_model/regs/command_stream.h"

namespace vnpu::fw {

/// What of a preempted job's context is not in its save area but still on the chip, because the
/// jobs that have run since use other SRAM. Only the firmware's own memory tells: the driver can
/// write in the save area.
struct KeptContext {
    std::uint64_t blocks = 0;  // of SRAM (sram_blocks.h), 0: all is saved
    hw::Checkpoint checkpoint{};
    /// By reload of the checkpoint: the blocks that it writes. All of them are kept, or none is:
    /// repeated as a whole, it would write over what is kept.
    std::array<std::uint64_t, hw::kMaxReloads> reloadBlocks{};
};

}  // namespace vnpu::fw
