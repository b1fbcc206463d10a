// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "driver/control/live_counters.h"
#include "driver/port/device_port.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Rounds up to a multiple; the caller ensures that the sum does not overflow.
constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/// Device memory that the destructor gives back. Any thread, one at a time. Port and counters
/// outlive it.
class DmaAllocation {
  public:
    /// Takes `sizeBytes`, rounded up to whole pages, zeroed. RESOURCE_EXHAUSTED_* if the port
    /// refuses.
    static Result<DmaAllocation> create(DevicePort& port, LiveCounters& counters,
                                        std::uint64_t sizeBytes);

    DmaAllocation(DmaAllocation&& other) noexcept;
    DmaAllocation& operator=(DmaAllocation&& other) noexcept;
    ~DmaAllocation();

    std::span<std::byte> bytes() const {
        return {buffer_.host, static_cast<std::size_t>(buffer_.sizeBytes)};
    }
    std::uint64_t busAddress() const { return buffer_.busAddress; }
    std::uint64_t sizeBytes() const { return buffer_.sizeBytes; }

  private:
    DmaAllocation(DevicePort& port, LiveCounters& counters, const DmaBuffer& buffer)
        : port_(&port), counters_(&counters), buffer_(buffer) {}
    void release();

    DevicePort* port_;  // null: moved from
    LiveCounters* counters_;
    DmaBuffer buffer_;
};

/// Pages of client memory that the device reaches by bus address for as long as this object lives.
class DmaMapping {
  public:
    /// `pages` is page aligned and `sizeBytes` a multiple of a page.
    static Result<DmaMapping> create(DevicePort& port, void* pages, std::uint64_t sizeBytes);

    DmaMapping(DmaMapping&& other) noexcept;
    DmaMapping& operator=(DmaMapping&& other) noexcept;
    ~DmaMapping();

    std::uint64_t busAddress() const { return busAddress_; }
    std::uint64_t sizeBytes() const { return sizeBytes_; }

  private:
    DmaMapping(DevicePort& port, std::uint64_t busAddress, std::uint64_t sizeBytes)
        : port_(&port), busAddress_(busAddress), sizeBytes_(sizeBytes) {}
    void release();

    DevicePort* port_;  // null: moved from
    std::uint64_t busAddress_;
    std::uint64_t sizeBytes_;
};

}  // namespace vnpu::driver
