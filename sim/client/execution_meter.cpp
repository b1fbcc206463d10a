// SPDX-License-Identifier: Apache-2.0
#include "sim/client/execution_meter.h"

#include <algorithm>
#include <utility>

namespace vnpu::sim {

namespace {

constexpr std::uint64_t kKhzNs = 1'000'000;  // nanoseconds of a cycle at 1 kHz

}  // namespace

void JobCycles::onEngineCommand(const hw::EngineCommandRecord& record) {
    begin_ = std::min(begin_, record.queuedCycle);
    end_ = std::max(end_, record.endCycle);
}

std::uint64_t JobCycles::take() {
    const std::uint64_t cycles = end_ > begin_ ? end_ - begin_ : 0;
    begin_ = UINT64_MAX;
    end_ = 0;
    return cycles;
}

void JobSpan::onFirmwareEvent(std::uint64_t cycle, std::string_view event,
                              std::uint64_t /*jobId*/) {
    if (event == "job-start") {
        start_ = cycle;
    } else if (event == "job-end") {
        span_ = cycle - start_;
    }
}

ExecutionMeter::ExecutionMeter(const hw::NpuConfig& config)
    : clockKhz_(config.clockKhz), levelsKhz_(hw::clockLevelsKhz(config)) {}

void ExecutionMeter::onEngineCommand(const hw::EngineCommandRecord& record) {
    engines_.onEngineCommand(record);
    activity_ += record.activity;
}

void ExecutionMeter::onControllerActivity(std::uint64_t /*cycle*/, const hw::Activity& activity) {
    activity_ += activity;
}

void ExecutionMeter::onFirmwareEvent(std::uint64_t cycle, std::string_view event,
                                     std::uint64_t jobId) {
    job_.onFirmwareEvent(cycle, event, jobId);
}

void ExecutionMeter::onPowerState(std::uint64_t cycle, hw::regs::PowerState state,
                                  std::uint32_t level) {
    spendTime(cycle * kKhzNs / clockKhz_);
    state_ = state;
    level_ = level;
}

void ExecutionMeter::spendTime(std::uint64_t nowNs) {
    const std::uint64_t now = std::max(nowNs, sinceNs_);
    const std::uint64_t spentNs = now - std::exchange(sinceNs_, now);
    if (state_ == hw::regs::PowerState::kSuspended) {
        activity_.asleepNs += spentNs;
        return;
    }
    activity_.awakeNs += spentNs;
    if (state_ == hw::regs::PowerState::kActive) {
        activity_.clockCycles += spentNs * levelsKhz_[level_] / kKhzNs;
    }
}

ExecutionMeter::Measure ExecutionMeter::take(std::chrono::nanoseconds now) {
    spendTime(static_cast<std::uint64_t>(now.count()));
    return {engines_.take(), job_.last(), std::exchange(activity_, {})};
}

}  // namespace vnpu::sim
