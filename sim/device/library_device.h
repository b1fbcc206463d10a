// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/blocks/base/fault_injector.h"
#include "hw_model/blocks/device.h"
#include "hw_model/timing/npu_config.h"
#include "sim/bringup/bus_observer.h"
#include "sim/bringup/bus_tools.h"
#include "sim/config/faults.h"
#include "sim/device/vnpu_device.h"

/// A device of the C library with the host's side of its bus: forwards its DMA and its interrupt
/// line to the host's callbacks and shows all traffic to the observer. Simulation thread.
struct vnpu_device final : public sc_core::sc_module, private vnpu::hw::DeviceObserver {
  public:
    struct Options {
        vnpu::hw::NpuConfig config;
        std::vector<vnpu::sim::FaultPlan> faults;
        std::unique_ptr<vnpu::hw::ControllerProgram> program;
        vnpu_host host{};
        std::unique_ptr<vnpu::sim::BusTools> tools;  // must exist
    };

    SC_HAS_PROCESS(vnpu_device);
    vnpu_device(const sc_core::sc_module_name& name, Options options);
    ~vnpu_device() override;

    /// An access of the host; false if the device refuses it, when a read gives all ones.
    bool read(std::uint32_t offset, std::uint32_t& value);
    bool write(std::uint32_t offset, std::uint32_t value);
    /// Shows an access to the observer that cannot reach the device's bus.
    void reportMisaligned(std::uint32_t offset, bool isWrite, std::uint32_t value);

    std::uint64_t residentBytes() const { return residentBytes_; }
    /// The range lies in the resident memory.
    void moveResident(bool isWrite, std::uint64_t offset, void* data, std::uint64_t size);

    void unmap(std::uint64_t address, std::uint64_t size);
    /// The state as text.
    std::string stateText() const;
    void powerCycle();
    /// Nothing follows. Throws if the observer's file cannot be written.
    void finishObserver();
    std::uint64_t mistakes() const { return tools_->mistakes(); }
    /// Makes the device's results visible in the host's memory.
    void finishWork() { device_.finishWork(); }
    bool isInterruptDue() const { return device_.isInterruptDue(); }
    bool isLineHigh() const { return isLineHigh_; }

    /// The next rising edge of the line ends the present step of the simulation.
    void pauseAtInterrupt(bool pauses) { pausesAtInterrupt_ = pauses; }

    /// The host is not called any more; its memory answers with bus errors.
    void detach() { host_ = {}; }

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    void followLine();
    bool access(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t size);
    std::uint64_t deviceTime() const { return device_.localTime().value(); }

    void onFault(std::uint64_t cycle, vnpu::hw::Engine engine, vnpu::hw::JobStatus status,
                 std::string_view what) override;

    vnpu_host host_;
    const std::unique_ptr<vnpu::sim::BusTools> tools_;
    vnpu::sim::BusObserver* const observer_;  // one of the tools, or null
    const std::uint64_t residentBytes_;
    vnpu::hw::FaultInjector faults_;
    vnpu::hw::Device device_;
    tlm::tlm_fw_transport_if<>& bus_;  // the device's; can be used before the elaboration
    tlm_utils::simple_initiator_socket<vnpu_device> registers_;  // for SystemC's rules only
    tlm_utils::simple_target_socket<vnpu_device> memory_;
    sc_core::sc_signal<bool> line_;
    tlm::tlm_generic_payload payload_;  // of the host's accesses; building one takes longer
    bool isLineHigh_ = false;
    bool pausesAtInterrupt_ = false;
};
