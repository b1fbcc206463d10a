// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "hw_model/timing/npu_config.h"
#include "sim/trace/event_stream.h"

namespace vnpu::test {

/// A device of 500 MHz, so that a cycle is 2 ns, with a 16 x 16 array.
hw::NpuConfig halfGigahertz();

/// Two clients: "camera" (UID 10101) and "keyword" (UID 10102).
std::vector<sim::ClientInfo> twoClients();

/// A model of a CONV_2D (100 cycles estimated), a SOFTMAX (50 cycles) and a folded RESHAPE.
driver::CompiledModel smallModel();

/// Plays one execution of smallModel() by the camera into the stream, `atCycle` cycles after
/// power-on: a frame, call `callId`, job `jobId`. Cycles after `atCycle`, each interval the
/// command's work:
///
///     job-start 8     dma0  #0 [10, 30)   640 bytes, of which 2 cycles behind others
///                     mac   #0 [30, 60)   1000 MACs, waited for tokens from 20 on
///                     vec   #1 [60, 75)   waited from 20 on
///                     dma2  #1 [75, 95)   64 bytes
///     job-end 105     dma2  -  [95, 100)  8 bytes of no operation
///
/// The call begins at cycle 0, the job is submitted at 5, the line rises at 106 and falls at 108,
/// the job is complete at 110 and the call ends at 120, the frame at 121.
void playExecution(sim::EventStream& stream, std::uint64_t atCycle, std::uint64_t jobId,
                   std::uint64_t callId, const driver::CompiledModel& model,
                   std::uint64_t frame = 4);

}  // namespace vnpu::test
