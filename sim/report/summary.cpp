// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/percentile.h"
#include "sim/base/text_table.h"
#include "sim/report/column_legend.h"
#include "sim/report/device_peaks.h"
#include "sim/report/energy_report.h"
#include "sim/report/run_report.h"
#include "sim/report/sharing.h"
#include "sim/trace/power_label.h"

namespace vnpu::sim {

namespace {

constexpr std::size_t kSlowestLayers = 5;  // chosen: enough to see where the time goes

std::string percentOf(double part, double whole) {
    return whole > 0.0 ? fmt::format("{:.1f} %", 100.0 * part / whole) : "-";
}

double toDouble(std::uint64_t value) {
    return static_cast<double>(value);
}

std::string engineTable(const RunReport& report) {
    TextTable table({"engine"}, {"commands", "busy", "token wait", "SRAM stall", "DRAM stall",
                                 "DRAM MB", "TLB misses"});
    const double cycles = report.windowCycles();
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        const EngineTotals& engine = report.statistics.engines()[i];
        if (engine.commands == 0 && engine.mmuMisses == 0) {
            continue;
        }
        const auto share = [&](std::uint64_t part) { return percentOf(toDouble(part), cycles); };
        table.add(hw::engineName(static_cast<hw::Engine>(i)), engine.commands,
                  share(engine.busyCycles), share(engine.tokenStallCycles),
                  share(engine.sramStallCycles), share(engine.dramStallCycles),
                  fmt::format("{:.3f}", toDouble(engine.dramBytes) * 1e-6), engine.mmuMisses);
    }
    return table.text(2);
}

double dramBytes(const RunReport& report) {
    std::uint64_t bytes = 0;
    for (const EngineTotals& engine : report.statistics.engines()) {
        bytes += engine.dramBytes;
    }
    return toDouble(bytes);
}

/// What the banks of the DRAM did, where they are modeled.
std::string banksLine(const RunReport& report) {
    const DramOutcome& dram = report.outcome.dram;
    if (report.config.dram.model != hw::DramModel::kBanked) {
        return "";
    }
    return fmt::format(
            "rows:      {} bursts: {:.2f} % row hits, {} closed, {} conflicts; {} refreshes, {} "
            "cycles of turnaround, {} page table reads\n",
            dram.bursts(), 100.0 * dram.hitRate(), dram.rowMisses, dram.rowConflicts,
            dram.refreshes, dram.turnaroundCycles, dram.pageTableReads);
}

/// A client's job: time of the engines for it, its estimate, and the layers that take most of it.
std::string layerParagraph(const RunReport& report, std::uint32_t index) {
    const ClientTotals& totals = report.statistics.clients()[index];
    if (totals.jobs == 0) {
        return "";
    }
    const double jobs = toDouble(totals.jobs);
    const double cycles = toDouble(totals.jobCycles) / jobs;
    const double estimate = toDouble(totals.model->estimatedDeviceCycles());
    std::string out = fmt::format(
            "{}: {:.0f} cycles a job, driver's estimate {:.0f} ({:+.1f} %); slowest layers:\n",
            report.clients()[index].name, cycles, estimate,
            cycles > 0.0 ? 100.0 * (estimate - cycles) / cycles : 0.0);
    std::vector<std::size_t> order(totals.operations.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return totals.operations[a].cycles > totals.operations[b].cycles;
    });
    order.resize(std::min(order.size(), kSlowestLayers));
    TextTable table({}, {"#"}, {"operation", "name"});
    for (const char* header : {"cycles", "of job", "MAC use"}) {
        table.addColumn(header);
    }
    const double macsPerCycle = toDouble(devicePeaks(report.config).macsPerCycle);
    for (const std::size_t i : order) {
        const OperationTotals& operation = totals.operations[i];
        const std::vector<std::string>& names = report.clients()[index].operationNames;
        table.add(i, totals.model->operations[i].type, i < names.size() ? names[i] : "",
                  fmt::format("{:.0f}", toDouble(operation.cycles) / jobs),
                  percentOf(toDouble(operation.cycles), toDouble(totals.jobCycles)),
                  percentOf(toDouble(operation.macs), toDouble(operation.cycles) * macsPerCycle));
    }
    return out + table.text(2);
}

std::string notesParagraph(const RunReport& report) {
    const Statistics& statistics = report.statistics;
    std::string out;
    for (const Statistics::LogLine& line : statistics.faults()) {
        out += fmt::format("  fault at {:.3f} ms: {}\n", toDouble(line.timeNs) * 1e-6, line.text);
    }
    for (const std::size_t number : report.outcome.absentFaults) {
        out += fmt::format("  fault {} ({}) never happened: no occasion met its conditions\n",
                           number + 1, hw::faultKindName(report.scenario.faults[number].spec.kind));
    }
    for (const Statistics::LogLine& line : statistics.log()) {
        out += fmt::format("  {:.3f} ms: {}\n", toDouble(line.timeNs) * 1e-6, line.text);
    }
    for (std::size_t i = 0; i < report.clients().size(); ++i) {
        if (report.outcome.clients[i].outputMismatches != 0) {
            out += fmt::format(
                    "  {}: {} executions gave other outputs than the first, with the same input; "
                    "the first: {}\n",
                    report.clients()[i].name, report.outcome.clients[i].outputMismatches,
                    report.outcome.clients[i].firstMismatch);
        }
    }
    return out.empty() ? "" : "\nnotes (faults, then the driver's log, then outputs)\n" + out;
}

/// Reports whether the host copied data of clients.
std::string copyLine(const RunReport& report) {
    const Statistics& statistics = report.statistics;
    if (statistics.host().copiedBytes == 0) {
        return "copies:    the host copied no byte of a client's\n";
    }
    return fmt::format("copies:    the host copied {} bytes of clients', {} at {:.3f} ms\n",
                       statistics.host().copiedBytes,
                       statistics.host().lastCopyNs <= report.outcome.startNs
                               ? "none since the clients started; the last"
                               : "the last",
                       toDouble(statistics.host().lastCopyNs) * 1e-6);
}

/// Empty for a device with a single power state.
std::string powerLine(const RunReport& report) {
    using hw::regs::PowerState;
    if (!hasPowerStates(report.config)) {
        return "";
    }
    const PowerTotals& power = report.statistics.power();
    std::string out = "power:     ";
    const std::vector<std::uint32_t> levels = clockLevelsKhz(report.config);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        out += fmt::format("{:.3f} ms at {:g} MHz, ", toDouble(power.levelNs[i]) * 1e-6,
                           levels[i] / 1000.0);
    }
    return out +
           fmt::format(
                   "{:.3f} ms suspended; {} wakes, {} clock switches, since power-on\n",
                   toDouble(power.stateNs[static_cast<std::size_t>(PowerState::kSuspended)]) * 1e-6,
                   power.wakes, power.switches);
}

/// The cell of a time in milliseconds.
std::string cellOfMs(double value) {
    return fmt::format("{:.3f}", value);
}

/// Median and P99 of the time on the device alone.
std::vector<std::string> deviceTimeCells(const RunReport& report, std::uint32_t client) {
    std::vector<std::uint64_t> times;
    for (const FrameRecord& frame : report.outcome.frames) {
        if (frame.client == client && frame.isOk && frame.timeOnDeviceUs != UINT64_MAX) {
            times.push_back(frame.timeOnDeviceUs);
        }
    }
    std::sort(times.begin(), times.end());
    std::vector<std::string> cells;
    for (const double percent : {50.0, 99.0}) {
        cells.push_back(times.empty() ? "-"
                                      : cellOfMs(toDouble(nearestRank(times, percent)) * 1e-3));
    }
    return cells;
}

std::string tableOfClients(const RunReport& report, bool isLive) {
    TextTable table({"client", "model", "priority"},
                    {"frames", "asked/s", "reached/s", "mean ms", "P50 ms", "P99 ms", "max ms",
                     "missed", "late", "unserved", "failed"});
    if (isLive) {
        table.addColumn("device P50 ms");
        table.addColumn("device P99 ms");
    }
    for (std::uint32_t i = 0; i < report.clients().size(); ++i) {
        const ClientFigures figures = clientFigures(report, i);
        const ClientOutcome& outcome = report.outcome.clients[i];
        const bool hasDeadline = report.scenario.clients[i].deadlineNs != 0;
        std::vector<std::string> row = {
                report.clients()[i].name,
                report.clients()[i].model,
                report.clients()[i].priority,
                fmt::format("{}", outcome.executed),
                figures.askedHz > 0.0 ? fmt::format("{:.2f}", figures.askedHz) : "-",
                fmt::format("{:.2f}", figures.reachedHz),
                cellOfMs(figures.meanMs),
                cellOfMs(figures.p50Ms),
                cellOfMs(figures.p99Ms),
                cellOfMs(figures.maxMs),
                hasDeadline ? fmt::format("{}", outcome.missedDeadlines) : "-",
                fmt::format("{}", outcome.late),
                fmt::format("{}", outcome.notStarted()),
                fmt::format("{}", outcome.failed)};
        if (isLive) {
            std::ranges::move(deviceTimeCells(report, i), std::back_inserter(row));
        }
        table.addRow(std::move(row));
    }
    return table.text();
}

}  // namespace

std::string clientTable(const RunReport& report) {
    return tableOfClients(report, false);
}

std::string liveClientTable(const RunReport& report) {
    return tableOfClients(report, true) +
           "Latency (mean to max) is wall time: it contains the host's delays and the time that "
           "the "
           "simulation takes.\n"
           "Device P50 and P99 are device time alone, from the start of a job on the device to its "
           "end.\n";
}

std::string summaryText(const RunReport& report) {
    const DevicePeaks peaks = devicePeaks(report.config);
    const Statistics& statistics = report.statistics;
    const double seconds = toDouble(report.windowNs()) * 1e-9;
    std::uint64_t macs = statistics.engines()[hw::engineIndex(hw::Engine::kMac)].operations;
    std::string out = fmt::format(
            "scenario {} (seed {}{})\n", report.scenario.name, report.scenario.seed,
            report.config.timingOnly ? ", timing only: no data, outputs not checked" : "");
    out += fmt::format("device   {}\n", describeDevice(report.config));
    out += fmt::format(
            "time     {:.3f} ms of device time after {:.3f} ms of boot and model preparation\n\n",
            seconds * 1e3, toDouble(report.outcome.startNs) * 1e-6);
    out += "clients\n";
    out += clientTable(report);
    if (!report.config.timingOnly) {
        for (std::size_t i = 0; i < report.clients().size(); ++i) {
            out += fmt::format("output hash of {}: {:016x}\n", report.clients()[i].name,
                               report.outcome.clients[i].outputHash);
        }
    }
    out += '\n';
    out += sharingText(report);
    out += "\nengines (share of the time)\n" + engineTable(report);
    out += fmt::format(
            "\nMAC array: {:.3f} GMAC, {} of its peak of {:.3g} TOPS\n", toDouble(macs) * 1e-9,
            percentOf(toDouble(macs), report.windowCycles() * toDouble(peaks.macsPerCycle)),
            peaks.tops);
    out += fmt::format("DRAM:      {:.3f} MB, {:.3f} GB/s, {} of its peak of {:.4g} GB/s\n",
                       dramBytes(report) * 1e-6, dramBytes(report) * 1e-9 / seconds,
                       percentOf(dramBytes(report) * 1e-9 / seconds, peaks.dramGBps),
                       peaks.dramGBps);
    out += banksLine(report);
    out += fmt::format(
            "host:      {} interrupts, {} register reads, {} register writes; controller: {} "
            "register accesses\n",
            statistics.host().interrupts, statistics.host().reads, statistics.host().writes,
            statistics.host().controllerAccesses);
    out += copyLine(report);
    out += powerLine(report);
    out += energyText(report);
    out += "\nlayers (details in layers.csv)\n";
    for (std::uint32_t i = 0; i < report.clients().size(); ++i) {
        out += layerParagraph(report, i);
    }
    return out + notesParagraph(report) + summaryLegend();
}

}  // namespace vnpu::sim
