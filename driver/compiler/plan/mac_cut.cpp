// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "driver/compiler/plan/conv_plan.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

/// `extent` cut into equal parts of at most `most`: the size of a part.
std::uint32_t evenPart(std::uint32_t extent, std::uint64_t most) {
    const std::uint64_t parts = hw::divideUp(extent, std::max<std::uint64_t>(most, 1));
    return static_cast<std::uint32_t>(hw::divideUp(extent, parts));
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

MacCut cutTile(std::uint32_t rows, std::uint32_t columns,
               std::span<const std::uint32_t> blockChannels, std::uint32_t depth,
               const ConvNode& node, const CostModel& costs, std::uint64_t accumulators) {
    MacWork work;
    work.filterHeight = node.geometry.filterHeight;
    work.filterWidth = node.geometry.filterWidth;
    work.strideWidth = node.geometry.strideWidth;
    work.depth = depth;
    work.isDepthwise = node.isDepthwise();
    work.hasUnitSteps = node.geometry.strideHeight == 1 && node.geometry.strideWidth == 1 &&
                        node.geometry.dilationHeight == 1 && node.geometry.dilationWidth == 1;
    work.isFloat = node.prototype.inputType == hw::ElementType::kFloat32;
    const std::uint32_t arrayColumns = std::max<std::uint32_t>(costs.device().macColumns, 1);
    MacCut best;
    const std::uint32_t channels = blockChannels.front();
    for (const std::uint32_t ofBlock : blockChannels) {
        const std::uint64_t pixels = accumulators / ofBlock;
        if (pixels == 0) {
            continue;
        }
        MacCut cut;
        cut.channels = ofBlock;
        cut.columns = evenPart(columns, pixels);
        cut.rows = evenPart(rows, pixels / cut.columns);
        cut.blocks = hw::divideUp(rows, cut.rows) * hw::divideUp(columns, cut.columns) *
                     hw::divideUp(channels, ofBlock);
        work.pixels = std::uint64_t{cut.rows} * cut.columns;
        work.tiles = tilesOf(cut.rows, cut.columns);
        work.channels = ofBlock;
        cut.arrayCycles =
                static_cast<double>(cut.blocks) *
                std::max(costs.macCycles(work), costs.outputStageCycles(work.pixels * ofBlock));
        if (best.blocks == 0 || cut.arrayCycles < best.arrayCycles) {
            best = cut;
        }
        if (static_cast<std::uint64_t>(rows) * columns <= pixels && ofBlock < arrayColumns) {
            break;
        }
    }
    return best;
}

}  // namespace vnpu::driver
