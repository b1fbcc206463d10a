// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/api/mailbox.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// The outbound mailbox, and one message that waits while the mailbox is full.
class Outbox {
  public:
    explicit Outbox(hw::ControllerPort& port) : port_(port) {}

    /// Keeps a message for flush(); only while isWaiting() is false.
    void put(const Message& message);

    /// Whether a message still waits for the host to read the one before.
    bool isWaiting() const { return isWaiting_; }

    /// Writes the waiting message to the mailbox if the host has read the one before; true if none
    /// waits afterwards.
    bool flush();

  private:
    hw::ControllerPort& port_;
    Message message_{};
    bool isWaiting_ = false;
};

}  // namespace vnpu::fw
