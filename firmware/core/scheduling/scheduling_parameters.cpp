// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/scheduling_parameters.h"

#include <algorithm>

#include "firmware/core/base/register_io.h"

namespace vnpu::fw {
namespace {

bool areSane(const SchedulingParameters& parameters) {
    return parameters.sizeBytes == sizeof(SchedulingParameters) &&
           static_cast<std::uint32_t>(parameters.policy) < kPolicyCount &&
           static_cast<std::uint32_t>(parameters.mechanism) < kMechanismCount &&
           static_cast<std::uint32_t>(parameters.granularity) < kGranularityCount &&
           (parameters.flags & ~(kScheduleForced | kScheduleFairContexts)) == 0 &&
           ((parameters.flags & kScheduleFairContexts) == 0 ||
            parameters.contextSliceCycles != 0) &&
           parameters.starvationPermille <= kMaxStarvationPermille &&
           std::ranges::all_of(parameters.reserved, [](std::uint64_t word) { return word == 0; });
}

}  // namespace

MessageStatus readSchedulingParameters(hw::ControllerPort& port, std::uint64_t busAddress,
                                       SchedulingParameters& parameters) {
    SchedulingParameters read{};
    if (busAddress == 0 || busAddress % alignof(SchedulingParameters) != 0 ||
        readValue(port, hw::ControllerPort::kPhysical, busAddress, read) != hw::JobStatus::kOk) {
        return MessageStatus::kBadAddress;
    }
    if (!areSane(read)) {
        return MessageStatus::kBadParameter;
    }
    parameters = read;
    return MessageStatus::kOk;
}

}  // namespace vnpu::fw
