// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/core/base/register_io.h"

namespace vnpu::fw {

/// The controller's interrupts. poll() moves the latched interrupts into a word of memory, so that
/// one that cannot be served yet never keeps the controller awake. None is lost: an interrupt
/// between poll() and sleep() is still latched and ends the sleep at once.
class Interrupts {
  public:
    explicit Interrupts(hw::ControllerPort& port) : port_(port) {}

    /// Reads and clears the interrupts that the hardware has latched.
    void poll();

    /// Whether the interrupt of `field` has occurred since this was last called for it.
    bool take(const regs::FieldSpec& field);

    /// The same, without clearing it.
    bool isPending(const regs::FieldSpec& field) const { return (pending_ & field.mask()) != 0; }

    bool isReset() const { return isPending(regs::ControllerIrqStatus::kReset); }

    /// Sleeps until any interrupt is latched or `timeoutCycles` (if not 0) have passed.
    void sleep(std::uint64_t timeoutCycles) { port_.waitForInterrupt(timeoutCycles); }

  private:
    hw::ControllerPort& port_;
    std::uint32_t pending_ = 0;
};

}  // namespace vnpu::fw
