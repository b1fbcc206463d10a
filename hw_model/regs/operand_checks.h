// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rules shared by the validators of several opcodes. All arithmetic is in 64 bits and cannot
// overflow: sizes saturate above every possible SRAM size.

#include <algorithm>
#include <cstdint>

#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/try.h"

namespace vnpu {

/// For VNPU_TRY with JobStatus (hw_model/regs/try.h).
constexpr bool hasFailed(hw::JobStatus status) {
    return status != hw::JobStatus::kOk;
}
constexpr hw::JobStatus failureOf(hw::JobStatus status) {
    return status;
}

}  // namespace vnpu

namespace vnpu::hw::checks {

/// kOk if the rule holds, otherwise `broken`.
constexpr JobStatus require(bool holds, JobStatus broken) {
    return holds ? JobStatus::kOk : broken;
}

/// A size above every on-chip memory: CONFIG_SRAM counts KiB in 16 bits.
inline constexpr std::uint64_t kHuge = 0xFFFFFFFF;

/// a * b, at most kHuge; neither operand may exceed kHuge.
constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    return std::min(a * b, kHuge);
}

/// a + b, at most kHuge; neither operand may exceed kHuge.
constexpr std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
    return std::min(a + b, kHuge);
}

/// (count - 1) * stride; count at least 1.
constexpr std::uint64_t reach(std::uint64_t count, std::uint64_t stride) {
    return times(count - 1, stride);
}

/// Whether an operand of the engines may have this type (kInt32 is for accumulators and biases
/// only).
constexpr bool isOperandType(ElementType type) {
    return type == ElementType::kInt8 || type == ElementType::kUint8 ||
           type == ElementType::kFloat32;
}

constexpr bool isByte(ElementType type) {
    return type == ElementType::kInt8 || type == ElementType::kUint8;
}

/// Whether a stored 8-bit element can have this value.
constexpr bool isInTypeRange(ElementType type, std::int32_t value) {
    return type == ElementType::kUint8 ? value >= 0 && value <= 255 : value >= -128 && value <= 127;
}

/// Bytes [begin, begin + sizeBytes) of SRAM, all of them in blocks assigned to the job.
inline JobStatus sramBytesAt(std::uint64_t begin, std::uint64_t sizeBytes,
                             const ValidationLimits& limits) {
    VNPU_TRY(require(sizeBytes < kHuge && begin + sizeBytes <= limits.sramBytes,
                     JobStatus::kOutOfSram));
    if (limits.sramBlocks == kAllSramBlocks) {
        return JobStatus::kOk;
    }
    const std::uint64_t blocks = sramBlocksOf(begin, begin + sizeBytes, limits.sramBytes);
    return require((blocks & ~limits.sramBlocks) == 0, JobStatus::kOutOfSram);
}

/// `sizeBytes` bytes at `address` of SRAM, aligned for `type`.
inline JobStatus sramRange(std::uint32_t address, std::uint64_t sizeBytes, ElementType type,
                           const ValidationLimits& limits) {
    VNPU_TRY(require(address % elementBytes(type) == 0, JobStatus::kMisaligned));
    return sramBytesAt(address, sizeBytes, limits);
}

/// `sizeBytes` bytes at `ref` of a region (not of SRAM) that the job may read.
JobStatus readableMemory(const MemoryRef& ref, std::uint32_t sizeBytes,
                         const ValidationLimits& limits);

/// The clamp of an output stage: ordered, and within the range of `type`.
JobStatus clampRange(ElementType type, std::int32_t clampMin, std::int32_t clampMax);

/// A valid shift of a fixed-point multiplier: at most the width of a 32-bit word in either
/// direction.
constexpr bool isShift(std::int32_t shift) {
    return shift >= -31 && shift <= 30;
}

/// Whether all coordinates of a window walk fit 31 bits, so that engines may compute them in 32.
constexpr bool isWalkable(std::uint64_t outputs, std::uint32_t stride, std::uint32_t taps,
                          std::uint32_t dilation, std::int32_t pad) {
    constexpr std::uint64_t kLimit = 1ULL << 29;
    return outputs <= kLimit && reach(outputs, stride) + reach(taps, dilation) <= kLimit &&
           pad >= -static_cast<std::int64_t>(kLimit) && pad <= static_cast<std::int64_t>(kLimit);
}

// The rules for each command.
JobStatus validate(const MacConv& work, const ValidationLimits& limits);
JobStatus validate(const VecPool& work, const ValidationLimits& limits);
JobStatus validate(const VecEltwise& work, const ValidationLimits& limits);
JobStatus validate(const VecUnary& work, const ValidationLimits& limits);
JobStatus validate(const VecSoftmax& work, const ValidationLimits& limits);
JobStatus validate(const VecReduce& work, const ValidationLimits& limits);
JobStatus validate(const DmaTransfer& work, const ValidationLimits& limits);
JobStatus validate(const DmaFill& work, const ValidationLimits& limits);
JobStatus validate(const VecOperator& work, const ValidationLimits& limits);
JobStatus validate(const DspOperator& work, const ValidationLimits& limits);
JobStatus validate(const Loop& work, const ValidationLimits& limits);
JobStatus validate(const Branch& work, const ValidationLimits& limits);
JobStatus validate(const Checkpoint& work, const ValidationLimits& limits);
JobStatus validate(const Timestamp& work, const ValidationLimits& limits);
inline JobStatus validate(const NoPayload& /*work*/, const ValidationLimits& /*limits*/) {
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::checks
