// SPDX-License-Identifier: Apache-2.0
#include "sim/metrics/figure_name.h"

#include <doctest/doctest.h>

namespace {

using namespace vnpu::sim;

TEST_SUITE_BEGIN("sim/metrics/figure_name");

TEST_CASE("a figure's name says what it is about") {
    CHECK(figureNameOf("antt") == FigureName{"run", "", "antt"});
    CHECK(figureNameOf("p99_ms.high") == FigureName{"priority", "high", "p99_ms"});
    CHECK(figureNameOf("device_share@10101") == FigureName{"app", "10101", "device_share"});
    CHECK(figureNameOf("p99_ms[a.b]") == FigureName{"client", "a.b", "p99_ms"});
}

TEST_CASE("units come from the words of the name") {
    CHECK(unitOf("p99_ms") == "ms");
    CHECK(unitOf("latency_ms.mean") == "ms");
    CHECK(unitOf("device_ms_mean") == "ms");
    CHECK(unitOf("rate_hz.reached") == "Hz");
    CHECK(unitOf("preempt_max_us") == "us");
    CHECK(unitOf("power.active_ns_by_level.0") == "ns");
    CHECK(unitOf("estimate_cycles_per_job") == "cycles");
    CHECK(unitOf("dram.bytes") == "bytes");
    CHECK(unitOf("dram.gb_per_s") == "GB/s");
    CHECK(unitOf("energy.components.dram") == "uJ");
    CHECK(unitOf("energy_per_job.total") == "uJ");
    for (const char* count : {"", "antt", "sla_2", "frames.answered", "macs_per_inference"}) {
        CHECK_MESSAGE(unitOf(count).empty(), count);
    }
}

TEST_SUITE_END();

}  // namespace
