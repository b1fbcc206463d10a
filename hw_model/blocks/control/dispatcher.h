// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/blocks/base/engine_command.h"
#include "hw_model/blocks/base/engine_timer.h"
#include "hw_model/blocks/base/fault_injector.h"
#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/blocks/host/interrupt_controller.h"
#include "hw_model/blocks/memory/memory_arbiter.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// The engines' queues, tokens and error state: what stands behind ENGINE_*, JOB_*.
///
///   push ──► queue ──► head waits for tokens ──► engine ──► token + controller interrupt
///                                                  │
///                               error ──► all engines stop until JOB_START
///
/// ENGINE_ABORT drops queued and running commands at once: nothing that they would still have
/// written is written, nothing is posted, and the engines stay stopped until JOB_START. JOB_START
/// on working engines does the same first. JOB_SEGMENT zeroes the tokens of idle engines,
/// ENGINE_TOKENS_LOAD sets those of one; on working ones it is an error. A push that the device
/// cannot take (engine without hardware, offset not 8-byte aligned or outside the local memory,
/// full queue) is an engine error. Simulation thread.
class Dispatcher : public EngineTimer::Listener, public EngineListener {
  public:
    struct Parts {
        const NpuConfig& config;
        const DeviceClock& clock;
        EngineTimer& timer;
        MemoryArbiter& arbiter;
        InterruptController& interrupts;
        PerfCounters& counters;
        std::span<const std::byte> localMemory;
        DeviceObserver* observer;
        FaultInjector* faults = nullptr;
    };

    explicit Dispatcher(const Parts& parts);

    /// Gives an engine its hardware; those never attached do not exist.
    void attach(Engine engine, ExecutionEngine* hardware);

    void writePush(Engine engine, std::uint32_t localOffset);
    void writeAbort();
    void writeJobStart(std::uint32_t contextId);
    void writeJobSegment();
    void writeTokens(Engine engine, std::uint32_t tokens);
    /// DSP_YIELD was written: it may have a new deadline, or take its next command.
    void dspChanged();
    void writeWatch(std::uint32_t value) { watch_ = value; }
    void setJobId(std::uint64_t jobId) { jobId_ = jobId; }

    std::uint32_t readFree(Engine engine) const;
    std::uint32_t readTokens(Engine engine) const { return lanes_[engineIndex(engine)].tokens; }
    std::uint32_t readProgress(Engine engine) const;
    std::uint32_t readWatch() const { return watch_; }
    std::uint32_t readError() const { return error_; }

    bool isBusy() const;

    /// Power-on state but for the counters.
    void reset();

    /// Follows changed predictions of the memory arbiter.
    void transfersChanged();

    void onTimer() override;
    void commandDone(const EngineCommand& command) override;
    void commandStopped(const EngineCommand& command) override;
    void commandFailed(Engine engine, JobStatus status, const std::string& what) override;

  private:
    bool isIdle(std::size_t engine) const;
    void zeroTokens();
    struct Queued {
        std::uint32_t localOffset;
        std::uint64_t cycle;
    };

    /// One engine's share.
    struct Lane {
        ExecutionEngine* hardware = nullptr;
        std::vector<Queued> queue;  // ring buffer of the configured depth
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        std::uint32_t tokens = 0;
        std::uint32_t started = 0;
        std::uint8_t missingEngine = 0;  // the token found missing last, looked at first
        std::uint32_t missingCount = 0;
        bool isWaiting = false;  // the head could run but for its tokens
        std::uint64_t waitingSince = 0;
        std::optional<CommandFault> fault;  // that the command is going to have
        bool isHung = false;                // posts nothing until it is aborted
        bool isStuck = false;               // likewise, until the device is reset
        std::uint64_t hangCycle = 0;
        std::uint64_t startCycle = 0;  // of the command started last
    };

    bool areTokensThere(Lane& lane, std::uint32_t localOffset) const;
    bool startHead(Engine engine, Lane& lane);
    void startAll();
    bool isWorking(const Lane& lane) const;
    /// Whether the command's end is not what it should be, which is seen to here.
    bool endsBadly(Lane& lane, const EngineCommand& command);
    bool isSlowed(std::size_t slot, std::uint64_t now);
    void dropCommands();
    void reportDepth(Engine engine, const Lane& lane) const;

    const NpuConfig& config_;
    const DeviceClock& clock_;
    EngineTimer& timer_;
    MemoryArbiter& arbiter_;
    InterruptController& interrupts_;
    PerfCounters& counters_;
    std::span<const std::byte> localMemory_;
    DeviceObserver* observer_;
    FaultInjector* faults_;
    std::array<bool, EngineTimer::kSlots> isStretched_{};  // of a slow engine
    std::array<Lane, kEngineCount> lanes_;
    std::uint64_t arbiterGeneration_ = 0;
    std::uint64_t jobId_ = 0;
    std::uint32_t contextId_ = 0;
    std::uint32_t error_ = 0;
    std::uint32_t watch_ = 0;
    bool isStopped_ = false;
};

}  // namespace vnpu::hw
