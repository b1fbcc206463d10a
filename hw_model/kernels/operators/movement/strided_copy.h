// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hw_model/kernels/operators/operator_checks.h"

namespace vnpu::hw::kernels {

/// One loop of a copy; strides in elements.
struct CopyAxis {
    std::uint64_t count;
    std::int64_t fromStride;  // 0 repeats, a negative stride goes backwards
    std::int64_t toStride;
};

/// The loops of a copy, outermost first; twice as many as a tensor has axes.
class CopyAxes {
  public:
    /// Has no effect beyond the capacity.
    void add(std::uint64_t count, std::int64_t fromStride, std::int64_t toStride) {
        if (size_ < axes_.size()) {
            axes_[size_++] = {count, fromStride, toStride};
        }
    }
    std::span<const CopyAxis> span() const { return {axes_.data(), size_}; }

    static constexpr std::size_t kCapacity = 2 * kMaxTensorRank;

  private:
    std::array<CopyAxis, kCapacity> axes_{};
    std::size_t size_ = 0;
};

/// Copies one element of `elementBytes` (1, 2 or 4) per combination of the axes. Source and
/// destination must not overlap, and no element may be written twice.
void copyStrided(const CopyAxes& axes, const std::byte* from, std::byte* to,
                 std::uint32_t elementBytes);

/// Settles output 0 with `dimensions` and copies input 0, from its element `offset` on, into it
/// along the axes. kOk, or why the operator must end.
[[nodiscard]] JobStatus copyInto(OperatorCall& call, const Dimensions& dimensions,
                                 const CopyAxes& axes, std::int64_t offset = 0);

/// Elements between consecutive indices of each axis in dense data; 0 if there are no elements.
using Strides = std::array<std::int64_t, kMaxTensorRank>;
Strides denseStrides(const Dimensions& dimensions);

/// Writes the element at `value` `count` times.
void fillElements(const std::byte* value, std::byte* to, std::uint64_t count,
                  std::uint32_t elementBytes);

}  // namespace vnpu::hw::kernels
