// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vnpu::driver {

/// Whole pages that both sides reach; borrowed.
struct BusPages {
    std::span<const std::byte> bytes;  // as this process sees them
    std::uint64_t busAddress = 0;      // for DevicePort::busRanges()
};

}  // namespace vnpu::driver
