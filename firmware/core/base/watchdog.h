// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "firmware/core/base/local_memory.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Tells a slow engine from one that hangs: ENGINE_PROGRESS of an engine that works moves, however
/// long its command takes. Looks only when it is asked.
class Watchdog {
  public:
    explicit Watchdog(hw::ControllerPort& port) : port_(port) {}

    /// The driver's wish, 0 for the default; held within the firmware's bounds.
    void setBound(std::uint64_t cycles);

    /// A job begins: what was seen of the last one counts no more.
    void start() { since_.fill(0); }

    /// The engine that has stood still on a command for the bound, or kNone.
    std::uint32_t look();

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  private:
    hw::ControllerPort& port_;
    std::uint64_t boundCycles_ = 0;
    std::array<std::uint32_t, kCommandEngines> seen_{};   // ENGINE_PROGRESS
    std::array<std::uint64_t, kCommandEngines> since_{};  // when it was first seen; 0: not busy
};

}  // namespace vnpu::fw
