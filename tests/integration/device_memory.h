// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "driver/port/device_port.h"

namespace vnpu::test {

/// Looks into the device's DRAM past the driver, as a debugger on the bus would, to break things on
/// purpose.
class DeviceMemory {
  public:
    /// The first `sizeBytes` of the DRAM behind `port`.
    DeviceMemory(driver::DevicePort& port, std::uint64_t sizeBytes);

    /// The one place at which `bytes` lie, 8-byte aligned; fails the test if there is none or more
    /// than one.
    std::span<std::byte> find(std::span<const std::byte> bytes) const;

    /// Last-level page table entries that lead to client memory, in order of their place;
    /// neighbours in a table are neighbours here.
    std::vector<std::uint64_t*> clientPages() const;

    /// The same for bus addresses from `first` up to `end`.
    std::vector<std::uint64_t*> pagesInto(std::uint64_t first, std::uint64_t end) const;

  private:
    std::byte* base_;
    std::uint64_t sizeBytes_;
};

}  // namespace vnpu::test
