// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/strided_range.h"

#include <algorithm>

#include "hw_model/regs/check.h"

namespace vnpu::hw {

void StridedRange::repeat(std::uint64_t count, std::uint64_t stride) {
    if (count == 0) {
        rowBytes_ = 0;
    }
    if (rowBytes_ == 0 || count == 1 || stride == 0) {
        return;
    }
    const auto distance = static_cast<std::uint32_t>((count - 1) * stride);
    if (depth_ == 0 && stride <= rowBytes_) {
        rowBytes_ += distance;
        return;
    }
    VNPU_CHECK(depth_ < kMaxDepth, "no command has more than four strided dimensions");
    counts_[depth_] = static_cast<std::uint32_t>(count);
    strides_[depth_] = static_cast<std::uint32_t>(stride);
    reach_ += distance;
    ++depth_;
}

std::uint64_t StridedRange::rows() const {
    std::uint64_t rows = 1;
    for (std::size_t i = 0; i < depth_; ++i) {
        rows *= counts_[i];
    }
    return rows;
}

std::uint64_t StridedRange::innerBytes(std::size_t depth) const {
    std::uint64_t bytes = rowBytes_;
    for (std::size_t i = 0; i < depth; ++i) {
        bytes += (counts_[i] - 1) * std::uint64_t{strides_[i]};
    }
    return bytes;
}

bool StridedRange::touches(std::size_t depth, std::uint64_t begin, std::uint64_t low,
                           std::uint64_t high) const {
    if (begin >= high || begin + innerBytes(depth) <= low) {
        return false;
    }
    if (depth == 0) {
        return true;
    }
    const std::uint64_t stride = strides_[depth - 1];
    const std::uint64_t inner = innerBytes(depth - 1);
    const std::uint64_t from = low >= begin + inner ? (low - begin - inner) / stride + 1 : 0;
    const std::uint64_t to =
            std::min<std::uint64_t>(counts_[depth - 1] - 1, (high - 1 - begin) / stride);
    for (std::uint64_t i = from; i <= to; ++i) {
        if (touches(depth - 1, begin + i * stride, low, high)) {
            return true;
        }
    }
    return false;
}

bool StridedRange::overlapsRowwise(std::size_t depth, std::uint64_t begin,
                                   const StridedRange& other) const {
    if (!other.touches(other.depth_, other.base_, begin, begin + innerBytes(depth))) {
        return false;
    }
    if (depth == 0) {
        return true;
    }
    for (std::uint64_t i = 0; i < counts_[depth - 1]; ++i) {
        if (overlapsRowwise(depth - 1, begin + i * strides_[depth - 1], other)) {
            return true;
        }
    }
    return false;
}

bool StridedRange::isBeside(const StridedRange& other) const {
    const std::uint32_t stride = strides_[0];
    const auto isWithin = [stride](const StridedRange& range) {
        return range.strides_[0] == stride && range.base_ % stride + range.rowBytes_ <= stride &&
               std::all_of(range.strides_.begin() + 1, range.strides_.begin() + range.depth_,
                           [stride](std::uint32_t outer) { return outer % stride == 0; });
    };
    if (depth_ == 0 || other.depth_ == 0 || !isWithin(*this) || !isWithin(other)) {
        return false;
    }
    const std::uint32_t mine = base_ % stride;
    const std::uint32_t theirs = other.base_ % stride;
    return mine + rowBytes_ <= theirs || theirs + other.rowBytes_ <= mine;
}

bool StridedRange::overlapsStrided(const StridedRange& other) const {
    return rows() <= other.rows() ? overlapsRowwise(depth_, base_, other)
                                  : other.overlapsRowwise(other.depth_, other.base_, *this);
}

}  // namespace vnpu::hw
