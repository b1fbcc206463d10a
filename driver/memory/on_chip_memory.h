// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "driver/control/live_counters.h"
#include "driver/port/device_info.h"
#include "driver/port/device_port.h"
#include "driver/port/mutex.h"

namespace vnpu::driver {

class OnChipAllocation;

/// Allocates the device's resident memory in whole pages, lowest fit first. Any thread.
class OnChipMemory {
  public:
    /// Empty if the device has none or the port cannot reach it.
    OnChipMemory(DevicePort& port, const DeviceInfo& info, LiveCounters& counters);
    OnChipMemory(const OnChipMemory&) = delete;
    OnChipMemory& operator=(const OnChipMemory&) = delete;

    std::uint64_t sizeBytes() const { return window_.size(); }

    /// Takes zeroed pages for `sizeBytes`; nothing if no run of free pages is long enough.
    std::optional<OnChipAllocation> allocate(std::uint64_t sizeBytes);

  private:
    friend class OnChipAllocation;
    void giveBack(std::size_t firstPage, std::size_t pages);

    const std::uint64_t busAddress_;
    const std::span<std::byte> window_;
    LiveCounters& counters_;
    Mutex mutex_ VNPU_LOCK_RANK(80);
    std::vector<bool> isTaken_ VNPU_GUARDED_BY(mutex_);  // by page
};

/// On-chip pages that the destructor gives back. Any thread, one at a time. The memory outlives it.
class OnChipAllocation {
  public:
    OnChipAllocation(OnChipAllocation&& other) noexcept;
    OnChipAllocation& operator=(OnChipAllocation&& other) = delete;
    ~OnChipAllocation();

    std::span<std::byte> bytes() const;
    std::uint64_t busAddress() const;
    std::uint64_t sizeBytes() const { return bytes().size(); }

  private:
    friend class OnChipMemory;
    OnChipAllocation(OnChipMemory& memory, std::size_t firstPage, std::size_t pages)
        : memory_(&memory), firstPage_(firstPage), pages_(pages) {}

    OnChipMemory* memory_;  // null: moved from
    std::size_t firstPage_;
    std::size_t pages_;
};

}  // namespace vnpu::driver
