// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/engine_command.h"
#include "hw_model/blocks/base/engine_timer.h"
#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/blocks/deferred/deferred_work.h"
#include "hw_model/blocks/memory/sram.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// The vector unit: executes one command at a time on tiles in SRAM, in the cycles of
/// timing/vector_timing.h extended by bank conflicts. Simulation thread.
class VectorUnit : public ExecutionEngine {
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

    explicit VectorUnit(const Parts& parts) : parts_(parts) {}

    bool isReady() const override { return !isBusy_; }
    bool isBusy() const override { return isBusy_; }
    EngineCommand& inbox() override { return command_; }
    void start() override;
    void onDeadline(std::size_t timerSlot) override;
    void abort() override;

  private:
    template <typename Payload>
    void run(const Payload& work);

    Parts parts_;
    EngineCommand command_;
    std::string failure_;  // reason for which the current operator was refused
    bool isBusy_ = false;
};

}  // namespace vnpu::hw
