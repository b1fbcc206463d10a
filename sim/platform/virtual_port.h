// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <systemc>

#include "driver/port/device_port.h"
#include "hw_model/timing/npu_config.h"
#include "sim/platform/host_bus.h"

namespace vnpu::sim {

/// The device port in virtual time, and the memory that the device sees. Host threads are SystemC
/// threads, so a wait lets simulated time pass for all. Runs on the one operating system thread of
/// the simulation.
class VirtualPort : public HostBus {
  public:
    VirtualPort(const sc_core::sc_module_name& name, const hw::NpuConfig& config);
    ~VirtualPort() override;

    std::uint32_t read32(std::uint32_t offset) override;
    void write32(std::uint32_t offset, std::uint32_t value) override;
    void setInterruptHandler(std::function<void()> handler) override;
    std::unique_ptr<driver::HostEvent> createEvent() override;
    [[nodiscard]] driver::Result<void> post(std::function<void()> work) override;
    bool hasSystemThreads() const override { return false; }
    std::chrono::nanoseconds now() override;
    void chargeHost(driver::HostWork work) override;

    /// sc_core::wait for host software. On return, memory holds everything that the device has
    /// written so far, and memory that the device has read so far may be overwritten.
    template <typename... Arguments>
    void wait(const Arguments&... arguments) {
        sc_core::wait(arguments...);
        device().finishWork();
    }

  private:
    void serveInterrupts();
    void serveWork();
    void payFor(std::uint32_t costNs);

    hw::HostCostConfig costs_;
    // A posted write must not wait, because its caller may hold a lock; the next call that may wait
    // is charged for it.
    sc_core::sc_time owed_ = sc_core::SC_ZERO_TIME;
    std::function<void()> interruptHandler_;
    std::deque<std::function<void()>> work_;
    sc_core::sc_event workArrived_;
    std::size_t idleWorkers_ = 0;
};

/// Starts a simulated host thread.
sc_core::sc_process_handle spawnHostThread(std::function<void()> body, const char* name);

}  // namespace vnpu::sim
