// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/report/config_json.h"
#include "sim/report/device_peaks.h"
#include "sim/report/energy_report.h"
#include "sim/report/run_report.h"
#include "sim/report/sharing.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

Json clientJson(const RunReport& report, std::uint32_t index) {
    const ClientSpec& spec = report.scenario.clients[index];
    const ClientOutcome& outcome = report.outcome.clients[index];
    const ClientTotals& totals = report.statistics.clients()[index];
    const ClientFigures figures = clientFigures(report, index);
    Json json;
    json["name"] = spec.name;
    json["uid"] = spec.uid;
    json["model"] = spec.model;
    json["batch"] = spec.batch;
    json["priority"] = nameOf(spec.priority);
    json["path"] = nameOf(spec.path);
    json["arrival"] = nameOf(spec.arrival);
    json["macs_per_inference"] = outcome.macs;
    json["prepare_ns"] = outcome.prepareNs;
    json["frames"] = {{"arrived", outcome.arrived},
                      {"executed", outcome.executed},
                      {"answered", figures.answered},
                      {"failed", outcome.failed},
                      {"late", outcome.late},
                      {"unserved", outcome.notStarted()},
                      {"missed_deadlines", outcome.missedDeadlines}};
    json["rate_hz"] = {{"asked", figures.askedHz > 0.0 ? Json(figures.askedHz) : Json(nullptr)},
                       {"reached", figures.reachedHz}};
    json["latency_ms"] = {{"mean", figures.meanMs},
                          {"p50", figures.p50Ms},
                          {"p99", figures.p99Ms},
                          {"max", figures.maxMs}};
    json["device_ms_mean"] = figures.deviceMeanMs;
    json["jobs"] = totals.jobs;
    json["job_cycles"] = totals.jobCycles;
    json["other_cycles"] = totals.otherCycles;
    json["estimate_cycles_per_job"] =
            totals.model ? Json(totals.model->estimatedDeviceCycles()) : Json(nullptr);
    const bool hasHash = !report.config.timingOnly && outcome.outputHash != 0;
    json["output_hash"] =
            hasHash ? Json(fmt::format("{:016x}", outcome.outputHash)) : Json(nullptr);
    json["output_mismatches"] = outcome.outputMismatches;
    json["first_mismatch"] =
            outcome.firstMismatch.empty() ? Json(nullptr) : Json(outcome.firstMismatch);
    json["energy_per_job"] = energyJson(report.config, totals.activity, totals.jobs);
    return json;
}

Json engineJson(const RunReport& report, std::size_t index) {
    const EngineTotals& engine = report.statistics.engines()[index];
    const double cycles = report.windowCycles();
    return {{"name", hw::engineName(static_cast<hw::Engine>(index))},
            {"commands", engine.commands},
            {"busy_cycles", engine.busyCycles},
            {"utilization", cycles > 0.0 ? static_cast<double>(engine.busyCycles) / cycles : 0.0},
            {"token_stall_cycles", engine.tokenStallCycles},
            {"sram_stall_cycles", engine.sramStallCycles},
            {"dram_stall_cycles", engine.dramStallCycles},
            {"operations", engine.operations},
            {"dram_bytes", engine.dramBytes},
            {"sram_bytes", engine.sramBytes},
            {"max_queue_depth", engine.maxQueueDepth},
            {"tlb_misses", engine.mmuMisses}};
}

Json banksJson(const DramOutcome& dram) {
    return {{"row_hits", dram.rowHits},
            {"row_misses", dram.rowMisses},
            {"row_conflicts", dram.rowConflicts},
            {"row_hit_rate", dram.hitRate()},
            {"refreshes", dram.refreshes},
            {"turnaround_cycles", dram.turnaroundCycles},
            {"page_table_reads", dram.pageTableReads}};
}

Json powerJson(const PowerTotals& power) {
    using hw::regs::PowerState;
    const auto spent = [&](PowerState state) {
        return power.stateNs[static_cast<std::size_t>(state)];
    };
    return {{"wakes", power.wakes},
            {"clock_switches", power.switches},
            {"active_ns", spent(PowerState::kActive)},
            {"active_ns_by_level", power.levelNs},
            {"switching_ns", spent(PowerState::kSwitching)},
            {"suspending_ns", spent(PowerState::kSuspending)},
            {"suspended_ns", spent(PowerState::kSuspended)},
            {"resuming_ns", spent(PowerState::kResuming)}};
}

}  // namespace

nlohmann::ordered_json metricsObject(const RunReport& report) {
    const Statistics& statistics = report.statistics;
    Json json;
    json["format"] = 2;  // rises when a key changes its meaning
    json["scenario"] = report.scenario.name;
    json["seed"] = report.scenario.seed;
    json["timing_only"] = report.config.timingOnly;
    json["duration_ns"] =
            report.scenario.durationNs != 0 ? Json(report.scenario.durationNs) : Json(nullptr);
    json["start_ns"] = report.outcome.startNs;
    json["window_ns"] = report.windowNs();
    json["config"] = configJson(report.config);
    json["clients"] = Json::array();
    for (std::uint32_t i = 0; i < report.clients().size(); ++i) {
        json["clients"].push_back(clientJson(report, i));
    }
    json["scheduling"] = sharingJson(report);
    json["engines"] = Json::array();
    std::uint64_t dramBytes = 0;
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        json["engines"].push_back(engineJson(report, i));
        dramBytes += statistics.engines()[i].dramBytes;
    }
    const double seconds = static_cast<double>(report.windowNs()) * 1e-9;
    const double gbps = static_cast<double>(dramBytes) * 1e-9 / seconds;
    json["dram"] = {{"bytes", dramBytes},
                    {"gb_per_s", gbps},
                    {"utilization", gbps / devicePeaks(report.config).dramGBps}};
    if (report.config.dram.model == hw::DramModel::kBanked) {
        json["dram"].update(banksJson(report.outcome.dram));
    }
    json["host"] = {{"interrupts", statistics.host().interrupts},
                    {"register_reads", statistics.host().reads},
                    {"register_writes", statistics.host().writes},
                    {"controller_register_accesses", statistics.host().controllerAccesses}};
    json["calls"] = statistics.calls();
    json["faults"] = statistics.host().faults;
    json["host_copied_bytes"] = statistics.host().copiedBytes;
    json["last_host_copy_ns"] = statistics.host().lastCopyNs;
    json["log_lines"] = statistics.host().logLines;
    json["power"] = powerJson(statistics.power());
    json["energy"] = energyJson(report.config, statistics.activity());
    return json;
}

std::string metricsJson(const RunReport& report) {
    return jsonText(metricsObject(report), 2) + "\n";
}

}  // namespace vnpu::sim
