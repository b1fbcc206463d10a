// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw_model/regs/register_map.h"
#include "hw_model/timing/activity.h"

namespace vnpu::hw {

/// The 64-bit event counters behind PERF_COUNTER. They count from power-on and never stop; software
/// takes differences.
class PerfCounters {
  public:
    /// Power-on.
    void clear() { values_.fill(0); }

    void add(regs::PerfEvent event, std::uint64_t amount) {
        values_[static_cast<std::size_t>(event)] += amount;
    }

    void add(const Activity& activity) {
        constexpr auto kFirst = static_cast<std::size_t>(Activity::kFirst);
        for (std::size_t i = 0; i < Activity::kEvents; ++i) {
            values_[kFirst + i] += activity.counts[i];
        }
    }

    std::uint64_t value(regs::PerfEvent event) const {
        return values_[static_cast<std::size_t>(event)];
    }

  private:
    std::array<std::uint64_t, regs::kPerfCounterCount> values_{};
};

}  // namespace vnpu::hw
