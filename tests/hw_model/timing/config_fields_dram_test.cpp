// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>

#include "hw_model/timing/config_fields.h"

namespace vnpu::test {

namespace {

hw::NpuConfig bankedConfig() {
    hw::NpuConfig config;
    config.dram.model = hw::DramModel::kBanked;
    config.dram.banks = 8;
    config.dram.rowBytes = 2048;
    config.dram.bank.tRcdCycles = 18;
    config.dram.bank.tRpCycles = 18;
    config.dram.bank.tClCycles = 17.5;
    config.dram.bank.tRasCycles = 42;
    return config;
}

std::string errorAfter(const std::function<void(hw::DramConfig&)>& change) {
    hw::NpuConfig config = bankedConfig();
    change(config.dram);
    return hw::findConfigError(config);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/timing/config_fields_dram");

TEST_CASE("a banked DRAM needs the timings of a row, the others may be absent [E-3]") {
    CHECK(errorAfter([](hw::DramConfig&) {}).empty());
    CHECK(errorAfter([](hw::DramConfig& c) { c.bank.tRcdCycles = 0; }) ==
          "dram.t_rcd_cycles is 0, expected more with model = \"banked\"");
    CHECK(errorAfter([](hw::DramConfig& c) { c.bank.tWtrCycles = -1; }) ==
          "dram.t_wtr_cycles is -1, expected 0 to 10000");
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    CHECK(errorAfter([](hw::DramConfig& c) {
              c.bank.tFawCycles = kNan;
          }).find("dram.t_faw_cycles is nan") == 0);
    CHECK(errorAfter([](hw::DramConfig& c) {
              c.bank.tClCycles = 1e300;
          }).find("dram.t_cl_cycles is 1e+300") == 0);
}

TEST_CASE("what divides an address is a power of two in its bounds [E-3]") {
    CHECK(errorAfter([](hw::DramConfig& c) { c.banks = 12; }) ==
          "dram.banks is 12, expected a power of two with model = \"banked\"");
    CHECK(errorAfter([](hw::DramConfig& c) { c.banks = c.rowBytes = 0; }) ==
          "dram.banks is 0, expected a power of two with model = \"banked\"");
    CHECK(errorAfter([](hw::DramConfig& c) { c.bank.bankGroups = 16; }) ==
          "dram.bank_groups is 16, expected a power of two up to the 8 banks");
    CHECK(errorAfter([](hw::DramConfig& c) { c.bank.burstBytes = 4096; }) ==
          "dram.burst_bytes is 4096, expected a power of two up to the 2048 of row_bytes");
    CHECK(errorAfter([](hw::DramConfig& c) { c.bank.interleaveBytes = 16; }) ==
          "dram.interleave_bytes is 16, expected a power of two from the 32 of burst_bytes on");
    CHECK(errorAfter([](hw::DramConfig& c) { c.bank.channels = 65; }) ==
          "dram.channels is 65, expected 1 to 64");
    CHECK(errorAfter([](hw::DramConfig& c) { c.bank.queueBursts = 0; }) ==
          "dram.queue_bursts is 0, expected 1 to 1024");
}

TEST_CASE("an interval between refreshes has room for rows [E-3]") {
    const auto withRefresh = [](std::uint32_t interval) {
        return errorAfter([=](hw::DramConfig& c) {
            c.refreshCycles = 280;
            c.refreshIntervalCycles = interval;
        });
    };
    CHECK(withRefresh(3904).empty());
    // 280 + tRP 18 + tRAS 42 + tRCD 18 + tCL 17.5 and two bursts of 8 cycles, twice.
    CHECK(withRefresh(783).empty());
    CHECK(withRefresh(782) ==
          "dram.refresh_interval_cycles is 782, expected 0 or at least 783, twice a refresh and "
          "the timings of a row");
}

TEST_CASE("the flat model's cost of a miss does not mix with timings [E-3]") {
    CHECK(errorAfter([](hw::DramConfig& c) {
              c.rowMissCycles = 36;
          }).find("dram.row_miss_cycles is 36, expected 0 with model = \"banked\"") == 0);
}

TEST_CASE("the flat model needs no timings [E-3]") {
    CHECK(errorAfter([](hw::DramConfig& c) {
              c.model = hw::DramModel::kFlat;
              c.bank.tRcdCycles = 0;
              c.bank.interleaveBytes = 48;
          }).empty());
}

TEST_SUITE_END();

}  // namespace vnpu::test
