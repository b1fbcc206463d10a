// SPDX-License-Identifier: Apache-2.0
#include "driver/control/scheduling.h"

#include <algorithm>
#include <cstring>

namespace vnpu::driver {

namespace {

fw::SchedulingParameters parametersOf(const SchedulingOptions& options) {
    fw::SchedulingParameters parameters{};
    parameters.sizeBytes = sizeof(parameters);
    parameters.policy = options.policy;
    // A device with one job at a time has nothing to preempt it for.
    parameters.mechanism =
            options.strategy == Strategy::kQueue ? fw::Mechanism::kNone : options.mechanism;
    parameters.granularity = options.granularity;
    parameters.flags = (options.experiments.isForced ? fw::kScheduleForced : 0) |
                       (options.strategy == Strategy::kApps ? fw::kScheduleFairContexts : 0);
    parameters.contextSliceCycles = options.appSliceCycles;
    parameters.starvationPermille = options.starvationPermille;
    std::copy(options.quantumCycles.begin(), options.quantumCycles.end(), parameters.quantumCycles);
    std::copy(options.graceCycles.begin(), options.graceCycles.end(), parameters.graceCycles);
    parameters.periodCycles = options.periodCycles;
    parameters.preemptTimeoutCycles = options.preemptTimeoutCycles;
    return parameters;
}

}  // namespace

DevicePriority devicePriority(std::uint32_t halPriority, const SchedulingOptions& options) {
    constexpr fw::PriorityBand kBands[] = {fw::PriorityBand::kNormal, fw::PriorityBand::kFocus,
                                           fw::PriorityBand::kRealtime};
    const std::uint32_t priority = std::min(halPriority, 2U);
    if (options.hasOneBand) {
        return {fw::PriorityBand::kNormal, priority};
    }
    return {kBands[priority], 0};
}

Result<void> setScheduling(const BootMemory& memory, MailboxClient& mailbox,
                           const SchedulingOptions& options) {
    const fw::SchedulingParameters parameters = parametersOf(options);
    std::memcpy(memory.scheduling().data(), &parameters, sizeof(parameters));
    fw::Message message{};
    message.type = fw::MessageType::kSetScheduling;
    message.target.address = memory.schedulingBusAddress();
    VNPU_TRY(mailbox.request(message));
    return {};
}

}  // namespace vnpu::driver
