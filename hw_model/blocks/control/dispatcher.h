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

/// The engines' queues, tokens and error state: the logic behind ENGINE_* and JOB_*.
///
///   push ──► queue ──► head waits for tokens ──► engine ──► token + controller interrupt
///                                                  │
///                               error ──► all engines stop until JOB_START
///
/// ENGINE_ABORT drops queued and running commands immediately: they write and post nothing more,
/// and the engines stay stopped until JOB_START. JOB_START on working engines first does the same.
/// JOB_SEGMENT zeroes the tokens of idle engines, ENGINE_TOKENS_LOAD sets those of one engine; on
/// working engines either is an error. A push that the device cannot accept (engine without
/// hardware, offset not 8-byte aligned or outside the local memory, full queue) is an engine error.
/// Simulation thread.
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

    /// Gives an engine its hardware; engines that are never attached do not exist.
    void attach(Engine engine, ExecutionEngine* hardware);

    void writePush(Engine engine, std::uint32_t localOffset);
    void writeAbort();
    void writeJobStart(std::uint32_t contextId);
    void writeJobSegment();
    void writeTokens(Engine engine, std::uint32_t tokens);
    /// DSP_YIELD was written: the DSP may have a new deadline, or be ready for its next command.
    void dspChanged();
    void writeWatch(std::uint32_t value) { watch_ = value; }
    void setJobId(std::uint64_t jobId) { jobId_ = jobId; }

    std::uint32_t readFree(Engine engine) const;
    std::uint32_t readTokens(Engine engine) const { return lanes_[engineIndex(engine)].tokens; }
    std::uint32_t readProgress(Engine engine) const;
    std::uint32_t readWatch() const { return watch_; }
    std::uint32_t readError() const { return error_; }

    bool isBusy() const;

    /// Restores the power-on state, except the counters.
    void reset();

    /// Adopts changed predictions of the memory arbiter.
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

    /// State of one engine.
    struct Lane {
        ExecutionEngine* hardware = nullptr;
        std::vector<Queued> queue;  // ring buffer of the configured depth
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        std::uint32_t tokens = 0;
        std::uint32_t started = 0;
        std::uint8_t missingEngine =
                0;  // engine whose token was missing at the last check, checked first
        std::uint32_t missingCount = 0;
        bool isWaiting = false;  // the head of the queue lacks only its tokens
        std::uint64_t waitingSince = 0;
        std::optional<CommandFault> fault;  // injected into one of the next commands
        bool isHung = false;                // posts nothing until aborted
        bool isStuck = false;               // posts nothing until the device is reset
        std::uint64_t hangCycle = 0;
        std::uint64_t startCycle = 0;            // of the last command started
        std::uint32_t operation = kNoOperation;  // of that command
    };

    /// When a stage of an engine began, and the model's operation that it works for.
    struct StageStart {
        std::uint64_t cycle = 0;
        std::uint32_t operation = kNoOperation;
    };

    void onDeadline(std::size_t slot, std::uint64_t now);
    bool areTokensThere(Lane& lane, std::uint32_t localOffset) const;
    bool startHead(Engine engine, Lane& lane);
    void startAll();
    bool isWorking(const Lane& lane) const;
    /// Applies an injected fault to the command's end; true if the command does not end normally.
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
    /// Whether a slow engine's deadline is in its second part.
    std::array<bool, EngineTimer::kSlots> isStretched_{};
    StageStart macOutput_;  // the output stage overlaps with the array's next command
    std::array<Lane, kEngineCount> lanes_;
    std::uint64_t arbiterGeneration_ = 0;
    std::uint64_t jobId_ = 0;
    std::uint32_t contextId_ = 0;
    std::uint32_t error_ = 0;
    std::uint32_t watch_ = 0;
    bool isStopped_ = false;
};

}  // namespace vnpu::hw
