// SPDX-License-Identifier: Apache-2.0
// The virtual NPU as a SystemC module. C++17 or later; link vnpu::device (find_package(vnpu)).
#pragma once

#include <vnpu_device.h>

#include <memory>
#include <string>
#include <systemc>
#include <tlm>

namespace vnpu {

/// The device with its firmware. Bind `registers` to the bus of the host, `memory` to a target that
/// reaches system memory, and `irq` to the host's interrupt input (level-triggered).
///
/// registers  the device's registers from 0 on (single aligned 32-bit words), and its resident
///            memory at its bus address (CONFIG_RESIDENT; any size, DMI). Accesses happen at
///            SystemC's present time and add nothing to the annotated delay, so that an initiator
///            may run ahead by its quantum. Debug transport reads registers without side effects.
/// memory     b_transport by bus address with a delay of zero, and DMI where the target grants it;
///            the device models the time of its transfers itself. invalidate_direct_mem_ptr is
///            honored.
///
/// Any time resolution: device cycles are whole picoseconds; at a coarser resolution, what happens
/// in a cycle happens at SystemC's next time step. Several devices may share a simulation. Data is
/// computed by threads of oneTBB, which use memory only through DMI pointers; destroy the device
/// before such memory.
class Device : public sc_core::sc_module {
  public:
    struct Options {
        std::string config = "edge";  // a shipped configuration, or a file
        bool isTimingOnly = false;    // commands take their time, but move and compute no data
        // Whether the registers are accessed by SystemC processes only, never between two calls of
        // sc_start(). The device then needs fewer events and gives the same results.
        bool runsAhead = false;
        vnpu_program program{};  // run == nullptr: the firmware of the package
    };

    /// Throws std::runtime_error with a sentence if the configuration is unknown or wrong.
    explicit Device(const sc_core::sc_module_name& name);
    Device(const sc_core::sc_module_name& name, const Options& options);
    ~Device() override;

    static constexpr unsigned kRegisterBytes = 0x10000;

    tlm::tlm_target_socket<> registers;
    tlm::tlm_initiator_socket<> memory;
    sc_core::sc_out<bool> irq;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace vnpu
