// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>

#include <cstdint>
#include <string>

#include "sim/qemu/card.h"

namespace vnpu::sim {

/// Interrupts by QEMU's qtest protocol, a line of text for each. QEMU reads them when it does not
/// wait for the device, so they are queued and never waited for. One thread.
class QtestWires : public InterruptWires {
  public:
    /// `socket` is connected to QEMU's qtest server.
    explicit QtestWires(android::base::unique_fd socket);

    void setInput(std::uint32_t input, bool isHigh) override;
    void sendMessage(std::uint64_t address, std::uint32_t data) override;

    int socket() const { return socket_.get(); }
    bool hasUnsent() const { return !unsent_.empty(); }
    bool isClosed() const { return isClosed_; }
    /// Sends what QEMU takes, and reads its answers; throws std::runtime_error if QEMU reports an
    /// error or takes nothing.
    void exchange();

  private:
    void send(const std::string& line);

    android::base::unique_fd socket_;
    std::string unsent_;
    std::string answer_;  // the line that arrives
    bool isClosed_ = false;
};

}  // namespace vnpu::sim
