// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/compiler/stream/schedule.h"

namespace vnpu::driver {

/// Figures of a stream's checkpoints.
struct CheckpointSummary {
    std::uint32_t count = 0;
    std::uint64_t saveBytes = 0;  // the largest save area that one of them needs
    /// Estimate: from the passing of a checkpoint, or the begin, until every engine has finished
    /// the commands in front of the next one, or all.
    std::uint64_t longestCycles = 0;
};

/// Puts checkpoints into the order of a stream, about one every `intervalCycles` at the place with
/// the fewest bytes to save, and others at the borders of operations, in loops, and behind
/// operators of the DSP. Times are then estimated anew. The order changes only in that an
/// operation's last stores may come before the next one's first computation. Live bytes that memory
/// still holds are loaded again, not saved (MemoryCopies). `regions` are the stream's.
CheckpointSummary placeCheckpoints(const std::vector<ListedCommand>& commands,
                                   const CostModel& costs, std::span<const Region> regions,
                                   double intervalCycles, Schedule& schedule);

}  // namespace vnpu::driver
