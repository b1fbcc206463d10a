// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "hw_model/regs/operand_checks.h"
#include "hw_model/regs/row_extent.h"

namespace vnpu::hw::checks {
namespace {

enum class Use { kRead, kWrite };

/// The rows of one side of a DmaTransfer or DmaFill.
struct Rows {
    std::uint32_t rowBytes;
    const std::uint32_t* counts;
    const std::uint32_t* strides;
};

JobStatus checkRef(const MemoryRef& ref, Use use, const ValidationLimits& limits) {
    VNPU_TRY(require(ref.reserved0 == 0 && ref.reserved1 == 0, JobStatus::kReservedNotZero));
    if (ref.space == kSpaceSram) {
        return JobStatus::kOk;
    }
    VNPU_TRY(require(ref.space < limits.regionBytes.size(), JobStatus::kBadRegion));
    if (use == Use::kWrite) {
        VNPU_TRY(require(
                ref.space < limits.regionWritable.size() && limits.regionWritable[ref.space] != 0,
                JobStatus::kReadOnlyRegion));
    }
    return JobStatus::kOk;
}

/// Checks that the rows, the first of which starts at `ref`, end within its space. Subtracts from
/// the space left, because the sum of three 64-bit products could overflow 64 bits.
JobStatus checkExtent(const MemoryRef& ref, const Rows& rows, const ValidationLimits& limits) {
    const bool inSram = ref.space == kSpaceSram;
    const JobStatus outside = inSram ? JobStatus::kOutOfSram : JobStatus::kOutOfRegion;
    std::uint64_t left = inSram ? limits.sramBytes : limits.regionBytes[ref.space];
    VNPU_TRY(require(ref.offset <= left, outside));
    left -= ref.offset;
    for (int d = 0; d < 3; ++d) {
        const std::uint64_t far = std::uint64_t{rows.counts[d] - 1} * rows.strides[d];
        VNPU_TRY(require(far <= left, outside));
        left -= far;
    }
    VNPU_TRY(require(rows.rowBytes <= left, outside));
    return inSram ? sramBytesAt(ref.offset, rowExtent(rows.rowBytes, rows.counts, rows.strides),
                                limits)
                  : JobStatus::kOk;
}

JobStatus checkRows(std::uint32_t rowBytes, const std::uint32_t* counts) {
    VNPU_TRY(require(rowBytes >= 1, JobStatus::kBadOperand));
    for (int d = 0; d < 3; ++d) {
        VNPU_TRY(require(counts[d] >= 1, JobStatus::kBadOperand));
    }
    return JobStatus::kOk;
}

/// Checks that written rows do not overlap: no stride is shorter than a row, and the rows have no
/// more bytes than their extent, which also bounds the command's time. The extent is known to lie
/// within its space.
JobStatus checkNoOverlap(const Rows& rows) {
    for (int d = 0; d < 3; ++d) {
        VNPU_TRY(require(rows.counts[d] == 1 || rows.strides[d] >= rows.rowBytes,
                         JobStatus::kBadOperand));
    }
    const std::uint64_t extent = rowExtent(rows.rowBytes, rows.counts, rows.strides);
    std::uint64_t total = rows.rowBytes;
    for (int d = 0; d < 3; ++d) {
        // The product of two 32-bit words cannot overflow; only larger totals need the division.
        const bool fits = total <= 0xFFFFFFFF || total <= extent / rows.counts[d];
        VNPU_TRY(require(fits && total * rows.counts[d] <= extent, JobStatus::kBadOperand));
        total *= rows.counts[d];
    }
    return JobStatus::kOk;
}

/// Checks that a decoder can execute the transfer: one row, from a region to SRAM.
JobStatus checkDecoding(const DmaTransfer& work) {
    VNPU_TRY(require(work.source.space != kSpaceSram && work.destination.space == kSpaceSram,
                     JobStatus::kBadOperand));
    return require(std::all_of(std::begin(work.counts), std::end(work.counts),
                               [](std::uint32_t count) { return count == 1; }),
                   JobStatus::kBadOperand);
}

}  // namespace

JobStatus readableMemory(const MemoryRef& ref, std::uint32_t sizeBytes,
                         const ValidationLimits& limits) {
    VNPU_TRY(require(ref.space != kSpaceSram, JobStatus::kBadRegion));
    VNPU_TRY(checkRef(ref, Use::kRead, limits));
    constexpr std::uint32_t kOne[3] = {1, 1, 1};
    return checkExtent(ref, {sizeBytes, kOne, kOne}, limits);
}

JobStatus validate(const DmaTransfer& work, const ValidationLimits& limits) {
    VNPU_TRY(require(work.reserved == 0, JobStatus::kReservedNotZero));
    VNPU_TRY(checkRows(work.rowBytes, work.counts));
    VNPU_TRY(checkRef(work.source, Use::kRead, limits));
    VNPU_TRY(checkRef(work.destination, Use::kWrite, limits));
    if (isCoded(work)) {
        VNPU_TRY(checkDecoding(work));
    }
    const Rows from{isCoded(work) ? work.codedBytes : work.rowBytes, work.counts,
                    work.sourceStrides};
    const Rows to{work.rowBytes, work.counts, work.destinationStrides};
    VNPU_TRY(checkExtent(work.source, from, limits));
    VNPU_TRY(checkExtent(work.destination, to, limits));
    return checkNoOverlap(to);
}

JobStatus validate(const DmaFill& work, const ValidationLimits& limits) {
    VNPU_TRY(require(work.reserved == 0, JobStatus::kReservedNotZero));
    VNPU_TRY(checkRows(work.rowBytes, work.counts));
    VNPU_TRY(require(work.patternBytes == 1 || work.patternBytes == 4, JobStatus::kBadOperand));
    VNPU_TRY(require(work.rowBytes % work.patternBytes == 0, JobStatus::kBadOperand));
    VNPU_TRY(checkRef(work.destination, Use::kWrite, limits));
    const Rows to{work.rowBytes, work.counts, work.destinationStrides};
    VNPU_TRY(checkExtent(work.destination, to, limits));
    return checkNoOverlap(to);
}

JobStatus validate(const Timestamp& work, const ValidationLimits& limits) {
    // The controller can access memory, but not the SRAM.
    VNPU_TRY(require(work.destination.space != kSpaceSram, JobStatus::kBadRegion));
    VNPU_TRY(checkRef(work.destination, Use::kWrite, limits));
    VNPU_TRY(require(work.destination.offset % 8 == 0, JobStatus::kMisaligned));
    constexpr std::uint32_t kOne[3] = {1, 1, 1};
    return checkExtent(work.destination, {8, kOne, kOne}, limits);
}

}  // namespace vnpu::hw::checks
