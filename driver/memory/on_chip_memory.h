// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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
    /// Empty if the device has none or the port cannot reach it. `constantsShare` of it, from 0 to
    /// 1, is the most that constants of models may fill.
    OnChipMemory(DevicePort& port, const DeviceInfo& info, LiveCounters& counters,
                 double constantsShare = 0);
    OnChipMemory(const OnChipMemory&) = delete;
    OnChipMemory& operator=(const OnChipMemory&) = delete;

    std::uint64_t sizeBytes() const { return window_.size(); }

    /// Takes zeroed pages for `sizeBytes`; nothing if no run of free pages is long enough.
    std::optional<OnChipAllocation> allocate(std::uint64_t sizeBytes);

    /// Whether any constants may be on chip.
    bool takesConstants() const { return constantsLimit_ != 0; }
    /// The same within the share of constants; a large page is aligned to its size.
    std::optional<OnChipAllocation> allocateForConstants(std::uint64_t sizeBytes);

  private:
    friend class OnChipAllocation;

    enum class Content : std::uint8_t { kBuffer, kConstants };
    /// The first of free pages for `content`, which are then taken.
    std::optional<std::size_t> takePages(std::size_t pages, Content content);
    std::optional<OnChipAllocation> allocate(std::uint64_t sizeBytes, Content content);
    void giveBack(const std::byte* bytes, std::uint64_t sizeBytes, Content content);

    const std::uint64_t busAddress_;
    const std::span<std::byte> window_;
    const std::uint64_t constantsLimit_;  // in bytes
    LiveCounters& counters_;
    Mutex mutex_ VNPU_LOCK_RANK(80);
    std::vector<bool> isTaken_ VNPU_GUARDED_BY(mutex_);  // by page
};

/// On-chip pages that the destructor gives back. Any thread, one at a time. The memory outlives it.
class OnChipAllocation {
  public:
    std::span<std::byte> bytes() const { return {bytes_.get(), bytes_.get_deleter().sizeBytes}; }
    std::uint64_t busAddress() const;
    std::uint64_t sizeBytes() const { return bytes().size(); }

  private:
    friend class OnChipMemory;
    struct GiveBack {
        OnChipMemory* memory;
        std::uint64_t sizeBytes;
        OnChipMemory::Content content;

        void operator()(std::byte* bytes) const { memory->giveBack(bytes, sizeBytes, content); }
    };

    OnChipAllocation(std::byte* bytes, const GiveBack& giveBack) : bytes_(bytes, giveBack) {}

    std::unique_ptr<std::byte, GiveBack> bytes_;
};

}  // namespace vnpu::driver
