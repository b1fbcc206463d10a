// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/jobs/loop_clock.h"

namespace vnpu::fw {

static_assert(hw::kMaxLoops == 64, "SaveArea::begunLoops has a bit for each");

void LoopClock::save(SaveArea& area, std::uint64_t nowCycle) const {
    area.begunLoops = hasBegun_.to_ullong();
    for (std::uint32_t loop = 0; loop < hw::kMaxLoops; ++loop) {
        area.loopCycles[loop] = hasBegun_[loop] ? cyclesOf(loop, nowCycle) : 0;
    }
}

void LoopClock::restore(const SaveArea& area, std::uint64_t nowCycle) {
    hasBegun_ = area.begunLoops;
    for (std::uint32_t loop = 0; loop < hw::kMaxLoops; ++loop) {
        starts_[loop] = nowCycle - area.loopCycles[loop];
    }
}

}  // namespace vnpu::fw
