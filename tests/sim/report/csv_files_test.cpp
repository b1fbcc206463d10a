// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/sim/report/report_bench.h"

namespace {

using vnpu::sim::jobsCsv;
using vnpu::sim::layersCsv;
using vnpu::test::ReportBench;

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

TEST_SUITE_BEGIN("sim/report/csv_files");

TEST_CASE("layers.csv has a line per operation, averaged over executions [E-6]") {
    const ReportBench bench;
    const auto lines = linesOf(layersCsv(bench.report));
    REQUIRE(lines.size() == 4);  // the keyword client has no job, so it has no lines
    CHECK(lines[0] ==
          "client,model,operation,name,type,folded,executions,commands,cycles,macs,mac_"
          "utilization_pct,"
          "mac_busy_cycles,vector_busy_cycles,dma_busy_cycles,sram_bytes,dram_bytes,token_"
          "stall_cycles,"
          "sram_stall_cycles,dram_stall_cycles,estimate_cycles,estimate_error_pct,energy_uj");
    // 1000 MACs in 50 cycles of a 256-MAC array are 7.8125 %; 100 cycles expected for 50.
    CHECK(lines[1] ==
          "camera,zoo:small,0,conv,CONV_2D,0,2,2.0,50.0,1000.0,7.81,28.0,0.0,18.0,1340.0,640.0,"
          "10.0,2.0,2.0,100,100.00,0.000");
    CHECK(lines[2] ==
          "camera,zoo:small,1,probabilities,SOFTMAX,0,2,2.0,35.0,0.0,0.00,0.0,15.0,20.0,84.0,"
          "64.0,40.0,0.0,0.0,50,42.86,0.000");
    CHECK(lines[3] ==
          "camera,zoo:small,2,,RESHAPE,1,2,0.0,0.0,0.0,0.00,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,"
          "0,,0.000");
}

TEST_CASE("jobs.csv has a line per executed frame [E-6]") {
    const ReportBench bench;
    const auto lines = linesOf(jobsCsv(bench.report));
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] ==
          "client,frame,job_id,arrival_ns,call_ns,submit_ns,start_ns,finish_ns,complete_ns,"
          "return_ns,status,latency_ns,"
          "device_cycles,estimate_cycles,time_on_device_us,time_in_driver_us,deadline_ns,"
          "missed,late,isolated_ns,preemptions,restarts,saved_bytes,reloaded_bytes,switch_"
          "cycles,wasted_"
          "cycles");
    CHECK(lines[1] ==
          "camera,4,7,1998,2000,2010,2020,2200,2220,2242,NONE,244,90,150,1,2,2298,0,0,,0,0,0,0,"
          "0,0");
    CHECK(lines[2] ==
          "camera,5,8,3998,4000,4010,4020,4200,4220,4242,NONE,244,90,150,1,2,4298,0,0,,0,0,0,0,"
          "0,0");
    CHECK(lines[3] ==
          "keyword,0,,5000,5004,,,,,5010,MISSED_DEADLINE_TRANSIENT,10,,,,,5008,1,1,,,,,,,");
}

TEST_SUITE_END();

}  // namespace
