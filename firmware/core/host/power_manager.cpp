// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/host/power_manager.h"

#include <algorithm>

#include "firmware/core/base/cycle_costs.h"
#include "firmware/core/base/register_io.h"

namespace vnpu::fw {

void PowerManager::readDeviceLimits() {
    const std::uint32_t levels =
            regs::ConfigPower::kLevels.get(readRegister<regs::ConfigPower>(parts_.port));
    levelCount_ = std::clamp(levels, 1U, regs::kClockLevelCount);
    const std::uint64_t microseconds = readRegister<regs::ConfigAutosuspend>(parts_.port);
    if (microseconds != 0) {
        autosuspendCycles_ = std::max<std::uint64_t>(
                microseconds * readRegister<regs::ConfigClock>(parts_.port) / 1000, 1);
    }
}

MessageStatus PowerManager::hold(std::uint32_t value) {
    const std::uint32_t level = (value & kPowerLevelMask) >> kPowerLevelShift;
    const bool isHeld = (value & kPowerHeld) != 0;
    const bool isKnown = (value & ~(kPowerHeld | kPowerLevelMask)) == 0;
    if (!isKnown || level >= levelCount_ || (!isHeld && level != 0)) {
        return MessageStatus::kBadParameter;
    }
    isHeld_ = isHeld;
    heldLevel_ = level;
    parts_.log.add(LogEvent::kPowerHold, value, 0);
    return MessageStatus::kOk;
}

void PowerManager::beginTurn(const JobSlot& slot) {
    const std::uint32_t own = std::min(slot.clockLevel, levelCount_ - 1);
    setLevel(isHeld_ ? std::min(own, heldLevel_) : own);
}

void PowerManager::setLevel(std::uint32_t level) {
    if (level == level_) {
        return;
    }
    level_ = level;
    writeRegister<regs::ClockLevel>(parts_.port, level);
    parts_.log.add(LogEvent::kClockLevel, level,
                   readRegister<regs::ConfigClockLevel>(parts_.port, level));
}

void PowerManager::idle() {
    if (isHeld_) {
        setLevel(std::min(level_, heldLevel_));
    }
    if (isHeld_ || autosuspendCycles_ == 0) {
        parts_.interrupts.sleep(0);
        return;
    }
    const std::uint64_t dueCycle = readCycles(parts_.port) + autosuspendCycles_;
    parts_.interrupts.sleep(autosuspendCycles_);
    if (readCycles(parts_.port) >= dueCycle) {
        suspend();
    }
}

/// Interrupts up to the loss of power are latched: the hardware then stays awake or wakes at once.
void PowerManager::suspend() {
    parts_.log.add(LogEvent::kSuspend, 0, 0);
    writeRegister<regs::PowerSuspend>(parts_.port, regs::PowerSuspend::kArmed.mask());
    parts_.interrupts.sleep(0);
    if (readRegister<regs::PowerSuspend>(parts_.port) != 0) {
        writeRegister<regs::PowerSuspend>(parts_.port, 0);
        return;
    }
    parts_.port.trace("resume", 0);
    const std::uint32_t restored = parts_.contexts.restore();
    parts_.log.add(LogEvent::kResume, restored, 0);
}

}  // namespace vnpu::fw
