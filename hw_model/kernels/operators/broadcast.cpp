// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/broadcast.h"

#include <fmt/format.h>

namespace vnpu::hw::kernels {
namespace {

using Axis = BroadcastPlan::Axis;

/// Extent of dimension `d` of `rank`, with leading extents of 1 added.
std::uint32_t alignedExtent(const Dimensions& dimensions, std::size_t d, std::size_t rank) {
    const std::size_t missing = rank - dimensions.rank();
    return d < missing ? 1 : dimensions[d - missing];
}

bool walksEvenly(const Axis& outer, const Axis& inner) {
    return outer.strides[0] == inner.strides[0] * inner.extent &&
           outer.strides[1] == inner.strides[1] * inner.extent;
}

/// Adds the next outer axis in front of the inner ones.
void addAxis(BroadcastPlan& plan, const Axis& axis) {
    if (plan.axisCount != 0 && walksEvenly(axis, plan.axes[plan.axisCount - 1])) {
        plan.axes[plan.axisCount - 1].extent *= axis.extent;
    } else {
        plan.axes[plan.axisCount++] = axis;
    }
}

}  // namespace

std::optional<BroadcastPlan> settleBroadcast(OperatorCall& call) {
    const std::array<const Dimensions*, 2> shapes = {&call.input(0).dimensions,
                                                     &call.input(1).dimensions};
    const std::size_t rank = std::max(shapes[0]->rank(), shapes[1]->rank());
    BroadcastPlan plan;
    plan.axisCount = 0;
    for (std::size_t d = 0; d < rank; ++d) {
        plan.dimensions.append(1);
    }
    std::array<std::size_t, 2> stride = {1, 1};
    for (std::size_t d = rank; d-- > 0;) {
        const std::array<std::uint32_t, 2> extents = {alignedExtent(*shapes[0], d, rank),
                                                      alignedExtent(*shapes[1], d, rank)};
        if (extents[0] != extents[1] && extents[0] != 1 && extents[1] != 1) {
            return call.refuse(fmt::format(
                    "inputs 0 and 1 have dimensions [{}] and [{}], which do not broadcast",
                    fmt::join(*shapes[0], ", "), fmt::join(*shapes[1], ", ")));
        }
        plan.dimensions[d] = extents[0] == 1 ? extents[1] : extents[0];
        if (plan.dimensions[d] == 1) {
            continue;
        }
        addAxis(plan, {plan.dimensions[d],
                       {extents[0] == 1 ? 0 : stride[0], extents[1] == 1 ? 0 : stride[1]}});
        stride[0] *= extents[0];
        stride[1] *= extents[1];
    }
    if (plan.axisCount == 0) {
        plan.axisCount = 1;
    }
    std::reverse(plan.axes.begin(),
                 plan.axes.begin() + static_cast<std::ptrdiff_t>(plan.axisCount));
    plan.elements = static_cast<std::size_t>(plan.dimensions.elements());
    return call.settle(0, plan.dimensions) == JobStatus::kOk ? std::optional(plan) : std::nullopt;
}

}  // namespace vnpu::hw::kernels
