// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/control/wait_budget.h"
#include "driver/execution/on_chip_constants.h"
#include "driver/memory/context.h"
#include "driver/memory/device_memory.h"
#include "driver/memory/on_chip_memory.h"
#include "driver/memory/pool_mapping.h"
#include "driver/port/mutex.h"
#include "driver/qos/ratio_estimate.h"
#include "firmware/api/job_ring.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

/// A compiled model in device memory: commands, constants, and the memory that executions write.
/// Any thread but the interrupt thread.
class Executable {
  public:
    /// The private memory of one execution.
    struct Workspace {
        DeviceMemory regionTable;
        std::optional<DeviceMemory> scratch;
        std::optional<DeviceMemory> save;  // for the context of a preempted job
    };

    /// What the constants of a compiled model need.
    struct ConstantMemory {
        OnChipMemory& onChip;
        const std::vector<std::shared_ptr<const PoolMapping>>& pools;  // of the model
    };

    /// Most executions of one model at a time; one running and one waiting keep the device busy.
    static constexpr std::size_t kMaxWorkspaces = 2;

    /// Takes the device memory for everything and for one execution, and writes commands and
    /// constants once. RESOURCE_EXHAUSTED_PERSISTENT if it does not fit an idle device, _TRANSIENT
    /// if too little is left; GENERAL_FAILURE if the compiled model breaks the ring's limits. The
    /// pools outlive it.
    static Result<std::shared_ptr<Executable>> create(std::shared_ptr<Context> context,
                                                      std::shared_ptr<const CompiledModel> compiled,
                                                      const ConstantMemory& memory);

    const std::shared_ptr<const CompiledModel>& compiled() const { return compiled_; }

    struct Release {
        Executable* owner = nullptr;

        void operator()(Workspace* workspace) const {
            owner->release(std::unique_ptr<Workspace>(workspace));
        }
    };
    /// A workspace in use; its end gives it back.
    using Lease = std::unique_ptr<Workspace, Release>;

    /// Waits if kMaxWorkspaces are in use, or as many as memory allows; null if the budget ends
    /// first.
    Lease acquire(const WaitBudget& budget);

    /// The device time that a job is expected to take; 0: unknown.
    std::uint64_t expectedCycles() const { return estimate_.of(compiled_->estimatedCycles); }
    /// A job has taken this device time, without the progress that restarts threw away; 0: unknown.
    void observe(std::uint64_t cycles) { estimate_.observe(compiled_->estimatedCycles, cycles); }

    /// Where the driver's own constants lie in device memory, 0 if there are none.
    std::uint64_t constantsAddress() const { return constants_ ? constants_->address() : 0; }
    /// Copies of constants on chip; null without any.
    const OnChipConstants* onChip() const { return onChip_ ? &*onChip_ : nullptr; }

    /// A job slot with this model's commands and the workspace's region table.
    fw::JobSlot slotFor(const Workspace& workspace) const;

    /// The shapes that the device determined, by CompiledModel::dynamicTensors; unknown before the
    /// job.
    std::vector<hw::DspShape> shapesIn(const Workspace& workspace) const;
    void clearShapes(const Workspace& workspace) const;
    /// CompiledModel::kSpareBytes in the scratch memory.
    std::uint64_t spareAddress(const Workspace& workspace) const;

  private:
    Executable(std::shared_ptr<Context> context, std::shared_ptr<const CompiledModel> compiled,
               DeviceMemory commands, std::optional<DeviceMemory> constants);
    OnChipConstants::Sources constantSources(const ConstantMemory& memory) const;
    /// Copies constants into on-chip memory if the driver's options and the memory allow it.
    void placeOnChip(const ConstantMemory& memory);
    Result<std::unique_ptr<Workspace>> createWorkspace() const;
    void release(std::unique_ptr<Workspace> workspace);
    /// Whether the event was set; otherwise it is no longer among the waiters.
    bool waitInLine(const std::shared_ptr<HostEvent>& returned, const WaitBudget& budget);

    const std::shared_ptr<Context> context_;
    const std::shared_ptr<const CompiledModel> compiled_;
    const DeviceMemory commands_;
    const std::optional<DeviceMemory> constants_;
    std::optional<OnChipConstants> onChip_;  // set by create()
    RatioEstimate estimate_{1.0};            // of executed to compiled cycles
    Mutex mutex_ VNPU_LOCK_RANK(40);
    std::vector<std::unique_ptr<Workspace>> idle_ VNPU_GUARDED_BY(mutex_);
    std::size_t workspaceCount_ VNPU_GUARDED_BY(mutex_) = 0;
    std::deque<std::shared_ptr<HostEvent>> waiters_ VNPU_GUARDED_BY(mutex_);
};

}  // namespace vnpu::driver
