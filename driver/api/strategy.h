// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace vnpu::driver {

/// Where accepted jobs wait for their turn.
enum class Strategy : std::uint8_t {
    kDevice = 0,  // on the device, which has all jobs, in bands, and preempts by its mechanism
    kQueue = 1,   // in the driver, in a queue per UID and priority; the device has one job
};
inline constexpr std::string_view kStrategyNames[] = {"device", "queue"};  // in scenarios

}  // namespace vnpu::driver
