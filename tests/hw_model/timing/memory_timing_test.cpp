// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/memory_timing.h"

#include <doctest/doctest.h>

namespace vnpu::test {

using hw::busBytes;
using hw::dmaTransferCycles;
using hw::NpuConfig;
using hw::transferCycles;

TEST_SUITE("hw_model/timing/memory_timing") {
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
        config.dma = {
                .bytesPerCycle = 16, .chunkBytes = 4096, .startupCycles = 8, .burstBytes = 64};
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
}

}  // namespace vnpu::test
