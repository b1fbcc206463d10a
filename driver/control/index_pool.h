// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "driver/port/mutex.h"

namespace vnpu::driver {

/// Hands out numbers below a count, the lowest free one first. Any thread.
class IndexPool {
  public:
    explicit IndexPool(std::uint32_t count) : isTaken_(count, false) {}

    /// Nothing if all are taken.
    std::optional<std::uint32_t> take() {
        const MutexLock guard(mutex_);
        const auto free = std::find(isTaken_.begin(), isTaken_.end(), false);
        if (free == isTaken_.end()) {
            return std::nullopt;
        }
        *free = true;
        return static_cast<std::uint32_t>(free - isTaken_.begin());
    }

    void giveBack(std::uint32_t index) {
        const MutexLock guard(mutex_);
        isTaken_[index] = false;
    }

  private:
    Mutex mutex_ VNPU_LOCK_RANK(90);
    std::vector<bool> isTaken_ VNPU_GUARDED_BY(mutex_);
};

}  // namespace vnpu::driver
