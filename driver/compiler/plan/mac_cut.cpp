// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "driver/compiler/plan/conv_plan.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

/// `extent` cut into equal parts of at most `most`: the size of a part.
std::uint32_t evenPart(std::uint32_t extent, std::uint64_t most) {
    const std::uint64_t parts = hw::divideUp(extent, std::max<std::uint64_t>(most, 1));
    return static_cast<std::uint32_t>(hw::divideUp(extent, parts));
}

// chosen: a last drain of less than this share of the node's time is not worth smaller blocks
constexpr double kLeastGain = 0.02;
constexpr std::uint64_t kMostParts = 4;  // chosen: bounds the search

MacWork workOf(const ConvNode& node, std::uint32_t depth) {
    MacWork work;
    work.filterHeight = node.geometry.filterHeight;
    work.filterWidth = node.geometry.filterWidth;
    work.strideWidth = node.geometry.strideWidth;
    work.depth = depth;
    work.isDepthwise = node.isDepthwise();
    work.hasUnitSteps = node.geometry.strideHeight == 1 && node.geometry.strideWidth == 1 &&
                        node.geometry.dilationHeight == 1 && node.geometry.dilationWidth == 1;
    work.isFloat = node.prototype.inputType == hw::ElementType::kFloat32;
    return work;
}

/// Blocks of about `pixels` x `channels` results. `work` is that of the tile's node.
MacCut cutIntoBlocks(const MacTile& tile, std::uint64_t pixels, std::uint32_t channels,
                     MacWork work, const CostModel& costs) {
    MacCut cut;
    cut.channels = channels;
    cut.columns = evenPart(tile.columns, pixels);
    cut.rows = evenPart(tile.rows, pixels / cut.columns);
    cut.blocks = hw::divideUp(tile.rows, cut.rows) * hw::divideUp(tile.columns, cut.columns) *
                 hw::divideUp(tile.blockChannels.front(), channels);
    work.pixels = std::uint64_t{cut.rows} * cut.columns;
    work.tiles = tilesOf(cut.rows, cut.columns);
    work.channels = channels;
    const double array = costs.macCycles(work);
    const double stage = costs.outputStageCycles(work.pixels * channels);
    cut.arrayCycles = static_cast<double>(cut.blocks) * std::max(array, stage);
    cut.tailCycles = std::min(array, stage);
    return cut;
}

}  // namespace

std::uint64_t accumulatorsPerBlock(const DeviceInfo& device) {
    return std::max<std::uint64_t>(device.accumulatorBytes / 8, 1);
}

std::vector<std::uint32_t> dividedExtents(std::uint32_t extent, std::uint32_t unit) {
    std::vector<std::uint32_t> extents;
    for (std::uint64_t parts = 1;; parts = std::max(parts + 1, parts * 5 / 4)) {
        std::uint64_t part = hw::divideUp(extent, parts);
        part = std::min<std::uint64_t>(hw::roundUp(part, unit), extent);
        if (extents.empty() || extents.back() != part) {
            extents.push_back(static_cast<std::uint32_t>(part));
        }
        if (parts >= extent || part <= unit) {
            break;
        }
    }
    for (std::uint32_t part = extents.back() / 2; part > 0 && unit > 1; part /= 2) {
        extents.push_back(part);
    }
    return extents;
}

MacCut cutTile(const MacTile& tile, const ConvNode& node, const CostModel& costs) {
    const MacWork work = workOf(node, tile.depth);
    const std::uint64_t pixels = std::uint64_t{tile.rows} * tile.columns;
    const std::uint64_t accumulators = accumulatorsPerBlock(costs.device());
    const std::span<const std::uint32_t> channels =
            tile.isOneBlock ? tile.blockChannels.first(1) : tile.blockChannels;
    MacCut best;
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t ofBlock : channels) {
        const std::uint64_t most = accumulators / ofBlock;
        for (std::uint64_t parts = 1; parts <= kMostParts && most > 0; parts *= 2) {
            const MacCut cut = cutIntoBlocks(tile, std::min(most, hw::divideUp(pixels, parts)),
                                             ofBlock, work, costs);
            const double cycles =
                    static_cast<double>(tile.commands) * cut.arrayCycles + cut.tailCycles;
            if (cycles < least) {
                best = cut;
                least = cycles;
            }
            if (tile.isOneBlock || cut.tailCycles < kLeastGain * cycles) {
                break;
            }
        }
        if (pixels <= most && ofBlock < costs.device().macColumns) {
            break;
        }
    }
    return best;
}

}  // namespace vnpu::driver
