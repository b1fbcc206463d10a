// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// The dimension of the lines in the index space {1, outer, extent, inner}, where every block takes
/// whole lines.
inline constexpr std::int32_t kLineDimension = 2;
inline constexpr std::array<bool, 4> kWholeLines{false, false, true, false};

/// A dense tensor as lines along one of its axes.
struct Lines : AxisSplit {
    Lines(const Shape& shape, std::uint32_t axis) : AxisSplit(splitAt(shape, axis)) {}

    Shape4 dims() const { return {1, outer, extent, inner}; }
    BlockOperand operand(TensorId tensor) const {
        return {tensor, 0, {0, std::uint64_t{extent} * inner, inner, 1}};
    }
    /// One element for each line.
    BlockOperand result(TensorId tensor) const {
        BlockOperand operand{tensor, 0, {0, inner, 0, 1}};
        operand.droppedDimensions = 1U << kLineDimension;
        return operand;
    }
};

}  // namespace vnpu::driver
