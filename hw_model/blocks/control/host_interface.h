// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm>

namespace vnpu::hw {

class DeferredWork;
class DeviceRegisters;
class ResidentMemory;

/// The device's interface to the host bus: the registers and the window of the resident memory.
/// Registers accept single aligned 32-bit words; other accesses get a TLM error response, as does
/// an access that the registers refuse. Accesses take no simulated time: the initiator charges for
/// the bus. Simulation thread.
class HostInterface {
  public:
    struct Parts {
        DeviceRegisters& registers;
        ResidentMemory& resident;
        DeferredWork& work;
    };

    explicit HostInterface(const Parts& parts) : parts_(parts) {}

    void transport(tlm::tlm_generic_payload& payload);
    unsigned transportDebug(tlm::tlm_generic_payload& payload);
    /// Granted only for the resident memory, since registers have side effects.
    bool directMemory(const tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);

  private:
    Parts parts_;
};

}  // namespace vnpu::hw
