// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/blocks/host/register_file.h"

namespace vnpu::hw {

class DeferredWork;
class Dispatcher;
class Doorbells;
class Dsp;
class InterruptController;
class Mailbox;
class MemoryArbiter;
class Mmu;
class PerfCounters;
class PowerController;
class Sram;

/// The two lines from CONTROL to the controller.
class ControllerLines {
  public:
    virtual void boot() = 0;
    virtual void assertReset() = 0;

  protected:
    ~ControllerLines() = default;
};

/// The blocks behind the registers.
struct RegisterBlocks {
    const DeviceClock& clock;
    RegisterFile& registers;
    InterruptController& interrupts;
    Mailbox& mailbox;
    Doorbells& doorbells;
    Mmu& mmu;
    MemoryArbiter& arbiter;
    Dispatcher& dispatcher;
    Sram& sram;
    DeferredWork& work;
    Dsp& dsp;
    PerfCounters& counters;
    PowerController& power;
    DeviceObserver* observer;  // may be null

    ControllerLines* controller = nullptr;  // set by DeviceRegisters::attach()
    // CYCLE_COUNTER_HI and PERF_COUNTER_HI, for the host and for the controller.
    std::array<std::uint32_t, 2> cycleLatches = {};
    std::array<std::array<std::uint32_t, regs::kPerfCounterCount>, 2> perfLatches = {};
    std::uint64_t jobId = 0;
};

struct RegisterHandlers;

/// The registers with their side effects, for the host and for the controller. regs/registers.def
/// declares the registers; behavior beyond storing a word is a row in the table of handlers in this
/// class's source. The observer sees each access. Refused are offsets without a register, host
/// accesses to the controller's own registers, writes of read-only registers and reads of
/// write-only ones. Accesses take no simulated time. Simulation thread.
class DeviceRegisters {
  public:
    explicit DeviceRegisters(const RegisterBlocks& blocks);

    /// Sets the controller, which is constructed later because it uses the registers. Call once,
    /// before the first access.
    void attach(ControllerLines& controller) { blocks_.controller = &controller; }

    /// Restores the state of power-on behind the registers. The cycle counter continues.
    void powerOn();

    RegisterError read(std::uint32_t offset, bool isController, std::uint32_t& value);
    RegisterError write(std::uint32_t offset, bool isController, std::uint32_t value);

    /// Reads any readable register for the host, including the controller's own, without the side
    /// effects of a read.
    RegisterError peek(std::uint32_t offset, std::uint32_t& value) const;

    /// PERF_COUNTER `event`, without a register access.
    std::uint64_t count(regs::PerfEvent event) const;

  private:
    std::uint32_t load(std::uint32_t offset, const regs::RegisterHit& hit, bool isController) const;

    RegisterBlocks blocks_;
    std::vector<const RegisterHandlers*> handlers_;  // by regs::RegisterHit::number
};

}  // namespace vnpu::hw
