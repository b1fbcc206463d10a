// SPDX-License-Identifier: Apache-2.0
#include "sim/interrupt/interruption.h"

#include <cstddef>

namespace vnpu::sim {

namespace {

// chosen: less than the start-up time of an operator on every shipped configuration, so that even
// the shortest one is interrupted
constexpr std::uint32_t kYieldCycles = 50;

}  // namespace

const char* nameOf(Interruption interruption) {
    constexpr const char* kNames[] = {"none", "checkpoint", "boundary", "restart"};
    return kNames[static_cast<std::size_t>(interruption)];
}

hw::NpuConfig interruptible(hw::NpuConfig config) {
    config.poisonOnChip = true;
    config.dsp.yieldCycles = kYieldCycles;
    config.host = {.registerReadNs = 0,
                   .registerWriteNs = 0,
                   .interruptNs = 0,
                   .submitNs = 0,
                   .completeNs = 0};
    return config;
}

driver::SchedulingOptions interruptibleScheduling(std::uint64_t checkpointCycles) {
    driver::SchedulingOptions options;
    options.strategy = driver::Strategy::kDevice;  // the rival, of another UID, goes first
    options.mechanism = fw::Mechanism::kNone;
    options.checkpointCycles = checkpointCycles;
    return options;
}

driver::SchedulingOptions interruptingScheduling(Interruption interruption) {
    driver::SchedulingOptions options = interruptibleScheduling();
    switch (interruption) {
        case Interruption::kNone:
            break;
        case Interruption::kCheckpoint:
            options.experiments.isForced = true;
            break;
        case Interruption::kBoundary:
            options.experiments.isForced = true;
            options.granularity = fw::Granularity::kOperation;
            break;
        case Interruption::kRestart:
            options.mechanism = fw::Mechanism::kRestart;
            break;
    }
    return options;
}

}  // namespace vnpu::sim
