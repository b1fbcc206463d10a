// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/engine_command.h"
#include "hw_model/blocks/base/engine_timer.h"
#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/blocks/host/interrupt_controller.h"
#include "hw_model/blocks/host/job_regions.h"
#include "hw_model/blocks/memory/dma_rows.h"
#include "hw_model/blocks/memory/memory_arbiter.h"
#include "hw_model/blocks/memory/mmu.h"
#include "hw_model/blocks/memory/system_memory.h"
#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/timing/npu_config.h"
#include "hw_model/timing/operator_timing.h"

namespace vnpu::hw {

/// A DSP that executes whole operators on tensors in memory (kDspOperator), one at a time.
///
/// Time. Two things run in parallel, and the longer one counts: the operator's own cycles
/// (timing/operator_timing.h), and the transfer of its bytes through the memory arbiter
/// (descriptor, inputs and outputs once each, at the rate of the load and store port, after one
/// latency and the page walks).
///
/// Data. Inputs are read when the operator begins, outputs and shapes are written when it ends; an
/// operator that fails or is aborted has written nothing. In timing-only mode no kernel runs: a
/// tensor with open dimensions counts with its capacity.
///
/// Yield points. When DSP_YIELD requests it, an operator stops at the next multiple of
/// dsp.yieldCycles since its start: it writes nothing and posts no token, and DSP_DONE_* hold the
/// cycles and bytes done so far. The local state (kSpaceDspState) is only a test pattern here, but
/// it is checked: an operator that resumes without it gives wrong results. Restarted with
/// DSP_DONE_* written, the same operator takes its start-up and the remaining time; it reads its
/// inputs again.
///
///   idle --start--> works --yield point, asked--> stopped --DSP_YIELD = 0, JOB_START--> idle
///     ^               |
///     +----- end -----+
///
/// Errors. The descriptor is read as data, so everything in it is checked here. Not modeled: its
/// instructions and caches. Simulation thread.
class Dsp : public ExecutionEngine {
  public:
    struct Parts {
        const NpuConfig& config;
        const DeviceClock& clock;
        EngineTimer& timer;
        MemoryArbiter& arbiter;
        Mmu& mmu;
        SystemMemory& memory;
        InterruptController& interrupts;
        PerfCounters& counters;
        EngineListener& listener;
        const JobRegions& regions;
        std::span<std::byte> localState;  // empty without data
    };

    explicit Dsp(const Parts& parts) : parts_(parts) {}

    /// Handles JOB_START.
    void startJob();

    void writeYield(std::uint32_t value);
    std::uint32_t readYield() const;

    /// Progress of the operator that stopped, or of the next one. Core cycles.
    struct Done {
        std::uint64_t cycles = 0;
        std::uint64_t bytes = 0;
    };
    const Done& done() const { return done_; }
    void setDone(const Done& done) { done_ = done; }

    bool isReady() const override { return !isBusy_ && !isStopped_; }
    bool isBusy() const override { return isBusy_; }
    EngineCommand& inbox() override { return command_; }
    void start() override;
    void onDeadline(std::size_t timerSlot) override;
    void abort() override;

  private:
    /// The state of one operand.
    struct Operand {
        DspOperand description{};
        Dimensions dimensions;        // once known
        std::vector<std::byte> data;  // bytes that were read, or will be written
        std::vector<float> scales;
        bool isSettled = false;  // the kernel has set the dimensions of this output
        bool fits = true;
        std::vector<DmaPiece> pieces;       // destination of an output
        std::vector<DmaPiece> shapePieces;  // destination of its dimensions

        /// Saturates at 2^64 - 1.
        std::uint64_t sizeBytes() const {
            constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
            const std::uint64_t bytes = elementBytes(description.type);
            const std::uint64_t elements = dimensions.elements();
            return elements > kMost / bytes ? kMost : elements * bytes;
        }
        bool isDynamic() const { return (description.flags & kOperandDynamic) != 0; }
        bool isOmitted() const { return (description.flags & kOperandOmitted) != 0; }
    };
    class Outputs;

    bool prepare();
    bool readDescriptor();
    bool checkOperand(const DspOperand& operand, std::size_t index);
    bool readInput(Operand& operand);
    bool readShape(Operand& operand);
    bool compute();
    bool locateOutput(Operand& operand);
    void begin();
    void leaveOut(const OperatorWork& work);
    void beginMoving(std::uint64_t bytes);
    MemoryPlaces places() const;
    void planYield();
    void stop();
    void countActivity(std::uint64_t endCycles, std::uint64_t workedCycles);
    void fillState(std::span<std::byte> state, std::uint64_t doneCycles) const;
    void finish();
    void writeResults();
    bool store(const std::vector<DmaPiece>& pieces, const void* bytes);
    bool locate(const MemoryRef& reference, std::uint64_t bytes, bool isWrite,
                std::vector<DmaPiece>& pieces);
    /// Allocates room only after the whole range is known to be mapped.
    template <typename T>
    bool load(const MemoryRef& reference, std::uint64_t count, std::vector<T>& destination);
    bool fetch(const std::vector<DmaPiece>& pieces, void* destination);
    bool fail(JobStatus status, std::string what);
    void reportFailure();
    bool isResumed() const { return credit_.cycles != 0; }
    std::uint64_t roomOf(const Operand& operand) const;
    OperatorWork work() const;

    std::span<Operand> inputs() { return std::span(operands_).first(work_.inputCount); }
    std::span<Operand> outputs() { return std::span(operands_).subspan(work_.inputCount); }

    Parts parts_;
    bool isBusy_ = false;
    bool isComputing_ = false;
    bool isMoving_ = false;  // the arbiter's flow is active
    EngineCommand command_;
    DspOperator work_{};
    std::vector<Operand> operands_;
    EngineFailure failure_;
    bool isMmuFault_ = false;
    Mmu::Fault fault_;
    std::uint64_t walkCycles_ = 0;
    std::vector<DmaPiece> memoryReads_;  // all bytes, for a DRAM with banks
    std::vector<DmaPiece> memoryWrites_;
    std::vector<std::uint64_t> tableReads_;
    std::uint64_t trafficBytes_ = 0;
    std::uint64_t writtenBytes_ = 0;
    bool isYieldAsked_ = false;
    bool isStopped_ = false;
    bool isStateLost_ = false;  // resumed with other local memory than it had when it stopped
    Done done_;
    Done credit_;                    // progress of the current operator before this run
    std::uint64_t totalCycles_ = 0;  // of the operator, from its very start; core cycles
    std::uint64_t runCycles_ = 0;    // of its current run; core cycles
    Activity activity_;              // of the operator, from its very start
    std::uint64_t movedBytes_ = 0;   // in the flow that has ended
};

}  // namespace vnpu::hw
