// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/blocks/base/perf_counters.h"

namespace vnpu::hw {

class FaultInjector;

/// Both directions of interrupts. To the host: IRQ_STATUS and IRQ_MASK drive the level-triggered
/// line `irq`, which follows within the same cycle. To the controller: CONTROLLER_IRQ_STATUS, all
/// bits enabled, and an event for its sleep. Simulation thread.
class InterruptController : public sc_core::sc_module {
  public:
    SC_HAS_PROCESS(InterruptController);
    InterruptController(const sc_core::sc_module_name& name, const DeviceClock& clock,
                        PerfCounters& counters, DeviceObserver* observer,
                        FaultInjector* faults = nullptr);

    sc_core::sc_out<bool> irq;

    std::uint32_t hostStatus() const { return hostStatus_; }
    std::uint32_t hostMask() const { return hostMask_; }
    void raiseHost(std::uint32_t bits);
    void clearHost(std::uint32_t bits);
    void setHostMask(std::uint32_t mask);
    /// Whether SystemC must still drive the line to the level given by status and mask.
    bool isLineDue() const { return ((hostStatus_ & hostMask_) != 0) != level_; }

    std::uint32_t controllerStatus() const { return controllerStatus_; }
    void raiseController(std::uint32_t bits);
    void clearController(std::uint32_t bits) { controllerStatus_ &= ~bits; }

    /// Notified by raiseController while the controller sleeps.
    const sc_core::sc_event& controllerEvent() const { return controllerEvent_; }
    void setControllerAsleep(bool isAsleep) { isControllerAsleep_ = isAsleep; }

    void reset();

  private:
    void updateLine();
    void driveLine();
    void pulse();

    const DeviceClock& clock_;
    PerfCounters& counters_;
    DeviceObserver* observer_;
    FaultInjector* faults_;
    std::uint32_t hostStatus_ = 0;
    std::uint32_t hostMask_ = 0;
    std::uint32_t controllerStatus_ = 0;
    bool isControllerAsleep_ = false;
    bool level_ = false;
    bool isForced_ = false;  // spurious interrupt
    sc_core::sc_event lineEvent_;
    sc_core::sc_event pulseEvent_;
    sc_core::sc_event controllerEvent_;
};

}  // namespace vnpu::hw
