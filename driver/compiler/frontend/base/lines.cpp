// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/lines.h"

#include "driver/compiler/frontend/base/vector_operator.h"

namespace vnpu::driver {

Lines linesAlong(const Shape& shape, std::uint32_t axis) {
    const AxisSplit split = splitAt(shape, axis);
    return {split.outer, split.extent, split.inner};
}

Checked<LineSource> readLines(GraphBuilder& builder, const OperationReader& operation,
                              std::size_t axisInput) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    VNPU_TRY(requireTile(builder.tensor(input), "input"));
    VNPU_TRY_ASSIGN(const auto axis,
                    operation.axis(axisInput, builder.tensor(input).shape.size(), -1));
    return LineSource{input, axis};
}

}  // namespace vnpu::driver
