// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/api/mailbox.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// The outbound mailbox with one message of its own waiting behind a full one.
class Outbox {
  public:
    explicit Outbox(hw::ControllerPort& port) : port_(port) {}

    /// Keeps a message for flush(); only while isWaiting() is false.
    void put(const Message& message);

    /// Whether a message still waits for the host to take the one before.
    bool isWaiting() const { return isWaiting_; }

    /// Hands the waiting message over if the host took the one before; true when nothing waits any
    /// more.
    bool flush();

  private:
    hw::ControllerPort& port_;
    Message message_{};
    bool isWaiting_ = false;
};

}  // namespace vnpu::fw
