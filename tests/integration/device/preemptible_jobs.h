// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/command_writer.h"
#include "tests/integration/device/firmware_bench.h"

namespace vnpu::test {

/// A hand-written stream with checkpoints and one region.
struct PreemptibleJob {
    hw::CommandWriter writer;
    std::uint64_t regionBytes = 0;
    std::uint64_t outputOffset = 0;
    std::uint64_t outputBytes = 0;
    std::uint32_t checkpoints = 0;  // checkpoints that the job passes
    std::function<void(std::byte* region)> fill;
};

/// Changes a checkpoint before it is written, to leave out necessary data.
using ChangeCheckpoint = std::function<void(hw::Checkpoint&)>;

/// A matrix product in two halves with live accumulators between them, then a clamp, then the
/// store. It has three checkpoints, the second between operations. Token counts continue across
/// them.
PreemptibleJob accumulatingJob(const ChangeCheckpoint& change = {});

/// Rotates 1 KiB in SRAM by one byte, three times in a loop with a checkpoint in its body.
PreemptibleJob loopingJob();

/// Two operators on the DSP, each FLOOR of `elements` floats, with a transfer of the first results
/// through SRAM between them; a checkpoint follows each operator.
PreemptibleJob operatorJob(std::uint32_t elements);

/// Loads `bytes` at `sramOffset` and stores them again. Between the two is a checkpoint after the
/// load has ended, which also saves `accumulatorBytes` of unused accumulators, followed by
/// `idleFills` fills of 1 KiB.
PreemptibleJob copyingJob(std::uint32_t bytes, std::uint32_t accumulatorBytes,
                          std::uint32_t idleFills = 0, std::uint32_t sramOffset = 0);

/// A checkpoint with these ranges.
hw::Checkpoint checkpointOf(std::uint32_t id, const std::vector<hw::SramRange>& ranges,
                            std::uint32_t accumulatorBytes = 0, std::uint32_t flags = 0);

/// A job in the bench's memory.
struct PlacedJob {
    fw::JobSlot slot{};
    std::uint64_t regionBus = 0;
    std::uint64_t saveBus = 0;
    std::vector<std::byte> output(FirmwareBench& bench, const PreemptibleJob& job) const {
        return bench.bytesAt(regionBus + job.outputOffset, job.outputBytes);
    }
};

/// With a save area for any context.
PlacedJob place(FirmwareBench& bench, const PreemptibleJob& job, std::uint64_t jobId);

/// The device with SRAM and accumulators overwritten at every start of a job.
hw::NpuConfig poisoningConfig();

}  // namespace vnpu::test
