// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/emit/region_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/compiler/ir/graph_users.h"
#include "driver/compiler/ir/node_tensors.h"
#include "driver/compiler/ir/range_allocator.h"

namespace vnpu::driver {
namespace {

constexpr std::uint32_t kScratchAlignment = 64;  // chosen: one DRAM burst

/// Bytes for the shapes of dynamic tensors, at the beginning of the scratch memory.
std::uint64_t shapeBytes(std::size_t dynamicTensors) {
    return dynamicTensors == 0 ? 0
                               : dynamicTensors * sizeof(hw::DspShape) + CompiledModel::kSpareBytes;
}

/// The region of (kind, index), created on first use.
std::uint16_t regionFor(std::vector<Region>& regions, const Region& wanted) {
    const auto found = std::find_if(regions.begin(), regions.end(), [&](const Region& region) {
        return region.kind == wanted.kind && region.index == wanted.index;
    });
    if (found == regions.end()) {
        regions.push_back(wanted);
        return static_cast<std::uint16_t>(regions.size() - 1);
    }
    return static_cast<std::uint16_t>(found - regions.begin());
}

}  // namespace

std::uint64_t placeScratch(Graph& graph,
                           const std::vector<std::optional<std::uint32_t>>& residentAt) {
    std::vector<LiveRange> ranges;
    std::vector<StorageId> owners;
    std::vector<std::size_t> rangeOf(graph.storages.size(), SIZE_MAX);
    const auto touch = [&](TensorId copyOrOriginal, std::uint32_t step) {
        const TensorId tensor = graph.originalOf(copyOrOriginal);
        const StorageId storage = graph.tensors[tensor].storage;
        if (graph.storages[storage].kind != StorageKind::kScratch || residentAt[storage]) {
            return;
        }
        if (rangeOf[storage] == SIZE_MAX) {
            rangeOf[storage] = ranges.size();
            ranges.push_back({graph.storages[storage].sizeBytes, step, step});
            owners.push_back(storage);
        }
        LiveRange& range = ranges[rangeOf[storage]];
        range.last = std::max(range.last, step);
    };
    // A construct's steps may run again or not at all: every storage that one of them touches is
    // live through the whole construct.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> spans(graph.constructs, {UINT32_MAX, 0});
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        if (const std::uint32_t construct = graph.nodes[n].construct; construct != kNoConstruct) {
            spans[construct].first = std::min(spans[construct].first, n);
            spans[construct].second = n;
        }
    }
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        for (const TensorId tensor : tensorsOf(node)) {
            if (node.construct != kNoConstruct) {
                touch(tensor, spans[node.construct].first);
                touch(tensor, spans[node.construct].second);
            } else {
                touch(tensor, n);
            }
        }
    }
    const std::uint64_t shapes = shapeBytes(graph.dynamicTensors.size());
    const RangePlacement placement = placeRanges(ranges, kScratchAlignment);
    for (std::size_t i = 0; i < owners.size(); ++i) {
        graph.storages[owners[i]].offset = shapes + placement.offsets[i];
    }
    return shapes + placement.totalBytes;
}

Checked<void> layOutRegions(const Graph& graph, std::span<const PoolView> pools,
                            CompiledModel& result, StoragePlaces& places) {
    if (!result.constants.empty()) {
        places.constants = {static_cast<std::uint16_t>(result.regions.size()), 0, 0, 0};
        result.regions.push_back({RegionKind::kDriverConstants, 0, result.constants.size(), false});
    }
    if (result.scratchBytes > 0) {
        places.shapes = {static_cast<std::uint16_t>(result.regions.size()), 0, 0, 0};
        result.regions.push_back({RegionKind::kScratch, 0, result.scratchBytes, true});
    }
    const std::vector<StorageLife> lives = livesOf(graph);
    places.memory.assign(graph.storages.size(), hw::MemoryRef{});
    for (StorageId s = 0; s < graph.storages.size(); ++s) {
        const Storage& storage = graph.storages[s];
        Region region{RegionKind::kScratch, 0, result.scratchBytes, true};
        if (storage.kind == StorageKind::kConstants) {
            region = {RegionKind::kDriverConstants, 0, result.constants.size(), false};
        } else if (lives[s].end == 0 || places.sram[s] || storage.kind == StorageKind::kSramCopy) {
            continue;
        } else if (storage.kind == StorageKind::kPool) {
            region = {RegionKind::kConstantPool, storage.index, pools[storage.index].size(), false};
        } else if (storage.kind == StorageKind::kInput) {
            region = {RegionKind::kInput, storage.index, result.inputs[storage.index].sizeBytes,
                      false};
        } else if (storage.kind == StorageKind::kOutput) {
            region = {RegionKind::kOutput, storage.index, result.outputs[storage.index].sizeBytes,
                      true};
        }
        if (storage.isImage) {
            region.sizeBytes = storage.sizeBytes;
        }
        places.memory[s] = {regionFor(result.regions, region), 0, 0, storage.offset};
        if (result.regions.size() > hw::kMaxRegions) {
            return exhausted(
                    fmt::format("the model touches more than {} memory regions", hw::kMaxRegions));
        }
    }
    return {};
}

}  // namespace vnpu::driver
