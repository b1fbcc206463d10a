// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace vnpu::driver {

/// How long jobs of one compiled form take on the device: the compiler's estimate times the ratio
/// that was observed, in which each new job counts as much as all before it. Any thread.
class RuntimeEstimate {
  public:
    explicit RuntimeEstimate(std::uint64_t compiledCycles) : compiledCycles_(compiledCycles) {}

    /// 0 if nothing is known.
    std::uint64_t cycles() const {
        return static_cast<std::uint64_t>(static_cast<double>(compiledCycles_) * ratio_.load());
    }

    void observe(std::uint64_t executedCycles) {
        if (compiledCycles_ == 0 || executedCycles == 0) {
            return;
        }
        constexpr double kWeight = 0.5;  // chosen: loops whose rounds change are followed soon, and
                                         // the first job's cold TLB is forgotten soon
        const double seen =
                static_cast<double>(executedCycles) / static_cast<double>(compiledCycles_);
        ratio_ = isObserved_.exchange(true) ? (1 - kWeight) * ratio_ + kWeight * seen : seen;
    }

  private:
    const std::uint64_t compiledCycles_;
    std::atomic<double> ratio_{1.0};
    std::atomic<bool> isObserved_{false};
};

}  // namespace vnpu::driver
