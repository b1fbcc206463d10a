// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "hw_model/regs/rounding.h"

namespace vnpu::hw {

/// Device cycles and their relation to SystemC's time. Everything on the device happens on a
/// cycle's edge. A cycle is a whole number of picoseconds at every time resolution of SystemC; with
/// a resolution coarser than that, an edge happens at SystemC's next possible time. The controller
/// may run ahead of SystemC's time as long as nothing else can happen (controller.h); the clock
/// then returns the controller's cycle to everything that the controller calls.
///
/// The length of a device cycle never changes. The clock domain of the controller and the engines
/// may run slower (clock levels): their durations are in core cycles, which the clock converts to
/// device cycles. Simulation thread.
class DeviceClock {
  public:
    explicit DeviceClock(std::uint32_t clockKhz);

    /// The current cycle, from the point of view of the code that runs now.
    std::uint64_t now() const { return leadCycle_ != 0 ? leadCycle_ : simulated(); }

    /// The cycle that contains SystemC's current time.
    std::uint64_t simulated() const {
        return sc_core::sc_time_stamp().value() * unitsPerTick_ / periodUnits_;
    }

    /// From SystemC's time to the edge of `cycle`; zero if the edge has passed.
    sc_core::sc_time until(std::uint64_t cycle) const {
        const std::uint64_t edge = ticksOf(cycle);
        const std::uint64_t present = sc_core::sc_time_stamp().value();
        return sc_core::sc_time::from_value(edge > present ? edge - present : 0);
    }

    /// The last cycle that can be reached before SystemC has anything else to do; the current cycle
    /// if something is still due in it.
    std::uint64_t horizon() const;

    sc_core::sc_time period() const { return sc_core::sc_time::from_value(ticksOf(1)); }

    void setLead(std::uint64_t cycle) { leadCycle_ = cycle; }
    void clearLead() { leadCycle_ = 0; }

    /// Sets the domain's clock; at most the device's clock.
    void setCoreKhz(std::uint32_t khz);
    std::uint32_t coreKhz() const { return coreKhz_; }
    std::uint32_t deviceKhz() const { return deviceKhz_; }

    /// The device cycles that `coreCycles` take, rounded up.
    std::uint64_t ofCore(std::uint64_t coreCycles) const {
        return coreKhz_ == deviceKhz_ ? coreCycles : divideUp(coreCycles * deviceKhz_, coreKhz_);
    }

    /// The number of complete core cycles within `cycles` device cycles.
    std::uint64_t toCore(std::uint64_t cycles) const {
        return coreKhz_ == deviceKhz_ ? cycles : cycles * coreKhz_ / deviceKhz_;
    }

    /// Converts a rate per core cycle to a rate per device cycle.
    double ofCoreRate(double perCoreCycle) const {
        return coreKhz_ == deviceKhz_ ? perCoreCycle : perCoreCycle * coreKhz_ / deviceKhz_;
    }

  private:
    std::uint64_t ticksOf(std::uint64_t cycles) const {
        const std::uint64_t units = cycles * periodUnits_;
        return unitsPerTick_ == 1 ? units : divideUp(units, unitsPerTick_);
    }

    // A tick is SystemC's time resolution, a unit the shorter one of a tick and a picosecond.
    std::uint64_t unitsPerTick_;
    std::uint64_t periodUnits_;
    std::uint64_t leadCycle_ = 0;
    std::uint32_t deviceKhz_;
    std::uint32_t coreKhz_;
};

}  // namespace vnpu::hw
