// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/power_governor.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"

namespace vnpu::driver {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

std::uint32_t PowerGovernor::levelFor(Preference preference) const {
    switch (preference) {
        case Preference::LOW_POWER:
            return environment_.info.clockLevels - 1;
        case Preference::SUSTAINED_SPEED:
            return environment_.info.sustainedLevel;
        case Preference::FAST_SINGLE_ANSWER:
            break;
    }
    return 0;
}

PowerGovernor::Hold PowerGovernor::hold() {
    const HostLockGuard turn(turn_);
    bool isFirst = false;
    {
        const MutexLock guard(mutex_);
        isFirst = holds_++ == 0;
    }
    ++environment_.counters.livePowerHolds;
    if (isFirst) {
        tell(true);
    }
    return Hold(this);
}

void PowerGovernor::release() {
    const HostLockGuard turn(turn_);
    bool isLast = false;
    {
        const MutexLock guard(mutex_);
        isLast = --holds_ == 0;
        lastWork_ = std::max(lastWork_, environment_.port.now());
    }
    if (isLast) {
        tell(false);
    }
    --environment_.counters.livePowerHolds;
}

void PowerGovernor::tell(bool isHeld) {
    if (environment_.info.clockLevels == 1 && environment_.info.autosuspendUs == 0) {
        return;
    }
    fw::Message message{};
    message.type = fw::MessageType::kSetPower;
    message.value = isHeld ? fw::kPowerHeld : 0;  // the fastest level is 0
    if (const auto reply = environment_.mailbox.request(message); !reply) {
        environment_.log.line(
                fmt::format("power state is left to the firmware: {}", reply.error().reason));
    }
}

PowerGovernor::Time PowerGovernor::readyIn(std::uint32_t level) const {
    const DeviceInfo& info = environment_.info;
    const Time now = environment_.port.now();
    const MutexLock guard(mutex_);
    const std::uint32_t wanted = holds_ != 0 ? 0 : level;
    const Time change = wanted == level_ ? Time(0) : nanoseconds(info.clockSwitchNs);
    if (info.autosuspendUs == 0 || holds_ != 0 || jobs_ != 0) {
        return change;
    }
    const Time awakeUntil = std::max(lastWork_, environment_.mailbox.lastAnswer()) +
                            microseconds(info.autosuspendUs);
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
    const MutexLock guard(mutex_);
    --jobs_;
    lastWork_ = std::max(lastWork_, environment_.port.now());
}

void PowerGovernor::wake() {
    environment_.rings.ringDoorbells();
    const MutexLock guard(mutex_);
    lastWork_ = std::max(lastWork_, environment_.port.now());
}

}  // namespace vnpu::driver
