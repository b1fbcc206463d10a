// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "driver/api/strategy.h"
#include "driver/port/device_info.h"
#include "driver/result.h"
#include "firmware/api/scheduling.h"

namespace vnpu::driver {

class BootMemory;
class MailboxClient;

/// How the device is shared. The device's part goes to the firmware when it has booted.
struct SchedulingOptions {
    Strategy strategy = Strategy::kDevice;
    fw::Policy policy = fw::Policy::kBands;
    fw::Mechanism mechanism = fw::Mechanism::kCheckpoint;
    fw::Granularity granularity = fw::Granularity::kTile;
    std::uint32_t starvationPermille = 0;
    std::array<std::uint64_t, 4> quantumCycles{};  // by band
    std::array<std::uint64_t, 4> graceCycles{};
    std::uint64_t periodCycles = 0;
    std::uint64_t preemptTimeoutCycles = 0;
    bool isForced = false;    // fw::kScheduleForced
    bool hasOneBand = false;  // priorities are levels within one band
    /// How far apart checkpoints are in models that are prepared with a priority, 0: there are
    /// none. chosen: 50 us at 1 GHz, a tenth of what a frame of MobileNet takes on the smallest
    /// device and less than it takes to save its whole SRAM; 1 % more commands
    std::uint64_t checkpointCycles = 50'000;
};

/// Which band and level of it a HAL priority (0 to 2) has.
struct DevicePriority {
    fw::PriorityBand band = fw::PriorityBand::kNormal;
    std::uint32_t level = 0;
};
DevicePriority devicePriority(std::uint32_t halPriority, const SchedulingOptions& options);

fw::SchedulingParameters schedulingParameters(const SchedulingOptions& options);

/// Tells the booted firmware.
Result<void> setScheduling(const BootMemory& memory, MailboxClient& mailbox,
                           const SchedulingOptions& options);

}  // namespace vnpu::driver
