// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/engine_command.h"
#include "hw_model/blocks/base/engine_timer.h"
#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/blocks/deferred/deferred_work.h"
#include "hw_model/blocks/engines/mac_decoder.h"
#include "hw_model/blocks/memory/sram.h"
#include "hw_model/timing/mac_timing.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// The MAC array and its output stage, a pipeline of two: while the output stage finishes one
/// command, the array works on the next. A command waits in the array until the output stage is
/// free, so at most two commands are in progress; blocks of one command overlap in the same way.
/// The output stage copies the accumulators that it drains into its own delivery buffer, so the
/// next command may use the same accumulators. A command that reads the SRAM results of the command
/// in the output stage is held back until they are stored. Not modeled: stalls inside a fold,
/// sparsity, clock gating. Simulation thread.
class MacArray : public ExecutionEngine {
  public:
    struct Parts {
        const NpuConfig& config;
        const DeviceClock& clock;
        EngineTimer& timer;
        Sram& sram;
        DeferredWork& work;
        PerfCounters& counters;
        EngineListener& listener;
    };

    explicit MacArray(const Parts& parts)
        : parts_(parts),
          decoder_(parts.config,
                   {.sramBytes = parts.sram.sizeBytes(),
                    .accumulatorBytes = parts.sram.accumulatorBytes()},
                   parts.work.threads()) {}

    bool isReady() const override { return !array().isActive; }
    EngineCommand& inbox() override { return array().command; }
    bool acceptsInbox() override;
    bool isBusy() const override { return array().isActive || output().isActive; }
    void start() override;
    void onDeadline(std::size_t timerSlot) override;
    void abort() override;

  private:
    struct Stage {
        bool isActive = false;
        EngineCommand command;
        std::shared_ptr<const DecodedConv> decoded;  // of the command, once decoded
        OperationSlot slot = OperationSlot::kMacEven;
        MacCycles cycles;                // undisturbed
        std::uint64_t outputCycles = 0;  // with bank conflicts
    };

    MacCycles cyclesOf(const Stage& stage) const;
    void postCompute(const std::shared_ptr<const DecodedConv>& decoded);
    void enterOutputStage();
    void finish(Stage& stage);

    Stage& array() { return stages_[arrayStage_]; }
    Stage& output() { return stages_[1 - arrayStage_]; }
    const Stage& array() const { return stages_[arrayStage_]; }
    const Stage& output() const { return stages_[1 - arrayStage_]; }

    Parts parts_;
    MacDecoder decoder_;
    std::array<Stage, 2> stages_;
    std::size_t arrayStage_ =
            0;  // stage of the array's command; the other stage is the output stage's
    bool isArrayDone_ = false;  // the array's command waits for the output stage
};

}  // namespace vnpu::hw
