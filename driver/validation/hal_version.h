// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::driver {

/// The versions of the NN HAL, in their order. A model keeps the rules of the version in which it
/// was handed over.
enum class HalVersion : std::uint8_t { k10, k11, k12, k13 };

inline const char* nameOf(HalVersion version) {
    constexpr const char* kNames[] = {"1.0", "1.1", "1.2", "1.3"};
    return kNames[static_cast<std::uint8_t>(version)];
}

}  // namespace vnpu::driver
