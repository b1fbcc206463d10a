// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "sim/report/column_legend.h"
#include "sim/report/run_report.h"
#include "tests/sim/report/report_bench.h"

namespace {

using vnpu::sim::clientTable;
using vnpu::sim::liveClientTable;
using vnpu::sim::summaryText;
using vnpu::test::ReportBench;

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_SUITE_BEGIN("sim/report/summary");

TEST_CASE("the client table has a line per client [E-6]") {
    const ReportBench bench;
    CHECK(clientTable(bench.report) ==
          "client   model      priority  frames    asked/s  reached/s  mean ms  P50 ms  P99 ms "
          " max ms  missed  late  "
          "unserved  failed\n"
          "-------  ---------  --------  ------  ---------  ---------  -------  ------  ------ "
          " ------  ------  ----  "
          "--------  ------\n"
          "camera   zoo:small  medium         2  500000.00  200000.00    0.000   0.000   0.000 "
          "  0.000       0     0     "
          "    0       0\n"
          "keyword  zoo:other  high           1          -       0.00    0.000   0.000   0.000 "
          "  0.000       1     1     "
          "    1       0\n");
}

TEST_CASE("the table of a live run has the time on the device alone [E-5] [E-6]") {
    const ReportBench bench;
    const std::string text = liveClientTable(bench.report);
    CHECK(holds(text, "unserved  failed  device P50 ms  device P99 ms\n"));
    CHECK(holds(text, "    0       0          0.001          0.001\n"));  // the frames' 1 us
    CHECK(holds(text, "    1       0              -              -\n"));  // refused
    CHECK(holds(text, "\nLatency (mean to max) is wall time"));
}

TEST_CASE("the summary reports device, engines, memory and layers [E-6]") {
    const ReportBench bench;
    const std::string text = summaryText(bench.report);
    CHECK(holds(text, "scenario bench (seed 5)\n"));
    CHECK(holds(text, "device   half: 16 x 16 MACs (weight-stationary) at 500 MHz, 0.256 TOPS"));
    CHECK(holds(text, "output hash of camera: 0000000000000abc\n"));
    CHECK(holds(text, "  mac            2  1.1 %       0.4 %"));  // 56 and 20 of 5000 cycles
    CHECK(holds(text, "DRAM:      0.001 MB, 0.142 GB/s, 7.1 % of its peak of 2 GB/s\n"));
    CHECK(holds(text, "energy:    no [energy] in the configuration\n"));
    CHECK(holds(text,
                "camera: 90 cycles a job, driver's estimate 150 (+66.7 %); slowest layers:\n"));
    CHECK(holds(text, "  0  CONV_2D    conv               50  55.6 %    7.8 %\n"));
    CHECK_FALSE(holds(text, "notes"));
}

TEST_CASE(
        "every column of the table of clients has a meaning, and the summary ends with all of "
        "them") {
    const std::string legend = vnpu::sim::clientLegend();
    for (const char* column :
         {"frames", "asked/s", "reached/s", "missed", "late", "unserved", "failed"}) {
        CHECK_MESSAGE(holds("\n" + legend, std::string("\n  ") + column + " "), column);
    }
    CHECK(holds(legend, "\n  mean to max ms "));
    const std::string all = vnpu::sim::summaryLegend();
    for (const char* column : {"turnaround",
                               "beyond 4x",
                               "refused",
                               "aborted",
                               "late",
                               "preempted",
                               "restarted",
                               "saved KiB",
                               "share of device time",
                               "mean normalized turnaround",
                               "system throughput",
                               "fairness",
                               "commands",
                               "busy",
                               "token wait",
                               "SRAM stall",
                               "DRAM stall",
                               "DRAM MB",
                               "TLB misses",
                               "mac_array",
                               "clock",
                               "cycles",
                               "of job",
                               "MAC use"}) {
        CHECK_MESSAGE(holds(all, std::string("\n  ") + column), column);
    }
    CHECK(summaryText(ReportBench().report).ends_with(all));
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);) {
        CHECK_MESSAGE(line.size() <= 120, line);
    }
}

TEST_CASE("the summary quotes faults, the driver's log and outputs that differ [E-6]") {
    ReportBench bench;
    bench.statistics.onFault(2'000'000, vnpu::hw::Engine::kDma1, vnpu::hw::JobStatus::kMmuFault,
                             "page 0x1000");
    bench.statistics.onLog(3'000'000, "job 9 failed");
    bench.outcome.clients[0].outputMismatches = 2;
    bench.outcome.clients[0].firstMismatch = "frame 1, element 7 is 3, expected 4";
    const std::string text = summaryText(bench.report);
    CHECK(holds(text,
                "  fault at 2.000 ms: dma1: mmu-fault: page 0x1000\n  3.000 ms: job 9 failed\n"
                "  camera: 2 executions gave other outputs than the first, with the same input; "
                "the first: frame 1, element 7 is 3, expected 4\n"));
}

TEST_CASE("the summary says that a run without data checked no outputs [E-6]") {
    ReportBench bench;
    bench.config.timingOnly = true;
    CHECK(holds(summaryText(bench.report), "timing only: no data, outputs not checked"));
    CHECK_FALSE(holds(summaryText(bench.report), "output hash"));
}

TEST_SUITE_END();

}  // namespace
