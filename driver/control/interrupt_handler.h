// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "driver/api/fault_report.h"
#include "driver/control/environment.h"
#include "driver/control/job_tracker.h"
#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"

namespace vnpu::driver {

/// Serves the device's interrupts. Runs on the port's interrupt thread.
class InterruptHandler {
  public:
    struct Options {
        const Environment& environment;
        MailboxClient& mailbox;
        RingRegistry& rings;
        JobTracker& jobs;
        std::function<void(const std::string& reason)> onFatal;
        std::function<void(const FaultReport& report)> onFault;
    };

    explicit InterruptHandler(Options options) : options_(std::move(options)) {}

    /// Serves and clears every pending interrupt.
    void handle();

    /// Ends the jobs whose records the rings hold. Any thread; this also recovers from a lost
    /// interrupt.
    void collectCompletions();

  private:
    void logFault();
    void distrust(const JobCompletion& completion);

    const Options options_;
};

}  // namespace vnpu::driver
