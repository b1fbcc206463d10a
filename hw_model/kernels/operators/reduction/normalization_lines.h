// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "hw_model/kernels/operators/broadcast.h"
#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// A dense tensor as lines along one of its axes: element x of line (i, j) has index (i * length +
/// x) * inner + j.
struct LineShape {
    std::size_t outer = 0;
    std::size_t length = 0;
    std::size_t inner = 0;

    LineShape() = default;
    /// Lines along dimensions [first, last).
    LineShape(const Dimensions& dimensions, std::size_t first, std::size_t last)
        : outer(static_cast<std::size_t>(dimensions.elements(0, first))),
          length(static_cast<std::size_t>(dimensions.elements(first, last))),
          inner(static_cast<std::size_t>(dimensions.elements(last, dimensions.rank()))) {}
};

/// The lines along the axis in scalar input `axisInput` (the last axis if omitted); settles output
/// 0 with the dimensions of input 0. Nothing if the call is refused.
std::optional<LineShape> settleLines(OperatorCall& call, std::size_t axisInput);

/// Calls function(first, last) on ranges of lines, possibly on several threads; `cost` is that of
/// one element. Does nothing if the tensor has no elements.
template <typename Function>
void forEachLines(const LineShape& shape, std::size_t cost, const Function& function) {
    const std::size_t lines = shape.outer * shape.inner;
    if (lines == 0 || shape.length == 0) {
        return;
    }
    const std::size_t each = std::max<std::size_t>(1, kElementsPerTask / shape.length);
    forEachTask(
            (lines + each - 1) / each, std::uint64_t{lines} * shape.length * cost,
            [&](std::size_t task) { function(task * each, std::min(lines, (task + 1) * each)); });
}

/// The start of line `line`.
inline std::size_t startOf(const LineShape& shape, std::size_t line) {
    return line / shape.inner * shape.length * shape.inner + line % shape.inner;
}

/// Transforms a line of floats in place; may keep memory between lines.
using LineFunction = std::function<void(std::vector<float>&)>;

/// Output 0 = input 0, of either float type, with the function applied to every line in single
/// precision. `makeFunction` is called once per task; `cost` is that of one element.
void transformFloatLines(OperatorCall& call, const LineShape& shape, std::size_t cost,
                         const std::function<LineFunction()>& makeFunction);

}  // namespace vnpu::hw::kernels
