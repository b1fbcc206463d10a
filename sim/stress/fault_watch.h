// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/api/device.h"
#include "hw_model/blocks/base/fault_injector.h"

namespace vnpu::sim {

/// A report of the driver with its time.
struct SeenFault {
    std::chrono::nanoseconds time{};
    driver::FaultReport report;
};

/// The reaction to an injected fault.
struct FaultVerdict {
    bool isSettled = false;     // the verdict is final
    bool isDetected = false;    // the driver reported it
    bool isAttributed = false;  // reported with the right job, engine and status
    /// The promised outcome of the fault's kind: corrected, or without effect after the next event.
    bool isHarmless = false;
    std::optional<driver::FaultRemedy> remedy{};
    std::chrono::nanoseconds settledAt{};
};

/// Compares the driver's reports with the injected faults, and writes the story of the run, one
/// line per event. Simulation thread.
class FaultWatch : public driver::DriverObserver {
  public:
    struct Job {
        std::optional<driver::ErrorStatus> status;  // once it has ended
        std::chrono::nanoseconds submitted{}, ended{};
    };

    void onCallBegin(std::chrono::nanoseconds now, std::string_view call, std::uint64_t id,
                     std::uint32_t uid) override;
    void onCallEnd(std::chrono::nanoseconds now, std::uint64_t id,
                   driver::ErrorStatus status) override;
    void onJobSubmitted(std::chrono::nanoseconds now, std::uint64_t jobId, std::uint64_t callId,
                        const driver::CompiledModel& model) override;
    void onJobCompleted(std::chrono::nanoseconds now, std::uint64_t jobId,
                        driver::ErrorStatus status) override;
    void onFaultReport(std::chrono::nanoseconds now, const driver::FaultReport& report) override;

    /// Adds a line to the story.
    void tell(std::chrono::nanoseconds now, std::string_view what);
    const std::string& story() const { return story_; }

    const std::map<std::uint64_t, Job>& jobs() const { return jobs_; }

    /// The verdict on the fault at `now`. `begin` is the size of faults() before it was armed,
    /// `happened` its time.
    FaultVerdict judge(const hw::InjectedFault& fault, std::size_t begin,
                       std::chrono::nanoseconds happened, std::chrono::nanoseconds now) const;

    const std::vector<SeenFault>& faults() const { return faults_; }

    /// Jobs that failed and that no report names.
    std::vector<std::uint64_t> unexplainedJobs() const;

  private:
    FaultVerdict judgeJobFault(const hw::InjectedFault& fault, std::size_t begin) const;
    FaultVerdict judgeControllerHang(std::size_t begin, std::chrono::nanoseconds happened) const;
    const Job* ended(std::uint64_t jobId) const;

    std::vector<SeenFault> faults_;
    std::map<std::uint64_t, Job> jobs_;
    std::string story_;
};

}  // namespace vnpu::sim
