// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/device_clock.h"

#include <algorithm>

#include "hw_model/regs/check.h"

namespace vnpu::hw {

DeviceClock::DeviceClock(std::uint32_t clockKhz)
    : periodTicks_(sc_core::sc_time(1.0 / (static_cast<double>(clockKhz) * 1e3), sc_core::SC_SEC)
                           .value()),
      deviceKhz_(clockKhz),
      coreKhz_(clockKhz) {
    VNPU_CHECK(periodTicks_ > 0,
               "the clock period is at least one step of SystemC's time resolution");
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
    return (present + std::min(pending, kFarCycles * periodTicks_) - 1) / periodTicks_;
}

}  // namespace vnpu::hw
