// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::hal {

/// The versions of the NN HAL in rising order.
enum class HalVersion : uint8_t { k10, k11, k12, k13 };

inline const char* nameOf(HalVersion version) {
    constexpr const char* kNames[] = {"1.0", "1.1", "1.2", "1.3"};
    return kNames[static_cast<uint8_t>(version)];
}

}  // namespace vnpu::hal
