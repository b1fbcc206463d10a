// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/host/interrupt_controller.h"

#include <algorithm>

#include "hw_model/blocks/base/fault_injector.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::hw {

namespace {

constexpr double kPulseCycles =
        16;  // chosen: far shorter than the time until a handler first reads the status

constexpr std::uint32_t kHostInterrupts =
        regs::IrqStatus::kJobDone.mask() | regs::IrqStatus::kMessage.mask() |
        regs::IrqStatus::kFault.mask() | regs::IrqStatus::kFatal.mask();

}  // namespace

InterruptController::InterruptController(const sc_core::sc_module_name& name,
                                         const DeviceClock& clock, PerfCounters& counters,
                                         DeviceObserver* observer, FaultInjector* faults)
    : sc_module(name),
      irq("irq"),
      clock_(clock),
      counters_(counters),
      observer_(observer),
      faults_(faults) {
    SC_METHOD(driveLine);
    sensitive << lineEvent_;
    dont_initialize();
    if (faults_ != nullptr) {
        SC_METHOD(pulse);
        sensitive << pulseEvent_;
        dont_initialize();
        faults_->onPulseDue([this](std::uint64_t cycle) {
            pulseEvent_.notify(std::max(clock_.until(cycle), clock_.period()));
        });
    }
}

void InterruptController::raiseHost(std::uint32_t bits) {
    hostStatus_ |= bits & kHostInterrupts;
    updateLine();
}

void InterruptController::clearHost(std::uint32_t bits) {
    hostStatus_ &= ~bits;
    updateLine();
}

void InterruptController::setHostMask(std::uint32_t mask) {
    hostMask_ = mask & kHostInterrupts;
    updateLine();
}

void InterruptController::raiseController(std::uint32_t bits) {
    controllerStatus_ |= bits;
    if (isControllerAsleep_) {
        controllerEvent_.notify(sc_core::SC_ZERO_TIME);
    }
}

void InterruptController::reset() {
    hostMask_ = 0;
    controllerStatus_ = 0;
    clearHost(~0U);
}

void InterruptController::updateLine() {
    if (isLineDue()) {
        lineEvent_.notify(clock_.until(clock_.now()));
    }
}

void InterruptController::pulse() {
    // A line that is already high would hide the pulse.
    isForced_ = !isForced_ && !level_ && faults_->pulses(clock_.now());
    const sc_core::sc_time width = kPulseCycles * clock_.period();
    if (isForced_) {
        pulseEvent_.notify(width);
    } else if (const auto next = faults_->nextPulse()) {
        pulseEvent_.notify(std::max(clock_.until(*next), width));
    }
    lineEvent_.notify(sc_core::SC_ZERO_TIME);
}

void InterruptController::driveLine() {
    const bool level = isForced_ || (hostStatus_ & hostMask_) != 0;
    if (level == level_) {
        return;
    }
    if (level && !isForced_ && faults_ != nullptr && faults_->losesInterrupt(clock_.now())) {
        return;  // the bits stay: the next interrupt raises the line for all of them
    }
    level_ = level;
    irq.write(level);
    if (level) {
        counters_.add(regs::PerfEvent::kInterrupts, 1);
    }
    if (observer_ != nullptr) {
        observer_->onInterruptLine(clock_.now(), level);
    }
}

}  // namespace vnpu::hw
