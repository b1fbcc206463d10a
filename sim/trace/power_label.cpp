// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/power_label.h"

#include <fmt/format.h>

namespace vnpu::sim {

bool hasPowerStates(const hw::NpuConfig& config) {
    return config.power.level1Khz != 0 || config.power.autosuspendUs != 0;
}

std::string powerLabel(const hw::NpuConfig& config, hw::regs::PowerState state,
                       std::uint32_t level) {
    using hw::regs::PowerState;
    const double mhz = clockLevelsKhz(config).at(level) / 1000.0;
    switch (state) {
        case PowerState::kActive:
            return fmt::format("active {:g} MHz", mhz);
        case PowerState::kSwitching:
            return fmt::format("switching to {:g} MHz", mhz);
        case PowerState::kSuspending:
            return "suspending";
        case PowerState::kSuspended:
            return "suspended";
        case PowerState::kResuming:
            return "resuming";
    }
    return "unknown";
}

}  // namespace vnpu::sim
