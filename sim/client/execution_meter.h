// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/timing/activity.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// Measures how long the device's engines worked on a job: from the first command that the
/// controller pushed to the end of the last command. Simulation thread.
class JobCycles : public hw::DeviceObserver {
  public:
    void onEngineCommand(const hw::EngineCommandRecord& record) override;

    /// Cycles from the start of the earliest to the end of the latest job since the previous call;
    /// 0 without a job.
    std::uint64_t take();

  private:
    std::uint64_t begin_ = UINT64_MAX;
    std::uint64_t end_ = 0;
};

/// Measures how long the controller worked on a job: from its start of the job to its end, which is
/// what the driver's estimate predicts. It includes the time for which a job was set aside.
/// Simulation thread.
class JobSpan : public hw::DeviceObserver {
  public:
    void onFirmwareEvent(std::uint64_t cycle, std::string_view event, std::uint64_t jobId) override;

    /// Cycles of the last job; 0 without one.
    std::uint64_t last() const { return span_; }

  private:
    std::uint64_t start_ = 0, span_ = 0;
};

/// Measures the device from one take() to the next: the time that its engines worked on jobs, and
/// all of its counters. The share of the controller is included once its program sleeps. Simulation
/// thread.
class ExecutionMeter : public hw::DeviceObserver {
  public:
    explicit ExecutionMeter(const hw::NpuConfig& config);

    void onEngineCommand(const hw::EngineCommandRecord& record) override;
    void onControllerActivity(std::uint64_t cycle, const hw::Activity& activity) override;
    void onFirmwareEvent(std::uint64_t cycle, std::string_view event, std::uint64_t jobId) override;
    void onPowerState(std::uint64_t cycle, hw::regs::PowerState state,
                      std::uint32_t level) override;

    struct Measure {
        std::uint64_t cycles = 0;     // JobCycles
        std::uint64_t jobCycles = 0;  // JobSpan
        hw::Activity activity;
    };
    /// `now` is device time and must not be before that of the previous call.
    Measure take(std::chrono::nanoseconds now);

  private:
    void spendTime(std::uint64_t nowNs);

    std::uint32_t clockKhz_;
    std::vector<std::uint32_t> levelsKhz_;
    JobCycles engines_;
    JobSpan job_;
    hw::Activity activity_;
    hw::regs::PowerState state_ = hw::regs::PowerState::kActive;
    std::uint32_t level_ = 0;
    std::uint64_t sinceNs_ = 0;
};

}  // namespace vnpu::sim
