// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/base/watchdog.h"

#include <algorithm>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"

namespace vnpu::fw {

void Watchdog::setBound(std::uint64_t cycles) {
    boundCycles_ = cycles == 0 ? kDefaultWatchdogCycles : std::max(cycles, kMinWatchdogCycles);
}

std::uint32_t Watchdog::look() {
    const std::uint64_t now = readCycles(port_);
    for (std::uint32_t engine = 0; engine < kCommandEngines; ++engine) {
        const std::uint32_t progress = readRegister<regs::EngineProgress>(port_, engine);
        if (regs::EngineProgress::kBusy.get(progress) == 0) {
            since_[engine] = 0;
        } else if (since_[engine] == 0 || progress != seen_[engine]) {
            seen_[engine] = progress;
            since_[engine] = now;
        } else if (now - since_[engine] >= boundCycles_) {
            return engine;
        }
    }
    return kNone;
}

}  // namespace vnpu::fw
