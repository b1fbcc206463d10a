// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/base/text_table.h"
#include "sim/report/device_peaks.h"
#include "sim/report/energy_report.h"
#include "sim/report/run_report.h"

namespace vnpu::sim {

namespace {

std::string perExecution(std::uint64_t sum, std::uint64_t executions) {
    return fmt::format("{:.1f}", static_cast<double>(sum) / static_cast<double>(executions));
}

std::string layerLine(const RunReport& report, std::uint32_t client, std::size_t index) {
    const ClientTotals& totals = report.statistics.clients()[client];
    const OperationTotals& sums = totals.operations[index];
    const OperationInfo& info = totals.model->operations[index];
    const ClientInfo& about = report.clients()[client];
    const auto average = [&](std::uint64_t sum) { return perExecution(sum, totals.jobs); };
    const double cycles = static_cast<double>(sums.cycles) / static_cast<double>(totals.jobs);
    const double peakMacs = static_cast<double>(sums.cycles) *
                            static_cast<double>(devicePeaks(report.config).macsPerCycle);
    const double utilization =
            peakMacs > 0.0 ? 100.0 * static_cast<double>(sums.macs) / peakMacs : 0.0;
    const double estimate = static_cast<double>(info.estimateCycles);
    return csvOf(about.name, about.model, index,
                 index < about.operationNames.size() ? about.operationNames[index] : "", info.type,
                 info.isFolded ? "1" : "0", totals.jobs, average(sums.commands),
                 average(sums.cycles), average(sums.macs), fmt::format("{:.2f}", utilization),
                 average(sums.macBusyCycles), average(sums.vectorBusyCycles),
                 average(sums.dmaBusyCycles), average(sums.sramBytes), average(sums.dramBytes),
                 average(sums.tokenStallCycles), average(sums.sramStallCycles),
                 average(sums.dramStallCycles), info.estimateCycles,
                 cycles > 0.0 ? fmt::format("{:.2f}", 100.0 * (estimate - cycles) / cycles) : "",
                 fmt::format("{:.3f}", microjoules(report.config, sums.activity) /
                                               static_cast<double>(totals.jobs)));
}

std::string number(std::uint64_t value, bool isThere) {
    return isThere ? fmt::format("{}", value) : "";
}

}  // namespace

std::string layersCsv(const RunReport& report) {
    std::string out =
            "client,model,operation,name,type,folded,executions,commands,cycles,macs,"
            "mac_utilization_pct,mac_busy_cycles,vector_busy_cycles,dma_busy_cycles,"
            "sram_bytes,dram_bytes,token_stall_cycles,sram_stall_cycles,"
            "dram_stall_cycles,estimate_cycles,estimate_error_pct,energy_uj\n";
    for (std::uint32_t client = 0; client < report.clients().size(); ++client) {
        const ClientTotals& totals = report.statistics.clients()[client];
        for (std::size_t i = 0; totals.jobs != 0 && i < totals.operations.size(); ++i) {
            out += layerLine(report, client, i);
        }
    }
    return out;
}

std::string jobsCsv(const RunReport& report) {
    std::string out =
            "client,frame,job_id,arrival_ns,call_ns,submit_ns,start_ns,finish_ns,"
            "complete_ns,return_ns,status,latency_ns,device_cycles,estimate_cycles,"
            "time_on_device_us,time_in_driver_us,deadline_ns,missed,late,isolated_ns,"
            "preemptions,restarts,saved_bytes,reloaded_bytes,switch_cycles,"
            "wasted_cycles\n";
    const auto jobs = report.statistics.jobsByFrame();
    for (const FrameRecord& frame : report.outcome.frames) {
        const auto found = jobs.find({frame.client, frame.frame});
        const bool hasJob = found != jobs.end();
        const JobStatistics job = hasJob ? *found->second : JobStatistics{};
        const ClientSpec& client = report.scenario.clients[frame.client];
        const std::uint64_t deadline = client.deadlineNs;
        const std::uint64_t isolated = report.isolated.of(client);
        out += csvOf(
                report.clients()[frame.client].name, frame.frame, number(job.jobId, hasJob),
                frame.arrivalNs, frame.callNs, number(job.submitNs, hasJob),
                number(job.startNs, hasJob), number(job.finishNs, hasJob),
                number(job.completeNs, hasJob), frame.returnNs, frame.status, frame.latencyNs(),
                number(job.deviceCycles, hasJob), number(job.estimateCycles(), hasJob),
                number(frame.timeOnDeviceUs, frame.timeOnDeviceUs != UINT64_MAX),
                number(frame.timeInDriverUs, frame.timeInDriverUs != UINT64_MAX),
                number(frame.arrivalNs + deadline, deadline != 0), frame.missedDeadline ? "1" : "0",
                frame.isLate ? "1" : "0", number(isolated, isolated != 0),
                number(job.costs.preemptions, hasJob), number(job.costs.restarts, hasJob),
                number(job.costs.savedBytes, hasJob), number(job.costs.reloadedBytes, hasJob),
                number(job.costs.switchCycles, hasJob), number(job.costs.wastedCycles, hasJob));
    }
    return out;
}

}  // namespace vnpu::sim
