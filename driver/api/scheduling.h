// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "driver/api/experiments.h"
#include "driver/api/strategy.h"
#include "firmware/api/scheduling.h"

namespace vnpu::driver {

/// How the device is shared. The firmware receives its part when it has booted.
struct SchedulingOptions {
    Strategy strategy = Strategy::kApps;
    fw::Policy policy = fw::Policy::kBands;
    fw::Mechanism mechanism = fw::Mechanism::kCheckpoint;
    fw::Granularity granularity = fw::Granularity::kTile;
    std::uint32_t starvationPermille = 0;
    std::array<std::uint64_t, 4> quantumCycles{};  // by band
    std::array<std::uint64_t, 4> graceCycles{};    // by band
    std::uint64_t periodCycles = 0;
    std::uint64_t preemptTimeoutCycles = 0;
    /// With kApps: how far the device time of one UID may get ahead of another that waits. chosen:
    /// 2 ms at 1 GHz. Saving and restoring all 512 KiB of SRAM takes 0.28 ms at 3.75 GB/s, so that
    /// UIDs that alternate lose little of the device.
    std::uint64_t appSliceCycles = 2'000'000;
    bool hasOneBand = false;  // priorities are levels within one band
    /// Cycles between checkpoints in models that are prepared with a priority; 0: no checkpoints.
    /// chosen: 50 us at 1 GHz, a tenth of a MobileNet frame on the smallest device and less than
    /// saving its whole SRAM takes; 1 % more commands
    std::uint64_t checkpointCycles = 50'000;
    SchedulingExperiments experiments{};
};

}  // namespace vnpu::driver
