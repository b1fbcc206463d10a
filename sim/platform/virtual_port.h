// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>

#include "driver/port/device_port.h"
#include "hw_model/timing/npu_config.h"
#include "sim/platform/bus_memory.h"

namespace vnpu::sim {

/// The device port in virtual time: host threads are SystemC threads, so a wait lets simulated time
/// pass for all. Also the memory that the device sees. Everything runs on the one operating system
/// thread of the simulation.
class VirtualPort : public sc_core::sc_module, public driver::DevicePort {
  public:
    VirtualPort(const sc_core::sc_module_name& name, const hw::NpuConfig& config);
    ~VirtualPort() override;

    tlm_utils::simple_initiator_socket<VirtualPort> registers;  // to the device
    tlm_utils::simple_target_socket<VirtualPort> memory;        // from the device
    sc_core::sc_in<bool> irq;

    std::uint32_t read32(std::uint32_t offset) override;
    void write32(std::uint32_t offset, std::uint32_t value) override;
    driver::Result<driver::DmaBuffer> allocateDma(std::uint64_t sizeBytes) override;
    void freeDma(const driver::DmaBuffer& buffer) override;
    driver::Result<std::uint64_t> mapDma(void* pages, std::uint64_t sizeBytes) override;
    void unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) override;
    void setInterruptHandler(std::function<void()> handler) override;
    std::unique_ptr<driver::HostEvent> createEvent() override;
    void post(std::function<void()> work) override;
    bool hasSystemThreads() const override { return false; }
    std::chrono::nanoseconds now() override;
    void chargeHost(driver::HostWork work) override;

  private:
    void serveInterrupts();
    void serveWork();
    void access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value);
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transportDebug(tlm::tlm_generic_payload& payload);
    void payFor(std::uint32_t costNs);
    bool directMemory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region);

    hw::HostCostConfig costs_;
    // A posted write must not wait, as its caller may hold a lock; the next call that may wait pays
    // for it.
    sc_core::sc_time owed_ = sc_core::SC_ZERO_TIME;
    BusMemory busMemory_;
    std::function<void()> interruptHandler_;
    std::deque<std::function<void()>> work_;
    sc_core::sc_event workArrived_;
    std::size_t idleWorkers_ = 0;
};

/// Stack of a simulated host thread. chosen: the compiler and doctest-sized frames fit several
/// times over.
inline constexpr std::size_t kHostStackBytes = std::size_t{2} << 20;

/// Time as the driver counts it.
std::chrono::nanoseconds toNanoseconds(const sc_core::sc_time& time);
sc_core::sc_time toScTime(std::chrono::nanoseconds time);

}  // namespace vnpu::sim
