// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "driver/port/device_port.h"

namespace vnpu::driver {

/// Limits a wait that may become pointless while it lasts. Returns the device time to wait before
/// the next call; nothing: the wait is to end now. Empty: no limit.
using WaitBudget = std::function<std::optional<std::chrono::nanoseconds>()>;

/// Waits for the event; false if the budget ends first.
inline bool waitWithin(HostEvent& event, const WaitBudget& budget) {
    if (!budget) {
        event.wait();
        return true;
    }
    for (;;) {
        const auto time = budget();
        if (!time) {
            return event.waitFor(std::chrono::nanoseconds(0));
        }
        if (event.waitFor(*time)) {
            return true;
        }
    }
}

}  // namespace vnpu::driver
