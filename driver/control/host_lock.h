// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include "driver/port/device_port.h"
#include "driver/port/mutex.h"

namespace vnpu::driver {

/// A first-come-first-served lock that may be held while device time passes: waiters block on an
/// event of the port, not on a mutex, so that in virtual time the other host threads continue. Any
/// thread; not recursive.
class HostLock {
  public:
    explicit HostLock(DevicePort& port) : port_(port) {}

    void lock();
    void unlock();

  private:
    DevicePort& port_;
    Mutex mutex_ VNPU_LOCK_RANK(90);
    bool isHeld_ VNPU_GUARDED_BY(mutex_) = false;
    std::deque<std::shared_ptr<HostEvent>> waiters_ VNPU_GUARDED_BY(mutex_);
};

using HostLockGuard = std::lock_guard<HostLock>;

}  // namespace vnpu::driver
