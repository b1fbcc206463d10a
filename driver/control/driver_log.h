// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "driver/api/device.h"
#include "driver/port/device_port.h"

namespace vnpu::driver {

/// The driver's one way to its observer; does nothing where there is none. Any thread, no lock
/// held.
class DriverLog {
  public:
    DriverLog(DevicePort& port, DriverObserver* observer) : port_(port), observer_(observer) {}

    void line(std::string_view text) const {
        if (observer_ != nullptr) {
            observer_->onLog(port_.now(), text);
        }
    }

    DriverObserver* observer() const { return observer_; }
    std::chrono::nanoseconds now() const { return port_.now(); }

  private:
    DevicePort& port_;
    DriverObserver* observer_;  // not owned, may be null
};

}  // namespace vnpu::driver
