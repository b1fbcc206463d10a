// SPDX-License-Identifier: Apache-2.0
#include "sim/client/driver_log.h"

namespace vnpu::sim {

void DriverLog::onLog(std::chrono::nanoseconds /*now*/, std::string_view line) {
    constexpr std::size_t kMostLines = 1000;  // chosen: a runaway driver must not fill memory
    if (lines_.size() == kMostLines) {
        lines_.erase(lines_.begin());
    }
    lines_.emplace_back(line);
}

}  // namespace vnpu::sim
