// SPDX-License-Identifier: Apache-2.0
#include "sim/report/run_report.h"

#include <doctest/doctest.h>

#include "tests/sim/report/report_bench.h"

namespace {

using vnpu::sim::ClientFigures;
using vnpu::sim::clientFigures;
using vnpu::test::ReportBench;

TEST_SUITE_BEGIN("sim/report/run_report");

TEST_CASE("the window is the duration unless answers come later [E-6]") {
    ReportBench bench;
    CHECK(bench.report.windowNs() == 10'000);
    CHECK(bench.report.windowCycles() == doctest::Approx(5000.0));  // at 500 MHz
    bench.outcome.frames[2].returnNs = 13'000;
    CHECK(bench.report.windowNs() == 12'000);  // since the common start at 1000
}

TEST_CASE("rates and latencies of a client are computed [E-6]") {
    ReportBench bench;
    bench.outcome.frames[1].returnNs = bench.outcome.frames[1].arrivalNs + 444;
    const ClientFigures camera = clientFigures(bench.report, 0);
    CHECK(camera.answered == 2);
    CHECK(camera.askedHz == doctest::Approx(500'000.0));    // a period of 2 us
    CHECK(camera.reachedHz == doctest::Approx(200'000.0));  // 2 in 10 us
    CHECK(camera.meanMs == doctest::Approx(344e-6));
    CHECK(camera.p50Ms == doctest::Approx(244e-6));
    CHECK(camera.p99Ms == doctest::Approx(444e-6));
    CHECK(camera.maxMs == doctest::Approx(444e-6));
    CHECK(camera.deviceMeanMs == doctest::Approx(180e-6));  // 90 cycles of 2 ns
}

TEST_CASE("a client without answers has no latency [E-6]") {
    const ReportBench bench;
    const ClientFigures keyword = clientFigures(bench.report, 1);
    CHECK(keyword.answered == 0);
    CHECK(keyword.askedHz == 0.0);
    CHECK(keyword.reachedHz == 0.0);
    CHECK(keyword.maxMs == 0.0);
}

TEST_SUITE_END();

}  // namespace
