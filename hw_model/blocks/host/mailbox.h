// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw_model/blocks/host/interrupt_controller.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::hw {

class FaultInjector;

/// The mailbox between host and controller, one message of eight words in each direction. Inbound
/// words are writable while the box is empty, and then belong to the controller until it writes 0
/// to MAILBOX_IN_CONTROL. The outbound message is sent when its last word is written; sending
/// another one before the host has released the first replaces the first, so the controller must
/// check MAILBOX_OUT_CONTROL before. Simulation thread.
class Mailbox {
  public:
    Mailbox(InterruptController& interrupts, const DeviceClock& clock,
            FaultInjector* faults = nullptr)
        : interrupts_(interrupts), clock_(clock), faults_(faults) {}

    std::uint32_t readIn(std::uint32_t index) const { return in_[index]; }
    std::uint32_t readOut(std::uint32_t index) const { return out_[index]; }
    std::uint32_t readOutData(std::uint32_t index) const { return draft_[index]; }
    std::uint32_t readInControl() const {
        return regs::MailboxInControl::kFull.put(isInFull_ ? 1 : 0);
    }
    std::uint32_t readOutControl() const {
        return regs::MailboxOutControl::kFull.put(isOutFull_ ? 1 : 0);
    }

    /// Host: ignored while the box is full.
    void writeIn(std::uint32_t index, std::uint32_t value);
    void writeInControl(std::uint32_t value, bool isController);
    void writeOutControl(std::uint32_t value);
    void writeOutData(std::uint32_t index, std::uint32_t value);

    void reset();

  private:
    using Words = std::array<std::uint32_t, regs::kMailboxWords>;

    void spoil(Words& words);

    InterruptController& interrupts_;
    const DeviceClock& clock_;
    FaultInjector* faults_;
    Words in_{};
    Words out_{};
    Words draft_{};
    bool isInFull_ = false;
    bool isOutFull_ = false;
};

}  // namespace vnpu::hw
