// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/mac_timing.h"

#include <algorithm>
#include <array>

#include "hw_model/regs/rounding.h"

namespace vnpu::hw {
namespace {

// Cycles of consecutive folds: the first from its load to its last result, each later one adds
// `nextFold`.
std::uint64_t foldedCycles(std::uint64_t folds, std::uint64_t firstFold, std::uint64_t nextFold) {
    return folds == 0 ? 0 : firstFold + (folds - 1) * nextFold;
}

bool isDepthwise(const MacConv& work) {
    return (work.flags & kMacDepthwise) != 0;
}

std::uint64_t tapsOf(const MacConv& work) {
    return std::uint64_t{work.filterHeight} * work.filterWidth;
}

std::uint64_t depthOf(const MacConv& work) {
    return tapsOf(work) * (isDepthwise(work) ? 1 : work.inputChannels);
}

GemmShape shapeOf(const MacConv& work) {
    return {.m = std::uint64_t{work.outputHeight} * work.outputWidth,
            .n = work.outputChannels,
            .k = depthOf(work)};
}

// One axis of the output, divided into blocks of equal extent except the last.
struct BlockAxis {
    std::uint32_t count;
    std::uint32_t extent;
    std::uint32_t lastExtent;

    BlockAxis(std::uint32_t total, std::uint32_t blocks, std::uint32_t block)
        : count(blocks),
          extent(blocks == 1 ? total : block),
          lastExtent(total - (blocks - 1) * extent) {}

    bool isLast(std::uint32_t i) const { return i + 1 == count; }
    std::uint32_t extentOf(bool last) const { return last ? lastExtent : extent; }
    std::uint32_t countOf(bool last) const { return last ? 1 : count - 1; }
};

// The blocks of a command. Only the last one along each axis may differ, so there are at most eight
// shapes.
struct BlockGrid {
    static constexpr unsigned kShapes = 8;
    static constexpr unsigned kOnlyBlock = 7;  // the last one along every axis

    explicit BlockGrid(const MacConv& work) : BlockGrid(work, blocksOf(work)) {}
    BlockGrid(const MacConv& work, const MacBlocks& blocks)
        : rows(work.outputHeight, blocks.rows, work.blockHeight),
          columns(work.outputWidth, blocks.columns, work.blockWidth),
          channels(work.outputChannels, blocks.channels, work.blockChannels),
          depth(depthOf(work)) {}

    GemmShape shape(unsigned index) const {
        return {.m = std::uint64_t{rows.extentOf((index & 1U) != 0)} *
                     columns.extentOf((index & 2U) != 0),
                .n = channels.extentOf((index & 4U) != 0),
                .k = depth};
    }
    /// The number of 2 x 2 output tiles that cover a block.
    std::uint64_t winogradTiles(unsigned index) const {
        return divideUp(rows.extentOf((index & 1U) != 0), 2) *
               divideUp(columns.extentOf((index & 2U) != 0), 2);
    }
    std::uint64_t count(unsigned index) const {
        return std::uint64_t{rows.countOf((index & 1U) != 0)} * columns.countOf((index & 2U) != 0) *
               channels.countOf((index & 4U) != 0);
    }

    /// Calls visit(index of the shape) for every block in order of execution.
    template <typename Visit>
    void forEachBlock(const Visit& visit) const {
        for (std::uint32_t k = 0; k < channels.count; ++k) {
            for (std::uint32_t r = 0; r < rows.count; ++r) {
                const unsigned outer = (channels.isLast(k) ? 4U : 0U) | (rows.isLast(r) ? 1U : 0U);
                for (std::uint32_t c = 0; c < columns.count; ++c) {
                    visit(outer | (columns.isLast(c) ? 2U : 0U));
                }
            }
        }
    }

    BlockAxis rows, columns, channels;
    std::uint64_t depth;
};

// The array in depthwise mode, with its own number of columns.
MacConfig depthwiseArray(MacConfig config) {
    if (config.depthwiseColumns != 0) {
        config.columns = config.depthwiseColumns;
    }
    return config;
}

constexpr std::uint32_t kImageChannels =
        4;  // source: NVDLA hardware architecture, image input mode

// Filter rows of an image that fit side by side into one atomic step: 1, 2 or 4, where both a
// filter row and the input of one step to the right need at most that fraction of the step. source:
// NVDLA unit description, channel post-extension
std::uint64_t imageRowsPerStep(const MacConfig& config, const MacConv& work) {
    const std::uint64_t width =
            std::uint64_t{std::max(work.filterWidth, work.strideWidth)} * work.inputChannels;
    return width * 4 <= config.rows ? 4 : width * 2 <= config.rows ? 2 : 1;
}

// Reduction steps of the broadcast dataflow. An atomic step takes up to R channels of one filter
// tap; for an image of few channels it takes whole filter rows instead.
std::uint64_t broadcastSteps(const MacConfig& config, const MacConv& work) {
    if (work.inputChannels <= kImageChannels) {
        return divideUp(work.filterHeight, imageRowsPerStep(config, work)) *
               divideUp(std::uint64_t{work.filterWidth} * work.inputChannels, config.rows);
    }
    return tapsOf(work) * divideUp(work.inputChannels, config.rows);
}

// Depth of the folds: with taps apart, the channels of each tap fill folds of their own.
std::uint64_t foldedDepth(const MacConfig& config, const MacConv& work) {
    return config.tapsApart && !isDepthwise(work)
                   ? tapsOf(work) * divideUp(work.inputChannels, config.rows) * config.rows
                   : depthOf(work);
}

bool usesWinograd(const MacConfig& config, const MacConv& work) {
    return config.winograd && !isDepthwise(work) && work.inputChannels > kImageChannels &&
           work.filterHeight == 3 && work.filterWidth == 3 && work.strideHeight == 1 &&
           work.strideWidth == 1 && work.dilationHeight == 1 && work.dilationWidth == 1;
}

constexpr std::uint64_t kWinogradSteps =
        16;  // per tile. source: F(2x2, 3x3), one product per position of 4 x 4

// The number of times a sum is read and written, over all folds of its reduction.
std::uint64_t sumAccesses(const MacConfig& config, const MacConv& work) {
    std::uint64_t folds = divideUp(foldedDepth(config, work), config.rows);
    if (config.dataflow == Dataflow::kOutputStationary) {
        folds = 1;
    } else if (usesWinograd(config, work)) {
        folds = divideUp(work.inputChannels, config.rows);
    } else if (config.dataflow == Dataflow::kBroadcast && !isDepthwise(work)) {
        folds = broadcastSteps(config, work);
    }
    const std::uint64_t before = (work.flags & kMacAccumulate) != 0 ? 1 : 0;
    const std::uint64_t after = (work.flags & kMacDrain) != 0 ? 1 : 0;
    return 2 * folds - 1 + before + after;
}

std::uint64_t productCycles(const MacConfig& config, const MacConv& work, const BlockGrid& grid,
                            unsigned index) {
    const GemmShape shape = grid.shape(index);
    if (isDepthwise(work)) {
        return gemmCycles(depthwiseArray(config), shape);
    }
    if (usesWinograd(config, work)) {
        return kWinogradSteps * divideUp(work.inputChannels, config.rows) *
               divideUp(shape.n, config.columns) * grid.winogradTiles(index);
    }
    if (config.dataflow == Dataflow::kBroadcast) {
        return broadcastSteps(config, work) * divideUp(shape.n, config.columns) * shape.m;
    }
    return gemmCycles(config, {.m = shape.m, .n = shape.n, .k = foldedDepth(config, work)});
}

MacCycles blockCycles(const MacConfig& config, const MacConv& work, const BlockGrid& grid,
                      unsigned index) {
    const GemmShape shape = grid.shape(index);
    MacCycles cycles;
    cycles.array = productCycles(config, work, grid, index);
    if (work.inputType == ElementType::kFloat32) {
        cycles.array *= config.floatDivisor;
    }
    cycles.active = cycles.array;
    if ((work.flags & kMacDrain) != 0) {
        cycles.outputStage = divideUp(shape.m * shape.n, config.outputLanes);
    }
    return cycles;
}

}  // namespace

std::uint64_t gemmCycles(const MacConfig& config, const GemmShape& shape) {
    if (shape.m == 0 || shape.n == 0 || shape.k == 0) {
        return 0;
    }
    const std::uint64_t rows = config.rows;
    const std::uint64_t columns = config.columns;
    const std::uint64_t columnFolds = divideUp(shape.n, columns);
    switch (config.dataflow) {
        case Dataflow::kWeightStationary: {
            const std::uint64_t fold = 2 * rows + columns + shape.m - 2;
            const std::uint64_t next = config.weightDoubleBuffer ? std::max(shape.m, rows) : fold;
            return foldedCycles(divideUp(shape.k, rows) * columnFolds, fold, next);
        }
        case Dataflow::kOutputStationary: {
            const std::uint64_t fold = rows + columns + shape.k - 2;
            const std::uint64_t next = config.weightDoubleBuffer ? std::max(shape.k, rows) : fold;
            return foldedCycles(divideUp(shape.m, rows) * columnFolds, fold, next);
        }
        case Dataflow::kBroadcast:
            return divideUp(shape.k, rows) * columnFolds * shape.m;
    }
    return 0;
}

MacCycles macConvCycles(const MacConfig& config, const MacConv& work,
                        std::uint64_t outputBusyCycles) {
    const BlockGrid grid(work);
    if (blocksOf(work).count() == 1) {
        return blockCycles(config, work, grid, BlockGrid::kOnlyBlock);
    }
    std::array<MacCycles, BlockGrid::kShapes> shapes;
    for (unsigned i = 0; i < BlockGrid::kShapes; ++i) {
        if (grid.count(i) != 0) {
            shapes[i] = blockCycles(config, work, grid, i);
        }
    }
    MacCycles cycles;
    std::uint64_t outputFree = outputBusyCycles;
    grid.forEachBlock([&](unsigned shape) {
        cycles.active += shapes[shape].active;
        cycles.array = std::max(cycles.array + shapes[shape].array, outputFree);
        cycles.outputStage = shapes[shape].outputStage;
        outputFree = cycles.array + cycles.outputStage;
    });
    return cycles;
}

std::uint64_t macConvOperations(const MacConv& work) {
    const GemmShape shape = shapeOf(work);
    return shape.m * shape.n * shape.k;
}

MacTraffic macConvTraffic(const MacConfig& config, const MacConv& work) {
    const BlockGrid grid(work);
    const bool depthwise = isDepthwise(work);
    MacTraffic traffic;
    for (unsigned i = 0; i < BlockGrid::kShapes; ++i) {
        const GemmShape shape = grid.shape(i);
        // Each depthwise column has its own input stream, so every product reads its input once.
        const std::uint64_t inputPasses = depthwise ? shape.n : divideUp(shape.n, config.columns);
        traffic.inputBytes += grid.count(i) * shape.m * shape.k * inputPasses;
        const std::uint64_t filterPasses =
                config.dataflow == Dataflow::kOutputStationary ? divideUp(shape.m, config.rows) : 1;
        traffic.filterBytes += grid.count(i) * shape.k * shape.n * filterPasses;
        traffic.outputBytes += grid.count(i) * shape.m * shape.n;
    }
    traffic.inputBytes *= elementBytes(work.inputType);
    traffic.filterBytes *= elementBytes(work.filterType);
    traffic.outputBytes *= (work.flags & kMacDrain) != 0 ? elementBytes(work.outputType) : 0;
    return traffic;
}

MacEffort macConvEffort(const MacConfig& config, const MacConv& work) {
    constexpr std::uint64_t kAccumulatorBytes = 4;
    const GemmShape all = shapeOf(work);
    MacEffort effort;
    effort.products = macConvOperations(work);
    if (usesWinograd(config, work)) {
        const BlockGrid grid(work);
        effort.products = 0;
        for (unsigned i = 0; i < BlockGrid::kShapes; ++i) {
            effort.products += grid.count(i) * grid.winogradTiles(i) * kWinogradSteps *
                               work.inputChannels * grid.shape(i).n;
        }
    }
    effort.results = (work.flags & kMacDrain) != 0 ? all.m * all.n : 0;
    effort.accumulatorBytes = all.m * all.n * kAccumulatorBytes * sumAccesses(config, work);
    return effort;
}

}  // namespace vnpu::hw
