// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "driver/port/device_port.h"
#include "driver/result.h"
#include "driver/runtime/host_lock.h"
#include "firmware/api/mailbox.h"

namespace vnpu::driver {

/// The driver's end of the mailbox: one request at a time, each answered or given up after a while.
/// Any thread but the interrupt thread, which brings the replies.
class MailboxClient {
  public:
    explicit MailboxClient(DevicePort& port);

    /// Called, with no mutex held, when a reply does not come: the firmware has to be taken for
    /// dead. Set before the first request.
    void setSilenceHandler(std::function<void(const std::string& reason)> handler) {
        onSilence_ = std::move(handler);
    }

    /// Sends and waits for the reply. DEVICE_UNAVAILABLE when none comes or after shutDown();
    /// RESOURCE_EXHAUSTED_TRANSIENT or GENERAL_FAILURE when the firmware refuses.
    Result<fw::Message> request(fw::Message message);

    /// Waits for the message that ends the boot, kReady or kBootFailed.
    Result<fw::Message> waitForBoot(std::chrono::nanoseconds timeout);

    /// On the interrupt thread: takes the message that waits in the outbound mailbox.
    void onMessage();

    /// From now on every request fails at once; the one under way too.
    void shutDown();

  private:
    void send(const fw::Message& message);

    DevicePort& port_;
    HostLock turn_;  // held from request to reply
    const std::unique_ptr<HostEvent> arrival_;
    std::mutex mutex_;            // guards expected_ and arrived_; rank 80
    std::uint32_t expected_ = 0;  // id of the request under way; 0: none, or the boot message
    std::optional<fw::Message> arrived_;
    std::uint32_t lastId_ = 0;  // guarded by turn_
    std::function<void(const std::string&)> onSilence_;
    std::atomic<bool> isShutDown_{false};
};

}  // namespace vnpu::driver
