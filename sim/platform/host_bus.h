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
#include "sim/bringup/bus_observer.h"
#include "sim/platform/bus_memory.h"

namespace vnpu::sim {

/// The host side of the three connections of the device, which all device ports share: a master of
/// its registers, the memory that it reads and writes, and its interrupt line. Simulation thread;
/// the functions of the port about memory may be called on any thread.
class HostBus : public sc_core::sc_module, public driver::DevicePort {
  public:
    HostBus(const sc_core::sc_module_name& name, const hw::NpuConfig& config);

    tlm_utils::simple_initiator_socket<HostBus> registers;  // to the device
    tlm_utils::simple_target_socket<HostBus> memory;        // from the device
    sc_core::sc_in<bool> irq;

    /// Binds all three; once, before the simulation starts. `observer` (may be null) sees all
    /// traffic, for which the device gets no direct pointers to memory.
    void connect(hw::Device& device, sc_core::sc_signal<bool>& line,
                 BusObserver* observer = nullptr);

    driver::Result<driver::DmaBuffer> allocateDma(std::uint64_t sizeBytes) override;
    void freeDma(const driver::DmaBuffer& buffer) override;
    driver::Result<std::uint64_t> mapDma(void* pages, std::uint64_t sizeBytes) override;
    std::byte* mapWindow(std::uint64_t busAddress, std::uint64_t sizeBytes) override;
    /// Simulation thread, unlike the other functions about memory, because the device must forget
    /// its mapping.
    void unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) override;

  protected:
    /// Reads or writes a register; returns the time that the device adds. Unanswered reads give all
    /// ones.
    sc_core::sc_time access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value);

    /// After connect().
    hw::Device& device() { return *device_; }

  private:
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transportDebug(tlm::tlm_generic_payload& payload);
    bool directMemory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region);

    void followLine();

    BusMemory busMemory_;
    BusObserver* observer_ = nullptr;
    hw::Device* device_ = nullptr;
};

/// Conversion to the time of the driver.
std::chrono::nanoseconds toNanoseconds(const sc_core::sc_time& time);
sc_core::sc_time toScTime(std::chrono::nanoseconds time);

}  // namespace vnpu::sim
