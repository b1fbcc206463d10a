// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "hw_model/regs/status.h"

namespace vnpu::hw {

/// The controller program's interface to the hardware. The modeled controller implements it with
/// simulated time; a bare-metal build would implement it with loads, stores and a
/// wait-for-interrupt instruction. Called only from the controller's thread.
class ControllerPort {
  public:
    virtual ~ControllerPort() = default;

    /// Registers of the device, host-visible and controller-only (register_map.h). One access costs
    /// bus cycles.
    virtual std::uint32_t read32(std::uint32_t offset) = 0;
    virtual void write32(std::uint32_t offset, std::uint32_t value) = 0;

    /// Reads or writes system memory by bus address (context kPhysical) or by virtual address of an
    /// MMU context. Returns kOk, kMmuFault or kBusError; on a fault the destination is undefined.
    /// Costs latency and bandwidth.
    virtual JobStatus readMemory(std::uint32_t context, std::uint64_t address,
                                 std::span<std::byte> destination) = 0;
    virtual JobStatus writeMemory(std::uint32_t context, std::uint64_t address,
                                  std::span<const std::byte> source) = 0;

    /// The controller's tightly coupled memory; engines fetch their commands from it.
    virtual std::span<std::byte> localMemory() = 0;

    /// Charges `cycles` of the controller's clock for preceding program steps.
    virtual void charge(std::uint32_t cycles) = 0;

    /// Sleeps until an enabled controller interrupt is pending (CONTROLLER_IRQ_STATUS) or, if
    /// timeoutCycles is not 0, until that many device cycles have passed.
    virtual void waitForInterrupt(std::uint64_t timeoutCycles) = 0;

    /// Emits a mark for timelines ("job 12 start"); has no cost and no effect on the device.
    virtual void trace(std::string_view event, std::uint64_t jobId) = 0;

    static constexpr std::uint32_t kPhysical = 0xFFFFFFFF;
};

/// A program for the controller. run() is called at every boot and returns after CONTROL.RESET.
class ControllerProgram {
  public:
    virtual ~ControllerProgram() = default;
    virtual void run(ControllerPort& port) = 0;
};

}  // namespace vnpu::hw
