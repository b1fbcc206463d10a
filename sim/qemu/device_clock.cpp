// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/device_clock.h"

namespace vnpu::sim {

using std::chrono::nanoseconds;

namespace {

// chosen: drivers look at a device that works for them more often
constexpr std::chrono::seconds kStillTime{1};
// chosen: as in pace.cpp, events of a working device are closer to each other, heartbeats are not
constexpr nanoseconds kWorkingGap{100'000};
// chosen: a heartbeat takes one or two steps
constexpr int kMostIdleSteps = 10;

}  // namespace

void DeviceClock::noteActivity(nanoseconds now, Pace::WallTime wall) {
    lastActivity_ = wall;
    if (isStopped_) {
        isStopped_ = false;
        pace_.restart(now, wall);
    }
}

Pace::Step DeviceClock::next(nanoseconds now, nanoseconds nextEvent, Pace::WallTime wall) {
    workingSteps_ = nextEvent - now <= kWorkingGap ? workingSteps_ + 1 : 0;
    if (workingSteps_ > kMostIdleSteps && !isStopped_) {
        lastActivity_ = wall;
    }
    if (isStopped_ || wall - lastActivity_ > kStillTime) {
        isStopped_ = true;
        return {now, Pace::WallTime::max()};
    }
    return pace_.next(now, nextEvent, wall);
}

}  // namespace vnpu::sim
