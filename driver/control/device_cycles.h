// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace vnpu::driver {

/// At least 1, because 0 means no limit to the firmware.
inline std::uint64_t toCycles(std::chrono::nanoseconds time, std::uint64_t clockHz) {
    constexpr std::uint64_t kPerSecond = 1'000'000'000;
    const auto nanoseconds = static_cast<std::uint64_t>(time.count());
    const std::uint64_t cycles = nanoseconds / kPerSecond * clockHz +
                                 nanoseconds % kPerSecond * (clockHz / 1000) / (kPerSecond / 1000);
    return std::max<std::uint64_t>(cycles, 1);
}

inline std::chrono::nanoseconds toTime(std::uint64_t cycles, std::uint64_t clockHz) {
    constexpr std::uint64_t kPerSecond = 1'000'000'000;
    return std::chrono::nanoseconds(static_cast<std::int64_t>(
            cycles / clockHz * kPerSecond + cycles % clockHz * kPerSecond / clockHz));
}

}  // namespace vnpu::driver
