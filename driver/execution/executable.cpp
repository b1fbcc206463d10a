// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/executable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {

namespace {

Result<void> checkLimits(const CompiledModel& compiled) {
    if (compiled.regions.empty() || compiled.regions.size() > hw::kMaxRegions) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("compiled model has {} regions, expected 1 to {}",
                                compiled.regions.size(), hw::kMaxRegions));
    }
    if (compiled.commands.empty() || compiled.commands.size() % 8 != 0 ||
        compiled.commands.size() > UINT32_MAX) {
        return fail(
                ErrorStatus::GENERAL_FAILURE,
                fmt::format(
                        "compiled model has {} command bytes, expected a multiple of 8 below 4 GiB",
                        compiled.commands.size()));
    }
    return {};
}

/// Whether everything that create() takes fits an idle device; each part is whole pages.
Result<void> checkBudget(const MemoryBudget& budget, const CompiledModel& compiled) {
    VNPU_TRY(budget.check(compiled.scratchBytes, compiled.scratchBytes));
    std::uint64_t bytes = 0;
    for (const std::uint64_t part :
         {std::uint64_t{compiled.commands.size()}, std::uint64_t{compiled.constants.size()},
          std::uint64_t{compiled.regions.size() * sizeof(fw::RegionEntry)}, compiled.scratchBytes,
          compiled.saveBytes}) {
        bytes += hw::roundUp(part, hw::kPageBytes);
    }
    return budget.check(bytes, bytes);
}

/// Nothing if no memory is needed.
Result<std::optional<DeviceMemory>> takeIfAny(Context& context, std::uint64_t sizeBytes,
                                              bool isWritable) {
    if (sizeBytes == 0) {
        return std::nullopt;
    }
    return DeviceMemory::create(context, sizeBytes, isWritable);
}

Result<std::optional<DeviceMemory>> upload(Context& context, const std::vector<std::byte>& bytes) {
    auto memory = takeIfAny(context, bytes.size(), false);
    if (memory && *memory) {
        std::ranges::copy(bytes, (*memory)->bytes().begin());
    }
    return memory;
}

}  // namespace

Result<std::shared_ptr<Executable>> Executable::create(
        std::shared_ptr<Context> context, std::shared_ptr<const CompiledModel> compiled,
        const ConstantMemory& memory) {
    VNPU_TRY(checkLimits(*compiled));
    VNPU_TRY(checkBudget(context->addressSpace().budget(), *compiled));
    VNPU_TRY_ASSIGN(auto commands, upload(*context, compiled->commands));
    VNPU_TRY_ASSIGN(auto constants, upload(*context, compiled->constants));
    std::shared_ptr<Executable> executable(new Executable(
            std::move(context), std::move(compiled), *std::move(commands), std::move(constants)));
    VNPU_TRY_ASSIGN(auto workspace, executable->createWorkspace());
    executable->placeOnChip(memory);
    const MutexLock guard(executable->mutex_);
    executable->idle_.push_back(std::move(workspace));
    executable->workspaceCount_ = 1;
    return executable;
}

OnChipConstants::Sources Executable::constantSources(const ConstantMemory& memory) const {
    OnChipConstants::Sources sources;
    for (const Region& region : compiled_->regions) {
        auto& source = sources.emplace_back();
        if (region.kind == RegionKind::kDriverConstants && constants_) {
            source = {constants_->busPages(), 0};
        } else if (region.kind == RegionKind::kConstantPool && region.index < memory.pools.size()) {
            const PoolMapping& pool = *memory.pools[region.index];
            source = {pool.busPages(), pool.pageOffset()};
        }
    }
    return sources;
}

void Executable::placeOnChip(const ConstantMemory& memory) {
    if (!memory.onChip.takesConstants()) {
        return;
    }
    auto placed =
            OnChipConstants::place(*context_, memory.onChip, *compiled_, constantSources(memory));
    if (placed) {
        onChip_ = std::move(*placed);
    } else {
        context_->environment().log.line(describe("constants stay off chip", placed.error()));
    }
}

Executable::Executable(std::shared_ptr<Context> context,
                       std::shared_ptr<const CompiledModel> compiled, DeviceMemory commands,
                       std::optional<DeviceMemory> constants)
    : context_(std::move(context)),
      compiled_(std::move(compiled)),
      commands_(std::move(commands)),
      constants_(std::move(constants)) {}

Result<std::unique_ptr<Executable::Workspace>> Executable::createWorkspace() const {
    VNPU_TRY_ASSIGN(auto table,
                    DeviceMemory::create(
                            *context_, compiled_->regions.size() * sizeof(fw::RegionEntry), false));
    VNPU_TRY_ASSIGN(auto scratch, takeIfAny(*context_, compiled_->scratchBytes, true));
    VNPU_TRY_ASSIGN(auto save, takeIfAny(*context_, compiled_->saveBytes, true));
    return std::make_unique<Workspace>(
            Workspace{std::move(table), std::move(scratch), std::move(save)});
}

Executable::Lease Executable::acquire(const WaitBudget& budget) {
    for (;;) {
        std::shared_ptr<HostEvent> returned;
        const auto standInLine = [&]() VNPU_REQUIRES(mutex_) {
            returned = context_->environment().port.createEvent();
            waiters_.push_back(returned);
        };
        {
            const MutexLock guard(mutex_);
            if (!idle_.empty()) {
                Workspace* const workspace = idle_.back().release();
                idle_.pop_back();
                return {workspace, {this}};
            }
            if (workspaceCount_ < kMaxWorkspaces) {
                ++workspaceCount_;
            } else {
                standInLine();
            }
        }
        if (returned == nullptr) {
            if (auto workspace = createWorkspace()) {
                return {workspace->release(), {this}};
            }
            const MutexLock guard(mutex_);
            --workspaceCount_;
            if (!idle_.empty()) {
                continue;
            }
            standInLine();
        }
        if (!waitInLine(returned, budget)) {
            return {};
        }
    }
}

bool Executable::waitInLine(const std::shared_ptr<HostEvent>& returned, const WaitBudget& budget) {
    if (waitWithin(*returned, budget)) {
        return true;
    }
    const MutexLock guard(mutex_);
    const auto found = std::find(waiters_.begin(), waiters_.end(), returned);
    if (found == waiters_.end()) {
        return true;  // at the last moment
    }
    waiters_.erase(found);
    return false;
}

void Executable::release(std::unique_ptr<Workspace> workspace) {
    std::shared_ptr<HostEvent> next;
    {
        const MutexLock guard(mutex_);
        idle_.push_back(std::move(workspace));
        if (!waiters_.empty()) {
            next = std::move(waiters_.front());
            waiters_.pop_front();
        }
    }
    if (next != nullptr) {
        next->set();
    }
}

std::vector<hw::DspShape> Executable::shapesIn(const Workspace& workspace) const {
    std::vector<hw::DspShape> shapes(compiled_->dynamicTensors.size());
    if (!shapes.empty() && workspace.scratch) {
        std::memcpy(shapes.data(), workspace.scratch->bytes().data(),
                    shapes.size() * sizeof(hw::DspShape));
    }
    return shapes;
}

void Executable::clearShapes(const Workspace& workspace) const {
    const std::size_t bytes = compiled_->dynamicTensors.size() * sizeof(hw::DspShape);
    if (bytes != 0 && workspace.scratch) {
        std::memset(workspace.scratch->bytes().data(), 0, bytes);
    }
}

std::uint64_t Executable::spareAddress(const Workspace& workspace) const {
    return workspace.scratch ? workspace.scratch->address() +
                                       compiled_->dynamicTensors.size() * sizeof(hw::DspShape)
                             : 0;
}

fw::JobSlot Executable::slotFor(const Workspace& workspace) const {
    fw::JobSlot slot{};
    slot.commandAddress = commands_.address();
    slot.commandBytes = static_cast<std::uint32_t>(compiled_->commands.size());
    slot.regionTableAddress = workspace.regionTable.address();
    slot.regionCount = static_cast<std::uint32_t>(compiled_->regions.size());
    slot.estimateCycles = expectedCycles();
    slot.sramBlocks = std::max<std::uint64_t>(compiled_->sramBlocks, 1);  // 0 would be all
    if (workspace.save) {
        slot.saveAddress = workspace.save->address();
        slot.saveBytes = compiled_->saveBytes;
    }
    return slot;
}

}  // namespace vnpu::driver
