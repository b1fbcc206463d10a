// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "driver/api/fault_report.h"
#include "driver/result.h"

namespace vnpu::driver {

struct CompiledModel;

/// The cost of sharing the device, for one job.
struct JobSharing {
    std::uint32_t preemptions = 0;  // times saved and restored
    std::uint32_t restarts = 0;     // times stopped and begun again
    std::uint64_t savedBytes = 0;
    std::uint64_t reloadedBytes = 0;   // loaded again instead of saved
    std::uint64_t switchCycles = 0;    // saving and restoring
    std::uint64_t wastedCycles = 0;    // progress lost in restarts
    std::uint64_t executedCycles = 0;  // on the engines
};

enum class MemoryPlace { kDeviceDram, kOnChip };

/// The memory of a memory-domain buffer's contents.
struct BufferPlacement {
    std::uint32_t uid = 0;        // of the buffer's owner
    std::uint64_t sizeBytes = 0;  // of the contents
    MemoryPlace place = MemoryPlace::kDeviceDram;
};

/// Receives the driver's events, in device time. Called on the thread of the event; must not call
/// the driver.
class DriverObserver {
  public:
    virtual ~DriverObserver() = default;

    /// `call` is the HAL method ("executeSynchronously_1_3"), `uid` the caller's; `id` also appears
    /// in the call's other events.
    virtual void onCallBegin(std::chrono::nanoseconds /*now*/, std::string_view /*call*/,
                             std::uint64_t /*id*/, std::uint32_t /*uid*/) {}
    /// An asynchronous execution reports its own end, not that of the call that launched it.
    virtual void onCallEnd(std::chrono::nanoseconds /*now*/, std::uint64_t /*id*/,
                           ErrorStatus /*status*/) {}
    /// The call with this id caused this job.
    virtual void onJobSubmitted(std::chrono::nanoseconds /*now*/, std::uint64_t /*jobId*/,
                                std::uint64_t /*callId*/, const CompiledModel& /*model*/) {}
    /// Comes before the job's completion; does not come for a job that a device reset ended.
    virtual void onJobShared(std::chrono::nanoseconds /*now*/, std::uint64_t /*jobId*/,
                             const JobSharing&) {}
    virtual void onJobCompleted(std::chrono::nanoseconds /*now*/, std::uint64_t /*jobId*/,
                                ErrorStatus /*status*/) {}
    /// The host copied bytes of a client's pool into or out of a buffer of a memory domain. A lock
    /// may be held.
    virtual void onHostCopy(std::chrono::nanoseconds /*now*/, std::uint64_t /*bytes*/) {}
    /// A buffer of a memory domain received memory, when it was allocated or when it grew.
    virtual void onBufferPlaced(std::chrono::nanoseconds /*now*/, const BufferPlacement&) {}
    /// The driver has handled a fault of the device. A lock may be held.
    virtual void onFaultReport(std::chrono::nanoseconds /*now*/, const FaultReport&) {}
    /// One line: why something was refused or failed.
    virtual void onLog(std::chrono::nanoseconds /*now*/, std::string_view /*line*/) {}
};

}  // namespace vnpu::driver
