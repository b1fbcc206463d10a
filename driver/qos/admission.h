// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "driver/control/environment.h"
#include "driver/control/wait_budget.h"
#include "driver/port/mutex.h"
#include "driver/qos/deadline.h"
#include "driver/qos/device_forecast.h"
#include "driver/qos/refusal_ledger.h"
#include "driver/result.h"

namespace vnpu::driver {

class Admission;

/// Decides by a forecast whether an execution can meet its deadline, before its start and while it
/// runs. Any thread but the interrupt thread.
class AdmissionControl {
  public:
    struct Request {
        const void* model = nullptr;       // an identity only
        DeviceForecast::Job job;           // without the overhead; service 0: unknown
        std::chrono::nanoseconds begin{};  // of the call, or its last fence
        std::chrono::nanoseconds ready{};  // until a sleeping device, or its clock, is ready
        std::uint64_t callId = 0;
    };

    explicit AdmissionControl(const Environment& environment)
        : environment_(environment),
          forecast_(environment.options.scheduling, environment.info.clockHz) {}

    /// Judges by these scheduling options from now on.
    void setScheduling(const SchedulingOptions& options) { forecast_.setOptions(options); }

    /// MISSED_DEADLINE_PERSISTENT if the execution would be late on an idle device even without the
    /// time since its beginning, _TRANSIENT if it would be late because of that or of other jobs.
    Result<std::unique_ptr<Admission>> admit(const Request& request);

  private:
    friend class Admission;

    DeviceForecast::Job jobOf(const Request& request) const;
    void end(const Admission& admission);

    const Environment& environment_;
    DeviceForecast forecast_;
    mutable Mutex mutex_ VNPU_LOCK_RANK(70);
    std::optional<std::chrono::nanoseconds> overhead_
            VNPU_GUARDED_BY(mutex_);  // observed with executions that met no other
    RefusalLedger refusals_ VNPU_GUARDED_BY(mutex_);
};

/// An accepted execution, part of the forecast for as long as this object lives.
class Admission {
  public:
    /// `mayBeStopped`: for its deadline.
    Admission(AdmissionControl& control, const AdmissionControl::Request& request,
              bool mayBeStopped = true);
    ~Admission();
    Admission(const Admission&) = delete;
    Admission& operator=(const Admission&) = delete;

    /// The time until the forecast is to be asked again; ends when the execution can no longer meet
    /// its deadline. Empty if there is no deadline or the execution may not be stopped.
    WaitBudget waitBudget();

    /// Whether the wait budget has ended, and the caller's error in that case.
    bool isGivenUp() const { return isGivenUp_; }
    tl::unexpected<Error> missed() const;

    /// The execution succeeded after this time on the device.
    void succeed(std::chrono::nanoseconds onDevice) { onDevice_ = onDevice; }

  private:
    friend class AdmissionControl;

    std::optional<std::chrono::nanoseconds> timeToNextLook();

    AdmissionControl& control_;
    const AdmissionControl::Request request_;
    const std::chrono::nanoseconds begin_;
    const std::uint64_t id_;
    const bool mayBeStopped_;
    bool isGivenUp_ = false;
    std::optional<std::chrono::nanoseconds> onDevice_;
};

}  // namespace vnpu::driver
