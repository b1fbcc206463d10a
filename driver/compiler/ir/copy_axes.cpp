// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/copy_axes.h"

#include <algorithm>

namespace vnpu::driver {

std::uint64_t elementsOf(std::span<const CopyAxis> axes) {
    std::uint64_t elements = 1;
    for (const CopyAxis& axis : axes) {
        elements *= axis.extent;
    }
    return elements;
}

CopyAxes joined(const CopyAxes& axes) {
    constexpr std::uint64_t kMostSteps = 0xFFFFFFFF;  // of a row or a count
    CopyAxes result;
    for (CopyAxis axis : axes) {
        if (axis.extent == 1) {
            continue;
        }
        const bool canJoin = !result.empty() &&
                             result.back().inputStride == axis.inputStride * axis.extent &&
                             result.back().outputStride == axis.outputStride * axis.extent &&
                             result.back().extent * axis.extent <= kMostSteps;
        if (canJoin) {
            axis.extent *= result.back().extent;
            result.pop_back();
        }
        result.push_back(axis);
    }
    return result;
}

std::uint64_t commandsOf(const CopyAxes& axes, bool endsInRow) {
    const std::size_t counted = axes.size() - (endsInRow ? 1 : 0);
    return elementsOf(std::span(axes).first(counted - std::min(counted, kCopyCounts)));
}

}  // namespace vnpu::driver
