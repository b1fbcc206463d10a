// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "driver/port/device_port.h"

namespace vnpu::test {

/// Accesses the device's DRAM without the driver, as a debugger on the bus would, to corrupt it on
/// purpose. It searches the pages that were in use when it was created, wherever they are.
class DeviceMemory {
  public:
    explicit DeviceMemory(driver::DevicePort& port);

    /// The only position of `bytes`, 8-byte aligned; fails the test if there is none or more than
    /// one.
    std::span<std::byte> find(std::span<const std::byte> bytes) const;

    /// The last-level page table entries that point to client memory, in order of the bus addresses
    /// there: what was mapped first comes first.
    std::vector<std::uint64_t*> clientPages() const;

    /// The same for bus addresses in [first, end).
    std::vector<std::uint64_t*> pagesInto(std::uint64_t first, std::uint64_t end) const;

  private:
    std::vector<std::span<std::byte>> used_;  // runs of pages, in order of position
};

}  // namespace vnpu::test
