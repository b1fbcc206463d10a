// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/regs/status.h"
#include "hw_model/timing/activity.h"

namespace vnpu::hw {

/// The execution of one command on an engine. Cycles are device cycles since power-on.
struct EngineCommandRecord {
    Engine engine = Engine::kController;
    Opcode opcode = Opcode::kNop;
    std::uint64_t jobId = 0;
    std::uint32_t operation = kNoOperation;
    std::uint32_t tile = 0;
    std::uint32_t index = 0;             // of the command on its engine since the job's start
    std::uint64_t queuedCycle = 0;       // pushed by the controller
    std::uint64_t startCycle = 0;        // tokens available, work begins
    std::uint64_t endCycle = 0;          // token posted
    std::uint64_t busyCycles = 0;        // the engine's own work, without stalls
    std::uint64_t tokenStallCycles = 0;  // at the head of the queue, waiting for tokens
    std::uint64_t sramStallCycles = 0;   // bank conflicts
    std::uint64_t dramStallCycles = 0;   // waiting for other users of DRAM or interconnect
    std::uint64_t operations = 0;        // multiply-accumulates or vector elements
    std::uint64_t dramBytes = 0;
    std::uint64_t sramBytes = 0;
    Activity activity = {};  // added to the counters from which energy is computed
};

/// Watches the device without changing anything. Calls come in simulated-time order on the
/// simulation thread.
class DeviceObserver {
  public:
    virtual ~DeviceObserver() = default;
    virtual void onEngineCommand(const EngineCommandRecord&) {}
    virtual void onRegisterAccess(std::uint64_t /*cycle*/, bool /*write*/, bool /*fromController*/,
                                  std::uint32_t /*offset*/, std::uint32_t /*value*/) {}
    virtual void onInterruptLine(std::uint64_t /*cycle*/, bool /*level*/) {}
    /// An event that the firmware reports, such as "job-start"; jobId is 0 if the event concerns no
    /// job.
    virtual void onFirmwareEvent(std::uint64_t /*cycle*/, std::string_view /*event*/,
                                 std::uint64_t /*jobId*/) {}
    /// The controller's program goes to sleep; `activity` covers the time since it woke.
    virtual void onControllerActivity(std::uint64_t /*cycle*/, const Activity& /*activity*/) {}
    virtual void onMmuMiss(std::uint64_t /*cycle*/, Engine /*engine*/,
                           std::uint64_t /*virtualAddress*/) {}
    virtual void onFault(std::uint64_t /*cycle*/, Engine /*engine*/, JobStatus /*status*/,
                         std::string_view /*what*/) {}
    /// The clock domain's power state or level changed.
    virtual void onPowerState(std::uint64_t /*cycle*/, regs::PowerState /*state*/,
                              std::uint32_t /*level*/) {}
    /// The number of commands in an engine's queue changed.
    virtual void onQueueDepth(std::uint64_t /*cycle*/, Engine /*engine*/,
                              std::uint32_t /*commands*/) {}
};

}  // namespace vnpu::hw
