// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/cost_model.h"

#include <algorithm>

#include "hw_model/regs/page_table.h"

namespace vnpu::driver {
namespace {

/// ConfigMac::kDataflow.
enum Dataflow : std::uint32_t { kWeightStationary = 0, kOutputStationary = 1, kBroadcast = 2 };

double folds(std::uint64_t extent, std::uint64_t side) {
    return static_cast<double>((extent + side - 1) / side);
}

double product4(const std::uint32_t* dims) {
    return static_cast<double>(dims[0]) * dims[1] * dims[2] * dims[3];
}

}  // namespace

double CostModel::macCycles(std::uint64_t pixels, std::uint64_t channels, std::uint64_t taps,
                            bool isDepthwise, bool isFloat) const {
    static_cast<void>(isDepthwise);  // a column holds one channel's taps either way
    const double rows = device_.macRows;
    const double columns = device_.macColumns;
    const double m = static_cast<double>(pixels);
    const double columnFolds = folds(channels, device_.macColumns);
    const double rowFolds = folds(taps, device_.macRows);
    double cycles = 0;
    if (device_.dataflow == kOutputStationary) {
        cycles = folds(pixels, device_.macRows) * columnFolds *
                 (rows + columns + static_cast<double>(taps) - 2);
    } else if (device_.dataflow == kBroadcast) {
        cycles = rowFolds * columnFolds * m;
    } else if (device_.weightDoubleBuffer) {
        cycles = rowFolds * columnFolds * std::max(m, rows) + 2 * rows + columns - 2;
    } else {
        cycles = rowFolds * columnFolds * (2 * rows + columns + m - 2);
    }
    return isFloat ? cycles * device_.floatDivisor : cycles;
}

double CostModel::outputStageCycles(std::uint64_t elements) const {
    return folds(elements, device_.outputLanes);
}

double CostModel::busBytes(std::uint64_t rows, std::uint64_t rowBytes) {
    return static_cast<double>(rows * ((rowBytes + kBurstBytes - 1) / kBurstBytes * kBurstBytes));
}

double CostModel::channelCycles(double bytes) const {
    return bytes / device_.dmaBytesPerCycle;
}

double CostModel::dramCycles(double bytes) const {
    return bytes / device_.dramBytesPerCycle +
           bytes / static_cast<double>(hw::kPageBytes) * kWalkCycles;
}

double CostModel::dmaLatency() const {
    return kDmaStartCycles + kWalkCycles + device_.dramLatencyCycles;
}

double CostModel::dmaCycles(double bytes) const {
    return dmaLatency() + std::max(channelCycles(bytes), dramCycles(bytes));
}

double CostModel::lanes(hw::ElementType type) const {
    return hw::elementBytes(type) == 1 ? device_.vectorLanes8 : device_.vectorLanes32;
}

double CostModel::vectorCycles(const hw::VecPool& work) const {
    const double outputs =
            static_cast<double>(work.outputHeight) * work.outputWidth * work.channels;
    return kVectorStartCycles + outputs * work.windowHeight * work.windowWidth / lanes(work.type);
}

double CostModel::vectorCycles(const hw::VecEltwise& work) const {
    return kVectorStartCycles + product4(work.dims) / lanes(work.type);
}

double CostModel::vectorCycles(const hw::VecUnary& work) const {
    const bool isWide = work.inputType == hw::ElementType::kFloat32 ||
                        work.outputType == hw::ElementType::kFloat32;
    const double weight = work.kind == hw::UnaryKind::kLogistic ? kExponentialCycles : 1.0;
    return kVectorStartCycles +
           weight * work.count / (isWide ? device_.vectorLanes32 : device_.vectorLanes8);
}

double CostModel::vectorCycles(const hw::VecSoftmax& work) const {
    const double elements = static_cast<double>(work.outer) * work.axis * work.inner;
    // One pass for the maximum, one of exponentials, one of divisions.
    return kVectorStartCycles + (1 + 2 * kExponentialCycles) * elements / lanes(work.type);
}

double CostModel::vectorCycles(const hw::VecReduce& work) const {
    return kVectorStartCycles + product4(work.dims) / lanes(work.type);
}

CommandCost costOf(const CostModel& model, const hw::DmaTransfer& work) {
    static_cast<void>(model);
    const std::uint64_t rows = std::uint64_t{work.counts[0]} * work.counts[1] * work.counts[2];
    CommandCost cost;
    cost.busBytes = CostModel::busBytes(rows, work.rowBytes);
    for (const hw::MemoryRef* ref : {&work.source, &work.destination}) {
        cost.dramBytes += ref->space == hw::kSpaceSram ? 0 : cost.busBytes;
    }
    return cost;
}

CommandCost costOf(const CostModel& model, const hw::DmaFill& work) {
    static_cast<void>(model);
    const std::uint64_t rows = std::uint64_t{work.counts[0]} * work.counts[1] * work.counts[2];
    CommandCost cost;
    cost.busBytes = CostModel::busBytes(rows, work.rowBytes);
    cost.dramBytes = work.destination.space == hw::kSpaceSram ? 0 : cost.busBytes;
    return cost;
}

CommandCost costOf(const CostModel& model, const hw::MacConv& work) {
    const std::uint64_t pixels = std::uint64_t{work.outputHeight} * work.outputWidth;
    const bool isDepthwise = (work.flags & hw::kMacDepthwise) != 0;
    const std::uint64_t taps = std::uint64_t{work.filterHeight} * work.filterWidth *
                               (isDepthwise ? 1 : work.inputChannels);
    CommandCost cost;
    cost.engineCycles = model.macCycles(pixels, work.outputChannels, taps, isDepthwise,
                                        work.inputType == hw::ElementType::kFloat32);
    if ((work.flags & hw::kMacDrain) != 0) {
        cost.stageCycles = model.outputStageCycles(pixels * work.outputChannels);
    }
    cost.macs = pixels * work.outputChannels * taps;
    return cost;
}

}  // namespace vnpu::driver
