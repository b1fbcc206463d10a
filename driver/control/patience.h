// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "driver/port/device_port.h"

namespace vnpu::driver {

/// How much longer, in device time, something is worth waiting for before this is asked again;
/// nothing: no longer. Empty: for ever.
using Patience = std::function<std::optional<std::chrono::nanoseconds>()>;

/// Waits for the event; false if patience ends first.
inline bool waitPatiently(HostEvent& event, const Patience& patience) {
    if (!patience) {
        event.wait();
        return true;
    }
    for (;;) {
        const auto time = patience();
        if (!time) {
            return event.waitFor(std::chrono::nanoseconds(0));
        }
        if (event.waitFor(*time)) {
            return true;
        }
    }
}

}  // namespace vnpu::driver
