// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/config_fields.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

namespace vnpu::test {

using hw::findConfigError;
using hw::NpuConfig;

namespace {

template <typename Change>
std::string errorWith(const Change& change) {
    NpuConfig config;
    change(config);
    return findConfigError(config);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/timing/config_fields");

TEST_CASE("the default configuration is valid [E-3]") {
    CHECK(findConfigError(NpuConfig{}).empty());
}

TEST_CASE("an error names the number, its value and the range [E-3]") {
    NpuConfig config;
    config.mac.rows = 0;
    CHECK(findConfigError(config) == "mac.rows is 0, expected 1 to 4095");
    config.mac.rows = 4096;
    CHECK(findConfigError(config) == "mac.rows is 4096, expected 1 to 4095");
    config.mac.rows = 4095;
    CHECK(findConfigError(config).empty());
}

TEST_CASE("the value of each configuration register fits its field [E-3]") {
    CHECK(errorWith([](NpuConfig& c) { c.mac.floatDivisor = 256; }) ==
          "mac.float_divisor is 256, expected 1 to 255");
    CHECK(errorWith([](NpuConfig& c) { c.mac.outputLanes = 4096; }) ==
          "mac.output_lanes is 4096, expected 1 to 4095");
    CHECK(errorWith([](NpuConfig& c) { c.mac.accumulatorKib = 65'536; }) ==
          "mac.accumulator_kib is 65536, expected 1 to 65535");
    CHECK(errorWith([](NpuConfig& c) { c.sram.kib = 65'536; }) ==
          "sram.kib is 65536, expected 1 to 65535");
    CHECK(errorWith([](NpuConfig& c) { c.sram.banks = 256; }) ==
          "sram.banks is 256, expected 1 to 255");
    CHECK(errorWith([](NpuConfig& c) { c.sram.portBytes = 65'536; }) ==
          "sram.port_bytes is 65536, expected 1 to 65535");
    CHECK(errorWith([](NpuConfig& c) { c.vector.lanes8 = 4096; }) ==
          "vector.lanes8 is 4096, expected 1 to 4095");
    CHECK(errorWith([](NpuConfig& c) { c.dsp.macs8 = 4096; }) ==
          "dsp.macs8 is 4096, expected 1 to 4095");
    CHECK(errorWith([](NpuConfig& c) { c.dsp.bytesPerCycle = 65'536; }) ==
          "dsp.bytes_per_cycle is 65536, expected 1 to 65535");
    CHECK(errorWith([](NpuConfig& c) { c.dma.bytesPerCycle = 65'536; }) ==
          "dma.bytes_per_cycle is 65536, expected 1 to 65535");
    CHECK(errorWith([](NpuConfig& c) { c.controller.engineQueueDepth = 256; }) ==
          "controller.engine_queue_depth is 256, expected 1 to 255");
    CHECK(errorWith([](NpuConfig& c) { c.mac.dataflow = static_cast<hw::Dataflow>(3); }) ==
          "mac.dataflow is number 3, expected one of weight-stationary, output-stationary, "
          "broadcast");
}

TEST_CASE("refresh, rows and external load need all their numbers [E-7]") {
    const auto errorWithDram = [](auto&& change) {
        return errorWith([&](NpuConfig& config) { change(config.dram); });
    };
    CHECK(errorWithDram([](hw::DramConfig& c) { c.refreshCycles = 10; }) ==
          "dram.refresh_cycles is 10, expected less than the 0 of refresh_interval_cycles");
    CHECK(errorWithDram([](hw::DramConfig& c) { c.refreshCycles = c.refreshIntervalCycles = 9; }) ==
          "dram.refresh_cycles is 9, expected less than the 9 of refresh_interval_cycles");
    CHECK(errorWithDram([](hw::DramConfig& c) { c.rowMissCycles = 9; }) ==
          "dram.banks is 0, expected some for rows of 0 bytes and 9 cycles");
    CHECK(errorWithDram([](hw::DramConfig& c) { c.banks = 8; }) ==
          "dram.row_bytes is 0, expected a power of two");
    CHECK(errorWithDram([](hw::DramConfig& c) { c.banks = 1025; }) ==
          "dram.banks is 1025, expected 0 to 1024");
    CHECK(errorWithDram([](hw::DramConfig& c) { c.background = 0.96; }) ==
          "dram.background is 0.96, expected 0 to 0.95");
    CHECK(errorWithDram([](hw::DramConfig& c) { c.background = -0.1; }) ==
          "dram.background is -0.1, expected 0 to 0.95");
    CHECK(errorWithDram([](hw::DramConfig& c) {
              c.background = std::numeric_limits<double>::quiet_NaN();
          }).find("dram.background is nan") == 0);
    CHECK(errorWithDram([](hw::DramConfig& c) {
              c.banks = 8;
              c.rowBytes = 2048;
              c.rowMissCycles = 36;
              c.refreshIntervalCycles = 3904;
              c.refreshCycles = 280;
              c.background = 0.5;
          }).empty());
}

TEST_CASE("numbers that divide or multiply times may not be zero [E-3]") {
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.clockKhz = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.mac.columns = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.mac.floatDivisor = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.mac.outputLanes = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.mac.accumulatorKib = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.sram.kib = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.sram.banks = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.sram.portBytes = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.vector.lanes8 = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.vector.lanes32 = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.vector.exponentialCycles = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dsp.lanes8 = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dsp.lanes32 = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dsp.macs8 = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dsp.macsFloat = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dsp.exponentialCycles = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dsp.scalarCycles = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dsp.bytesPerCycle = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dma.bytesPerCycle = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dma.chunkBytes = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dma.burstBytes = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dram.bytesPerCycle = 0.0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.dram.mib = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.interconnect.bytesPerCycle = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.mmu.tlbEntries = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.controller.localMemoryKib = 0; }).empty());
    CHECK_FALSE(errorWith([](NpuConfig& c) { c.controller.engineQueueDepth = 0; }).empty());
}

TEST_CASE("a NaN bandwidth is refused [E-3]") {
    NpuConfig config;
    config.dram.bytesPerCycle = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(findConfigError(config).empty());
    config.dram.bytesPerCycle = std::numeric_limits<double>::infinity();
    CHECK_FALSE(findConfigError(config).empty());
    config.dram.bytesPerCycle = -4.0;
    CHECK(findConfigError(config) == "dram.bytes_per_cycle is -4, expected 0.001 to 65536");
}

TEST_CASE("clock levels must decrease without gaps [E-3]") {
    NpuConfig config;
    config.power.level1Khz = 1'000'000;
    CHECK(findConfigError(config) == "power.level1_khz is 1000000, expected 0 or 10000 to 999999");
    config.power.level1Khz = 500'000;
    config.power.level2Khz = 500'000;
    CHECK(findConfigError(config) == "power.level2_khz is 500000, expected 0 or 10000 to 499999");
    config.power.level2Khz = 9'999;
    CHECK_FALSE(findConfigError(config).empty());
    config.power.level2Khz = 0;
    config.power.level3Khz = 100'000;
    CHECK(findConfigError(config) ==
          "power.level3_khz is 100000, expected 0 behind a level that is not there");
    config.power.level3Khz = 0;
    config.power.sustainedLevel = 2;
    CHECK(findConfigError(config) ==
          "power.sustained_level is 2, expected 0 to 1, the slowest level");
    config.power.sustainedLevel = 1;
    CHECK(findConfigError(config).empty());
    CHECK(hw::clockLevelsKhz(config) == std::vector<std::uint32_t>{1'000'000, 500'000});
    config.power.resumeNs = 10'000'001;
    CHECK(findConfigError(config) == "power.resume_ns is 10000001, expected 0 to 10000000");
}

TEST_CASE("related numbers are checked together [E-3]") {
    NpuConfig config;
    config.sram.kib = 3;
    config.sram.banks = 5;
    CHECK(findConfigError(config) ==
          "sram.banks is 5, expected a divisor of the 3072 bytes of sram.kib");
    config = NpuConfig{};
    config.sram.residentKib = 6;
    CHECK(findConfigError(config) ==
          "sram.resident_kib is 6, expected a multiple of the MMU's page of 4 KiB");
    config.sram.residentKib = 65'536;
    CHECK(findConfigError(config) == "sram.resident_kib is 65536, expected 0 to 65535");
    config.sram.residentKib = 65'532;
    CHECK(findConfigError(config).empty());
    config = NpuConfig{};
    config.mac.tapsApart = true;
    CHECK(findConfigError(config).empty());
    config.mac.dataflow = hw::Dataflow::kOutputStationary;
    CHECK(findConfigError(config) ==
          "mac.taps_apart is true, expected false where mac.dataflow is not weight-stationary");
    config = NpuConfig{};
    config.mac.winograd = true;
    CHECK(findConfigError(config) ==
          "mac.winograd is true, expected false where mac.dataflow is not broadcast");
    config.mac.dataflow = hw::Dataflow::kBroadcast;
    CHECK(findConfigError(config).empty());
    config = NpuConfig{};
    config.dma.burstBytes = 48;
    CHECK(findConfigError(config) == "dma.burst_bytes is 48, expected a power of two");
    config = NpuConfig{};
    config.dma.chunkBytes = 96;
    CHECK(findConfigError(config) ==
          "dma.chunk_bytes is 96, expected a multiple of the 64 of dma.burst_bytes");
    config = NpuConfig{};
    config.name.clear();
    CHECK(findConfigError(config) == "name is empty, expected the configuration's name");
}

TEST_SUITE_END();

}  // namespace vnpu::test
