// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "firmware/core/base/local_memory.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// Distinguishes a slow engine from one that hangs: ENGINE_PROGRESS of a working engine changes,
/// however long its command takes. Checks only when called.
class Watchdog {
  public:
    explicit Watchdog(hw::ControllerPort& port) : port_(port) {}

    /// The driver's value, 0 for the default; limited to the firmware's bounds.
    void setBound(std::uint64_t cycles);

    /// Called when a job begins; discards the observations of the last one.
    void start() { since_.fill(0); }

    /// An engine whose command has made no progress for the bound, or kNone.
    std::uint32_t look();

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  private:
    hw::ControllerPort& port_;
    std::uint64_t boundCycles_ = 0;
    std::array<std::uint32_t, kCommandEngines> seen_{};   // ENGINE_PROGRESS
    std::array<std::uint64_t, kCommandEngines> since_{};  // when it was first seen; 0: not busy
};

}  // namespace vnpu::fw
