// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/window/convolution_plan.h"

#include <algorithm>
#include <map>

namespace vnpu::hw::kernels {

std::vector<AxisPlan> forwardPlans(const WindowAxis& axis) {
    AxisPlan plan{.firstOutput = 0,
                  .outputStep = 1,
                  .outputs = axis.output,
                  .inputStep = axis.stride,
                  .taps = {}};
    plan.taps.reserve(static_cast<std::size_t>(axis.window));
    for (std::int64_t k = 0; k < axis.window; ++k) {
        plan.taps.push_back({.filter = k, .input = k * axis.dilation - axis.padHead});
    }
    return {std::move(plan)};
}

// Input i meets output i * stride - padHead + k through tap k.
std::vector<AxisPlan> transposedPlans(const WindowAxis& axis) {
    std::map<std::int64_t, AxisPlan> plans;
    for (std::int64_t k = axis.window - 1; k >= 0; --k) {
        const std::int64_t position = k - axis.padHead;
        const std::int64_t phase = (position % axis.stride + axis.stride) % axis.stride;
        if (phase >= axis.output) {
            continue;
        }
        AxisPlan& plan = plans[phase];
        plan.firstOutput = phase;
        plan.outputStep = axis.stride;
        plan.outputs = (axis.output - phase + axis.stride - 1) / axis.stride;
        plan.taps.push_back({.filter = k, .input = (phase - position) / axis.stride});
    }
    std::vector<AxisPlan> result;
    result.reserve(plans.size());
    for (auto& [phase, plan] : plans) {
        result.push_back(std::move(plan));
    }
    return result;
}

}  // namespace vnpu::hw::kernels
