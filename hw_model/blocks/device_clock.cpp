// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/device_clock.h"

#include "hw_model/regs/check.h"

namespace vnpu::hw {

DeviceClock::DeviceClock(std::uint32_t clockKhz)
    : periodTicks_(sc_core::sc_time(1.0 / (static_cast<double>(clockKhz) * 1e3), sc_core::SC_SEC)
                           .value()) {
    VNPU_CHECK(periodTicks_ > 0,
               "the clock period is at least one step of SystemC's time resolution");
}

bool DeviceClock::isActivityBefore(std::uint64_t cycle) const {
    const sc_core::sc_simcontext* const context = sc_core::sc_get_curr_simcontext();
    return sc_core::sc_time_to_pending_activity(context) <= until(cycle);
}

}  // namespace vnpu::hw
