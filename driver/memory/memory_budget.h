// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/result.h"

namespace vnpu::driver {

/// What a caller who is alone on the device can have of its memory. Immutable; any thread.
class MemoryBudget {
  public:
    /// `bytes` of device memory, without what the firmware keeps.
    explicit MemoryBudget(std::uint64_t bytes) : bytes_(bytes) {}

    /// RESOURCE_EXHAUSTED_PERSISTENT unless these fit together, however idle the device is: a
    /// context with one ring, `takenBytes` of device memory, and the tables for mapping
    /// `mappedBytes`. Alignment and guard pages are not counted, so what passes may still be a
    /// little too much.
    Result<void> check(std::uint64_t takenBytes, std::uint64_t mappedBytes) const;

  private:
    const std::uint64_t bytes_;
};

}  // namespace vnpu::driver
