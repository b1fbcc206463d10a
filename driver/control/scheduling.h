// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/api/scheduling.h"
#include "driver/control/boot.h"
#include "driver/control/mailbox_client.h"
#include "driver/result.h"

namespace vnpu::driver {

/// The device's band for a HAL priority (0 to 2), and the level within that band.
struct DevicePriority {
    fw::PriorityBand band = fw::PriorityBand::kNormal;
    std::uint32_t level = 0;
};
DevicePriority devicePriority(std::uint32_t halPriority, const SchedulingOptions& options);

/// Sends the options to the booted firmware. Errors as of MailboxClient::request().
Result<void> setScheduling(const BootMemory& memory, MailboxClient& mailbox,
                           const SchedulingOptions& options);

}  // namespace vnpu::driver
