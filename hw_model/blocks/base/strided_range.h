// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vnpu::hw {

/// Rows of equal length in up to four nested strides: the bytes of SRAM that an operation accesses.
/// Offsets fit 32 bits because the SRAM does. Kept small because every command carries several.
class StridedRange {
  public:
    static constexpr std::size_t kMaxDepth = 4;

    StridedRange() = default;

    /// `rowBytes` at `base`; rowBytes 0 makes an empty range.
    StridedRange(std::uint64_t base, std::uint64_t rowBytes)
        : base_(static_cast<std::uint32_t>(base)),
          rowBytes_(static_cast<std::uint32_t>(rowBytes)) {}

    /// Repeats the rows so far `count` times, `stride` bytes apart; call it for the innermost
    /// dimension first. Dense repetitions merge into longer rows; repetitions with stride 0 have no
    /// effect; count 0 empties the range.
    void repeat(std::uint64_t count, std::uint64_t stride);

    bool isEmpty() const { return rowBytes_ == 0; }
    std::uint64_t first() const { return base_; }
    std::uint64_t end() const { return std::uint64_t{base_} + reach_ + rowBytes_; }

    /// Whether the ranges have a byte in common.
    bool overlaps(const StridedRange& other) const {
        if (first() >= other.end() || other.first() >= end() || isEmpty() || other.isEmpty()) {
            return false;
        }
        return (depth_ | other.depth_) == 0 || (!isBeside(other) && overlapsStrided(other));
    }

    /// A cheap test without false negatives: true wherever overlaps() is. It separates at least
    /// dense ranges, and columns of one matrix.
    bool mayOverlap(const StridedRange& other) const {
        if (first() >= other.end() || other.first() >= end() || isEmpty() || other.isEmpty()) {
            return false;
        }
        return !isBeside(other);
    }

    /// Calls visit(begin, bytes) for every row, outermost dimension first.
    template <typename Visit>
    void forEachRow(const Visit& visit) const {
        if (rowBytes_ != 0) {
            visitRows(depth_, base_, visit);
        }
    }

  private:
    template <typename Visit>
    void visitRows(std::size_t depth, std::uint64_t begin, const Visit& visit) const {
        if (depth == 0) {
            visit(begin, std::uint64_t{rowBytes_});
            return;
        }
        for (std::uint64_t i = 0; i < counts_[depth - 1]; ++i) {
            visitRows(depth - 1, begin + i * strides_[depth - 1], visit);
        }
    }

    /// Whether both ranges repeat with one stride (or multiples of it) and their rows occupy
    /// disjoint parts of it.
    bool isBeside(const StridedRange& other) const;
    bool overlapsStrided(const StridedRange& other) const;
    bool touches(std::size_t depth, std::uint64_t begin, std::uint64_t low,
                 std::uint64_t high) const;
    bool overlapsRowwise(std::size_t depth, std::uint64_t begin, const StridedRange& other) const;
    std::uint64_t rows() const;
    /// Bytes from the first to the last one within `depth` dimensions.
    std::uint64_t innerBytes(std::size_t depth) const;

    std::uint32_t base_ = 0;
    std::uint32_t rowBytes_ = 0;
    std::uint32_t reach_ = 0;  // from the first row's start to the last row's
    std::uint32_t depth_ = 0;
    std::array<std::uint32_t, kMaxDepth> counts_{};  // innermost first; depth_ of them are set
    std::array<std::uint32_t, kMaxDepth> strides_{};
};

}  // namespace vnpu::hw
