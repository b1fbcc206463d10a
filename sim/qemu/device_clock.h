// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "sim/platform/pace.h"

namespace vnpu::sim {

/// How device time follows the wall clock, which is also the guest's: by a pace, and it stops while
/// nothing is under way, so that an idle device needs no processor time. Nothing is under way when
/// the guest has not touched the device and its interrupt line has not moved for a second in which
/// the device was asleep but for moments (its firmware's heartbeats). Reads no clock. One thread.
class DeviceClock {
  public:
    explicit DeviceClock(Pace pace) : pace_(pace) {}

    /// As Pace::next(); WallTime::max() as the end of the sleep while time stands still.
    Pace::Step next(std::chrono::nanoseconds now, std::chrono::nanoseconds nextEvent,
                    Pace::WallTime wall);

    /// The guest has accessed the device, or its interrupt line has changed.
    void noteActivity(std::chrono::nanoseconds now, Pace::WallTime wall);

  private:
    Pace pace_;
    Pace::WallTime lastActivity_{};
    int workingSteps_ = 0;  // one after the other
    bool isStopped_ = true;
};

}  // namespace vnpu::sim
