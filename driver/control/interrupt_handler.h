// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "driver/api/fault_report.h"
#include "driver/control/driver_log.h"
#include "driver/control/job_tracker.h"
#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"
#include "driver/port/device_port.h"

namespace vnpu::driver {

/// What the driver does when the device raises its interrupt. Runs on the port's interrupt thread.
class InterruptHandler {
  public:
    struct Options {
        DevicePort& port;
        MailboxClient& mailbox;
        RingRegistry& rings;
        JobTracker& jobs;
        const DriverLog& log;
        std::function<void(const std::string& reason)> onFatal;
        std::function<void(const FaultReport& report)> onFault;
    };

    explicit InterruptHandler(Options options) : options_(std::move(options)) {}

    /// Serves and clears every pending interrupt.
    void handle();

    /// Ends the jobs whose records the rings hold. Any thread: a lost interrupt is made good this
    /// way.
    void collectCompletions();

  private:
    void logFault();
    void distrust(const JobCompletion& completion);

    const Options options_;
};

}  // namespace vnpu::driver
