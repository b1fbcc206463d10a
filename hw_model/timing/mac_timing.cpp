// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/mac_timing.h"

#include <algorithm>

namespace vnpu::hw {
namespace {

constexpr std::uint64_t divideUp(std::uint64_t value, std::uint64_t by) {
    return (value + by - 1) / by;
}

// Folds one after another: the first from its load to its last result, each later one adds
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

GemmShape shapeOf(const MacConv& work) {
    const std::uint64_t channels = isDepthwise(work) ? 1 : work.inputChannels;
    return {.m = std::uint64_t{work.outputHeight} * work.outputWidth,
            .n = work.outputChannels,
            .k = tapsOf(work) * channels};
}

// The array as a depthwise command sees it: more or fewer columns.
MacConfig depthwiseArray(MacConfig config) {
    if (config.depthwiseColumns != 0) {
        config.columns = config.depthwiseColumns;
    }
    return config;
}

// Reduction steps of the broadcast dataflow. An atomic step takes up to R channels of one filter
// tap; an image of few channels is fed as whole filter rows instead.
std::uint64_t broadcastSteps(const MacConfig& config, const MacConv& work) {
    constexpr std::uint32_t kImageChannels =
            4;  // source: NVDLA hardware architecture, image input mode
    if (work.inputChannels <= kImageChannels) {
        return work.filterHeight *
               divideUp(std::uint64_t{work.filterWidth} * work.inputChannels, config.rows);
    }
    return tapsOf(work) * divideUp(work.inputChannels, config.rows);
}

std::uint64_t arrayCycles(const MacConfig& config, const MacConv& work) {
    const GemmShape shape = shapeOf(work);
    if (isDepthwise(work)) {
        return gemmCycles(depthwiseArray(config), shape);
    }
    if (config.dataflow == Dataflow::kBroadcast) {
        return broadcastSteps(config, work) * divideUp(shape.n, config.columns) * shape.m;
    }
    return gemmCycles(config, shape);
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

MacCycles macConvCycles(const MacConfig& config, const MacConv& work) {
    MacCycles cycles;
    cycles.array = arrayCycles(config, work);
    if (work.inputType == ElementType::kFloat32) {
        cycles.array *= config.floatDivisor;
    }
    if ((work.flags & kMacDrain) != 0) {
        const GemmShape shape = shapeOf(work);
        cycles.outputStage = divideUp(shape.m * shape.n, config.outputLanes);
    }
    return cycles;
}

std::uint64_t macConvOperations(const MacConv& work) {
    const GemmShape shape = shapeOf(work);
    return shape.m * shape.n * shape.k;
}

MacTraffic macConvTraffic(const MacConfig& config, const MacConv& work) {
    const GemmShape shape = shapeOf(work);
    const bool depthwise = isDepthwise(work);
    MacTraffic traffic;
    // A depthwise column has an input stream of its own, so every product reads its input once.
    const std::uint64_t inputPasses = depthwise ? shape.n : divideUp(shape.n, config.columns);
    traffic.inputBytes = shape.m * shape.k * inputPasses * elementBytes(work.inputType);
    const std::uint64_t filterPasses =
            config.dataflow == Dataflow::kOutputStationary ? divideUp(shape.m, config.rows) : 1;
    traffic.filterBytes = shape.k * shape.n * filterPasses * elementBytes(work.filterType);
    if ((work.flags & kMacDrain) != 0) {
        traffic.outputBytes = shape.m * shape.n * elementBytes(work.outputType);
    }
    return traffic;
}

}  // namespace vnpu::hw
