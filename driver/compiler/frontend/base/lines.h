// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "driver/compiler/frontend/base/graph_builder.h"

namespace vnpu::driver {

/// The dimension of the lines in the index space {1, outer, length, inner}, where every block takes
/// whole lines.
inline constexpr std::int32_t kLineDimension = 2;
inline constexpr std::array<bool, 4> kWholeLines{false, false, true, false};

/// A dense tensor as lines along one of its axes.
struct Lines {
    std::uint32_t outer = 1, length = 1, inner = 1;

    Shape4 dims() const { return {1, outer, length, inner}; }
    BlockOperand operand(TensorId tensor) const {
        return {tensor, 0, {0, std::uint64_t{length} * inner, inner, 1}};
    }
    /// One element for each line.
    BlockOperand result(TensorId tensor) const {
        BlockOperand operand{tensor, 0, {0, inner, 0, 1}};
        operand.droppedDimensions = 1U << kLineDimension;
        return operand;
    }
};

/// `shape` as lines along dimension `axis`.
Lines linesAlong(const Shape& shape, std::uint32_t axis);

/// Input 0, and the axis that input `axisInput` gives or the last one.
struct LineSource {
    TensorId input = kNoTensor;
    std::uint32_t axis = 0;
};

Checked<LineSource> readLines(GraphBuilder& builder, const OperationReader& operation,
                              std::size_t axisInput);

}  // namespace vnpu::driver
