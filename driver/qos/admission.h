// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "driver/api/driver_counters.h"
#include "driver/control/patience.h"
#include "driver/qos/deadline.h"
#include "driver/qos/device_forecast.h"
#include "driver/qos/refusal_ledger.h"
#include "driver/result.h"

namespace vnpu::driver {

class Admission;

/// Decides by forecast whether an execution can meet its deadline, before it starts and for as long
/// as it is under way. Any thread but the interrupt thread.
class AdmissionControl {
  public:
    struct Request {
        const void* model = nullptr;  // a name only
        std::uint32_t uid = 0;
        std::uint32_t halPriority = 0;
        std::chrono::nanoseconds service{};  // on the device, 0: unknown
        std::chrono::nanoseconds ready{};    // until a sleeping device, or its clock, is ready
        std::chrono::nanoseconds yield{};
        Deadline deadline;
        std::uint64_t callId = 0;
    };
    /// DriverOptions::insists
    using Insistence = std::function<bool(std::uint64_t callId)>;

    AdmissionControl(DevicePort& port, LiveCounters& counters, const SchedulingOptions& options,
                     Insistence insists = {})
        : port_(port), counters_(counters), forecast_(options), insists_(std::move(insists)) {}

    /// MISSED_DEADLINE_PERSISTENT if an idle device could not make it, _TRANSIENT if this one with
    /// its other jobs cannot.
    Result<std::unique_ptr<Admission>> admit(const Request& request);

  private:
    friend class Admission;

    /// What the forecast has to know of it.
    DeviceForecast::Job jobOf(const Request& request) const;
    void end(const Admission& admission);

    DevicePort& port_;
    LiveCounters& counters_;
    DeviceForecast forecast_;
    const Insistence insists_;
    mutable std::mutex mutex_;                          // guards what follows; rank 70
    std::optional<std::chrono::nanoseconds> overhead_;  // seen of executions that were alone
    RefusalLedger refusals_;
};

/// An execution that is counted on, until the end of this.
class Admission {
  public:
    /// One that may be stopped for its deadline, or not.
    Admission(AdmissionControl& control, const AdmissionControl::Request& request,
              bool mayBeStopped = true);
    ~Admission();
    Admission(const Admission&) = delete;
    Admission& operator=(const Admission&) = delete;

    /// How long the execution may go on unasked; nothing from when it cannot meet its deadline any
    /// more. Empty where there is no deadline or it may not be stopped.
    Patience patience();

    /// Whether patience has ended, and what to tell the caller then.
    bool isGivenUp() const { return isGivenUp_; }
    tl::unexpected<Error> missed() const;

    /// It has ended well after so long on the device.
    void succeed(std::chrono::nanoseconds onDevice) { onDevice_ = onDevice; }

  private:
    friend class AdmissionControl;

    std::optional<std::chrono::nanoseconds> ask();

    AdmissionControl& control_;
    const AdmissionControl::Request request_;
    const std::chrono::nanoseconds begin_;
    const std::uint64_t id_;
    const bool mayBeStopped_;
    bool isGivenUp_ = false;
    std::optional<std::chrono::nanoseconds> onDevice_;
};

}  // namespace vnpu::driver
