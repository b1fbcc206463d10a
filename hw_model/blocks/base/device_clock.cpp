// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/device_clock.h"

#include <algorithm>
#include <cmath>

#include "hw_model/regs/check.h"

namespace vnpu::hw {

namespace {

/// Rounded to the nearest picosecond.
std::uint64_t periodPicoseconds(std::uint32_t clockKhz) {
    return static_cast<std::uint64_t>(
            std::llround(1.0 / (static_cast<double>(clockKhz) * 1e3) * 1e12));
}

}  // namespace

DeviceClock::DeviceClock(std::uint32_t clockKhz)
    : unitsPerTick_(1),
      periodUnits_(periodPicoseconds(clockKhz)),
      deviceKhz_(clockKhz),
      coreKhz_(clockKhz) {
    VNPU_CHECK(periodUnits_ > 0, "the fastest clock of a configuration is 10 GHz");
    const double tickPicoseconds = sc_core::sc_get_time_resolution().to_seconds() * 1e12;
    if (tickPicoseconds < 0.9) {
        periodUnits_ *= static_cast<std::uint64_t>(std::lround(1 / tickPicoseconds));
    } else {
        unitsPerTick_ = static_cast<std::uint64_t>(std::llround(tickPicoseconds));
    }
}

void DeviceClock::setCoreKhz(std::uint32_t khz) {
    VNPU_CHECK(khz > 0 && khz <= deviceKhz_, "device cycles are those of the fastest level");
    coreKhz_ = khz;
}

std::uint64_t DeviceClock::horizon() const {
    // chosen: far enough for a controller that runs ahead, and no overflow where nothing is
    // scheduled
    constexpr std::uint64_t kFarCycles = 1ULL << 20;
    const std::uint64_t pending =
            sc_core::sc_time_to_pending_activity(sc_core::sc_get_curr_simcontext()).value();
    if (pending == 0) {
        return simulated();
    }
    const std::uint64_t present = sc_core::sc_time_stamp().value();
    const std::uint64_t last = present + std::min(pending, ticksOf(kFarCycles)) - 1;
    return last * unitsPerTick_ / periodUnits_;
}

}  // namespace vnpu::hw
