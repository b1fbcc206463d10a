// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

class Dispatcher;
class MemoryArbiter;
class Mmu;

/// Clock and power of the domain of controller, engines, SRAM, MMU and interconnect:
///
///   active --CLOCK_LEVEL--> switching --switch time--> active, at the new level
///     |  ^
///     |  +------------------ resuming <--any controller interrupt, after that-- suspended
///     |                                                                             ^
///     +--POWER_SUSPEND, and the controller waits--> suspending --suspend time-------+
///
/// In all states but `active` the domain does nothing. A power-down loses the MMU's roots and TLB
/// (and SRAM, accumulators and the DSP's state, none of which is used across jobs anyway).
/// Registers, mailbox, doorbells, interrupts, cycle counter and the resident memory with its window
/// are always powered; the controller's local memory is retained. The controller, whose program is
/// halted meanwhile, signals the begin and end of a transition. Not modeled: voltage, energy,
/// aborted power-downs. Simulation thread.
class PowerController {
  public:
    struct Parts {
        const NpuConfig& config;
        DeviceClock& clock;
        MemoryArbiter& arbiter;
        Mmu& mmu;
        Dispatcher& dispatcher;
        PerfCounters& counters;
        DeviceObserver* observer;
    };

    explicit PowerController(const Parts& parts);

    std::uint32_t readStatus() const;
    std::uint32_t readSuspend() const { return isArmed_ ? 1 : 0; }
    std::uint32_t readLevel() const { return level_; }
    void writeSuspend(std::uint32_t value);
    /// Begins a switch of the clock level, unless it must be ignored.
    void writeLevel(std::uint32_t level);

    /// The firmware is ready; every later boot is a warm one.
    void noteBooted() { isCold_ = false; }

    /// Power-on: the next boot is a cold one.
    void notePowerOn() { isCold_ = true; }

    /// CONTROL.RESET: selects the fastest level immediately. A transition in progress still
    /// completes.
    void reset();

    bool isSwitching() const { return state_ == regs::PowerState::kSwitching; }
    std::uint64_t switchCycles() const { return switchCycles_; }
    void endSwitch();

    /// Whether the wait that the controller is about to begin powers the domain down.
    bool suspends() const;
    std::uint64_t suspendCycles() const { return suspendCycles_; }
    std::uint64_t resumeCycles() const { return resumeCycles_; }
    void beginSuspend();
    void endSuspend();
    void beginResume();
    void endResume();

  private:
    void enter(regs::PowerState state);
    void setLevel(std::uint32_t level);

    const Parts parts_;
    const std::uint64_t switchCycles_;
    const std::uint64_t suspendCycles_;
    const std::uint64_t resumeCycles_;
    regs::PowerState state_ = regs::PowerState::kActive;
    std::uint32_t level_ = 0;
    bool isArmed_ = false;
    bool isCold_ = true;
    std::uint64_t suspendedCycle_ = 0;  // when it was suspended
};

}  // namespace vnpu::hw
