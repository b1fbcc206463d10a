// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "driver/api/fault_report.h"
#include "driver/control/host_lock.h"
#include "driver/control/setup_journal.h"
#include "driver/port/device_port.h"
#include "driver/port/mutex.h"
#include "driver/result.h"
#include "firmware/api/mailbox.h"

namespace vnpu::driver {

/// The driver's end of the mailbox: one request at a time. A corrupted message is sent again. A
/// request during a recovery waits and then goes to the new firmware. Any thread but the interrupt
/// thread, which delivers the replies.
class MailboxClient {
  public:
    /// `onFault` receives kMailboxSilence (the firmware does not reply and counts as dead, so the
    /// handler must call pause() or shutDown()), kCorruptMessage and kLostInterrupt, with no mutex
    /// held.
    MailboxClient(DevicePort& port, std::function<void(const FaultReport&)> onFault);

    /// Sends and waits for the reply. DEVICE_UNAVAILABLE after shutDown();
    /// RESOURCE_EXHAUSTED_TRANSIENT or GENERAL_FAILURE when the firmware refuses.
    Result<fw::Message> request(fw::Message message);

    /// Waits for the message that ends the boot, kReady or kBootFailed.
    Result<fw::Message> waitForBoot(std::chrono::nanoseconds timeout);

    /// Takes the message in the outbound mailbox, if there is one. Called by the interrupt thread,
    /// or by a thread that found a lost interrupt.
    void onMessage();

    /// From now on requests wait, including the present one. Any thread, the interrupt thread
    /// included.
    void pause();
    /// For the thread that recovers the device, between pause() and resume(): takeOver() waits for
    /// exclusive use of the mailbox, expectBoot() prepares it for the next boot, replay() repeats
    /// the set-up messages.
    void takeOver();
    void expectBoot();
    Result<void> replay();
    void resume();

    /// From now on every request fails at once, including present ones.
    void shutDown();

    /// Number of answered requests, without those of replay().
    std::uint64_t answered() const { return answered_; }
    /// Device time of the last answer; 0 before the first.
    std::chrono::nanoseconds lastAnswer() const { return lastAnswer_; }

  private:
    Result<fw::Message> exchange(fw::Message message);
    /// Sends once. Nothing if no reply came; a message of type kNone if the reply was corrupted.
    std::optional<fw::Message> tryExchange(const fw::Message& message);
    bool awaitArrival(std::chrono::nanoseconds timeout);
    bool hasMessage();

    DevicePort& port_;
    const std::function<void(const FaultReport&)> onFault_;
    HostLock turn_;     // held from request to reply, and during a recovery
    HostLock reading_;  // held while a message is taken out of the mailbox
    const std::unique_ptr<HostEvent> arrival_;
    const std::unique_ptr<HostEvent> usable_;  // set but between pause() and resume()
    Mutex mutex_ VNPU_LOCK_RANK(80);
    std::uint32_t expected_ VNPU_GUARDED_BY(mutex_) =
            0;  // id of the present request; 0: none, or the boot message
    std::optional<fw::Message> arrived_ VNPU_GUARDED_BY(mutex_);
    std::uint32_t lastId_ = 0;  // guarded by turn_
    SetupJournal journal_;      // guarded by turn_
    std::atomic<std::uint64_t> answered_{0};
    std::atomic<std::chrono::nanoseconds> lastAnswer_{};
    std::atomic<bool> isPaused_{false};
    std::atomic<bool> isTakenOver_{false};
    std::atomic<bool> isShutDown_{false};
};

}  // namespace vnpu::driver
