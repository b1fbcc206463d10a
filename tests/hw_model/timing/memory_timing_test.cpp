// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/memory_timing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vnpu::test {

using hw::busBytes;
using hw::NpuConfig;
using hw::transferCycles;

namespace {

/// Closed form of an undisturbed DMA transfer between DRAM and SRAM: start-up, latencies and the
/// time of the slowest link. Rows lie `stride` bytes apart.
std::uint64_t dmaTransferCycles(const NpuConfig& config, std::uint32_t rows, std::uint64_t rowBytes,
                                std::uint32_t stride = 0) {
    const std::uint64_t bytes = busBytes(config.dma, rows, rowBytes);
    const hw::DramRuns runs{
            .runBytes = rowBytes, .counts = {rows, 1, 1}, .strides = {stride, 0, 0}};
    const double dram = hw::dramRate(config.dram, bytes, hw::dramRowVisits(config.dram, runs));
    const double slowest = std::min({static_cast<double>(config.dma.bytesPerCycle), dram,
                                     static_cast<double>(config.interconnect.bytesPerCycle),
                                     static_cast<double>(config.sram.portBytes)});
    return std::uint64_t{config.dma.startupCycles} + config.dram.latencyCycles +
           config.interconnect.latencyCycles + transferCycles(slowest, bytes);
}

/// Visits go to the banks in turn, one after the other on the data bus; a bank opens its next row
/// as soon as it has delivered the bytes of the last one. Returns the cycles until the last byte.
double countedBankCycles(const hw::DramConfig& config, double dataCycles, std::uint64_t visits) {
    std::vector<double> bankFree(config.banks, 0.0);
    double busFree = 0;
    for (std::uint64_t v = 0; v < visits; ++v) {
        double& bank = bankFree[v % config.banks];
        const double open = bank + (v == 0 ? 0 : config.rowMissCycles);
        busFree = std::max(busFree, open) + dataCycles;
        bank = busFree;
    }
    return busFree;
}

hw::DramConfig rowsOf(std::uint32_t banks) {
    hw::DramConfig config;
    config.bytesPerCycle = 32;
    config.banks = banks;
    config.rowBytes = 2048;
    config.rowMissCycles = 36;
    return config;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/timing/memory_timing");

TEST_CASE("a transfer rounds up to whole cycles [E-3]") {
    CHECK(transferCycles(16.0, 0) == 0);
    CHECK(transferCycles(16.0, 1) == 1);
    CHECK(transferCycles(16.0, 16) == 1);
    CHECK(transferCycles(16.0, 17) == 2);
    CHECK(transferCycles(12.8, 128) ==
          10);  // a quotient that is whole although 12.8 is no binary fraction
    CHECK(transferCycles(12.8, 129) == 11);
    CHECK(transferCycles(0.5, 3) == 6);
}

TEST_CASE("each row rounds up to whole bursts [E-3]") {
    NpuConfig config;
    config.dma.burstBytes = 64;
    CHECK(busBytes(config.dma, 1, 1) == 64);
    CHECK(busBytes(config.dma, 1, 64) == 64);
    CHECK(busBytes(config.dma, 1, 65) == 128);
    CHECK(busBytes(config.dma, 10, 3) == 640);
    CHECK(busBytes(config.dma, 0, 3) == 0);
}

TEST_CASE("a DMA transfer is start-up, latencies and the slowest link's time [E-3]") {
    NpuConfig config;
    config.dma = {.bytesPerCycle = 16, .chunkBytes = 4096, .startupCycles = 8, .burstBytes = 64};
    config.dram.bytesPerCycle = 4.0;
    config.dram.latencyCycles = 100;
    config.interconnect = {.bytesPerCycle = 16, .latencyCycles = 4};
    config.sram.portBytes = 32;
    // 8 + 100 + 4 + 4096/4.
    CHECK(dmaTransferCycles(config, 1, 4096) == 1136);
    config.dram.bytesPerCycle = 64.0;  // now the channel and the interconnect: 4096/16
    CHECK(dmaTransferCycles(config, 1, 4096) == 368);
    config.interconnect.bytesPerCycle = 8;
    CHECK(dmaTransferCycles(config, 1, 4096) == 624);
    config.sram.portBytes = 2;
    CHECK(dmaTransferCycles(config, 1, 4096) == 2160);
    config.dma.bytesPerCycle = 1;
    CHECK(dmaTransferCycles(config, 1, 4096) == 4208);
}

TEST_CASE("short rows cost a burst each [E-3]") {
    NpuConfig config;
    config.dma.burstBytes = 64;
    config.dma.startupCycles = 8;
    config.dram.bytesPerCycle = 4.0;
    config.dram.latencyCycles = 100;
    config.interconnect.latencyCycles = 4;
    // 100 rows of 8 bytes are 6400 bytes of bus: 112 + 1600; as one row 800 bytes are 832: 112
    // + 208.
    CHECK(dmaTransferCycles(config, 100, 8) == 1712);
    CHECK(dmaTransferCycles(config, 1, 800) == 320);
}

TEST_CASE("refresh reduces only the bandwidth, by its share [E-3]") {
    NpuConfig config;
    config.dram.bytesPerCycle = 4.0;
    config.dram.latencyCycles = 100;
    CHECK(hw::dramSustainedRate(config.dram) == 4.0);
    config.dram.refreshIntervalCycles = 4000;
    config.dram.refreshCycles = 200;
    CHECK(hw::dramRefreshShare(config.dram) == doctest::Approx(0.05));
    // 1,000,000 bytes at 4 a cycle are 62.5 intervals of which 3800 cycles are left.
    CHECK(transferCycles(hw::dramSustainedRate(config.dram), 1'000'000) == 263'158);
    CHECK(dmaTransferCycles(config, 1, 4096) == 8 + 100 + 4 + 1078);
    config.dma.bytesPerCycle = 2;  // a channel without waits hides it
    CHECK(dmaTransferCycles(config, 1, 4096) == 8 + 100 + 4 + 2048);
}

TEST_CASE("adjacent runs share the rows that they span [E-3]") {
    const hw::DramConfig config = rowsOf(8);
    CHECK(hw::dramRowVisits({}, {.runBytes = 4096}) == 0);
    CHECK(hw::dramRowVisits(config, {.runBytes = 1}) == 1);
    CHECK(hw::dramRowVisits(config, {.runBytes = 2048}) == 1);
    CHECK(hw::dramRowVisits(config, {.runBytes = 2049}) == 2);
    CHECK(hw::dramRowVisits(config, {.runBytes = 1 << 20}) == 512);
    // 100 runs of 64 bytes: side by side, every other one, one per row, and beyond.
    const auto strided = [&](std::uint32_t stride) {
        return hw::dramRowVisits(config,
                                 {.runBytes = 64, .counts = {100, 1, 1}, .strides = {stride}});
    };
    CHECK(strided(64) == 4);   // 6400 bytes
    CHECK(strided(128) == 7);  // 12,736 bytes
    CHECK(strided(2048) == 100);
    CHECK(strided(4096) == 100);
    CHECK(strided(0) == 1);
    // Planes of 10 rows: each row's runs lie close, the rows far apart.
    CHECK(hw::dramRowVisits(config, {.runBytes = 64,
                                     .counts = {50, 10, 3},
                                     .strides = {100, 100'000, 128}}) == 3 * 10 * 3);
}

TEST_CASE("row misses that the banks do not hide take the time of a bank-by-bank count [E-3]") {
    for (const std::uint32_t banks : {1U, 2U, 4U, 8U, 16U, 32U}) {
        const hw::DramConfig config = rowsOf(banks);
        for (const std::uint64_t bytes : {64U, 128U, 512U, 2048U}) {
            CAPTURE(banks);
            CAPTURE(bytes);
            constexpr std::uint64_t kVisits = 2000;
            const double counted =
                    countedBankCycles(config, static_cast<double>(bytes) / 32, kVisits);
            const double cycles = static_cast<double>(bytes * kVisits) /
                                  hw::dramRate(config, bytes * kVisits, kVisits);
            CHECK(cycles == doctest::Approx(counted).epsilon(0.03));
        }
    }
}

TEST_CASE("8 banks hide the misses of long rows but not of short ones [E-3]") {
    hw::DramConfig config = rowsOf(8);
    // 100 rows of 64 bytes: 200 cycles of data, 99 * 36 of misses, over 8 banks.
    CHECK(6400 / hw::dramRate(config, 6400, 100) == doctest::Approx((200 + 3564) / 8.0));
    CHECK(hw::dramRate(config, 1 << 20, 512) == 32.0);
    config.refreshIntervalCycles = 1000;
    config.refreshCycles = 100;
    CHECK(6400 / hw::dramRate(config, 6400, 100) == doctest::Approx(470.5 / 0.9));
    config.banks = 1;
    config.refreshCycles = 0;
    CHECK(4096 / hw::dramRate(config, 4096, 2) == doctest::Approx(128 + 36));
    NpuConfig device;
    device.dram = rowsOf(8);
    device.dram.latencyCycles = 100;
    // The interconnect's 16 bytes a cycle are faster.
    CHECK(dmaTransferCycles(device, 100, 64, 4096) == 8 + 100 + 4 + 471);
    CHECK(dmaTransferCycles(device, 100, 64, 64) == 8 + 100 + 4 + 400);
}

TEST_SUITE_END();

}  // namespace vnpu::test
