// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/api/scheduling.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// How executions lose the device before their end.
enum class Interruption : std::uint8_t {
    kNone = 0,
    kCheckpoint = 1,  // saved and restored at every checkpoint
    kBoundary = 2,    // saved and restored at every checkpoint between operations
    kRestart = 3,     // stopped at random times, to begin again
};
inline constexpr Interruption kInterruptions[] = {Interruption::kCheckpoint,
                                                  Interruption::kBoundary, Interruption::kRestart};

const char* nameOf(Interruption interruption);

/// The same device made for interruptions: what a job leaves on chip is overwritten at every start
/// of one, operators of the DSP have yield points close together, and the host takes no time, so
/// that another job can come at any moment of one.
hw::NpuConfig interruptible(hw::NpuConfig config);

/// For such a device: checkpoints this far apart, of which nothing makes use; with 1, before every
/// command.
driver::SchedulingOptions interruptibleScheduling(std::uint64_t checkpointCycles = 1);

/// What makes use of them.
driver::SchedulingOptions interruptingScheduling(Interruption interruption);

}  // namespace vnpu::sim
