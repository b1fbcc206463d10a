// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace vnpu::driver {

/// How long the host takes to compile a model, by what it took for earlier ones: time goes with the
/// number of operations, and each new model counts as much as all before it. Any thread.
class CompileRate {
  public:
    /// 0 before the first model.
    std::chrono::nanoseconds estimate(std::size_t operations) const {
        return std::chrono::nanoseconds(static_cast<std::int64_t>(perOperationNs_.load() *
                                                                  static_cast<double>(operations)));
    }

    void observe(std::size_t operations, std::chrono::nanoseconds took) {
        if (operations == 0) {
            return;
        }
        constexpr double kWeight = 0.5;  // chosen: follows a host that has become busy
        const double seen = static_cast<double>(took.count()) / static_cast<double>(operations);
        const double before = perOperationNs_;
        perOperationNs_ = before == 0 ? seen : (1 - kWeight) * before + kWeight * seen;
    }

  private:
    std::atomic<double> perOperationNs_{0};
};

}  // namespace vnpu::driver
