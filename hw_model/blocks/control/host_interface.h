// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <tlm>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/blocks/host/register_file.h"

namespace vnpu::hw {

class Controller;
class DeferredWork;
class Dispatcher;
class Doorbells;
class Dsp;
class InterruptController;
class Mailbox;
class Mmu;
class MemoryArbiter;
class PerfCounters;
class PowerController;
class ResidentMemory;
class Sram;

/// The one door to the registers, for the host's bus and for the controller. Each access is logged
/// to the observer. On the host's bus the window of the resident memory lies beside them. The host
/// sees single aligned 32-bit words; anything else gets a TLM error
/// response, as do offsets without a register, the controller's own registers, writes of read-only
/// and reads of write-only registers. Takes no simulated time: the host's side of the bus is
/// charged by whoever drives it. Simulation thread.
class HostInterface {
  public:
    struct Parts {
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
        ResidentMemory& resident;
        PerfCounters& counters;
        PowerController& power;
        DeviceObserver* observer;
    };

    explicit HostInterface(const Parts& parts) : parts_(parts) {}

    /// The controller is built on this and attached afterwards.
    void attach(Controller* controller) { controller_ = controller; }

    void transport(tlm::tlm_generic_payload& payload);
    unsigned transportDebug(tlm::tlm_generic_payload& payload);
    /// Granted for the resident memory; registers have side effects.
    bool directMemory(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);

    RegisterError read(std::uint32_t offset, bool isController, std::uint32_t& value);
    RegisterError write(std::uint32_t offset, bool isController, std::uint32_t value);

  private:
    std::uint32_t peek(std::uint32_t offset, const regs::RegisterHit& hit, bool isController) const;
    bool writeDevice(std::uint32_t offset, const regs::RegisterHit& hit, bool isController,
                     std::uint32_t value);
    bool writeEngines(std::uint32_t offset, const regs::RegisterHit& hit, std::uint32_t value);

    void writeControl(std::uint32_t value);
    void writeIrqStatus(std::uint32_t value);
    void writeStatusSet(std::uint32_t value);
    void writeMmuFaultInfo(std::uint32_t value);
    void writeHeartbeatTick();
    void writeJobId(bool isHigh, std::uint32_t value);
    void writeDspDone(std::uint32_t offset, std::uint32_t value);
    std::uint32_t readDspDone(std::uint32_t offset) const;
    void startJob(std::uint32_t contextId);
    void resetDevice();
    std::uint32_t readStatus() const;
    std::uint64_t perfCounter(std::uint32_t index) const;
    std::uint32_t readPerfCounter(std::uint32_t index, bool isController);
    std::uint32_t readCycleCounterLo(bool isController);

    Parts parts_;
    Controller* controller_ = nullptr;
    std::uint32_t cycleLatch_[2] = {};  // CYCLE_COUNTER_HI for the host and for the controller
    // PERF_COUNTER_HI, likewise
    std::array<std::uint32_t, regs::kPerfCounterCount> perfLatches_[2] = {};
    std::uint64_t jobId_ = 0;
};

}  // namespace vnpu::hw
