// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw_model/blocks/host/interrupt_controller.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::hw {

/// One doorbell per job ring: the value last written, a pending bit, and the controller's
/// interrupt. Simulation thread.
class Doorbells {
  public:
    explicit Doorbells(InterruptController& interrupts) : interrupts_(interrupts) {}

    void ring(std::uint32_t index, std::uint32_t value) {
        values_[index] = value;
        pending_ |= 1U << index;
        interrupts_.raiseController(regs::ControllerIrqStatus::kDoorbell.mask());
    }

    std::uint32_t pending() const { return pending_; }
    void clearPending(std::uint32_t bits) { pending_ &= ~bits; }
    std::uint32_t value(std::uint32_t index) const { return values_[index]; }

    void reset() {
        values_.fill(0);
        pending_ = 0;
    }

  private:
    InterruptController& interrupts_;
    std::array<std::uint32_t, regs::kRingCount> values_{};
    std::uint32_t pending_ = 0;
};

}  // namespace vnpu::hw
