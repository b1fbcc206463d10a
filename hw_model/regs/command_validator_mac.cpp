// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw_model/regs/operand_checks.h"

namespace vnpu::hw::checks {
namespace {

/// A strided tile [height][width][channels] in SRAM.
struct Tile {
    std::uint32_t sram;
    ElementType type;
    std::uint32_t height, width, channels;
    std::uint32_t rowBytes, pixelBytes;
};

JobStatus checkTile(const Tile& tile, const ValidationLimits& limits) {
    const std::uint64_t channelBytes = times(tile.channels, elementBytes(tile.type));
    const std::uint64_t lineBytes = plus(reach(tile.width, tile.pixelBytes), channelBytes);
    VNPU_TRY(require(tile.pixelBytes >= channelBytes && tile.rowBytes >= lineBytes,
                     JobStatus::kBadOperand));
    VNPU_TRY(require(tile.pixelBytes % elementBytes(tile.type) == 0 &&
                             tile.rowBytes % elementBytes(tile.type) == 0,
                     JobStatus::kMisaligned));
    return sramRange(tile.sram, plus(reach(tile.height, tile.rowBytes), lineBytes), tile.type,
                     limits);
}

JobStatus checkTypes(const MacConv& work) {
    VNPU_TRY(require(isOperandType(work.inputType) && isOperandType(work.filterType) &&
                             isOperandType(work.outputType),
                     JobStatus::kBadOperand));
    VNPU_TRY(require(isByte(work.inputType) == isByte(work.filterType) &&
                             isByte(work.inputType) == isByte(work.outputType),
                     JobStatus::kBadOperand));
    if (isByte(work.inputType)) {
        VNPU_TRY(require(isInTypeRange(work.inputType, work.inputZeroPoint) &&
                                 isInTypeRange(work.filterType, work.filterZeroPoint),
                         JobStatus::kBadOperand));
    } else {
        VNPU_TRY(require(work.inputZeroPoint == 0 && work.filterZeroPoint == 0,
                         JobStatus::kBadOperand));
    }
    return JobStatus::kOk;
}

JobStatus checkGeometry(const MacConv& work) {
    VNPU_TRY(require(work.inputHeight >= 1 && work.inputWidth >= 1 && work.inputChannels >= 1,
                     JobStatus::kBadOperand));
    VNPU_TRY(require(work.outputHeight >= 1 && work.outputWidth >= 1 && work.outputChannels >= 1,
                     JobStatus::kBadOperand));
    VNPU_TRY(require(work.filterHeight >= 1 && work.filterWidth >= 1, JobStatus::kBadOperand));
    VNPU_TRY(require(work.strideHeight >= 1 && work.strideWidth >= 1, JobStatus::kBadOperand));
    VNPU_TRY(require(work.dilationHeight >= 1 && work.dilationWidth >= 1, JobStatus::kBadOperand));
    VNPU_TRY(require(isWalkable(work.outputHeight, work.strideHeight, work.filterHeight,
                                work.dilationHeight, work.padTop) &&
                             isWalkable(work.outputWidth, work.strideWidth, work.filterWidth,
                                        work.dilationWidth, work.padLeft),
                     JobStatus::kBadOperand));
    if ((work.flags & kMacDepthwise) != 0) {
        VNPU_TRY(require(work.depthMultiplier >= 1, JobStatus::kBadOperand));
        VNPU_TRY(require((work.outputChannels - 1) / work.depthMultiplier < work.inputChannels,
                         JobStatus::kBadOperand));
    } else {
        VNPU_TRY(require(work.depthMultiplier <= 1, JobStatus::kBadOperand));
    }
    return JobStatus::kOk;
}

JobStatus checkOutputStage(const MacConv& work, const ValidationLimits& limits) {
    const OutputStage& stage = work.outputStage;
    if (isByte(work.outputType)) {
        VNPU_TRY(require(isInTypeRange(work.outputType, stage.zeroPoint), JobStatus::kBadOperand));
        VNPU_TRY(require(isShift(stage.shift), JobStatus::kBadOperand));
    } else {
        VNPU_TRY(require((stage.flags & kOutputPerChannel) == 0, JobStatus::kBadOperand));
    }
    VNPU_TRY(clampRange(work.outputType, stage.clampMin, stage.clampMax));
    if ((stage.flags & kOutputHasBias) != 0) {
        VNPU_TRY(sramRange(stage.biasSram, times(work.outputChannels, 4), ElementType::kInt32,
                           limits));
    }
    if ((stage.flags & kOutputPerChannel) != 0) {
        VNPU_TRY(sramRange(stage.scaleSram, times(work.outputChannels, 8), ElementType::kInt32,
                           limits));
    }
    return JobStatus::kOk;
}

std::uint64_t filterBytes(const MacConv& work) {
    const std::uint64_t taps = std::uint64_t{work.filterHeight} * work.filterWidth;
    const std::uint64_t depth = (work.flags & kMacDepthwise) != 0 ? 1 : work.inputChannels;
    return times(times(times(taps, depth), work.outputChannels), elementBytes(work.filterType));
}

JobStatus checkAccumulators(const MacConv& work, const ValidationLimits& limits) {
    VNPU_TRY(require(work.accumulatorOffset % 4 == 0, JobStatus::kMisaligned));
    const bool isWhole = work.blockHeight == 0 && work.blockWidth == 0 && work.blockChannels == 0;
    VNPU_TRY(require(
            isWhole || (work.blockHeight != 0 && work.blockWidth != 0 && work.blockChannels != 0),
            JobStatus::kBadOperand));
    if (blocksOf(work).count() == 1) {
        const std::uint64_t results =
                times(times(work.outputHeight, work.outputWidth), work.outputChannels);
        return require(
                results < kHuge && work.accumulatorOffset + results * 4 <= limits.accumulatorBytes,
                JobStatus::kOutOfAccumulator);
    }
    VNPU_TRY(require((work.flags & kMacDrain) != 0 && (work.flags & kMacAccumulate) == 0 &&
                             work.accumulatorOffset == 0,
                     JobStatus::kBadOperand));
    const std::uint64_t results = times(times(std::min(work.blockHeight, work.outputHeight),
                                              std::min(work.blockWidth, work.outputWidth)),
                                        std::min(work.blockChannels, work.outputChannels));
    return require(results < kHuge && results * 4 <= limits.accumulatorBytes / 2,
                   JobStatus::kOutOfAccumulator);
}

}  // namespace

JobStatus validate(const MacConv& work, const ValidationLimits& limits) {
    VNPU_TRY(require(work.reserved0 == 0 && work.reserved1 == 0, JobStatus::kReservedNotZero));
    VNPU_TRY(require((work.flags & ~(kMacDepthwise | kMacAccumulate | kMacDrain)) == 0,
                     JobStatus::kReservedNotZero));
    VNPU_TRY(require((work.outputStage.flags & ~(kOutputHasBias | kOutputPerChannel)) == 0,
                     JobStatus::kReservedNotZero));
    VNPU_TRY(checkTypes(work));
    VNPU_TRY(checkGeometry(work));
    VNPU_TRY(checkTile({work.inputSram, work.inputType, work.inputHeight, work.inputWidth,
                        work.inputChannels, work.inputRowBytes, work.inputPixelBytes},
                       limits));
    VNPU_TRY(sramRange(work.filterSram, filterBytes(work), work.filterType, limits));

    VNPU_TRY(checkAccumulators(work, limits));
    if ((work.flags & kMacDrain) == 0) {
        return JobStatus::kOk;
    }
    VNPU_TRY(checkTile({work.outputSram, work.outputType, work.outputHeight, work.outputWidth,
                        work.outputChannels, work.outputRowBytes, work.outputPixelBytes},
                       limits));
    return checkOutputStage(work, limits);
}

}  // namespace vnpu::hw::checks
