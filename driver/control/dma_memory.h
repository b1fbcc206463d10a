// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "driver/control/live_counters.h"
#include "driver/port/device_port.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Device memory that the destructor gives back. Any thread, one at a time. Port and counters
/// outlive it.
class DmaAllocation {
  public:
    /// Takes `sizeBytes`, rounded up to whole pages, zeroed. RESOURCE_EXHAUSTED_* if the port
    /// refuses.
    static Result<DmaAllocation> create(DevicePort& port, LiveCounters& counters,
                                        std::uint64_t sizeBytes);

    std::span<std::byte> bytes() const {
        return {memory_.get(), static_cast<std::size_t>(sizeBytes())};
    }
    std::uint64_t busAddress() const { return memory_.get_deleter().buffer.busAddress; }
    std::uint64_t sizeBytes() const { return memory_.get_deleter().buffer.sizeBytes; }

  private:
    struct Free {
        DevicePort* port;
        LiveCounters* counters;
        DmaBuffer buffer;

        void operator()(std::byte* memory) const;
    };

    explicit DmaAllocation(const Free& free) : memory_(free.buffer.host, free) {}

    std::unique_ptr<std::byte, Free> memory_;
};

/// Pages of client memory that the device reaches by bus address for as long as this object lives.
class DmaMapping {
  public:
    /// `pages` is page aligned and `sizeBytes` a multiple of a page.
    static Result<DmaMapping> create(DevicePort& port, void* pages, std::uint64_t sizeBytes);

    std::uint64_t busAddress() const { return port_.get_deleter().busAddress; }
    std::uint64_t sizeBytes() const { return port_.get_deleter().sizeBytes; }

  private:
    struct Unmap {
        std::uint64_t busAddress;
        std::uint64_t sizeBytes;

        void operator()(DevicePort* port) const { port->unmapDma(busAddress, sizeBytes); }
    };

    DmaMapping(DevicePort& port, const Unmap& unmap) : port_(&port, unmap) {}

    std::unique_ptr<DevicePort, Unmap> port_;
};

}  // namespace vnpu::driver
