// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/deadline.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OptionalTimePoint;
using std::chrono::nanoseconds;

Deadline toDeviceTime(const OptionalTimePoint& deadline, const Environment& environment) {
    if (deadline.getDiscriminator() !=
        OptionalTimePoint::hidl_discriminator::nanosecondsSinceEpoch) {
        return std::nullopt;
    }
    const nanoseconds now = environment.port.now();
    const nanoseconds callerNow = callersNow(environment);
    constexpr auto kFarthest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (deadline.nanosecondsSinceEpoch() >= kFarthest) {
        return std::nullopt;  // centuries away
    }
    const nanoseconds budget =
            nanoseconds(static_cast<std::int64_t>(deadline.nanosecondsSinceEpoch())) - callerNow;
    if (budget > nanoseconds::max() - now) {
        return std::nullopt;
    }
    return now + budget;
}

nanoseconds callersNow(const Environment& environment) {
    const auto& clock = environment.options.deadlineClock;
    return clock ? clock() : environment.port.now();
}

HostDeadline::HostDeadline(const OptionalTimePoint& deadline, const Environment& environment) {
    using Kind = OptionalTimePoint::hidl_discriminator;
    if (deadline.getDiscriminator() == Kind::nanosecondsSinceEpoch) {
        time_ = clampedNanoseconds(deadline.nanosecondsSinceEpoch());
        clock_ = [&environment] { return callersNow(environment); };
    }
}

bool HostDeadline::allows(nanoseconds work) const {
    return !time_ || *time_ - clock_() > work;
}

nanoseconds clampedNanoseconds(std::uint64_t count) {
    constexpr auto kFarthest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return nanoseconds(static_cast<std::int64_t>(std::min(count, kFarthest)));
}

bool hasPassed(const Deadline& deadline, DevicePort& port) {
    return deadline && port.now() >= *deadline;
}

}  // namespace vnpu::driver
