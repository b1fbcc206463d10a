// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <chrono>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "driver/port/device_port.h"
#include "hw_model/blocks/device.h"
#include "hw_model/timing/npu_config.h"
#include "sim/platform/bus_memory.h"

namespace vnpu::sim {

/// What every device port of a platform shares, the host's side of the device's three connections:
/// a master of its registers, the memory that it reads and writes, and the input of its interrupt
/// line. Simulation thread, but for the port's calls about memory, which are anyone's.
class HostBus : public sc_core::sc_module, public driver::DevicePort {
  public:
    HostBus(const sc_core::sc_module_name& name, const hw::NpuConfig& config);

    tlm_utils::simple_initiator_socket<HostBus> registers;  // to the device
    tlm_utils::simple_target_socket<HostBus> memory;        // from the device
    sc_core::sc_in<bool> irq;

    /// Binds all three; once, before the simulation starts.
    void connect(hw::Device& device, sc_core::sc_signal<bool>& line);

    driver::Result<driver::DmaBuffer> allocateDma(std::uint64_t sizeBytes) override;
    void freeDma(const driver::DmaBuffer& buffer) override;
    driver::Result<std::uint64_t> mapDma(void* pages, std::uint64_t sizeBytes) override;
    std::byte* mapWindow(std::uint64_t busAddress, std::uint64_t sizeBytes) override;
    /// Simulation thread, other than the rest about memory: the device forgets what it had found.
    void unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) override;

  protected:
    /// Reads or writes a register; returns the time that the device adds. Reads where nothing
    /// answers give all ones, as on a bus.
    sc_core::sc_time access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value);

    /// After connect().
    hw::Device& device() { return *device_; }

  private:
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transportDebug(tlm::tlm_generic_payload& payload);
    bool directMemory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region);

    BusMemory busMemory_;
    hw::Device* device_ = nullptr;
};

/// Time as the driver counts it.
std::chrono::nanoseconds toNanoseconds(const sc_core::sc_time& time);
sc_core::sc_time toScTime(std::chrono::nanoseconds time);

}  // namespace vnpu::sim
