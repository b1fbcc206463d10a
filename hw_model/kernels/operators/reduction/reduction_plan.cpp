// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/reduction/reduction_plan.h"

#include "hw_model/kernels/operators/operator_checks.h"

namespace vnpu::hw::kernels {
namespace {

void addAxis(ReductionPlan& plan, std::size_t extent, bool isReduced) {
    if (plan.axisCount != 0 && plan.axes[plan.axisCount - 1].isReduced == isReduced) {
        plan.axes[plan.axisCount - 1].extent *= extent;
    } else {
        plan.axes[plan.axisCount++] = {extent, isReduced};
    }
}

}  // namespace

std::optional<ReductionPlan> planReduction(OperatorCall& call, bool keepsDimensions) {
    const Dimensions& shape = call.input(0).dimensions;
    std::array<bool, kMaxTensorRank> isReduced{};
    for (const std::int32_t given : call.input(1).values<std::int32_t>()) {
        VNPU_TRY_ASSIGN(const std::size_t axis, resolveAxis(call, given, shape.rank()));
        isReduced[axis] = true;
    }
    ReductionPlan plan;
    for (std::size_t d = 0; d < shape.rank(); ++d) {
        if (!isReduced[d] || keepsDimensions) {
            plan.dimensions.append(isReduced[d] ? 1 : shape[d]);
        }
        if (isReduced[d]) {
            plan.reduced *= shape[d];
        }
        if (shape[d] != 1) {
            addAxis(plan, shape[d], isReduced[d]);
        }
    }
    if (plan.dimensions.rank() == 0) {
        plan.dimensions.append(1);  // NNAPI has no tensors of rank 0
    }
    if (plan.axisCount == 0) {
        plan.axisCount = 1;
    }
    plan.outputs = static_cast<std::size_t>(plan.dimensions.elements());
    return plan;
}

}  // namespace vnpu::hw::kernels
