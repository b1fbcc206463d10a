// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/clock_level.h"

#include <cmath>

namespace vnpu::driver {

namespace {

/// Level cycles per device cycle, at most 1.
double speedOf(const DeviceInfo& info, std::uint32_t level) {
    return static_cast<double>(info.clockLevelsHz[level]) /
           static_cast<double>(info.clockLevelsHz[0]);
}

}  // namespace

DeviceInfo atLevel(const DeviceInfo& info, std::uint32_t level) {
    DeviceInfo slower = info;
    if (level != 0) {
        const double speed = speedOf(info, level);
        slower.dramBytesPerCycle = info.dramBytesPerCycle / speed;
        slower.dramLatencyCycles =
                static_cast<std::uint32_t>(std::lround(info.dramLatencyCycles * speed));
    }
    return slower;
}

std::uint64_t toLevelCycles(std::uint64_t deviceCycles, const DeviceInfo& info,
                            std::uint32_t level) {
    return level == 0 ? deviceCycles
                      : static_cast<std::uint64_t>(static_cast<double>(deviceCycles) *
                                                   speedOf(info, level));
}

void toDeviceCycles(CompiledModel& compiled, const DeviceInfo& info, std::uint32_t level) {
    if (level == 0) {
        return;
    }
    const auto scale = [speed = speedOf(info, level)](std::uint64_t& cycles) {
        cycles = static_cast<std::uint64_t>(std::llround(static_cast<double>(cycles) / speed));
    };
    scale(compiled.estimatedCycles);
    scale(compiled.longestIntervalCycles);
    for (OperationEstimate& estimate : compiled.operations) {
        scale(estimate.cycles);
    }
}

}  // namespace vnpu::driver
