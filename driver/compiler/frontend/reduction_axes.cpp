// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/reduction_axes.h"

#include "driver/compiler/frontend/lowering.h"

namespace vnpu::driver {

Checked<std::uint32_t> readReductionAxes(const OperationReader& operation, std::size_t rank) {
    VNPU_TRY_ASSIGN(const auto axes, operation.int32s(1, "axes"));
    std::uint32_t mask = 0;
    for (const std::int32_t argument : axes) {
        VNPU_TRY_ASSIGN(const auto axis, resolveAxis(argument, rank));
        mask |= 1U << axis;
    }
    return mask;
}

Shape reducedShape(const Shape& shape, std::uint32_t mask, bool keepsDimensions) {
    Shape result;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const bool isReduced = (mask & (1U << d)) != 0;
        if (!isReduced || keepsDimensions) {
            result.push_back(isReduced ? 1 : shape[d]);
        }
    }
    if (result.empty()) {
        result.push_back(1);  // NNAPI has no tensors of rank 0
    }
    return result;
}

}  // namespace vnpu::driver
