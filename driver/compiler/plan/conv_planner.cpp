// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/conv_planner.h"

#include <algorithm>

namespace vnpu::driver {
namespace {

std::uint64_t tableBytes(const ConvNode& node) {
    return (node.bias != kNoTensor ? 4U : 0U) + (node.scaleTable != kNoStorage ? 8U : 0U);
}

/// Bias and scales: of all channels at once where they are small against the SRAM.
void sizeTables(const ConvNode& node, std::uint64_t freeBytes, ConvPlan& plan) {
    const std::uint64_t bytes = tableBytes(node);
    const std::uint64_t wholeBytes = bytes * node.geometry.outputChannels;
    const bool hasOneTile = node.groups == 1 && plan.channels >= node.groupOutputs();
    plan.loadsTablesOnce = wholeBytes * 8 <= freeBytes || hasOneTile;
    plan.tables.slotBytes = plan.loadsTablesOnce ? wholeBytes : bytes * plan.channels;
    plan.tables.slots = bytes == 0 ? 0 : (plan.loadsTablesOnce ? 1 : 2);
}

/// Whether two buffers of the narrowest useful filter tile take a good part of the SRAM.
bool isFilterLarge(const ConvNode& node, const DeviceInfo& device, std::uint64_t freeBytes) {
    const WindowGeometry& g = node.geometry;
    const std::uint64_t channels =
            std::min(std::max<std::uint32_t>(device.macColumns, 1), node.groupOutputs());
    const std::uint64_t taps = std::uint64_t{g.filterHeight} * g.filterWidth;
    return 8 * channels * taps * node.groupInputs() * hw::elementBytes(node.prototype.inputType) >
           freeBytes;
}

std::optional<ConvPlan> firstThatFits(const std::vector<ConvCandidate>& candidates,
                                      const ConvNode& node, const CostModel& costs,
                                      const ResidentTensors& resident, const Workspace& workspace) {
    const std::uint64_t freeBytes = workspace.freeBytes();
    for (const ConvCandidate& candidate : candidates) {
        if (candidate.bytes > freeBytes) {
            continue;
        }
        ConvPlan plan = planOf(candidate, node, costs, resident);
        sizeTables(node, freeBytes, plan);
        const std::array<SlotSet*, 4> sets{&plan.input, &plan.filter, &plan.output, &plan.tables};
        if (workspace.place(sets)) {
            return plan;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<ConvPlan> ConvPlanner::plan(const ConvNode& node, const Workspace& workspace,
                                          const ResidentTensors& resident) {
    Candidates& known = known_[{.geometry = node.geometry,
                                .depthMultiplier = node.depthMultiplier,
                                .groups = node.groups,
                                .isOutputStrided = node.outputPixelStride != 0,
                                .isInputResident = resident.input,
                                .isOutputResident = resident.output,
                                .isFilterResident = resident.filter,
                                .codedShare = node.codedShare,
                                .inputType = node.prototype.inputType,
                                .outputType = node.prototype.outputType}];
    const auto cheapest = [&](TileDivision division) {
        auto& candidates = known.at(static_cast<std::size_t>(division));
        if (!candidates) {
            candidates = convCandidates(node, costs_, resident, division);
        }
        return firstThatFits(*candidates, node, costs_, resident, workspace);
    };
    std::optional<ConvPlan> best = cheapest(TileDivision::kRowsAndChannels);
    if (!node.isDepthwise() && !resident.filter &&
        (!best || isFilterLarge(node, costs_.device(), workspace.freeBytes()))) {
        auto divided = cheapest(TileDivision::kDepth);
        if (divided && (!best || divided->cycles < best->cycles)) {
            best = std::move(divided);
        }
    }
    if (!best) {
        best = cheapest(TileDivision::kFewChannels);
    }
    return best ? best : cheapest(TileDivision::kColumns);
}

}  // namespace vnpu::driver
