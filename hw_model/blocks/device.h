// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>

#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/regs/controller_port.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

class FaultInjector;

/// The whole device: host interface, interrupt controller, mailbox, controller, MMU, DMA channels,
/// interconnect, DRAM timing, SRAM, MAC array, vector unit and counters. Bind `registers` to the
/// host bus (which also reaches the resident memory's window, by b_transport and DMI), `memory` to
/// system memory (bus addresses; the target supports b_transport and DMI and adds no time: DRAM
/// timing belongs to the device), `irq` to the host's interrupt input.
class Device : public sc_core::sc_module {
  public:
    struct Options {
        NpuConfig config;
        std::unique_ptr<ControllerProgram> firmware;  // must exist
        DeviceObserver* observer = nullptr;           // not owned, may be null
        FaultInjector* faults = nullptr;              // not owned, null: no faults
        // Whether host and environment act on the device only from SystemC processes. Where these
        // are started between calls of sc_start(), an event must be due at the end of each call.
        // The device then runs ahead of SystemC's time (controller.h), which needs few SystemC
        // events and gives the same results.
        bool mayRunAhead = false;
        // Not empty: each TLB hit is compared with the page tables, and this receives the stale
        // ones.
        std::function<void(std::uint32_t context, std::uint64_t virtualAddress)>
                onStaleTranslation = {};
    };

    Device(const sc_core::sc_module_name& name, Options options);
    ~Device() override;

    tlm_utils::simple_target_socket<Device> registers;
    tlm_utils::simple_initiator_socket<Device> memory;
    sc_core::sc_out<bool> irq;

    /// Completes all outstanding computation of what has happened on the device (deferred_work.h).
    /// Call it before memory that the device uses is read or written in any way other than through
    /// its sockets or after its interrupt.
    void finishWork();

    /// Removes and restores power: all state is that of power-on, except that the cycle counter
    /// continues.
    void powerCycle();

    /// Whether the level of `irq` will change at SystemC's present time.
    bool isInterruptDue() const;

    /// The time of the device's own action, for a call from the device to its environment: later
    /// than SystemC's time while the device runs ahead.
    sc_core::sc_time localTime() const;

    /// PERF_COUNTER `event`, read without an effect on the device.
    std::uint64_t count(regs::PerfEvent event) const;

    /// One device clock period.
    sc_core::sc_time cycleTime() const;

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last);

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace vnpu::hw
