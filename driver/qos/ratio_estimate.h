// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/port/mutex.h"

namespace vnpu::driver {

/// A ratio learned from observations: the first one counts in full, each later one as much as all
/// before it. Any thread.
class RatioEstimate {
  public:
    /// `start` is the ratio before the first observation.
    explicit RatioEstimate(double start) : ratio_(start) {}

    /// The amount expected for `base`, rounded down.
    std::uint64_t of(std::uint64_t base) const {
        const MutexLock guard(mutex_);
        return static_cast<std::uint64_t>(static_cast<double>(base) * ratio_);
    }

    /// Notes that `base` led to `actual`. Without effect if either is 0.
    void observe(std::uint64_t base, std::uint64_t actual) {
        if (base == 0 || actual == 0) {
            return;
        }
        // chosen: follows a host that becomes busy and loops whose rounds change, and forgets the
        // cold TLB of the first job
        constexpr double kWeight = 0.5;
        const double seen = static_cast<double>(actual) / static_cast<double>(base);
        const MutexLock guard(mutex_);
        ratio_ = isObserved_ ? (1 - kWeight) * ratio_ + kWeight * seen : seen;
        isObserved_ = true;
    }

  private:
    mutable Mutex mutex_ VNPU_LOCK_RANK(90);
    double ratio_ VNPU_GUARDED_BY(mutex_);
    bool isObserved_ VNPU_GUARDED_BY(mutex_) = false;
};

}  // namespace vnpu::driver
