// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/power_governor.h"

#include <fmt/format.h>

#include <algorithm>

namespace vnpu::driver {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

PowerGovernor::PowerGovernor(const Parts& parts)
    : parts_(parts), turn_(parts.environment.port), lastWork_(parts.environment.port.now()) {}

std::uint32_t PowerGovernor::levelFor(Preference preference) const {
    switch (preference) {
        case Preference::LOW_POWER:
            return parts_.environment.info.clockLevels - 1;
        case Preference::SUSTAINED_SPEED:
            return parts_.environment.info.sustainedLevel;
        case Preference::FAST_SINGLE_ANSWER:
            break;
    }
    return 0;
}

std::unique_ptr<PowerHold> PowerGovernor::hold() {
    const HostLockGuard turn(turn_);
    bool isFirst = false;
    {
        const MutexLock guard(mutex_);
        isFirst = holds_++ == 0;
    }
    auto held = std::make_unique<PowerHold>(*this);
    if (isFirst) {
        tell(true);
    }
    return held;
}

void PowerGovernor::release() {
    const HostLockGuard turn(turn_);
    bool isLast = false;
    {
        const MutexLock guard(mutex_);
        isLast = --holds_ == 0;
        lastWork_ = std::max(lastWork_, parts_.environment.port.now());
    }
    if (isLast) {
        tell(false);
    }
}

void PowerGovernor::tell(bool isHeld) {
    if (parts_.environment.info.clockLevels == 1 && parts_.environment.info.autosuspendUs == 0) {
        return;
    }
    fw::Message message{};
    message.type = fw::MessageType::kSetPower;
    message.value = isHeld ? fw::kPowerHeld : 0;  // the fastest level is 0
    if (const auto reply = parts_.mailbox.request(message); !reply) {
        parts_.environment.log.line(
                fmt::format("power state is left to the firmware: {}", reply.error().reason));
    }
}

PowerGovernor::Time PowerGovernor::readyIn(std::uint32_t level) const {
    const DeviceInfo& info = parts_.environment.info;
    const Time now = parts_.environment.port.now();
    const MutexLock guard(mutex_);
    const std::uint32_t wanted = holds_ != 0 ? 0 : level;
    const Time change = wanted == level_ ? Time(0) : nanoseconds(info.clockSwitchNs);
    if (info.autosuspendUs == 0 || holds_ != 0 || jobs_ != 0) {
        return change;
    }
    const Time awakeUntil =
            std::max(lastWork_, parts_.mailbox.lastAnswer()) + microseconds(info.autosuspendUs);
    if (now < awakeUntil) {
        return change;
    }
    const Time downUntil = awakeUntil + nanoseconds(info.suspendNs);
    return change + std::max(downUntil - now, Time(0)) + nanoseconds(info.resumeNs);
}

void PowerGovernor::onJobBegin(std::uint32_t level) {
    const MutexLock guard(mutex_);
    ++jobs_;
    level_ = holds_ != 0 ? 0 : level;
}

void PowerGovernor::onJobEnd() {
    const Time now = parts_.environment.port.now();
    const MutexLock guard(mutex_);
    --jobs_;
    lastWork_ = std::max(lastWork_, now);
}

void PowerGovernor::wake() {
    parts_.rings.ringDoorbells();
    const Time now = parts_.environment.port.now();
    const MutexLock guard(mutex_);
    lastWork_ = std::max(lastWork_, now);
}

}  // namespace vnpu::driver
