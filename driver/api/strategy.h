// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace vnpu::driver {

/// Where accepted jobs wait for their turn, and whose priorities are compared.
enum class Strategy : std::uint8_t {
    kApps = 0,    // on the device: UIDs get even shares, the policy orders the jobs of one UID
    kDevice = 1,  // on the device: the policy orders the jobs of all UIDs
    kQueue = 2,   // in the driver, in a queue per UID and priority; the device has one job
};
inline constexpr std::string_view kStrategyNames[] = {"apps", "device", "queue"};  // in scenarios

}  // namespace vnpu::driver
