// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/read_results.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/base/error.h"
#include "tests/support/program.h"

namespace {

using vnpu::sim::InputError;
using vnpu::sim::readResults;
using vnpu::sim::ResultRow;
using vnpu::sim::ResultSet;
using vnpu::test::CommandFolder;

const ResultRow& rowOf(const ResultSet& results, const std::string& text) {
    for (const ResultRow& row : results.rows) {
        if (row.text() == text) {
            return row;
        }
    }
    FAIL("no row ", text);
    return results.rows.front();
}

const char* const kMetrics = R"({
  "scenario": "small", "seed": 7, "config": {"name": "edge", "dram": {"bytes_per_cycle": 3.75}},
  "clients": [{"name": "camera", "model": "zoo:x", "jobs": 4, "job_cycles": 400,
               "output_hash": "00ff", "output_mismatches": 0, "energy_per_job": {"total": 2.5}}],
  "scheduling": {"figures": {"antt": 1.5, "p99_ms": 2, "stp": null, "sla_5": 0.1, "p99_ms.high": 3,
                             "device_share@10101": 1, "p99_ms[camera]": 2}},
  "dram": {"bytes": 1000}, "energy": {"total": 10}})";

const char* const kLayers =
        "client,name,type,cycles,macs,sram_bytes,dram_bytes,energy_uj,commands,estimate_cycles\n"
        "camera,conv,CONV_2D,100.5,1,2,3,4,5,6\n"
        "camera,,ADD,10,1,2,3,4,5,6\n"
        "camera,,ADD,20,1,2,3,4,5,6\n";

}  // namespace

TEST_SUITE_BEGIN("sim/compare/read_results");

TEST_CASE("a run has rows for the run, its clients, apps, priorities, layers and the device") {
    const CommandFolder folder;
    folder.write("metrics.json", kMetrics);
    folder.write("layers.csv", kLayers);
    const ResultSet results = readResults(folder / "");
    CHECK(results.kind == "run");
    CHECK(results.subject == "small");
    CHECK(rowOf(results, "run small").figures.at("antt") == 1.5);
    CHECK_FALSE(rowOf(results, "run small").figures.contains("stp"));
    CHECK_FALSE(rowOf(results, "run small").figures.contains("p99_ms"));
    CHECK_FALSE(rowOf(results, "run small").figures.contains("sla_5"));
    CHECK(rowOf(results, "client camera").figures.at("p99_ms") == 2.0);
    CHECK(rowOf(results, "client camera").figures.at("job_cycles") == 100.0);
    CHECK(rowOf(results, "client camera").words.at("output_hash") == "00ff");
    for (const ResultRow& row : results.rows) {
        CHECK(row.kind != "priority");  // it repeats what the clients' figures say
    }
    CHECK(rowOf(results, "app 10101").figures.at("device_share") == 1.0);
    CHECK(rowOf(results, "config of the device").figures.at("dram.bytes_per_cycle") == 3.75);
    CHECK(rowOf(results, "layer camera: conv").figures.at("cycles") == 100.5);
    CHECK(rowOf(results, "layer camera: ADD").figures.at("cycles") == 10.0);
    CHECK(rowOf(results, "layer camera: ADD #2").figures.at("cycles") == 20.0);
}

TEST_CASE("a sweep has a row for each point, and for the clients of each") {
    const CommandFolder folder;
    folder.write("sweep.json", R"({"sweep": "load", "axes": ["rate", "policy"], "rows": [
        {"labels": {"rate": "10", "policy": "bands"}, "points": 3,
         "failures": [{"seed": 7, "error": "a wrong output"}],
         "figures": {"antt": {"mean": 1.5}, "p99_ms.high": {"mean": 3}, "p99_ms[a]": {"mean": 4}}}]})");
    const ResultSet results = readResults(folder / "");
    CHECK(results.kind == "sweep");
    CHECK(rowOf(results, "point rate=10 policy=bands").figures.at("antt") == 1.5);
    CHECK(rowOf(results, "point rate=10 policy=bands").figures.at("points") == 3.0);
    CHECK(rowOf(results, "point rate=10 policy=bands").figures.at("failed_points") == 1.0);
    CHECK(rowOf(results, "point rate=10 policy=bands").note == "seed 7: a wrong output");
    CHECK(rowOf(results, "priority rate=10 policy=bands: high").figures.at("p99_ms") == 3.0);
    CHECK(rowOf(results, "client rate=10 policy=bands: a").figures.at("p99_ms") == 4.0);
}

TEST_CASE("a validation has a row for each check") {
    const CommandFolder folder;
    folder.write("validation.csv",
                 "kind,rung,subject,quantity,model,reference,ratio,tolerance,verdict,note\n"
                 "x,nvdla,net,frames/s,90,100,0.9,0.1,pass,\"a, b\"\n"
                 "x,nvdla,broken,frames/s,nan,100,nan,0.1,FAIL,no run\n");
    const ResultSet results = readResults(folder / "");
    const ResultRow& row = rowOf(results, "check nvdla: net, frames/s");
    CHECK(row.figures.at("model") == 90.0);
    CHECK(row.figures.at("distance") == doctest::Approx(0.1));
    CHECK(row.words.at("verdict") == "pass");
    CHECK(row.note == "a, b");
    CHECK(rowOf(results, "check nvdla: broken, frames/s").figures.empty());
}

TEST_CASE("cases come from JUnit XML and from JSON lines") {
    const CommandFolder folder;
    const std::string xml = folder.write(
            "c.xml",
            "<testsuites><testsuite><testcase classname='s' name='a'/><testcase classname='s' "
            "name='b'><failure message='5, expected 6'/></testcase></testsuite></testsuites>");
    const std::string lines =
            folder.write("c.jsonl",
                         "{\"name\":\"a\",\"suite\":\"s\",\"result\":\"passed\"}\n"
                         "{\"name\":\"b\",\"suite\":\"s\",\"result\":\"failed\",\"message\":\"5, "
                         "expected 6\"}\n");
    for (const std::string& file : {xml, lines}) {
        const ResultSet results = readResults(file);
        CHECK(results.kind == "cases");
        CHECK(rowOf(results, "case a (s)").words.at("result") == "passed");
        CHECK(rowOf(results, "case b (s)").words.at("result") == "failed");
        CHECK(rowOf(results, "case b (s)").note == "5, expected 6");
    }
    CHECK(readResults(folder.write("one.jsonl", "{\"name\":\"a\",\"result\":\"passed\"}\n"))
                  .rows.size() == 1);
}

TEST_CASE("benchmarks are in nanoseconds; of repetitions the median counts") {
    const CommandFolder folder;
    const ResultSet results = readResults(folder.write("b.json", R"({"benchmarks": [
        {"name": "F/1", "run_name": "F/1", "run_type": "iteration", "real_time": 2,
         "cpu_time": 1.5, "time_unit": "us", "items_per_second": 7},
        {"name": "F/1_mean", "run_name": "F/1", "run_type": "aggregate",
         "aggregate_name": "mean", "real_time": 9, "cpu_time": 9, "time_unit": "us"},
        {"name": "F/1_median", "run_name": "F/1", "run_type": "aggregate",
         "aggregate_name": "median", "real_time": 3, "cpu_time": 2, "time_unit": "us"}]})"));
    REQUIRE(results.rows.size() == 1);
    CHECK(results.rows[0].figures.at("real_ns") == 3000.0);
    CHECK(results.rows[0].figures.at("items_per_second") == 7.0);
}

TEST_CASE("hostile files are input errors") {
    const CommandFolder folder;
    const std::string deep(100'000, '[');
    for (const std::string& text : std::vector<std::string>{
                 "", "hello", "{", "{}", "[]", "null", deep, "<x/>", "<testsuites>",
                 "{\"vnpu_baseline\": 1}", "{\"vnpu_baseline\": \"1\"}",
                 "{\"sweep\": 1, \"rows\": 2}", "{\"scheduling\": 1, \"clients\": 2}",
                 "{\"benchmarks\": {\"a\": 1}}",
                 "{\"benchmarks\": [{\"name\": \"a\", \"time_unit\": \"years\", \"real_time\": 1, "
                 "\"cpu_time\": 1}]}",
                 "{\"result\": 1}", "kind,rung,\n1\n", "kind,rung,x\n1,2,3\n",
                 "{\"a\":1}\n{\"b\""}) {
        const std::string file = folder.write("hostile", text);
        CHECK_THROWS_AS(readResults(file), InputError);
    }
    CHECK_THROWS_AS(readResults(folder / "none"), InputError);
    CHECK_THROWS_AS(readResults(folder / ""), InputError);
}

TEST_SUITE_END();
