// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/compiler/ir/time_shares.h"
#include "hw_model/regs/engines.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/timing/activity.h"
#include "sim/trace/events.h"

namespace vnpu::sim {

/// Sums over commands.
struct CommandTotals {
    std::uint64_t commands = 0;
    std::uint64_t tokenStallCycles = 0;
    std::uint64_t sramStallCycles = 0;
    std::uint64_t dramStallCycles = 0;
    std::uint64_t dramBytes = 0;
    std::uint64_t sramBytes = 0;

    CommandTotals& operator+=(const CommandTotals& more);
};

/// Sums over the commands of one engine.
struct EngineTotals : CommandTotals {
    std::uint64_t busyCycles = 0;
    std::uint64_t operations = 0;  // multiply-accumulates or vector elements
    std::uint32_t maxQueueDepth = 0;
    std::uint64_t mmuMisses = 0;
};

/// Sums over all executions of one model operation.
struct OperationTotals : CommandTotals {
    std::uint64_t cycles = 0;  // its share of the jobs' time; see time_shares.h
    std::uint64_t macs = 0;
    std::uint64_t macBusyCycles = 0;
    std::uint64_t vectorBusyCycles = 0;
    std::uint64_t dmaBusyCycles = 0;
    hw::Activity activity;
};

/// One job from submission to completion. Times in ns of device time; start and finish are the
/// engines' first and last work.
struct JobStatistics : JobInfo {
    std::uint64_t startNs = 0;
    std::uint64_t finishNs = 0;
    std::uint64_t completeNs = 0;
    std::uint64_t deviceCycles = 0;  // from start to finish
    std::string status{};            // empty if it never completed

    /// The driver's estimate of deviceCycles on an idle device.
    std::uint64_t estimateCycles() const { return model ? model->estimatedDeviceCycles() : 0; }
};

/// Sums over a client's jobs, by operation.
struct ClientTotals {
    std::uint64_t jobs = 0;  // with at least one engine command, completed
    std::uint64_t jobCycles = 0;
    hw::Activity activity;          // of the engines for these jobs; saving and restoring them, too
    std::uint64_t otherCycles = 0;  // of the jobs' time, for commands without an operation
    std::shared_ptr<const ModelInfo> model;
    std::vector<OperationTotals> operations;
};

/// Counts of the host's side of a run.
struct HostTotals {
    std::uint64_t copiedBytes = 0;
    std::uint64_t lastCopyNs = 0;  // 0: there was none
    std::uint64_t logLines = 0;
    std::uint64_t faults = 0;
    std::uint64_t interrupts = 0;
    std::uint64_t reads = 0;  // of registers
    std::uint64_t writes = 0;
    std::uint64_t controllerAccesses = 0;  // to registers, by the firmware
};

/// The time in each state of the clock domain since power-on.
struct PowerTotals {
    std::array<std::uint64_t, hw::regs::kPowerStateCount> stateNs{};
    std::array<std::uint64_t, hw::regs::kClockLevelCount> levelNs{};  // of the active time
    std::uint64_t wakes = 0;
    std::uint64_t switches = 0;
};

/// The sink for reports: sums per engine, per client and operation, and one record per job.
/// Commands of neighboring layers overlap; driver::timeShares divides a job's time among them.
class Statistics : public EventSink {
  public:
    void onStart(const hw::NpuConfig& config, const std::vector<ClientInfo>& clients) override;
    void onCallBegin(const CallEvent& event) override;
    void onJobSubmitted(const JobInfo& job) override;
    void onJobCompleted(const JobInfo& job, std::uint64_t timeNs, std::string_view status) override;
    void onHostCopy(std::uint64_t timeNs, std::uint64_t bytes) override;
    void onLog(std::uint64_t timeNs, std::string_view line) override;
    void onEngineCommand(const EngineEvent& event) override;
    void onRegisterAccess(std::uint64_t timeNs, bool write, bool fromController,
                          std::uint32_t offset, std::uint32_t value) override;
    void onInterruptLine(std::uint64_t timeNs, bool level) override;
    void onFirmwareEvent(std::uint64_t timeNs, std::string_view event, const JobInfo* job) override;
    void onMmuMiss(std::uint64_t timeNs, hw::Engine engine, std::uint64_t virtualAddress) override;
    void onFault(std::uint64_t timeNs, hw::Engine engine, hw::JobStatus status,
                 std::string_view what) override;
    void onQueueDepth(std::uint64_t timeNs, hw::Engine engine, std::uint32_t commands) override;
    void onPowerState(std::uint64_t timeNs, hw::regs::PowerState state,
                      std::uint32_t level) override;
    void onControllerActivity(std::uint64_t timeNs, const hw::Activity& activity) override;
    void onEnd(std::uint64_t timeNs) override;

    struct LogLine {
        std::uint64_t timeNs = 0;
        std::string text;
    };

    const std::vector<ClientInfo>& clientInfos() const { return infos_; }
    const std::array<EngineTotals, hw::kEngineCount>& engines() const { return engines_; }
    const std::vector<ClientTotals>& clients() const { return clients_; }
    const std::vector<JobStatistics>& jobs() const { return jobs_; }  // in order of submission
    /// The first job of each frame, by client and frame number.
    std::map<std::pair<std::uint32_t, std::uint64_t>, const JobStatistics*> jobsByFrame() const;
    /// The times from each decision to preempt until the running job is saved or stopped, in that
    /// order.
    const std::vector<std::uint64_t>& preemptionsNs() const { return preemptionsNs_; }
    const std::map<std::string, std::uint64_t>& calls() const { return calls_; }
    const std::vector<LogLine>& log() const { return log_; }        // the first kMaxLines
    const std::vector<LogLine>& faults() const { return faults_; }  // the first kMaxLines
    const HostTotals& host() const { return host_; }
    const PowerTotals& power() const { return power_; }
    /// The activity of the device since power-on; times and clock cycles are known after the end.
    const hw::Activity& activity() const { return activity_; }

    /// chosen: as many as a person reads; all are counted
    static constexpr std::size_t kMaxLines = 1000;

  private:
    struct RunningJob {
        std::size_t index = 0;  // in jobs_
        std::uint64_t firstCycle = UINT64_MAX;
        std::uint64_t lastCycle = 0;
        hw::Activity activity;
        std::vector<OperationTotals> operations;
        std::vector<driver::EngineSpan> spans;  // of all commands
    };

    void countPower();
    void close(RunningJob& running, const JobInfo& job);

    std::vector<ClientInfo> infos_;
    std::array<EngineTotals, hw::kEngineCount> engines_{};
    std::vector<ClientTotals> clients_;
    std::vector<JobStatistics> jobs_;
    std::map<std::uint64_t, RunningJob> running_;
    std::optional<std::uint64_t> preemptRequestNs_;  // not answered yet
    std::vector<std::uint64_t> preemptionsNs_;
    std::map<std::string, std::uint64_t> calls_;
    std::vector<LogLine> log_;
    std::vector<LogLine> faults_;
    HostTotals host_;
    PowerTotals power_;
    hw::Activity activity_;
    std::vector<std::uint32_t> levelsKhz_;
    hw::regs::PowerState powerState_ = hw::regs::PowerState::kActive;
    std::uint32_t clockLevel_ = 0;
    std::uint64_t powerSinceNs_ = 0;
};

}  // namespace vnpu::sim
