// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/conv_planner.h"

#include <algorithm>
#include <bit>
#include <utility>

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
    const std::uint64_t channels = std::min(device.macColumns, node.groupOutputs());
    const std::uint64_t taps = std::uint64_t{g.filterHeight} * g.filterWidth;
    return 8 * channels * taps * node.groupInputs() * hw::elementBytes(node.prototype.inputType) >
           freeBytes;
}

std::shared_ptr<const ConvPlan> firstThatFits(const std::vector<ConvCandidate>& candidates,
                                              const ConvNode& node, const CostModel& costs,
                                              const ConvSurroundings& surroundings,
                                              const Workspace& workspace) {
    const std::uint64_t freeBytes = workspace.freeBytes();
    ConvPlan plan;
    for (const ConvCandidate& candidate : candidates) {
        if (candidate.bytes > freeBytes) {
            continue;
        }
        setBuffers(candidate, node, plan);
        sizeTables(node, freeBytes, plan);
        const std::array<SlotSet*, 4> sets{&plan.input, &plan.filter, &plan.output, &plan.tables};
        if (workspace.place(sets)) {
            estimatePlan(node, costs, surroundings, plan);
            return std::make_shared<const ConvPlan>(std::move(plan));
        }
    }
    return nullptr;
}

/// Adds a value to a hash.
void mix(std::size_t& hash, std::uint64_t value) {
    constexpr std::uint64_t kMultiplier =
            0x9E3779B97F4A7C15U;  // source: Knuth, 2^64 / golden ratio
    hash = (std::rotl(hash, 27) ^ value) * kMultiplier;
}

}  // namespace

std::size_t ConvPlanner::KeyHash::operator()(const Key& key) const {
    const WindowGeometry& g = key.geometry;
    std::size_t hash = 0;
    for (const std::uint32_t value :
         {g.batches, g.inputHeight, g.inputWidth, g.inputChannels, g.outputHeight, g.outputWidth,
          g.outputChannels, g.filterHeight, g.filterWidth, g.strideHeight, g.strideWidth,
          static_cast<std::uint32_t>(g.padTop), key.depthMultiplier, key.groups, key.codedShare}) {
        mix(hash, value);
    }
    mix(hash, key.aheadBytes);
    mix(hash, static_cast<std::uint64_t>(key.readsPixels) << 4U |
                      static_cast<std::uint64_t>(key.isOutputStrided) << 3U |
                      static_cast<std::uint64_t>(key.isInputResident) << 2U |
                      static_cast<std::uint64_t>(key.isOutputResident) << 1U |
                      static_cast<std::uint64_t>(key.isFilterResident));
    return hash;
}

std::size_t ConvPlanner::RoomHash::hashOf(const Workspace& workspace, std::uint64_t tableBytes) {
    std::size_t hash = tableBytes;
    mix(hash, workspace.bankBytes << 1U | static_cast<std::uint64_t>(workspace.side));
    for (const Span64& span : workspace.free) {
        mix(hash, span.begin);
        mix(hash, span.end);
    }
    return hash;
}

std::shared_ptr<const ConvPlan> ConvPlanner::plan(const ConvNode& node, const Workspace& workspace,
                                                  const ResidentTensors& resident,
                                                  bool readsPixels) {
    Known& known = known_[{.geometry = node.geometry,
                           .depthMultiplier = node.depthMultiplier,
                           .groups = node.groups,
                           .isOutputStrided = node.outputPixelStride != 0,
                           .isInputResident = resident.input,
                           .isOutputResident = resident.output,
                           .isFilterResident = resident.filter,
                           .readsPixels = readsPixels,
                           .aheadBytes = workspace.aheadBytes,
                           .codedShare = node.codedShare,
                           .inputType = node.prototype.inputType,
                           .outputType = node.prototype.outputType}];
    const RoomView room{workspace, tableBytes(node)};
    if (const auto found = known.plans.find(room); found != known.plans.end()) {
        return found->second;
    }
    auto plan =
            find(node, workspace, {resident, workspace.aheadBytes, readsPixels}, known.candidates);
    known.plans.emplace(Room{workspace, room.tableBytes}, plan);
    return plan;
}

std::shared_ptr<const ConvPlan> ConvPlanner::find(const ConvNode& node, const Workspace& workspace,
                                                  const ConvSurroundings& surroundings,
                                                  Candidates& known) const {
    const auto cheapest = [&](TileDivision division) {
        auto& candidates = known.at(static_cast<std::size_t>(division));
        if (!candidates) {
            candidates = convCandidates(node, costs_, surroundings, division);
        }
        return firstThatFits(*candidates, node, costs_, surroundings, workspace);
    };
    auto best = cheapest(TileDivision::kRowsAndChannels);
    if (!node.isDepthwise() && !surroundings.resident.filter &&
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
