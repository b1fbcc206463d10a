// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

#include "driver/control/job_queue.h"
#include "driver/port/device_port.h"

namespace vnpu::driver {

/// A first-come-first-served lock that may be held while device time passes: waiters block on an
/// event of the port, not on a mutex, so that in virtual time the other host threads continue. Any
/// thread; not recursive.
class HostLock {
  public:
    explicit HostLock(DevicePort& port) : queue_(port) {}

    void lock() { queue_.enter(0, 0, {}); }
    void unlock() { queue_.leave(); }

  private:
    JobQueue queue_;  // of equals
};

using HostLockGuard = std::lock_guard<HostLock>;

}  // namespace vnpu::driver
