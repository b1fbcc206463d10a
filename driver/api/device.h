// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "driver/api/driver_counters.h"
#include "driver/api/fault_report.h"
#include "driver/api/memory_place.h"
#include "driver/api/scheduling.h"
#include "driver/compiler/ir/compiled_model.h"
#include "driver/execution/compiler_functions.h"
#include "driver/memory/user_share.h"
#include "driver/port/device_port.h"
#include "driver/result.h"

namespace vnpu::driver {

/// What sharing the device cost a job.
struct JobSharing {
    std::uint32_t preemptions = 0;  // saved and restored
    std::uint32_t restarts = 0;     // stopped and begun again
    std::uint64_t savedBytes = 0;
    std::uint64_t reloadedBytes = 0;   // loaded again instead of saved
    std::uint64_t switchCycles = 0;    // saving and restoring
    std::uint64_t wastedCycles = 0;    // progress that restarts threw away
    std::uint64_t executedCycles = 0;  // on the engines
};

/// What the driver tells whoever watches it, in device time. Called on the thread of the event;
/// must not call the driver.
class DriverObserver {
  public:
    virtual ~DriverObserver() = default;

    /// `call` is the HAL method ("executeSynchronously_1_3"); `id` joins begin and end; uid is the
    /// caller's.
    virtual void onCallBegin(std::chrono::nanoseconds /*now*/, std::string_view /*call*/,
                             std::uint64_t /*id*/, std::uint32_t /*uid*/) {}
    /// For an asynchronous execution this is its end, not the end of the call that launched it.
    virtual void onCallEnd(std::chrono::nanoseconds /*now*/, std::uint64_t /*id*/,
                           ErrorStatus /*status*/) {}
    /// The call with this id caused this job.
    virtual void onJobSubmitted(std::chrono::nanoseconds /*now*/, std::uint64_t /*jobId*/,
                                std::uint64_t /*callId*/, const CompiledModel& /*model*/) {}
    /// How the device shared itself while it had this job; before its completion, unless the device
    /// broke down.
    virtual void onJobShared(std::chrono::nanoseconds /*now*/, std::uint64_t /*jobId*/,
                             const JobSharing&) {}
    virtual void onJobCompleted(std::chrono::nanoseconds /*now*/, std::uint64_t /*jobId*/,
                                ErrorStatus /*status*/) {}
    /// The host copied so many bytes of a client's pool: into or out of a buffer of a memory
    /// domain, or because the device cannot use the pool in place. A lock may be held.
    virtual void onHostCopy(std::chrono::nanoseconds /*now*/, std::uint64_t /*bytes*/) {}
    /// A buffer of a memory domain got memory: when it was allocated, or when it grew.
    virtual void onBufferPlaced(std::chrono::nanoseconds /*now*/, const BufferPlacement&) {}
    /// Something went wrong on the device, and was seen to. A lock may be held.
    virtual void onFaultReport(std::chrono::nanoseconds /*now*/, const FaultReport&) {}
    /// One line: why something was refused or failed.
    virtual void onLog(std::chrono::nanoseconds /*now*/, std::string_view /*line*/) {}
};

struct DriverOptions {
    std::string versionString = "vnpu-1.3";
    DriverObserver* observer = nullptr;  // not owned, may be null
    /// The clock by which callers give their deadlines: how far ahead of it a deadline lies is the
    /// budget of device time that it grants. Empty: the device clock itself (virtual time). A live
    /// platform gives the steady clock.
    std::function<std::chrono::nanoseconds()> deadlineClock;
    /// How long a burst looks for the next request after each result before its thread sleeps.
    /// source: none by default, as in Android from 12 on
    std::chrono::microseconds burstPollingWindow{0};
    SchedulingOptions scheduling;
    UserLimits userLimits;
    /// A firmware that does nothing for so long while jobs are pending is dead (timeout detection
    /// and recovery). Device time. chosen: a hundred heartbeats (boot.cpp)
    std::chrono::nanoseconds progressTimeout = std::chrono::milliseconds(100);
    /// Asked with the call's id (DriverObserver) before an execution is refused because it would
    /// miss its deadline. True: it is admitted all the same and not stopped, for experiments that
    /// ask what would have become of it. Empty: refused. On the call's thread, no lock held.
    std::function<bool(std::uint64_t callId)> insists;
};

/// Boots the device behind `port` and returns its NN HAL 1.3 service. `port` must outlive it and
/// every object it gave out. Call on a host thread of the port; the last reference to a prepared
/// model or a buffer must also be dropped on one, as that waits for the firmware.
Result<android::sp<android::hardware::neuralnetworks::V1_3::IDevice>> createDevice(
        DevicePort& port, const DriverOptions& options = {}, CompilerFunctions compiler = {});

/// Has the firmware of a device of ours share it otherwise from now on: by all of `options` but the
/// strategy, the bands and the distance of checkpoints, which are those of its creation, as is what
/// deadlines are judged by. GENERAL_FAILURE for a foreign device. On a host thread of the port, one
/// at a time.
Result<void> reschedule(const android::sp<android::hardware::neuralnetworks::V1_3::IDevice>& device,
                        const SchedulingOptions& options);

/// The compiled form behind a prepared model of ours (the most recent one, if input shapes are left
/// open), or null for a foreign one (reports, disassembly).
std::shared_ptr<const CompiledModel> compiledModelOf(
        const android::sp<android::hardware::neuralnetworks::V1_3::IPreparedModel>& preparedModel);

/// What the driver behind a device of ours holds and has done; zeroes for a foreign one.
DriverCounters countersOf(
        const android::sp<android::hardware::neuralnetworks::V1_3::IDevice>& device);

}  // namespace vnpu::driver
