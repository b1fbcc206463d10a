// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "driver/api/fault_report.h"
#include "driver/control/environment.h"
#include "driver/control/job_ring.h"

namespace vnpu::driver {

/// Serves the device's interrupts. Runs on the port's interrupt thread.
class InterruptHandler {
  public:
    /// Receives the faults that interrupts show.
    using FaultHandler = std::function<void(const FaultReport& report)>;

    InterruptHandler(const Environment& environment, FaultHandler onFault)
        : environment_(environment), onFault_(std::move(onFault)) {}

    /// Serves and clears every pending interrupt.
    void handle();

    /// Ends the jobs whose records the rings hold. Any thread; this also recovers from a lost
    /// interrupt.
    void collectCompletions();

  private:
    void logFault();
    void distrust(const JobCompletion& completion);

    const Environment& environment_;
    const FaultHandler onFault_;
};

}  // namespace vnpu::driver
