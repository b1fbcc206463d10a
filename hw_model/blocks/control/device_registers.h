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

/// The registers with their side effects, for the host and for the controller. A register is
/// declared in regs/registers.def; what it does beyond storing its word is a row of the table of
/// handlers in the source of this class. The observer sees each access. Refused are offsets without
/// a register, the controller's own registers to the host, writes of read-only and reads of
/// write-only registers. Accesses take no simulated time. Simulation thread.
class DeviceRegisters {
  public:
    explicit DeviceRegisters(const RegisterBlocks& blocks);

    /// The controller uses these registers, so it is built after them; call once, before an access.
    void attach(ControllerLines& controller) { blocks_.controller = &controller; }

    RegisterError read(std::uint32_t offset, bool isController, std::uint32_t& value);
    RegisterError write(std::uint32_t offset, bool isController, std::uint32_t value);

    /// The value of any readable register for the host, the controller's own included, without the
    /// side effects of a read.
    RegisterError peek(std::uint32_t offset, std::uint32_t& value) const;

  private:
    std::uint32_t load(std::uint32_t offset, const regs::RegisterHit& hit, bool isController) const;

    RegisterBlocks blocks_;
    std::vector<const RegisterHandlers*> handlers_;  // by regs::RegisterHit::number
};

}  // namespace vnpu::hw
