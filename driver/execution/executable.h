// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/control/patience.h"
#include "driver/memory/context.h"
#include "driver/memory/device_memory.h"
#include "driver/qos/runtime_estimate.h"
#include "firmware/api/job_ring.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

/// A compiled model in device memory: its commands, its constants, and what executions write to.
/// Any thread but the interrupt thread.
class Executable {
  public:
    /// What one execution has for itself.
    struct Workspace {
        DeviceMemory regionTable;
        std::optional<DeviceMemory> scratch;
        std::optional<DeviceMemory> save;  // for the context of a preempted job
    };

    /// At most this many executions of one model are under way; the device needs one running and
    /// one waiting to stay busy.
    static constexpr std::size_t kMaxWorkspaces = 2;

    /// Takes the device memory for everything and for one execution, and writes commands and
    /// constants once. RESOURCE_EXHAUSTED_PERSISTENT if an idle device has no room for all of it,
    /// _TRANSIENT if this one has none now; GENERAL_FAILURE if the compiled model breaks the
    /// ring's limits.
    static Result<std::shared_ptr<Executable>> create(
            std::shared_ptr<Context> context, std::shared_ptr<const CompiledModel> compiled);

    const std::shared_ptr<const CompiledModel>& compiled() const { return compiled_; }

    /// A workspace, to be given back after use. Waits for one if there are kMaxWorkspaces, or
    /// memory for only fewer; null if patience ends before.
    std::unique_ptr<Workspace> acquire(const Patience& patience);
    void release(std::unique_ptr<Workspace> workspace);

    RuntimeEstimate& estimate() { return estimate_; }

    /// Where the driver's own constants lie, 0 if there are none.
    std::uint64_t constantsAddress() const { return constants_ ? constants_->address() : 0; }

    /// A job slot with this model's commands and the workspace's region table.
    fw::JobSlot slotFor(const Workspace& workspace) const;

    /// The shapes that the device found out, by CompiledModel::dynamicTensors; unknown before.
    std::vector<hw::DspShape> shapesIn(const Workspace& workspace) const;
    void clearShapes(const Workspace& workspace) const;
    /// CompiledModel::kSpareBytes in the scratch memory.
    std::uint64_t spareAddress(const Workspace& workspace) const;

  private:
    Executable(std::shared_ptr<Context> context, std::shared_ptr<const CompiledModel> compiled,
               DeviceMemory commands, std::optional<DeviceMemory> constants);
    Result<std::unique_ptr<Workspace>> createWorkspace() const;
    /// Whether the event was set; if not, nobody will set it any more.
    bool waitInLine(const std::shared_ptr<HostEvent>& returned, const Patience& patience);

    const std::shared_ptr<Context> context_;
    const std::shared_ptr<const CompiledModel> compiled_;
    const DeviceMemory commands_;
    const std::optional<DeviceMemory> constants_;
    RuntimeEstimate estimate_;
    std::mutex mutex_;  // guards what follows; rank 40
    std::vector<std::unique_ptr<Workspace>> idle_;
    std::size_t workspaceCount_ = 0;
    std::deque<std::shared_ptr<HostEvent>> waiters_;
};

/// A workspace for a scope, or none where patience ended.
class WorkspaceLease {
  public:
    WorkspaceLease(Executable& executable, const Patience& patience)
        : executable_(executable), workspace_(executable.acquire(patience)) {}
    ~WorkspaceLease() {
        if (workspace_ != nullptr) {
            executable_.release(std::move(workspace_));
        }
    }
    explicit operator bool() const { return workspace_ != nullptr; }
    WorkspaceLease(const WorkspaceLease&) = delete;
    WorkspaceLease& operator=(const WorkspaceLease&) = delete;

    Executable::Workspace& operator*() const { return *workspace_; }
    Executable::Workspace* operator->() const { return workspace_.get(); }

  private:
    Executable& executable_;
    std::unique_ptr<Executable::Workspace> workspace_;
};

}  // namespace vnpu::driver
