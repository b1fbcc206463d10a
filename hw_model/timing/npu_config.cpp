// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/npu_config.h"

#include "hw_model/regs/rounding.h"

namespace vnpu::hw {

std::vector<std::uint32_t> clockLevelsKhz(const NpuConfig& config) {
    std::vector<std::uint32_t> levels = {config.clockKhz};
    for (const std::uint32_t khz :
         {config.power.level1Khz, config.power.level2Khz, config.power.level3Khz}) {
        if (khz == 0) {
            break;
        }
        levels.push_back(khz);
    }
    return levels;
}

std::uint64_t deviceCycles(const NpuConfig& config, std::uint64_t nanoseconds) {
    constexpr std::uint64_t kKhzNs = 1'000'000;  // duration of a cycle at 1 kHz
    return divideUp(nanoseconds * config.clockKhz, kKhzNs);
}

}  // namespace vnpu::hw
