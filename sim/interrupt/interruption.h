// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/api/scheduling.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// The ways in which executions lose the device before they end.
enum class Interruption : std::uint8_t {
    kNone = 0,
    kCheckpoint = 1,  // saved and restored at every checkpoint
    kBoundary = 2,    // saved and restored at every checkpoint between operations
    kRestart = 3,     // stopped at random times and started again
};
inline constexpr Interruption kInterruptions[] = {Interruption::kCheckpoint,
                                                  Interruption::kBoundary, Interruption::kRestart};

const char* nameOf(Interruption interruption);

/// The device prepared for interruptions: the start of every job overwrites the on-chip memories,
/// DSP operators have yield points close together, and the host takes no time, so that another job
/// can come at any moment.
hw::NpuConfig interruptible(hw::NpuConfig config);

/// Scheduling for such a device: checkpoints this far apart that are not used yet; with 1, before
/// every command.
driver::SchedulingOptions interruptibleScheduling(std::uint64_t checkpointCycles = 1);

/// The firmware settings that use the checkpoints in this way.
driver::SchedulingOptions interruptingScheduling(Interruption interruption);

}  // namespace vnpu::sim
