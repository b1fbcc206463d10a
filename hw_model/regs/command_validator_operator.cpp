// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "hw_model/regs/operand_checks.h"

namespace vnpu::hw::checks {
namespace {

/// Unused fields of an operand must be zero.
bool isBlank(const VecOperand& operand) {
    return operand.rank == 0 && operand.count == 0 && operand.sram == 0 && operand.scale == 0.0F &&
           operand.zeroPoint == 0 &&
           std::all_of(std::begin(operand.words), std::end(operand.words),
                       [](std::uint32_t word) { return word == 0; });
}

JobStatus checkImmediate(const VecOperand& operand) {
    const bool isVector = operand.rank == 1 && operand.type == TensorType::kInt32 &&
                          operand.count >= 1 && operand.count <= std::size(operand.words);
    const bool isValue = operand.rank == 0 && operand.count == 1 && isScalar(operand.type);
    VNPU_TRY(require(isVector || isValue, JobStatus::kBadOperand));
    for (std::size_t i = operand.count; i < std::size(operand.words); ++i) {
        VNPU_TRY(require(operand.words[i] == 0, JobStatus::kReservedNotZero));
    }
    return require(operand.sram == 0, JobStatus::kReservedNotZero);
}

JobStatus checkTensor(const VecOperand& operand, const ValidationLimits& limits) {
    VNPU_TRY(require(operand.rank >= 1 && operand.rank <= std::size(operand.words) &&
                             !isScalar(operand.type) &&
                             operand.type != TensorType::kQuant8SymmPerChannel,
                     JobStatus::kBadOperand));
    std::uint64_t bytes = elementBytes(operand.type);
    for (std::size_t d = 0; d < std::size(operand.words); ++d) {
        if (d < operand.rank) {
            VNPU_TRY(require(operand.words[d] != 0, JobStatus::kBadOperand));
            bytes = times(bytes, operand.words[d]);
        } else {
            VNPU_TRY(require(operand.words[d] == 0, JobStatus::kReservedNotZero));
        }
    }
    VNPU_TRY(require(operand.count == 0, JobStatus::kReservedNotZero));
    VNPU_TRY(require(operand.sram % elementBytes(operand.type) == 0, JobStatus::kMisaligned));
    return sramBytesAt(operand.sram, bytes, limits);
}

JobStatus checkOperand(const VecOperand& operand, bool isOutput, const ValidationLimits& limits) {
    VNPU_TRY(require(static_cast<std::size_t>(operand.type) < kTensorTypeCount,
                     JobStatus::kBadOperand));
    switch (operand.flags) {
        case 0:
            return checkTensor(operand, limits);
        case kOperandImmediate:
            VNPU_TRY(require(!isOutput, JobStatus::kBadOperand));
            return checkImmediate(operand);
        case kOperandOmitted:
            VNPU_TRY(require(!isOutput, JobStatus::kBadOperand));
            return require(isBlank(operand), JobStatus::kReservedNotZero);
        default:
            return JobStatus::kBadOperand;
    }
}

/// The commands at these offsets are checked when the firmware reads them again.
JobStatus checkReloads(const Checkpoint& work) {
    VNPU_TRY(require((work.reloadCount == 0) == (work.reloadBytes == 0), JobStatus::kBadOperand));
    for (std::uint32_t i = 0; i < kMaxReloads; ++i) {
        const std::uint32_t offset = work.reloads[i];
        if (i >= work.reloadCount) {
            VNPU_TRY(require(offset == 0, JobStatus::kReservedNotZero));
            continue;
        }
        VNPU_TRY(require(offset % 8 == 0, JobStatus::kMisaligned));
        VNPU_TRY(require(i == 0 || offset > work.reloads[i - 1], JobStatus::kBadOperand));
    }
    return JobStatus::kOk;
}

}  // namespace

JobStatus validate(const VecOperator& work, const ValidationLimits& limits) {
    VNPU_TRY(require(isVectorOperator(work.op), JobStatus::kBadOperand));
    const std::uint32_t count = std::uint32_t{work.inputCount} + work.outputCount;
    VNPU_TRY(require(work.inputCount >= 1 && work.outputCount >= 1 && count <= kMaxVecOperands,
                     JobStatus::kBadOperand));
    VNPU_TRY(require(work.reserved0 == 0 && work.reserved1 == 0, JobStatus::kReservedNotZero));
    for (std::uint32_t i = 0; i < kMaxVecOperands; ++i) {
        const VecOperand& operand = work.operands[i];
        if (i < count) {
            VNPU_TRY(checkOperand(operand, i >= work.inputCount, limits));
        } else {
            VNPU_TRY(require(isBlank(operand) && operand.flags == 0 &&
                                     operand.type == TensorType::kFloat32Scalar,
                             JobStatus::kReservedNotZero));
        }
    }
    return JobStatus::kOk;
}

JobStatus validate(const DspOperator& work, const ValidationLimits& limits) {
    VNPU_TRY(require(isOperator(static_cast<std::uint32_t>(work.op)), JobStatus::kBadOperand));
    const std::uint32_t count = std::uint32_t{work.inputCount} + work.outputCount;
    VNPU_TRY(require(work.outputCount >= 1 && count <= kMaxDspOperands, JobStatus::kBadOperand));
    VNPU_TRY(require(work.reserved0 == 0, JobStatus::kReservedNotZero));
    VNPU_TRY(require(work.descriptor.offset % 8 == 0, JobStatus::kMisaligned));
    return readableMemory(work.descriptor, count * static_cast<std::uint32_t>(sizeof(DspOperand)),
                          limits);
}

JobStatus validate(const Loop& work, const ValidationLimits& /*limits*/) {
    VNPU_TRY(require(work.loop < kMaxLoops, JobStatus::kBadOperand));
    return require(work.reserved == 0, JobStatus::kReservedNotZero);
}

JobStatus validate(const Checkpoint& work, const ValidationLimits& limits) {
    VNPU_TRY(require((work.flags & ~kCheckpointOperation) == 0 && work.reserved == 0,
                     JobStatus::kReservedNotZero));
    VNPU_TRY(require(work.rangeCount <= kMaxLiveRanges && work.reloadCount <= kMaxReloads,
                     JobStatus::kBadOperand));
    VNPU_TRY(checkReloads(work));
    std::uint64_t free = 0;  // end of the ranges so far
    for (std::uint32_t i = 0; i < kMaxLiveRanges; ++i) {
        const SramRange& range = work.ranges[i];
        if (i >= work.rangeCount) {
            VNPU_TRY(require(range.offset == 0 && range.sizeBytes == 0,
                             JobStatus::kReservedNotZero));
            continue;
        }
        VNPU_TRY(require(range.sizeBytes != 0 && range.offset >= free, JobStatus::kBadOperand));
        free = std::uint64_t{range.offset} + range.sizeBytes;
        VNPU_TRY(require(free <= limits.sramBytes, JobStatus::kOutOfSram));
    }
    const std::uint64_t end = std::uint64_t{work.accumulatorOffset} + work.accumulatorBytes;
    return require(end <= limits.accumulatorBytes, JobStatus::kOutOfAccumulator);
}

JobStatus validate(const Branch& work, const ValidationLimits& limits) {
    constexpr std::uint32_t kFlags = kBranchAlways | kBranchIfFalse | kBranchLoops;
    VNPU_TRY(require((work.flags & ~kFlags) == 0 && work.reserved == 0,
                     JobStatus::kReservedNotZero));
    VNPU_TRY(require(work.target % 8 == 0, JobStatus::kMisaligned));
    const bool isLooping = (work.flags & kBranchLoops) != 0;
    VNPU_TRY(require(isLooping ? work.loop < kMaxLoops : work.loop == 0, JobStatus::kBadOperand));
    if ((work.flags & kBranchAlways) == 0) {
        return readableMemory(work.condition, 1, limits);
    }
    VNPU_TRY(require((work.flags & kBranchIfFalse) == 0, JobStatus::kBadOperand));
    const MemoryRef& unused = work.condition;
    return require(unused.space == 0 && unused.reserved0 == 0 && unused.reserved1 == 0 &&
                           unused.offset == 0,
                   JobStatus::kReservedNotZero);
}

}  // namespace vnpu::hw::checks
