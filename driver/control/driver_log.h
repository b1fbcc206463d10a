// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string_view>
#include <utility>

#include "driver/api/observer.h"
#include "driver/port/device_port.h"

namespace vnpu::driver {

/// The driver's only way to its observer; does nothing without one. Any thread, no lock held.
class DriverLog {
  public:
    DriverLog(DevicePort& port, DriverObserver* observer) : port_(port), observer_(observer) {}

    void line(std::string_view text) const {
        if (observer_ != nullptr) {
            observer_->onLog(port_.now(), text);
        }
    }

    /// Calls a method of the observer with the present device time and these arguments.
    template <typename Method, typename... Arguments>
    void event(Method method, Arguments&&... arguments) const {
        if (observer_ != nullptr) {
            (observer_->*method)(port_.now(), std::forward<Arguments>(arguments)...);
        }
    }

  private:
    DevicePort& port_;
    DriverObserver* observer_;  // not owned, may be null
};

}  // namespace vnpu::driver
