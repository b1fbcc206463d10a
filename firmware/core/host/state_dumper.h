// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/api/state_dump.h"
#include "firmware/core/base/dispatched_commands.h"
#include "firmware/core/scheduling/ring_table.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Writes the state of engines and rings for the driver.
class StateDumper {
  public:
    StateDumper(hw::ControllerPort& port, const DispatchedCommands& commands,
                const RingTable& rings)
        : port_(port), commands_(commands), rings_(rings) {}

    /// The address for dumps of hung engines; 0: none.
    void setHangAddress(std::uint64_t busAddress) { hangAddress_ = busAddress; }

    /// Writes a dump on request; kBadAddress if it cannot be written.
    hw::JobStatus write(std::uint64_t busAddress, std::uint32_t runningRing);

    /// Writes a dump before the engines are stopped.
    void writeHang(std::uint32_t runningRing, std::uint32_t engine);

  private:
    StateDump makeDump(DumpReason reason, std::uint32_t runningRing, std::uint32_t engine);

    hw::ControllerPort& port_;
    const DispatchedCommands& commands_;
    const RingTable& rings_;
    std::uint64_t hangAddress_ = 0;
};

}  // namespace vnpu::fw
