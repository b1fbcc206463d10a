// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/cost_model.h"

#include <algorithm>

#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

/// ConfigMac::kDataflow.
enum Dataflow : std::uint32_t { kWeightStationary = 0, kOutputStationary = 1, kBroadcast = 2 };

// source: NVDLA documentation, image input mode and channel post-extension
constexpr std::uint32_t kImageChannels = 4;

double folds(std::uint64_t extent, std::uint64_t side) {
    return static_cast<double>(hw::divideUp(extent, side));
}

double product4(const std::uint32_t* dims) {
    return static_cast<double>(dims[0]) * dims[1] * dims[2] * dims[3];
}

}  // namespace

double CostModel::macCycles(const MacWork& work) const {
    const double rows = device_.macRows;
    const std::uint32_t sideBySide = work.isDepthwise && device_.depthwiseColumns != 0
                                             ? device_.depthwiseColumns
                                             : device_.macColumns;
    const double columns = sideBySide;
    const double m = static_cast<double>(work.pixels);
    const double columnFolds = folds(work.channels, sideBySide);
    const double rowFolds = device_.tapsApart && !work.isDepthwise
                                    ? static_cast<double>(work.filterHeight) * work.filterWidth *
                                              folds(work.depth, device_.macRows)
                                    : folds(work.products(), device_.macRows);
    double cycles = 0;
    if (device_.dataflow == kOutputStationary) {
        cycles = folds(work.pixels, device_.macRows) * columnFolds *
                 (rows + columns + static_cast<double>(work.products()) - 2);
    } else if (takesWinograd(work)) {
        constexpr double kStepsPerTile = 16;  // source: Lavin and Gray (2015), F(2x2, 3x3)
        cycles = kStepsPerTile * folds(work.depth, device_.macRows) * columnFolds *
                 static_cast<double>(work.tiles);
    } else if (device_.dataflow == kBroadcast) {
        cycles = broadcastPasses(work) * columnFolds * m;
    } else if (device_.weightDoubleBuffer) {
        cycles = (rowFolds * columnFolds - 1) * std::max(m, rows) + 2 * rows + columns + m - 2;
    } else {
        cycles = rowFolds * columnFolds * (2 * rows + columns + m - 2);
    }
    return work.isFloat ? cycles * device_.floatDivisor : cycles;
}

bool CostModel::takesWinograd(const MacWork& work) const {
    return device_.winograd && !work.isDepthwise && work.hasUnitSteps && work.filterHeight == 3 &&
           work.filterWidth == 3 && work.depth > kImageChannels;
}

double CostModel::broadcastPasses(const MacWork& work) const {
    if (work.isDepthwise) {
        return folds(work.products(), device_.macRows);
    }
    if (work.depth <= kImageChannels) {  // the channels of one, two or four filter rows
        const std::uint64_t width =
                std::uint64_t{std::max(work.filterWidth, work.strideWidth)} * work.depth;
        const std::uint64_t lines = width * 4 <= device_.macRows   ? 4
                                    : width * 2 <= device_.macRows ? 2
                                                                   : 1;
        return folds(work.filterHeight, lines) *
               folds(std::uint64_t{work.filterWidth} * work.depth, device_.macRows);
    }
    return static_cast<double>(work.filterHeight) * work.filterWidth *
           folds(work.depth, device_.macRows);
}

double CostModel::outputStageCycles(std::uint64_t elements) const {
    return folds(elements, device_.outputLanes);
}

double CostModel::busBytes(std::uint64_t rows, std::uint64_t rowBytes) {
    const std::uint64_t bursts = rows * hw::divideUp(rowBytes, kBurstBytes);
    return static_cast<double>(bursts * kBurstBytes);
}

double CostModel::channelCycles(double bytes) const {
    return bytes / device_.dmaBytesPerCycle;
}

double CostModel::dramCycles(double bytes) const {
    return bytes / device_.dramBytesPerCycle +
           bytes / static_cast<double>(hw::kPageBytes) * kHiddenWalkCycles;
}

double CostModel::strideCycles(std::uint64_t rows, std::uint64_t rowBytes, std::uint64_t stride) {
    return stride <= rowBytes ? 0
                              : static_cast<double>(rows * (stride - rowBytes)) /
                                        kStridedPageBytes * kWalkCycles;
}

double CostModel::dmaLatency() const {
    return kDmaStartCycles + device_.dramLatencyCycles;
}

double CostModel::jobBeginCycles() const {
    return kJobCycles + kJobBeginAccesses * device_.dramLatencyCycles + dramCycles(kJobBeginBytes);
}

double CostModel::jobEndCycles() const {
    return kJobEndAccesses * device_.dramLatencyCycles + dramCycles(kJobEndBytes);
}

double CostModel::dmaCycles(double bytes, double decodedBytes) const {
    return dmaLatency() + (decodedBytes > 0 ? kDecoderStartCycles : 0) +
           std::max({channelCycles(bytes), dramCycles(bytes), decodeCycles(decodedBytes)});
}

double CostModel::decodeCycles(double decodedBytes) const {
    return decodedBytes > 0 ? decodedBytes / device_.decoderBytesPerCycle : 0;
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

double CostModel::vectorCycles(const hw::VecOperator& work) const {
    double elements = 0;
    std::uint32_t widest = 1;
    for (std::uint32_t i = 0; i < std::uint32_t{work.inputCount} + work.outputCount; ++i) {
        const hw::VecOperand& operand = work.operands[i];
        if (operand.flags != 0) {
            continue;
        }
        double ofOperand = 1;
        for (std::uint8_t d = 0; d < operand.rank; ++d) {
            ofOperand *= operand.words[d];
        }
        elements = std::max(elements, ofOperand);
        widest = std::max(widest, hw::elementBytes(operand.type));
    }
    return kVectorStartCycles +
           elements / (widest == 1 ? device_.vectorLanes8 : device_.vectorLanes32);
}

CommandCost costOf(const CostModel& model, const hw::DmaTransfer& work) {
    const std::uint64_t rows = std::uint64_t{work.counts[0]} * work.counts[1] * work.counts[2];
    CommandCost cost;
    cost.busBytes = CostModel::busBytes(rows, hw::isCoded(work) ? work.codedBytes : work.rowBytes);
    cost.decodeCycles = hw::isCoded(work) ? model.decodeCycles(work.rowBytes) : 0;
    for (const hw::MemoryRef* ref : {&work.source, &work.destination}) {
        cost.dramBytes += ref->space == hw::kSpaceSram ? 0 : cost.busBytes;
    }
    return cost;
}

CommandCost costOf(const CostModel& /*model*/, const hw::DmaFill& work) {
    const std::uint64_t rows = std::uint64_t{work.counts[0]} * work.counts[1] * work.counts[2];
    CommandCost cost;
    cost.busBytes = CostModel::busBytes(rows, work.rowBytes);
    cost.dramBytes = work.destination.space == hw::kSpaceSram ? 0 : cost.busBytes;
    return cost;
}

CommandCost costOf(const CostModel& model, const hw::MacConv& work) {
    MacWork mac;
    mac.pixels = std::uint64_t{work.outputHeight} * work.outputWidth;
    mac.channels = work.outputChannels;
    mac.filterHeight = work.filterHeight;
    mac.filterWidth = work.filterWidth;
    mac.strideWidth = work.strideWidth;
    mac.isDepthwise = (work.flags & hw::kMacDepthwise) != 0;
    mac.depth = mac.isDepthwise ? 1 : work.inputChannels;
    mac.isFloat = work.inputType == hw::ElementType::kFloat32;
    mac.tiles = tilesOf(work.outputHeight, work.outputWidth);
    mac.hasUnitSteps = work.strideHeight == 1 && work.strideWidth == 1 &&
                       work.dilationHeight == 1 && work.dilationWidth == 1;
    CommandCost cost;
    cost.macs = mac.pixels * mac.channels * mac.products();
    // Several blocks: each as large as the first, the slower of array and output stage sets the
    // pace.
    const auto blocks = static_cast<double>(hw::blocksOf(work).count());
    if (blocks > 1) {
        mac.pixels = std::uint64_t{work.blockHeight} * work.blockWidth;
        mac.tiles = tilesOf(work.blockHeight, work.blockWidth);
        mac.channels = work.blockChannels;
    }
    cost.engineCycles = model.macCycles(mac);
    if ((work.flags & hw::kMacDrain) != 0) {
        cost.stageCycles = model.outputStageCycles(mac.pixels * mac.channels);
    }
    cost.engineCycles += (blocks - 1) * std::max(cost.engineCycles, cost.stageCycles);
    return cost;
}

}  // namespace vnpu::driver
