// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "firmware/api/save_area.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::fw {

/// The duration of each loop of the running job, without the time that the job is preempted.
class LoopClock {
  public:
    void reset() { hasBegun_.reset(); }

    void begin(std::uint32_t loop, std::uint64_t nowCycle) {
        hasBegun_.set(loop);
        starts_[loop] = nowCycle;
    }
    bool hasBegun(std::uint32_t loop) const { return hasBegun_[loop]; }

    /// The duration of a loop that has begun.
    std::uint64_t cyclesOf(std::uint32_t loop, std::uint64_t nowCycle) const {
        return nowCycle - starts_[loop];
    }

    void save(SaveArea& area, std::uint64_t nowCycle) const;
    void restore(const SaveArea& area, std::uint64_t nowCycle);

  private:
    std::bitset<hw::kMaxLoops> hasBegun_;
    std::array<std::uint64_t, hw::kMaxLoops> starts_{};  // of those that have begun
};

}  // namespace vnpu::fw
