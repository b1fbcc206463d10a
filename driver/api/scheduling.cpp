// SPDX-License-Identifier: Apache-2.0
#include "driver/api/scheduling.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "driver/control/boot.h"
#include "driver/control/mailbox_client.h"

namespace vnpu::driver {

DevicePriority devicePriority(std::uint32_t halPriority, const SchedulingOptions& options) {
    constexpr fw::PriorityBand kBands[] = {fw::PriorityBand::kNormal, fw::PriorityBand::kFocus,
                                           fw::PriorityBand::kRealtime};
    const std::uint32_t priority = std::min(halPriority, 2U);
    if (options.hasOneBand) {
        return {fw::PriorityBand::kNormal, priority};
    }
    return {kBands[priority], 0};
}

fw::SchedulingParameters schedulingParameters(const SchedulingOptions& options) {
    fw::SchedulingParameters parameters{};
    parameters.sizeBytes = sizeof(parameters);
    parameters.policy = options.policy;
    // Where the driver gives one job at a time there is none to make way for.
    parameters.mechanism =
            options.strategy == Strategy::kQueue ? fw::Mechanism::kNone : options.mechanism;
    parameters.granularity = options.granularity;
    parameters.flags = options.isForced ? fw::kScheduleForced : 0;
    parameters.starvationPermille = options.starvationPermille;
    std::copy(options.quantumCycles.begin(), options.quantumCycles.end(), parameters.quantumCycles);
    std::copy(options.graceCycles.begin(), options.graceCycles.end(), parameters.graceCycles);
    parameters.periodCycles = options.periodCycles;
    parameters.preemptTimeoutCycles = options.preemptTimeoutCycles;
    return parameters;
}

Result<void> setScheduling(const BootMemory& memory, MailboxClient& mailbox,
                           const SchedulingOptions& options) {
    const fw::SchedulingParameters parameters = schedulingParameters(options);
    std::memcpy(memory.scheduling().data(), &parameters, sizeof(parameters));
    fw::Message message{};
    message.type = fw::MessageType::kSetScheduling;
    message.target.address = memory.schedulingBusAddress();
    if (auto reply = mailbox.request(message); !reply) {
        return tl::unexpected(std::move(reply.error()));
    }
    return {};
}

}  // namespace vnpu::driver
