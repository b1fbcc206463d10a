// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/api/mailbox.h"
#include "firmware/core/base/interrupts.h"
#include "firmware/core/base/log_ring.h"
#include "firmware/core/host/context_table.h"
#include "firmware/core/host/outbox.h"
#include "firmware/core/host/power_manager.h"
#include "firmware/core/host/state_dumper.h"
#include "firmware/core/scheduling/ring_table.h"
#include "firmware/core/scheduling/scheduler.h"

namespace vnpu::fw {

/// Answers the driver's requests one at a time in order of arrival, also while a job runs. The
/// request to destroy that job's ring is answered after the job has ended.
class MailboxServer {
  public:
    struct Parts {
        hw::ControllerPort& port;
        Interrupts& interrupts;
        ContextTable& contexts;
        RingTable& rings;
        Outbox& outbox;
        LogRing& log;
        Scheduler& scheduler;
        PowerManager& power;
        StateDumper& dumper;
    };

    explicit MailboxServer(const Parts& parts) : parts_(parts) {}

    /// Sends the waiting reply and serves the next requests as far as possible now. Returns whether
    /// there was a request.
    bool service();

  private:
    bool takeRequest(Message& request);
    void answer(Message request);
    Message handle(const Message& request);
    MessageStatus handleRing(const Message& request);
    void send(const Message& reply);
    Message dump(const Message& request);
    void finishDestroy();

    Parts parts_;
    Message lastReply_{};                // repeated if it was corrupted in transit
    std::optional<Message> destroying_;  // a kDestroyRing whose ring still runs a job
};

}  // namespace vnpu::fw
