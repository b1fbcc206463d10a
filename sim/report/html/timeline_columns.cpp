// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/timeline_columns.h"

#include <algorithm>

#include "hw_model/regs/command_stream.h"
#include "sim/trace/power_label.h"

namespace vnpu::sim {

std::uint64_t TimelineColumns::Names::numberOf(std::string_view name) {
    const auto found = std::ranges::find(names_, name);
    const auto number = static_cast<std::uint64_t>(found - names_.begin());
    if (found == names_.end()) {
        names_.emplace_back(name);
    }
    return number;
}

void TimelineColumns::Moments::add(std::uint64_t atNs, std::string_view text, std::uint64_t ofJob) {
    timeNs.add(atNs);
    name.add(names.numberOf(text));
    job.add(ofJob);
}

nlohmann::ordered_json TimelineColumns::Moments::json() const {
    return {{"names", names.all()},
            {"time_ns", timeNs.json()},
            {"name", name.json()},
            {"job", job.json()}};
}

bool TimelineColumns::keeps(std::uint64_t timeNs) {
    if (kept_ < maxEvents_) {
        ++kept_;
        return true;
    }
    ++leftOut_;
    keptUntilNs_ = std::min(keptUntilNs_.value_or(timeNs), timeNs);
    return false;
}

std::uint64_t TimelineColumns::numberOf(const JobInfo* job) const {
    const auto found = job == nullptr ? jobNumbers_.end() : jobNumbers_.find(job->jobId);
    return found == jobNumbers_.end() ? 0 : found->second;
}

void TimelineColumns::onStart(const hw::NpuConfig& config,
                              const std::vector<ClientInfo>& /*clients*/) {
    config_ = config;
    if (hasPowerStates(config)) {
        onPowerState(0, hw::regs::PowerState::kActive, 0);
    }
}

void TimelineColumns::onJobSubmitted(const JobInfo& job) {
    jobNumbers_[job.jobId] = ++jobCount_;
}

void TimelineColumns::onJobCompleted(const JobInfo& job, std::uint64_t /*timeNs*/,
                                     std::string_view /*status*/) {
    jobNumbers_.erase(job.jobId);
}

void TimelineColumns::onEngineCommand(const EngineEvent& event) {
    usage_.add(event);
    if (!keeps(event.startNs)) {
        return;
    }
    const hw::EngineCommandRecord& record = event.record;
    Lane& lane = lanes_[hw::engineIndex(record.engine)];
    lane.startNs.add(event.startNs);
    lane.lengthNs.add(event.endNs - event.startNs);
    lane.waitNs.add(event.startNs - event.waitNs);
    lane.queuedNs.add(event.startNs - std::min(event.startNs, event.queuedNs));
    lane.job.add(numberOf(event.job));
    lane.operation.add(record.operation == hw::kNoOperation ? 0 : record.operation + 1ULL);
    lane.tile.add(record.tile);
    lane.opcode.add(opcodes_.numberOf(hw::opcodeName(record.opcode)));
    lane.command.add(record.index);
    lane.busyCycles.add(record.busyCycles);
    lane.sramStallCycles.add(record.sramStallCycles);
    lane.dramStallCycles.add(record.dramStallCycles);
    lane.operations.add(record.operations);
    lane.dramBytes.add(record.dramBytes);
    lane.sramBytes.add(record.sramBytes);
}

void TimelineColumns::onInterruptLine(std::uint64_t timeNs, bool level) {
    if (keeps(timeNs)) {
        interrupts_.add(timeNs, level ? "raised" : "lowered", 0);
    }
}

void TimelineColumns::onFirmwareEvent(std::uint64_t timeNs, std::string_view event,
                                      const JobInfo* job) {
    if (keeps(timeNs)) {
        firmware_.add(timeNs, event, numberOf(job));
    }
}

void TimelineColumns::onPowerState(std::uint64_t timeNs, hw::regs::PowerState state,
                                   std::uint32_t level) {
    if (keeps(timeNs)) {
        power_.add(timeNs, powerLabel(config_, state, level), 0);
    }
}

void TimelineColumns::onEnd(std::uint64_t timeNs) {
    endNs_ = timeNs;
}

nlohmann::ordered_json TimelineColumns::laneJson(const Lane& lane) {
    return {{"start_ns", lane.startNs.json()},
            {"length_ns", lane.lengthNs.json()},
            {"wait_ns", lane.waitNs.json()},
            {"queued_ns", lane.queuedNs.json()},
            {"job", lane.job.json()},
            {"operation", lane.operation.json()},
            {"tile", lane.tile.json()},
            {"opcode", lane.opcode.json()},
            {"command", lane.command.json()},
            {"busy_cycles", lane.busyCycles.json()},
            {"sram_stall_cycles", lane.sramStallCycles.json()},
            {"dram_stall_cycles", lane.dramStallCycles.json()},
            {"operations", lane.operations.json()},
            {"dram_bytes", lane.dramBytes.json()},
            {"sram_bytes", lane.sramBytes.json()}};
}

nlohmann::ordered_json TimelineColumns::json() const {
    nlohmann::ordered_json json;
    json["end_ns"] = endNs_;
    json["events"] = kept_;
    json["left_out"] = leftOut_;
    json["kept_until_ns"] =
            keptUntilNs_ ? nlohmann::ordered_json(*keptUntilNs_) : nlohmann::ordered_json(nullptr);
    json["opcodes"] = opcodes_.all();
    json["lanes"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        if (lanes_[i].startNs.size() != 0) {
            json["lanes"].push_back({{"engine", i},
                                     {"name", hw::engineName(static_cast<hw::Engine>(i))},
                                     {"commands", laneJson(lanes_[i])}});
        }
    }
    json["firmware"] = firmware_.json();
    json["power"] = power_.json();
    json["interrupts"] = interrupts_.json();
    json["usage"] = usage_.json();
    return json;
}

}  // namespace vnpu::sim
