// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace vnpu::sim {

namespace {

CommandTotals totalsOf(const hw::EngineCommandRecord& record) {
    return {.commands = 1,
            .tokenStallCycles = record.tokenStallCycles,
            .sramStallCycles = record.sramStallCycles,
            .dramStallCycles = record.dramStallCycles,
            .dramBytes = record.dramBytes,
            .sramBytes = record.sramBytes};
}

void add(OperationTotals& sum, const OperationTotals& more) {
    sum += more;
    sum.cycles += more.cycles;
    sum.macs += more.macs;
    sum.macBusyCycles += more.macBusyCycles;
    sum.vectorBusyCycles += more.vectorBusyCycles;
    sum.dmaBusyCycles += more.dmaBusyCycles;
    sum.activity += more.activity;
}

void add(OperationTotals& sum, const hw::EngineCommandRecord& record) {
    sum += totalsOf(record);
    if (record.engine == hw::Engine::kMac) {
        sum.macs += record.operations;
        sum.macBusyCycles += record.busyCycles;
    } else if (record.engine == hw::Engine::kVector) {
        sum.vectorBusyCycles += record.busyCycles;
    } else if (hw::isDma(record.engine)) {
        sum.dmaBusyCycles += record.busyCycles;
    }
    sum.activity += record.activity;
}

void add(EngineTotals& sum, const hw::EngineCommandRecord& record) {
    sum += totalsOf(record);
    sum.busyCycles += record.busyCycles;
    sum.operations += record.operations;
}

}  // namespace

CommandTotals& CommandTotals::operator+=(const CommandTotals& more) {
    commands += more.commands;
    tokenStallCycles += more.tokenStallCycles;
    sramStallCycles += more.sramStallCycles;
    dramStallCycles += more.dramStallCycles;
    dramBytes += more.dramBytes;
    sramBytes += more.sramBytes;
    return *this;
}

void Statistics::onStart(const hw::NpuConfig& config, const std::vector<ClientInfo>& clients) {
    infos_ = clients;
    levelsKhz_ = hw::clockLevelsKhz(config);
    clients_.resize(clients.size());
}

void Statistics::onCallBegin(const CallEvent& event) {
    ++calls_[event.method];
}

void Statistics::onJobSubmitted(const JobInfo& job) {
    RunningJob& running = running_[job.jobId] = {};
    running.index = jobs_.size();
    running.operations.resize(job.model->operations.size());
    jobs_.push_back({job});
}

void Statistics::onEngineCommand(const EngineEvent& event) {
    const hw::EngineCommandRecord& record = event.record;
    add(engines_[hw::engineIndex(record.engine)], record);
    activity_ += record.activity;
    const auto found = running_.find(record.jobId);
    if (found == running_.end()) {
        return;
    }
    RunningJob& running = found->second;
    running.activity += record.activity;
    JobStatistics& job = jobs_[running.index];
    if (record.startCycle < running.firstCycle) {
        running.firstCycle = record.startCycle;
        job.startNs = event.startNs;
    }
    if (record.endCycle >= running.lastCycle) {
        running.lastCycle = record.endCycle;
        job.finishNs = event.endNs;
    }
    running.spans.push_back({record.engine, record.operation, record.startCycle, record.endCycle});
    if (record.operation < running.operations.size()) {
        add(running.operations[record.operation], record);
    }
}

void Statistics::close(RunningJob& running, const JobInfo& job) {
    jobs_[running.index].deviceCycles = running.lastCycle - running.firstCycle;
    if (job.client >= clients_.size()) {
        return;
    }
    ClientTotals& client = clients_[job.client];
    client.model = job.model;
    client.operations.resize(std::max(client.operations.size(), running.operations.size()));
    const std::vector<std::uint64_t> cycles =
            driver::timeShares(std::move(running.spans), running.operations.size(),
                               running.firstCycle, running.lastCycle);
    for (std::size_t i = 0; i < running.operations.size(); ++i) {
        running.operations[i].cycles = cycles[i];
        add(client.operations[i], running.operations[i]);
    }
    ++client.jobs;
    client.jobCycles += running.lastCycle - running.firstCycle;
    client.activity += running.activity;
    client.otherCycles += cycles.back();
}

void Statistics::onJobCompleted(const JobInfo& job, std::uint64_t timeNs, std::string_view status) {
    const auto found = running_.find(job.jobId);
    if (found == running_.end()) {
        return;
    }
    JobStatistics& statistics = jobs_[found->second.index];
    statistics.completeNs = timeNs;
    statistics.status = status;
    statistics.costs = job.costs;
    if (found->second.firstCycle != UINT64_MAX) {
        close(found->second, job);
    }
    running_.erase(found);
}

std::map<std::pair<std::uint32_t, std::uint64_t>, const JobStatistics*> Statistics::jobsByFrame()
        const {
    std::map<std::pair<std::uint32_t, std::uint64_t>, const JobStatistics*> jobs;
    for (const JobStatistics& job : jobs_) {
        if (job.client != kNoClient && job.frame != kNoFrame) {
            jobs.emplace(std::pair(job.client, job.frame), &job);
        }
    }
    return jobs;
}

void Statistics::onHostCopy(std::uint64_t timeNs, std::uint64_t bytes) {
    host_.copiedBytes += bytes;
    host_.lastCopyNs = timeNs;
}

void Statistics::onLog(std::uint64_t timeNs, std::string_view line) {
    ++host_.logLines;
    if (log_.size() < kMaxLines) {
        log_.push_back({timeNs, std::string(line)});
    }
}

void Statistics::onRegisterAccess(std::uint64_t /*timeNs*/, bool write, bool fromController,
                                  std::uint32_t /*offset*/, std::uint32_t /*value*/) {
    ++(fromController ? host_.controllerAccesses : write ? host_.writes : host_.reads);
}

void Statistics::onInterruptLine(std::uint64_t /*timeNs*/, bool level) {
    host_.interrupts += level ? 1 : 0;
}

void Statistics::onFirmwareEvent(std::uint64_t timeNs, std::string_view event,
                                 const JobInfo* /*job*/) {
    if (event == "preempt-request") {
        preemptRequestNs_ = timeNs;
    } else if ((event == "preempted" || event == "stopped") && preemptRequestNs_) {
        preemptionsNs_.push_back(timeNs - *preemptRequestNs_);
        preemptRequestNs_.reset();
    } else if (event == "job-end") {
        preemptRequestNs_.reset();  // the job ended before it was saved
    }
}

void Statistics::onMmuMiss(std::uint64_t /*timeNs*/, hw::Engine engine,
                           std::uint64_t /*virtualAddress*/) {
    ++engines_[hw::engineIndex(engine)].mmuMisses;
}

void Statistics::onFault(std::uint64_t timeNs, hw::Engine engine, hw::JobStatus status,
                         std::string_view what) {
    ++host_.faults;
    if (faults_.size() < kMaxLines) {
        faults_.push_back({timeNs, fmt::format("{}: {}: {}", hw::engineName(engine),
                                               hw::jobStatusName(status), what)});
    }
}

void Statistics::onQueueDepth(std::uint64_t /*timeNs*/, hw::Engine engine, std::uint32_t commands) {
    std::uint32_t& most = engines_[hw::engineIndex(engine)].maxQueueDepth;
    most = std::max(most, commands);
}

void Statistics::onPowerState(std::uint64_t timeNs, hw::regs::PowerState state,
                              std::uint32_t level) {
    using hw::regs::PowerState;
    const std::uint64_t spentNs = timeNs - std::exchange(powerSinceNs_, timeNs);
    power_.stateNs[static_cast<std::size_t>(powerState_)] += spentNs;
    if (powerState_ == PowerState::kActive) {
        power_.levelNs[clockLevel_] += spentNs;
    }
    power_.wakes += state == PowerState::kResuming && powerState_ != state ? 1 : 0;
    power_.switches += state == PowerState::kSwitching && powerState_ != state ? 1 : 0;
    powerState_ = state;
    clockLevel_ = level;
}

void Statistics::onControllerActivity(std::uint64_t /*timeNs*/, const hw::Activity& activity) {
    activity_ += activity;
}

void Statistics::countPower() {
    const std::uint64_t asleepNs =
            power_.stateNs[static_cast<std::size_t>(hw::regs::PowerState::kSuspended)];
    std::uint64_t allNs = 0;
    for (const std::uint64_t spentNs : power_.stateNs) {
        allNs += spentNs;
    }
    activity_.asleepNs = asleepNs;
    activity_.awakeNs = allNs - asleepNs;
    activity_.clockCycles = 0;
    constexpr std::uint64_t kKhzNs = 1'000'000;  // nanoseconds of a cycle at 1 kHz
    for (std::size_t i = 0; i < levelsKhz_.size(); ++i) {
        activity_.clockCycles += power_.levelNs[i] * levelsKhz_[i] / kKhzNs;
    }
}

void Statistics::onEnd(std::uint64_t timeNs) {
    onPowerState(std::max(timeNs, powerSinceNs_), powerState_, clockLevel_);
    countPower();
}

}  // namespace vnpu::sim
