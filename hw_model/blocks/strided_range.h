// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vnpu::hw {

/// Rows of equal length laid out by up to four nested strides: the bytes that an operation touches
/// in SRAM.
class StridedRange {
  public:
    static constexpr std::size_t kMaxDepth = 4;

    StridedRange() = default;

    /// `rowBytes` at `base`; rowBytes 0 makes an empty range.
    StridedRange(std::uint64_t base, std::uint64_t rowBytes) : base_(base), rowBytes_(rowBytes) {}

    /// Repeats everything so far `count` times, `stride` bytes apart; call from the innermost
    /// dimension outwards. Dense repetitions become longer rows; repetitions in place vanish; count
    /// 0 empties the range.
    void repeat(std::uint64_t count, std::uint64_t stride);

    bool isEmpty() const { return rowBytes_ == 0; }
    std::uint64_t first() const { return base_; }
    std::uint64_t end() const { return base_ + extent_[depth_] + rowBytes_; }

    /// Whether a byte lies in both.
    bool overlaps(const StridedRange& other) const;

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
            visit(begin, rowBytes_);
            return;
        }
        for (std::uint64_t i = 0; i < counts_[depth - 1]; ++i) {
            visitRows(depth - 1, begin + i * strides_[depth - 1], visit);
        }
    }

    bool touches(std::size_t depth, std::uint64_t begin, std::uint64_t low,
                 std::uint64_t high) const;
    bool overlapsRowwise(std::size_t depth, std::uint64_t begin, const StridedRange& other) const;
    std::uint64_t rows() const;

    std::uint64_t base_ = 0;
    std::uint64_t rowBytes_ = 0;
    std::size_t depth_ = 0;
    std::array<std::uint64_t, kMaxDepth> counts_{};  // innermost first
    std::array<std::uint64_t, kMaxDepth> strides_{};
    std::array<std::uint64_t, kMaxDepth + 1>
            extent_{};  // from the first to the last row's start within `depth` dimensions
};

}  // namespace vnpu::hw
