// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/port/device_info.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The device memory that a caller can have on an otherwise idle device. Immutable; any thread.
class MemoryBudget {
  public:
    /// `bytes` of device memory, without the firmware's.
    explicit MemoryBudget(std::uint64_t bytes) : bytes_(bytes) {}
    /// All of a booted device's memory but the firmware's.
    static MemoryBudget of(const DeviceInfo& info);

    /// RESOURCE_EXHAUSTED_PERSISTENT unless these fit together, on an idle device: a context with
    /// one ring, `takenBytes` of device memory, and the tables for mapping `mappedBytes`. Alignment
    /// and guard pages are not counted, so a request that passes may still be slightly too large.
    Result<void> check(std::uint64_t takenBytes, std::uint64_t mappedBytes) const;

  private:
    const std::uint64_t bytes_;
};

}  // namespace vnpu::driver
