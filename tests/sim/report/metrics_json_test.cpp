// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/sim/report/report_bench.h"

namespace {

using vnpu::sim::metricsJson;
using vnpu::test::ReportBench;

TEST_SUITE_BEGIN("sim/report/metrics_json");

TEST_CASE("the JSON object reports the run, its clients and its engines [E-6]") {
    const ReportBench bench;
    const auto json = nlohmann::json::parse(metricsJson(bench.report));
    CHECK(json["format"] == 2);
    CHECK(json["scenario"] == "bench");
    CHECK(json["seed"] == 5);
    CHECK(json["window_ns"] == 10'000);
    REQUIRE(json["clients"].size() == 2);
    const auto& camera = json["clients"][0];
    CHECK(camera["frames"]["executed"] == 2);
    CHECK(camera["latency_ms"]["p99"] == doctest::Approx(244e-6));
    CHECK(camera["jobs"] == 2);
    CHECK(camera["job_cycles"] == 180);
    CHECK(camera["other_cycles"] == 10);
    CHECK(camera["estimate_cycles_per_job"] == 150);
    CHECK(camera["output_hash"] == "0000000000000abc");
    const auto& keyword = json["clients"][1];
    CHECK(keyword["rate_hz"]["asked"].is_null());
    CHECK(keyword["frames"]["late"] == 1);
    CHECK(keyword["frames"]["unserved"] == 1);
    CHECK(keyword["frames"]["missed_deadlines"] == 1);
    CHECK(keyword["output_hash"].is_null());
    const auto& mac = json["engines"][4];
    CHECK(mac["name"] == "mac");
    CHECK(mac["busy_cycles"] == 56);
    CHECK(mac["utilization"] == doctest::Approx(56.0 / 5000.0));
    CHECK(json["dram"]["bytes"] == 2 * (640 + 64 + 8));
    CHECK(json["dram"]["gb_per_s"] == doctest::Approx(0.1424));     // 1424 bytes in 10 us
    CHECK(json["dram"]["utilization"] == doctest::Approx(0.0712));  // of 4 bytes a cycle, 2 GB/s
    CHECK(json["host"]["interrupts"] == 2);
    CHECK(json["energy"].is_null());  // no prices
    CHECK(camera["energy_per_job"].is_null());
}

TEST_CASE("names from a model that are no UTF-8 do not damage the file [E-6]") {
    ReportBench bench;
    bench.outcome.clients[0].firstMismatch = "output 0 \xff\xc3 \xe2\x82z";
    const auto json = nlohmann::json::parse(metricsJson(bench.report));
    const auto& camera = json["clients"][0];
    CHECK(camera["first_mismatch"] == "output 0 \xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbdz");
}

TEST_CASE("rows are reported only for a DRAM of banks [E-6]") {
    ReportBench bench;
    bench.outcome.dram = {.rowHits = 75,
                          .rowMisses = 5,
                          .rowConflicts = 20,
                          .refreshes = 3,
                          .turnaroundCycles = 40,
                          .pageTableReads = 2};
    CHECK_FALSE(nlohmann::json::parse(metricsJson(bench.report))["dram"].contains("row_hits"));
    CHECK(summaryText(bench.report).find("rows:") == std::string::npos);
    bench.config.dram.model = vnpu::hw::DramModel::kBanked;
    const auto dram = nlohmann::json::parse(metricsJson(bench.report))["dram"];
    CHECK(dram["row_hits"] == 75);
    CHECK(dram["row_misses"] == 5);
    CHECK(dram["row_conflicts"] == 20);
    CHECK(dram["row_hit_rate"] == 0.75);
    CHECK(dram["refreshes"] == 3);
    CHECK(dram["turnaround_cycles"] == 40);
    CHECK(dram["page_table_reads"] == 2);
    CHECK(dram.contains("bytes"));
    CHECK(summaryText(bench.report)
                  .find("rows:      100 bursts: 75.00 % row hits, 5 closed, 20 conflicts; 3 "
                        "refreshes, 40 cycles of turnaround, 2 page table reads\n") !=
          std::string::npos);
}

TEST_CASE("a run without data has no output hash [E-6]") {
    ReportBench bench;
    bench.config.timingOnly = true;
    const auto json = nlohmann::json::parse(metricsJson(bench.report));
    CHECK(json["timing_only"] == true);
    CHECK(json["clients"][0]["output_hash"].is_null());
}

TEST_SUITE_END();

}  // namespace
