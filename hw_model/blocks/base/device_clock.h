// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "hw_model/regs/rounding.h"

namespace vnpu::hw {

/// Device cycles and their relation to SystemC's time. Everything the device does happens on a
/// cycle's edge. The controller may run ahead of SystemC's time for as long as nothing else can
/// happen (controller.h); the clock then tells the controller's cycle to all that it calls.
///
/// Device cycles are of one length for ever. The clock domain of controller and engines may run
/// slower than that (clock levels): what they do takes core cycles, which the clock turns into
/// device cycles. Simulation thread.
class DeviceClock {
  public:
    explicit DeviceClock(std::uint32_t clockKhz);

    /// The present cycle, as seen by whoever is being executed.
    std::uint64_t now() const { return leadCycle_ != 0 ? leadCycle_ : simulated(); }

    /// The cycle that SystemC's time lies in.
    std::uint64_t simulated() const { return sc_core::sc_time_stamp().value() / periodTicks_; }

    /// From SystemC's time to the edge of `cycle`; zero if that has passed.
    sc_core::sc_time until(std::uint64_t cycle) const {
        const std::uint64_t edge = cycle * periodTicks_;
        const std::uint64_t present = sc_core::sc_time_stamp().value();
        return sc_core::sc_time::from_value(edge > present ? edge - present : 0);
    }

    /// The last cycle before whose edge nothing is scheduled in SystemC; the present one if
    /// something is still due at it.
    std::uint64_t horizon() const;

    sc_core::sc_time period() const { return sc_core::sc_time::from_value(periodTicks_); }

    void setLead(std::uint64_t cycle) { leadCycle_ = cycle; }
    void clearLead() { leadCycle_ = 0; }

    /// The clock of the domain, not above the device's.
    void setCoreKhz(std::uint32_t khz);
    std::uint32_t coreKhz() const { return coreKhz_; }
    std::uint32_t deviceKhz() const { return deviceKhz_; }

    /// The device cycles that so many core cycles take, rounded up.
    std::uint64_t ofCore(std::uint64_t coreCycles) const {
        return coreKhz_ == deviceKhz_ ? coreCycles : divideUp(coreCycles * deviceKhz_, coreKhz_);
    }

    /// The core cycles that are whole within so many device cycles.
    std::uint64_t toCore(std::uint64_t cycles) const {
        return coreKhz_ == deviceKhz_ ? cycles : cycles * coreKhz_ / deviceKhz_;
    }

    /// What comes each device cycle of something that comes each core cycle.
    double ofCoreRate(double perCoreCycle) const {
        return coreKhz_ == deviceKhz_ ? perCoreCycle : perCoreCycle * coreKhz_ / deviceKhz_;
    }

  private:
    std::uint64_t periodTicks_;  // in SystemC's time resolution
    std::uint64_t leadCycle_ = 0;
    std::uint32_t deviceKhz_;
    std::uint32_t coreKhz_;
};

}  // namespace vnpu::hw
