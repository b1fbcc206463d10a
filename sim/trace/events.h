// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/api/observer.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

inline constexpr std::uint32_t kNoClient = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t kNoFrame = std::numeric_limits<std::uint64_t>::max();

/// One client of a run, as traces and reports name it.
struct ClientInfo {
    std::string name;
    std::uint32_t uid = 0;
    std::string model;                        // source as written: "zoo:ds_cnn"
    std::string priority;                     // "low", "medium", "high"
    std::vector<std::string> operationNames;  // one per model operation, "" where unnamed
};

/// The name and expected cost of an operation of a compiled model.
struct OperationInfo {
    std::string type;  // "CONV_2D"
    std::uint64_t estimateCycles = 0;
    std::uint64_t estimateMacs = 0;
    std::uint64_t estimateDramBytes = 0;
    bool isFolded = false;
};

struct ModelInfo {
    std::vector<OperationInfo> operations;  // in model order
    std::uint64_t estimatedCycles = 0;      // of a job, with the controller's begin and end of it
    std::uint32_t commandCount = 0;

    /// Estimated cycles from a job's first command to the end of its last one.
    std::uint64_t estimatedDeviceCycles() const {
        std::uint64_t sum = 0;
        for (const OperationInfo& operation : operations) {
            sum += operation.estimateCycles;
        }
        return sum;
    }
};

/// A frame is one unit of a client's work: an input that arrives and the execution for it.
struct FrameEvent {
    std::uint32_t client = kNoClient;
    std::uint64_t frame = 0;
    std::uint64_t arrivalNs = 0;
    std::uint64_t timeNs = 0;
};

struct CallEvent {
    std::uint64_t callId = 0;
    std::uint64_t timeNs = 0;
    std::uint32_t client = kNoClient;
    std::uint64_t frame = kNoFrame;
    std::uint32_t uid = 0;
    std::string method;
    std::string status;  // at the end: "NONE"
};

/// The cost of sharing the device for a job, or the sums for several.
using JobCosts = driver::JobSharing;

inline JobCosts& operator+=(JobCosts& sum, const JobCosts& more) {
    sum.preemptions += more.preemptions;
    sum.restarts += more.restarts;
    sum.savedBytes += more.savedBytes;
    sum.reloadedBytes += more.reloadedBytes;
    sum.switchCycles += more.switchCycles;
    sum.wastedCycles += more.wastedCycles;
    sum.executedCycles += more.executedCycles;
    return sum;
}

struct JobInfo {
    std::uint64_t jobId = 0;
    std::uint64_t callId = 0;
    std::uint32_t client = kNoClient;
    std::uint64_t frame = kNoFrame;
    std::uint64_t submitNs = 0;
    std::shared_ptr<const ModelInfo> model;  // never null
    JobCosts costs{};                        // known when it completes
};

/// One command's work on one engine, in device cycles and in nanoseconds.
struct EngineEvent {
    const hw::EngineCommandRecord& record;
    std::uint64_t queuedNs = 0;
    /// Start of the wait for tokens at the head of the queue; startNs without a wait.
    std::uint64_t waitNs = 0;
    std::uint64_t startNs = 0;
    std::uint64_t endNs = 0;
    const JobInfo* job = nullptr;  // null if the job is unknown
};

/// Whether the engine has a queue of commands of its own.
inline bool hasCommands(hw::Engine engine) {
    return engine != hw::Engine::kController && engine != hw::Engine::kDsp;
}

/// Receives all events of a run, one at a time and in the order of the simulation.
class EventSink {
  public:
    virtual ~EventSink() = default;

    /// Called before the first event.
    virtual void onStart(const hw::NpuConfig& /*config*/,
                         const std::vector<ClientInfo>& /*clients*/) {}
    /// Called after the last event.
    virtual void onEnd(std::uint64_t /*timeNs*/) {}

    virtual void onFrameBegin(const FrameEvent&) {}
    virtual void onFrameEnd(const FrameEvent&, std::string_view /*status*/) {}
    virtual void onCallBegin(const CallEvent&) {}
    virtual void onCallEnd(const CallEvent&) {}
    virtual void onJobSubmitted(const JobInfo&) {}
    virtual void onJobCompleted(const JobInfo&, std::uint64_t /*timeNs*/,
                                std::string_view /*status*/) {}
    /// The host copied bytes of a client.
    virtual void onHostCopy(std::uint64_t /*timeNs*/, std::uint64_t /*bytes*/) {}
    /// A buffer of a memory domain got memory, on chip or in the device's DRAM.
    virtual void onBufferPlaced(std::uint64_t /*timeNs*/, std::uint64_t /*bytes*/,
                                bool /*isOnChip*/) {}
    virtual void onLog(std::uint64_t /*timeNs*/, std::string_view /*line*/) {}
    virtual void onEngineCommand(const EngineEvent&) {}
    virtual void onRegisterAccess(std::uint64_t /*timeNs*/, bool /*write*/, bool /*fromController*/,
                                  std::uint32_t /*offset*/, std::uint32_t /*value*/) {}
    virtual void onInterruptLine(std::uint64_t /*timeNs*/, bool /*level*/) {}
    /// `job` is null for an event without a known job.
    virtual void onFirmwareEvent(std::uint64_t /*timeNs*/, std::string_view /*event*/,
                                 const JobInfo* /*job*/) {}
    virtual void onMmuMiss(std::uint64_t /*timeNs*/, hw::Engine /*engine*/,
                           std::uint64_t /*virtualAddress*/) {}
    virtual void onFault(std::uint64_t /*timeNs*/, hw::Engine /*engine*/, hw::JobStatus /*status*/,
                         std::string_view /*what*/) {}
    /// The clock domain's state or level; active at level 0 before the first.
    virtual void onPowerState(std::uint64_t /*timeNs*/, hw::regs::PowerState /*state*/,
                              std::uint32_t /*level*/) {}
    /// The activity of the controller since its previous event of this kind.
    virtual void onControllerActivity(std::uint64_t /*timeNs*/, const hw::Activity&) {}
    virtual void onQueueDepth(std::uint64_t /*timeNs*/, hw::Engine /*engine*/,
                              std::uint32_t /*commands*/) {}
};

}  // namespace vnpu::sim
