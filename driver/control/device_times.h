// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>

#include "driver/port/mutex.h"

namespace vnpu::driver {

/// The time that the jobs of each UID have had the device, with the saving and restoring of their
/// contexts. Any thread.
class DeviceTimes {
  public:
    using Times = std::map<std::uint32_t, std::chrono::nanoseconds>;

    void add(std::uint32_t uid, std::chrono::nanoseconds time) {
        const MutexLock guard(mutex_);
        times_[uid] += time;
    }

    Times snapshot() const {
        const MutexLock guard(mutex_);
        return times_;
    }

  private:
    mutable Mutex mutex_ VNPU_LOCK_RANK(90);
    Times times_ VNPU_GUARDED_BY(mutex_);
};

}  // namespace vnpu::driver
