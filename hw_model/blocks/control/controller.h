// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <systemc>
#include <vector>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/blocks/base/engine_timer.h"
#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/blocks/control/device_registers.h"
#include "hw_model/blocks/host/interrupt_controller.h"
#include "hw_model/blocks/memory/dma_rows.h"
#include "hw_model/blocks/memory/memory_arbiter.h"
#include "hw_model/blocks/memory/mmu.h"
#include "hw_model/blocks/memory/system_memory.h"
#include "hw_model/regs/controller_port.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

class Dispatcher;
class FaultInjector;
class PowerController;

/// The controller: runs a ControllerProgram as a coroutine and charges it simulated time.
///
///   reset ──boot──► running ──run() returns──► reset
///                      │
///                      └─CONTROL.RESET──► doomed ──run() returns, or is unwound──► reset
///
/// A doomed program sees the interrupt RESET; its register and memory writes no longer have any
/// effect. If it has not returned after kResetGraceCycles, an exception thrown from its next port
/// call ends it.
///
/// A program that waits with POWER_SUSPEND armed sleeps through power-down and power-up, and its
/// timeout is ignored. It stands still while its clock is switched (power_controller.h).
///
/// Time. charge() accumulates cycles; a register or memory access happens at the cycle reached by
/// the sum. If nothing else is due before, the access is carried out immediately and SystemC's time
/// catches up later (DeviceClock returns the right cycle meanwhile). Effects that the host can see
/// (interrupt line, mailbox, status) always happen in step with SystemC's time.
///
/// With mayRunAhead, the controller also serves the engines' deadlines itself, even while its
/// program waits, up to the next thing that is due in SystemC. A busy device thus does not use
/// SystemC's scheduler for most of a job. Without mayRunAhead, SystemC's time is at most
/// kMaxLeadCycles behind; actions of a host that acts between calls of sc_start(), instead of from
/// a process, may be noticed late by that amount.
///
/// Not modeled: instruction fetch and caches. Simulation thread.
class Controller : public sc_core::sc_module, public ControllerLines, private ControllerPort {
  public:
    struct Parts {
        const NpuConfig& config;
        DeviceClock& clock;
        DeviceRegisters& registers;
        InterruptController& interrupts;
        MemoryArbiter& arbiter;
        Dispatcher& dispatcher;
        Mmu& mmu;
        SystemMemory& memory;
        PerfCounters& counters;
        std::span<std::byte> localMemory;
        PowerController& power;
        EngineTimer& timer;
        DeviceObserver* observer;
        FaultInjector* faults = nullptr;
        bool mayRunAhead = false;
    };

    SC_HAS_PROCESS(Controller);
    Controller(const sc_core::sc_module_name& name, const Parts& parts,
               std::unique_ptr<ControllerProgram> program);

    /// CONTROL.BOOT: starts the program, if necessary after it has returned from the current run.
    void boot() override;

    /// CONTROL.RESET asserted.
    void assertReset() override;

    static constexpr std::uint64_t kMaxLeadCycles = 256;  // chosen: a few dozen register accesses
    // chosen: longer than nearly every command, but a program that never waits still yields to
    // SystemC
    static constexpr std::uint64_t kMaxAheadCycles = 1U << 20;
    // chosen: ample for well-behaved firmware to notice its reset, short compared with any driver's
    // timeout
    static constexpr std::uint64_t kResetGraceCycles = 10'000;

  private:
    static constexpr std::uint64_t kNever = EngineTimer::kNever;

    struct ResetUnwind {};  // thrown from a port call to end a program that ignores its reset

    std::uint32_t read32(std::uint32_t offset) override;
    void write32(std::uint32_t offset, std::uint32_t value) override;
    JobStatus readMemory(std::uint32_t context, std::uint64_t address,
                         std::span<std::byte> destination) override;
    JobStatus writeMemory(std::uint32_t context, std::uint64_t address,
                          std::span<const std::byte> source) override;
    std::span<std::byte> localMemory() override { return parts_.localMemory; }
    void charge(std::uint32_t cycles) override;
    void waitForInterrupt(std::uint64_t timeoutCycles) override;
    using sc_core::sc_module::trace;  // SystemC's function has another signature
    void trace(std::string_view event, std::uint64_t jobId) override;

    template <typename... Until>
    void sleep(const Until&... until);
    bool reach(std::uint64_t cycle);
    bool awaitAhead(std::uint64_t deadline);
    void sleepUntilInterrupt(std::uint64_t deadline);
    void sleepSuspended();
    void awaitSwitch();
    void spend(std::uint64_t coreCycles);
    void runPrograms();
    void catchUp();
    void enter(bool mayLead);
    void countAwake();
    void checkGrace() const;
    void checkHang() {
        if (parts_.faults != nullptr) {
            hangIfDue();
        }
    }
    void hangIfDue();
    JobStatus locate(std::uint32_t context, std::uint64_t address, std::uint64_t bytes,
                     bool isWrite);
    void occupyMemory(std::uint64_t bytes, bool isWrite);

    Parts parts_;
    const std::uint64_t maxLead_;
    std::unique_ptr<ControllerProgram> program_;
    std::uint64_t presentCycle_ = 0;  // SystemC's time, as long as the program does not wait
    // Up to this cycle the controller itself serves everything that is due; 0 if unknown.
    std::uint64_t horizonCycle_ = 0;
    std::uint64_t localCycle_ = 0;   // the program's own time, never behind SystemC's while it runs
    std::uint64_t partOfCycle_ = 0;  // remainder, in coreKhz() parts of a device cycle
    std::uint64_t countedCycle_ = 0;  // PERF_COUNTER is up to date to this cycle
    std::uint64_t coreCycles_ = 0;    // of the program, not yet counted
    std::uint64_t movedBytes_ = 0;    // over the bus, not yet counted
    std::uint64_t resetCycle_ = 0;
    std::uint64_t walkCycles_ = 0;           // of the current memory access
    std::vector<std::uint64_t> tableReads_;  // of its walks, from DRAM
    std::vector<DmaPiece> pieces_;           // of the current memory access
    bool isBootPending_ = false;
    bool isDoomed_ = false;  // reset was asserted since the program started
    sc_core::sc_event bootEvent_;
    sc_core::sc_event timeoutEvent_;
    std::uint64_t timeoutCycle_ = kNever;  // next notification of timeoutEvent_
    sc_core::sc_event_or_list wakeEvents_;
};

}  // namespace vnpu::hw
