// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "driver/compiler/stream/live_memory.h"
#include "driver/compiler/stream/memory_copies.h"
#include "driver/compiler/stream/schedule.h"

namespace vnpu::driver {

/// Fills in the bytes that a checkpoint with the live bytes `live` saves and the transfers that are
/// repeated instead: of the copies that are mostly live those with the most live bytes, up to
/// hw::kMaxReloads.
void describeContext(LiveMemory live, const std::vector<MemoryCopy>& copies,
                     PlacedCheckpoint& placed);

/// Save area that the checkpoint needs (firmware/api/save_area.h), without the DSP's state.
std::uint64_t saveAreaBytes(const hw::Checkpoint& checkpoint);

}  // namespace vnpu::driver
