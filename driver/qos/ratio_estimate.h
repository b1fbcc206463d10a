// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>

namespace vnpu::driver {

/// A ratio learned from observations: the first one counts in full, each later one as much as all
/// before it. Any thread.
class RatioEstimate {
  public:
    /// `start` is the ratio before the first observation.
    explicit RatioEstimate(double start) : ratio_(start) {}

    /// The amount expected for `base`, rounded down.
    std::uint64_t of(std::uint64_t base) const {
        const std::lock_guard guard(mutex_);
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
        const std::lock_guard guard(mutex_);
        ratio_ = isObserved_ ? (1 - kWeight) * ratio_ + kWeight * seen : seen;
        isObserved_ = true;
    }

  private:
    mutable std::mutex mutex_;  // guards the members below; rank 90
    double ratio_;
    bool isObserved_ = false;
};

}  // namespace vnpu::driver
