// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/emit/mac_parts.h"

#include <algorithm>

#include "driver/compiler/ir/window_reach.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

WindowWalk rowsOf(const hw::MacConv& work) {
    return {work.inputHeight, work.strideHeight, work.filterHeight, work.dilationHeight,
            work.padTop};
}

WindowWalk columnsOf(const hw::MacConv& work) {
    return {work.inputWidth, work.strideWidth, work.filterWidth, work.dilationWidth, work.padLeft};
}

void takeChannels(hw::MacConv& work, const Part& channels) {
    const std::uint32_t filterBytes = work.filterHeight * work.filterWidth * work.inputChannels *
                                      static_cast<std::uint32_t>(hw::elementBytes(work.filterType));
    work.outputChannels = channels.count;
    work.filterSram += channels.begin * filterBytes;
    work.outputSram +=
            channels.begin * static_cast<std::uint32_t>(hw::elementBytes(work.outputType));
    hw::OutputStage& stage = work.outputStage;
    if ((stage.flags & hw::kOutputHasBias) != 0) {
        stage.biasSram += channels.begin * hw::kOutputBiasBytes;
    }
    if ((stage.flags & hw::kOutputPerChannel) != 0) {
        stage.scaleSram += channels.begin * hw::kOutputScaleBytes;
    }
}

void takeRows(hw::MacConv& work, const Part& rows) {
    const Reach reach = reachOf(rowsOf(work), rows);
    work.inputSram += reach.input.begin * work.inputRowBytes;
    work.inputHeight = reach.input.count;
    work.padTop = reach.pad;
    work.outputSram += rows.begin * work.outputRowBytes;
    work.outputHeight = rows.count;
}

void takeColumns(hw::MacConv& work, const Part& columns) {
    const Reach reach = reachOf(columnsOf(work), columns);
    work.inputSram += reach.input.begin * work.inputPixelBytes;
    work.inputWidth = reach.input.count;
    work.padLeft = reach.pad;
    work.outputSram += columns.begin * work.outputPixelBytes;
    work.outputWidth = columns.count;
}

/// How many blocks each part takes of an axis of `blocks`; divides `parts` by the parts made.
std::uint32_t blocksPerPart(std::uint32_t blocks, std::uint64_t& parts) {
    const std::uint64_t size = hw::divideUp(blocks, std::min<std::uint64_t>(blocks, parts));
    parts = hw::divideUp(parts, hw::divideUp(blocks, size));
    return static_cast<std::uint32_t>(size);
}

}  // namespace

std::vector<hw::MacConv> macParts(const hw::MacConv& work, std::uint64_t parts) {
    const hw::MacBlocks blocks = hw::blocksOf(work);
    if (parts <= 1 || blocks.count() == 1 || hw::keepsSums(work)) {
        return {work};
    }
    const bool isDepthwise = (work.flags & hw::kMacDepthwise) != 0;
    const std::uint32_t channels =
            isDepthwise ? work.outputChannels
                        : blocksPerPart(blocks.channels, parts) * work.blockChannels;
    const std::uint32_t rows = blocksPerPart(blocks.rows, parts) * work.blockHeight;
    const std::uint32_t columns = blocksPerPart(blocks.columns, parts) * work.blockWidth;
    std::vector<hw::MacConv> result;
    for (std::uint32_t k = 0; k < partsOf(work.outputChannels, channels); ++k) {
        for (std::uint32_t y = 0; y < partsOf(work.outputHeight, rows); ++y) {
            for (std::uint32_t x = 0; x < partsOf(work.outputWidth, columns); ++x) {
                hw::MacConv part = work;
                takeChannels(part, partOf(k, channels, work.outputChannels));
                takeRows(part, partOf(y, rows, work.outputHeight));
                takeColumns(part, partOf(x, columns, work.outputWidth));
                result.push_back(part);
            }
        }
    }
    return result;
}

}  // namespace vnpu::driver
