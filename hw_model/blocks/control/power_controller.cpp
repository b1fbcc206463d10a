// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/control/power_controller.h"

#include "hw_model/blocks/control/dispatcher.h"
#include "hw_model/blocks/memory/memory_arbiter.h"
#include "hw_model/blocks/memory/mmu.h"

namespace vnpu::hw {

using regs::PowerState;

PowerController::PowerController(const Parts& parts)
    : parts_(parts),
      switchCycles_(deviceCycles(parts.config, parts.config.power.switchNs)),
      suspendCycles_(deviceCycles(parts.config, parts.config.power.suspendNs)),
      resumeCycles_(deviceCycles(parts.config, parts.config.power.resumeNs)) {}

std::uint32_t PowerController::readStatus() const {
    using regs::PowerStatus;
    return PowerStatus::kState.put(static_cast<std::uint32_t>(state_)) |
           PowerStatus::kLevel.put(level_) | PowerStatus::kCold.put(isCold_ ? 1 : 0);
}

void PowerController::writeSuspend(std::uint32_t value) {
    isArmed_ = regs::PowerSuspend::kArmed.get(value) != 0;
}

void PowerController::writeLevel(std::uint32_t level) {
    if (level == level_ || level >= clockLevelsKhz(parts_.config).size() ||
        parts_.dispatcher.isBusy()) {
        return;
    }
    setLevel(level);
    parts_.counters.add(regs::PerfEvent::kClockSwitches, 1);
    enter(PowerState::kSwitching);
}

void PowerController::reset() {
    isArmed_ = false;
    if (level_ != 0) {
        setLevel(0);
        enter(state_);
    }
}

void PowerController::endSwitch() {
    enter(PowerState::kActive);
}

bool PowerController::suspends() const {
    return isArmed_ && !parts_.dispatcher.isBusy();
}

void PowerController::beginSuspend() {
    isArmed_ = false;
    enter(PowerState::kSuspending);
}

void PowerController::endSuspend() {
    parts_.mmu.powerDown();
    suspendedCycle_ = parts_.clock.now();
    enter(PowerState::kSuspended);
}

void PowerController::beginResume() {
    parts_.counters.add(regs::PerfEvent::kWakes, 1);
    parts_.counters.add(regs::PerfEvent::kSuspendedCycles, parts_.clock.now() - suspendedCycle_);
    enter(PowerState::kResuming);
}

void PowerController::endResume() {
    enter(PowerState::kActive);
}

void PowerController::enter(PowerState state) {
    state_ = state;
    if (parts_.observer != nullptr) {
        parts_.observer->onPowerState(parts_.clock.now(), state_, level_);
    }
}

void PowerController::setLevel(std::uint32_t level) {
    level_ = level;
    parts_.clock.setCoreKhz(clockLevelsKhz(parts_.config)[level]);
    parts_.arbiter.setInterconnectRate(
            parts_.clock.ofCoreRate(parts_.config.interconnect.bytesPerCycle));
}

}  // namespace vnpu::hw
