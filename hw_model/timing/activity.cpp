// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/activity.h"

#include "hw_model/timing/mac_timing.h"
#include "hw_model/timing/operator_work.h"

namespace vnpu::hw {
namespace {

using regs::PerfEvent;

constexpr std::uint64_t kResultBytes = 4;  // of a sum that enters the output stage

std::uint64_t laneOperations(const OperatorWork& work, std::uint64_t exponentialCycles) {
    std::uint64_t operations = work.serialSteps;
    for (const LanePass& pass : work.passes) {
        const std::uint64_t each = pass.steps + pass.exponentials * exponentialCycles;
        operations = work::plus(operations, work::times(pass.elements, each));
    }
    return operations;
}

// The events that count an engine's arithmetic.
struct Events {
    PerfEvent products8, productsFloat, ops8, opsFloat;
};

void count(Activity& activity, const Events& events, const OperatorWork& work,
           std::uint64_t exponentialCycles) {
    const std::uint64_t operations = laneOperations(work, exponentialCycles);
    if (isFloat(work.type)) {
        activity[events.productsFloat] = work.macs;
        activity[events.opsFloat] = operations;
        return;
    }
    const std::uint64_t bytes = elementBytes(work.type);
    activity[events.products8] = work::times(work.macs, bytes * bytes);
    activity[events.ops8] = work::times(operations, bytes);
}

std::uint64_t share(std::uint64_t count, std::uint64_t steps, std::uint64_t total) {
    return steps == total ? count
                          : static_cast<std::uint64_t>(
                                    static_cast<double>(count) *
                                    (static_cast<double>(steps) / static_cast<double>(total)));
}

}  // namespace

Activity& Activity::operator+=(const Activity& more) {
    for (std::size_t i = 0; i < kEvents; ++i) {
        counts[i] += more.counts[i];
    }
    awakeNs += more.awakeNs;
    clockCycles += more.clockCycles;
    asleepNs += more.asleepNs;
    return *this;
}

Activity macActivity(const MacConfig& config, const MacConv& work) {
    const MacEffort effort = macConvEffort(config, work);
    const bool isFloatWork = work.inputType == ElementType::kFloat32;
    Activity activity;
    activity[isFloatWork ? PerfEvent::kMacProductsFloat : PerfEvent::kMacProducts8] =
            effort.products;
    activity[PerfEvent::kOutputStageOps8] = effort.results * kResultBytes;
    activity[PerfEvent::kAccumulatorBytes] = effort.accumulatorBytes;
    return activity;
}

Activity vectorActivity(const VectorConfig& config, const OperatorWork& work) {
    Activity activity;
    count(activity,
          {PerfEvent::kVectorProducts8, PerfEvent::kVectorProductsFloat, PerfEvent::kVectorOps8,
           PerfEvent::kVectorOpsFloat},
          work, config.exponentialCycles);
    return activity;
}

Activity dspActivity(const DspConfig& config, const OperatorWork& work) {
    Activity activity;
    count(activity,
          {PerfEvent::kDspProducts8, PerfEvent::kDspProductsFloat, PerfEvent::kDspOps8,
           PerfEvent::kDspOpsFloat},
          work, config.exponentialCycles);
    activity[PerfEvent::kDspCoreCycles] = dspCycles(config, work);
    return activity;
}

Activity partOf(const Activity& whole, std::uint64_t begin, std::uint64_t end,
                std::uint64_t total) {
    Activity part;
    for (std::size_t i = 0; i < Activity::kEvents; ++i) {
        part.counts[i] = share(whole.counts[i], end, total) - share(whole.counts[i], begin, total);
    }
    return part;
}

}  // namespace vnpu::hw
