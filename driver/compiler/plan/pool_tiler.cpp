// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "driver/compiler/plan/vector_plan.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

/// Tries one tile size; keeps it in `best` if it fits and is cheaper.
void tryTile(PoolPlan plan, const PoolNode& node, const CostModel& costs,
             const Workspace& workspace, const ResidentTensors& resident,
             std::optional<PoolPlan>& best) {
    const WindowGeometry& g = node.geometry;
    const std::uint64_t element = hw::elementBytes(node.prototype.type);
    const std::uint64_t height = spanOf(g.rows(), plan.rows);
    const std::uint64_t width = spanOf(g.columns(), plan.columns);
    const std::uint64_t tiles = std::uint64_t{g.batches} * hw::divideUp(g.outputHeight, plan.rows) *
                                hw::divideUp(g.outputWidth, plan.columns) *
                                hw::divideUp(g.inputChannels, plan.channels);
    const auto slots = static_cast<std::uint32_t>(std::min<std::uint64_t>(tiles, 2));
    plan.input.slotBytes = height * width * plan.channels * element;
    plan.output.slotBytes = std::uint64_t{plan.rows} * plan.columns * plan.channels * element;
    const bool isSlice = plan.channels < g.inputChannels;
    const std::uint64_t readRows = isSlice ? height * width : 1;
    const bool isStrided = isSlice || node.outputPixelStride != 0;
    const std::uint64_t writtenRows = isStrided ? std::uint64_t{plan.rows} * plan.columns : 1;
    const double loads = CostModel::busBytes(readRows, plan.input.slotBytes / readRows);
    const double stores = CostModel::busBytes(writtenRows, plan.output.slotBytes / writtenRows);

    hw::VecPool work = node.prototype;
    work.outputHeight = plan.rows;
    work.outputWidth = plan.columns;
    work.channels = plan.channels;
    work.windowHeight = static_cast<std::uint16_t>(g.filterHeight);
    work.windowWidth = static_cast<std::uint16_t>(g.filterWidth);
    const double compute = costs.vectorCycles(work);
    const double load = resident.input ? 0 : costs.dmaCycles(loads);
    const double store = resident.output ? 0 : costs.dmaCycles(stores);
    const double dram =
            costs.dramCycles((resident.input ? 0 : loads) + (resident.output ? 0 : stores));
    plan.commands = tiles * 3;
    for (const std::uint32_t buffers : {slots, 1U}) {
        plan.input.slots = resident.input ? 0 : buffers;
        plan.output.slots = resident.output ? 0 : buffers;
        const double together =
                std::max({compute, load, store, dram, 3 * CostModel::kDispatchCycles});
        const double each = buffers > 1 ? together : compute + load + store;
        plan.cycles = each * static_cast<double>(tiles) +
                      CostModel::kExposedShare * (load + store) +
                      static_cast<double>(plan.commands) * CostModel::kCommandPenaltyCycles;
        const std::array<SlotSet*, 2> sets{&plan.input, &plan.output};
        if ((!best || plan.cycles < best->cycles) && workspace.place(sets)) {
            best = plan;
        }
    }
}

}  // namespace

std::optional<PoolPlan> planPool(const PoolNode& node, const CostModel& costs,
                                 const Workspace& workspace, const ResidentTensors& resident) {
    const WindowGeometry& g = node.geometry;
    std::optional<PoolPlan> best;
    PoolPlan plan;
    plan.columns = g.outputWidth;
    plan.channels = g.inputChannels;
    for (const std::uint32_t rows : dividedExtents(g.outputHeight, 1)) {
        plan.rows = rows;
        tryTile(plan, node, costs, workspace, resident, best);
    }
    // Pools work on dense tiles: part of a resident tensor's channels or columns would not be
    // dense.
    if (best || resident.input || resident.output) {
        return best;
    }
    for (const std::uint32_t columns : dividedExtents(g.outputWidth, 1)) {
        for (const std::uint32_t channels :
             dividedExtents(g.inputChannels, CostModel::kBurstBytes)) {
            plan.rows = 1;
            plan.columns = columns;
            plan.channels = channels;
            tryTile(plan, node, costs, workspace, resident, best);
        }
    }
    return best;
}

}  // namespace vnpu::driver
