// SPDX-License-Identifier: Apache-2.0
#include "driver/runtime/deadline.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OptionalTimePoint;
using std::chrono::nanoseconds;

Deadline toDeviceTime(const OptionalTimePoint& deadline, const DriverOptions& options,
                      DevicePort& port) {
    if (deadline.getDiscriminator() !=
        OptionalTimePoint::hidl_discriminator::nanosecondsSinceEpoch) {
        return std::nullopt;
    }
    const nanoseconds now = port.now();
    const nanoseconds callerNow = options.deadlineClock ? options.deadlineClock() : now;
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

nanoseconds clampedNanoseconds(std::uint64_t count) {
    constexpr auto kFarthest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return nanoseconds(static_cast<std::int64_t>(std::min(count, kFarthest)));
}

bool hasPassed(const Deadline& deadline, DevicePort& port) {
    return deadline && port.now() >= *deadline;
}

}  // namespace vnpu::driver
