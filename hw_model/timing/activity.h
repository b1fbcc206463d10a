// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/timing/npu_config.h"
#include "hw_model/timing/operator_timing.h"

namespace vnpu::hw {

/// Work done by a command, a job or the device, in the units of the counters from which energy is
/// computed.
struct Activity {
    static constexpr regs::PerfEvent kFirst = regs::PerfEvent::kMacProducts8;
    static constexpr regs::PerfEvent kLast = regs::PerfEvent::kControllerCoreCycles;
    static constexpr std::size_t kEvents =
            static_cast<std::size_t>(kLast) - static_cast<std::size_t>(kFirst) + 1;

    std::array<std::uint64_t, kEvents> counts{};  // from kFirst on
    // For the whole device; 0 for commands and jobs.
    std::uint64_t awakeNs = 0;      // powered, including changes of power and level
    std::uint64_t clockCycles = 0;  // core cycles in which the domain's clock ran
    std::uint64_t asleepNs = 0;     // powered down

    std::uint64_t& operator[](regs::PerfEvent event) { return counts[indexOf(event)]; }
    std::uint64_t operator[](regs::PerfEvent event) const { return counts[indexOf(event)]; }

    Activity& operator+=(const Activity& more);
    friend bool operator==(const Activity&, const Activity&) = default;

  private:
    static constexpr std::size_t indexOf(regs::PerfEvent event) {
        return static_cast<std::size_t>(event) - static_cast<std::size_t>(kFirst);
    }
};

/// For a MAC command: products, output stage and accumulators (timing/mac_timing.h). A result in
/// the output stage counts as one operation on 32 bits.
Activity macActivity(const MacConfig& config, const MacConv& work);

/// For a command of the vector unit: its products, elements * (steps + exponentials * E) lane
/// operations, with E exponentialCycles, and its serial steps.
Activity vectorActivity(const VectorConfig& config, const OperatorWork& work);

/// The same for an operator on the DSP, plus the cycles of dspCycles().
Activity dspActivity(const DspConfig& config, const OperatorWork& work);

/// The part of an activity between `begin` and `end` of its `total` steps. Consecutive parts add up
/// to the whole. begin <= end <= total.
Activity partOf(const Activity& whole, std::uint64_t begin, std::uint64_t end, std::uint64_t total);

}  // namespace vnpu::hw
