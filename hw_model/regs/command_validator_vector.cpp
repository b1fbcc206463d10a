// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>

#include "hw_model/regs/operand_checks.h"

namespace vnpu::hw::checks {
namespace {

/// A larger left shift of the difference of two 8-bit values would overflow a signed 32-bit word.
constexpr std::int32_t kMaxAddLeftShift = 23;

/// Bytes of a dense tensor.
std::uint64_t denseBytes(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d,
                         ElementType type) {
    return times(times(times(times(a, b), c), d), elementBytes(type));
}

bool isPositive(float value) {
    return std::isfinite(value) && value > 0.0F;
}

/// Whether each window overlaps the input, so that no average divides by zero.
bool windowsMeetInput(std::uint32_t outputs, std::uint32_t stride, std::uint32_t window,
                      std::int32_t pad, std::uint32_t inputs) {
    const std::int64_t firstEnd = std::int64_t{window} - pad;
    const std::int64_t lastStart = static_cast<std::int64_t>(reach(outputs, stride)) - pad;
    return firstEnd > 0 && lastStart < std::int64_t{inputs};
}

/// The output stage of a vector command: no bias and no table; scaling where needed.
JobStatus checkStage(const OutputStage& stage, ElementType type) {
    VNPU_TRY(require(stage.flags == 0, JobStatus::kReservedNotZero));
    if (isByte(type)) {
        VNPU_TRY(require(isInTypeRange(type, stage.zeroPoint), JobStatus::kBadOperand));
        VNPU_TRY(require(isShift(stage.shift), JobStatus::kBadOperand));
    }
    return clampRange(type, stage.clampMin, stage.clampMax);
}

/// The types that a unary function accepts and produces.
bool typesFit(UnaryKind kind, ElementType input, ElementType output) {
    switch (kind) {
        case UnaryKind::kClamp:
            return isOperandType(input) && input == output;
        case UnaryKind::kLut:
        case UnaryKind::kRequantize:
            return isByte(input) && isByte(output);
        case UnaryKind::kLogistic:
            return input == ElementType::kFloat32 && output == ElementType::kFloat32;
        case UnaryKind::kQuantize:
            return input == ElementType::kFloat32 && isByte(output);
        case UnaryKind::kDequantize:
            return isByte(input) && output == ElementType::kFloat32;
    }
    return false;
}

/// Checks what a unary function reads in addition to its input.
JobStatus checkUnaryOperands(const VecUnary& work, const ValidationLimits& limits) {
    if (work.kind == UnaryKind::kLut) {
        return sramRange(work.tableSram, 256, ElementType::kUint8, limits);
    }
    if (work.kind == UnaryKind::kLogistic) {
        return JobStatus::kOk;
    }
    if (work.kind == UnaryKind::kQuantize || work.kind == UnaryKind::kDequantize) {
        VNPU_TRY(require(isPositive(work.scale), JobStatus::kBadOperand));
    }
    if (work.kind == UnaryKind::kDequantize || work.kind == UnaryKind::kRequantize) {
        VNPU_TRY(require(isInTypeRange(work.inputType, work.inputZeroPoint),
                         JobStatus::kBadOperand));
    }
    return work.kind == UnaryKind::kDequantize ? JobStatus::kOk
                                               : checkStage(work.outputStage, work.outputType);
}

}  // namespace

JobStatus clampRange(ElementType type, std::int32_t clampMin, std::int32_t clampMax) {
    if (type == ElementType::kFloat32) {
        // false for a NaN on either side
        VNPU_TRY(require(std::bit_cast<float>(clampMin) <= std::bit_cast<float>(clampMax),
                         JobStatus::kBadOperand));
        return JobStatus::kOk;
    }
    VNPU_TRY(require(
            clampMin <= clampMax && isInTypeRange(type, clampMin) && isInTypeRange(type, clampMax),
            JobStatus::kBadOperand));
    return JobStatus::kOk;
}

JobStatus validate(const VecPool& work, const ValidationLimits& limits) {
    VNPU_TRY(require(work.reserved0 == 0, JobStatus::kReservedNotZero));
    VNPU_TRY(require(isOperandType(work.type), JobStatus::kBadOperand));
    VNPU_TRY(require(work.kind == PoolKind::kAverage || work.kind == PoolKind::kMax,
                     JobStatus::kBadOperand));
    VNPU_TRY(require(work.inputHeight >= 1 && work.inputWidth >= 1 && work.channels >= 1 &&
                             work.outputHeight >= 1 && work.outputWidth >= 1,
                     JobStatus::kBadOperand));
    VNPU_TRY(require(work.windowHeight >= 1 && work.windowWidth >= 1 && work.strideHeight >= 1 &&
                             work.strideWidth >= 1,
                     JobStatus::kBadOperand));
    VNPU_TRY(require(
            isWalkable(work.outputHeight, work.strideHeight, work.windowHeight, 1, work.padTop) &&
                    isWalkable(work.outputWidth, work.strideWidth, work.windowWidth, 1,
                               work.padLeft),
            JobStatus::kBadOperand));
    VNPU_TRY(require(windowsMeetInput(work.outputHeight, work.strideHeight, work.windowHeight,
                                      work.padTop, work.inputHeight) &&
                             windowsMeetInput(work.outputWidth, work.strideWidth, work.windowWidth,
                                              work.padLeft, work.inputWidth),
                     JobStatus::kBadOperand));
    VNPU_TRY(clampRange(work.type, work.clampMin, work.clampMax));
    VNPU_TRY(sramRange(work.inputSram,
                       denseBytes(1, work.inputHeight, work.inputWidth, work.channels, work.type),
                       work.type, limits));
    return sramRange(work.outputSram,
                     denseBytes(1, work.outputHeight, work.outputWidth, work.channels, work.type),
                     work.type, limits);
}

JobStatus validate(const VecEltwise& work, const ValidationLimits& limits) {
    VNPU_TRY(require(work.reserved0 == 0 && work.reserved1 == 0, JobStatus::kReservedNotZero));
    VNPU_TRY(require(isOperandType(work.type), JobStatus::kBadOperand));
    VNPU_TRY(require(work.kind == EltwiseKind::kAdd || work.kind == EltwiseKind::kMul,
                     JobStatus::kBadOperand));
    for (const std::uint32_t dim : work.dims) {
        VNPU_TRY(require(dim >= 1, JobStatus::kBadOperand));
    }
    VNPU_TRY(checkStage(work.outputStage, work.type));
    for (int i = 0; i < 2; ++i) {
        if (isByte(work.type)) {
            VNPU_TRY(require(isInTypeRange(work.type, work.inputZeroPoint[i]),
                             JobStatus::kBadOperand));
            VNPU_TRY(require(isShift(work.inputShift[i]), JobStatus::kBadOperand));
        }
        std::uint64_t elements = 1;
        for (int d = 0; d < 4; ++d) {
            elements = plus(elements, reach(work.dims[d], work.strides[i][d]));
        }
        VNPU_TRY(sramRange(work.inputSram[i], times(elements, elementBytes(work.type)), work.type,
                           limits));
    }
    VNPU_TRY(require(work.leftShift >= 0 && work.leftShift <= kMaxAddLeftShift,
                     JobStatus::kBadOperand));
    return sramRange(work.outputSram,
                     denseBytes(work.dims[0], work.dims[1], work.dims[2], work.dims[3], work.type),
                     work.type, limits);
}

JobStatus validate(const VecUnary& work, const ValidationLimits& limits) {
    VNPU_TRY(require(work.reserved0 == 0 && work.reserved1 == 0, JobStatus::kReservedNotZero));
    VNPU_TRY(require(typesFit(work.kind, work.inputType, work.outputType), JobStatus::kBadOperand));
    VNPU_TRY(require(work.count >= 1, JobStatus::kBadOperand));
    VNPU_TRY(checkUnaryOperands(work, limits));
    VNPU_TRY(sramRange(work.inputSram, times(work.count, elementBytes(work.inputType)),
                       work.inputType, limits));
    return sramRange(work.outputSram, times(work.count, elementBytes(work.outputType)),
                     work.outputType, limits);
}

JobStatus validate(const VecSoftmax& work, const ValidationLimits& limits) {
    VNPU_TRY(require(work.reserved0[0] == 0 && work.reserved0[1] == 0 && work.reserved0[2] == 0,
                     JobStatus::kReservedNotZero));
    VNPU_TRY(require(isOperandType(work.type), JobStatus::kBadOperand));
    VNPU_TRY(require(work.outer >= 1 && work.axis >= 1 && work.inner >= 1, JobStatus::kBadOperand));
    if (isByte(work.type)) {
        VNPU_TRY(require(work.inputMultiplier >= 0, JobStatus::kBadOperand));
        VNPU_TRY(require(work.inputLeftShift >= 0 && work.inputLeftShift <= 31,
                         JobStatus::kBadOperand));
        VNPU_TRY(require(work.diffMin <= 0, JobStatus::kBadOperand));
    } else {
        VNPU_TRY(require(isPositive(work.beta), JobStatus::kBadOperand));
    }
    const std::uint64_t bytes = denseBytes(1, work.outer, work.axis, work.inner, work.type);
    VNPU_TRY(sramRange(work.inputSram, bytes, work.type, limits));
    return sramRange(work.outputSram, bytes, work.type, limits);
}

JobStatus validate(const VecReduce& work, const ValidationLimits& limits) {
    VNPU_TRY(require(work.reserved0 == 0 && work.reserved1[0] == 0 && work.reserved1[1] == 0,
                     JobStatus::kReservedNotZero));
    VNPU_TRY(require(isOperandType(work.type), JobStatus::kBadOperand));
    VNPU_TRY(require(work.reduceMask >= 1 && work.reduceMask <= 0xF, JobStatus::kBadOperand));
    VNPU_TRY(require(!isByte(work.type) || isInTypeRange(work.type, work.inputZeroPoint),
                     JobStatus::kBadOperand));
    std::uint32_t kept[4];
    for (unsigned d = 0; d < 4; ++d) {
        VNPU_TRY(require(work.dims[d] >= 1, JobStatus::kBadOperand));
        kept[d] = (work.reduceMask & (1U << d)) != 0 ? 1 : work.dims[d];
    }
    VNPU_TRY(
            sramRange(work.inputSram,
                      denseBytes(work.dims[0], work.dims[1], work.dims[2], work.dims[3], work.type),
                      work.type, limits));
    return sramRange(work.outputSram, denseBytes(kept[0], kept[1], kept[2], kept[3], work.type),
                     work.type, limits);
}

}  // namespace vnpu::hw::checks
