// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>

#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/regs/controller_port.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

class FaultInjector;

/// The whole device: host interface, interrupt controller, mailbox, controller, MMU, DMA channels,
/// interconnect, DRAM timing, SRAM, MAC array, vector unit and counters. Bind `registers` to the
/// host bus (the resident memory's window is there, too, by b_transport and DMI), `memory` to
/// system memory (bus addresses; the target gives bytes by b_transport and DMI and adds no time:
/// DRAM timing is the device's own), `irq` to the host's interrupt input.
class Device : public sc_core::sc_module {
  public:
    struct Options {
        NpuConfig config;
        std::unique_ptr<ControllerProgram> firmware;  // must exist
        DeviceObserver* observer = nullptr;           // not owned, may be null
        FaultInjector* faults = nullptr;              // not owned, may be null: none happen
        // Whether the host and all others act from SystemC's processes only, never between calls of
        // sc_start(). The device then runs ahead of SystemC's time (controller.h), which takes few
        // of SystemC's events and gives the same.
        bool mayRunAhead = false;
    };

    Device(const sc_core::sc_module_name& name, Options options);
    ~Device() override;

    tlm_utils::simple_target_socket<Device> registers;
    tlm_utils::simple_initiator_socket<Device> memory;
    sc_core::sc_out<bool> irq;

    /// Computes what is still to be computed of everything that has happened on the device
    /// (deferred_work.h). Whoever reads or writes memory that the device uses, other than by its
    /// sockets or after its interrupt, calls this before.
    void finishWork();

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
