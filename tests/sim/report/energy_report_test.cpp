// SPDX-License-Identifier: Apache-2.0
#include "sim/report/energy_report.h"

#include <doctest/doctest.h>

#include "tests/sim/report/report_bench.h"

namespace {

using namespace vnpu;
using hw::regs::PerfEvent;
using test::ReportBench;

hw::NpuConfig pricedMemories() {
    hw::NpuConfig config;
    config.energy.sramBytePj = 2;
    config.energy.dramBytePj = 64;
    return config;
}

TEST_SUITE_BEGIN("sim/report/energy_report");

TEST_CASE("JSON contains microjoules by component, divided by the executions [E-6]") {
    hw::Activity activity;
    activity[PerfEvent::kSramBytes] = 3'000'000;
    activity[PerfEvent::kBusBytes] = 500'000;
    const auto json = sim::energyJson(pricedMemories(), activity, 2);
    CHECK(json["unit"] == "uJ");
    CHECK(json["components"]["sram"].get<double>() == doctest::Approx(3.0));
    CHECK(json["components"]["dram"].get<double>() == doctest::Approx(16.0));
    CHECK(json["components"]["mac_array"] == 0.0);
    CHECK(json["total"].get<double>() == doctest::Approx(19.0));
    CHECK(sim::microjoules(pricedMemories(), activity) == doctest::Approx(38.0));
    CHECK(sim::energyJson(pricedMemories(), activity, 0).is_null());
    CHECK(sim::energyJson(hw::NpuConfig{}, activity).is_null());
}

TEST_CASE("the table omits components without energy [E-6]") {
    hw::Activity activity;
    activity[PerfEvent::kSramBytes] = 3'000'000;
    activity[PerfEvent::kBusBytes] = 31'250;
    CHECK(sim::energyTable(pricedMemories(), activity) ==
          "         component     uJ   share\n"
          "         ---------  -----  ------\n"
          "         sram       6.000  75.0 %\n"
          "         dram       2.000  25.0 %\n");
}

TEST_CASE("the paragraph has a line per executed client and one for the device [E-6]") {
    ReportBench bench;
    CHECK(sim::energyText(bench.report) == "energy:    no [energy] in the configuration\n");
    bench.config.energy.awakeMw = 200;
    // 5010 ns since power-on; the clients' commands here count nothing.
    CHECK(sim::energyText(bench.report) ==
          "\nenergy (an estimate; clients: what the engines did for them, device: everything "
          "since power-on)\n"
          "  uJ                    total  leakage\n"
          "  --------------------  -----  -------\n"
          "  camera, an execution  0.000    0.000\n"
          "  device, all           1.002    1.002\n");
}

TEST_SUITE_END();

}  // namespace
