// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory_arbiter.h"

#include <doctest/doctest.h>

using vnpu::hw::MemoryArbiter;
using vnpu::hw::NpuConfig;

namespace {

NpuConfig slowDram() {
    NpuConfig config;  // DRAM 4, interconnect 16 bytes per cycle, chunks of 4096 bytes
    return config;
}

}  // namespace

TEST_SUITE("hw_model/blocks/memory_arbiter") {
    TEST_CASE("a lone transfer takes its bytes over its rate, whole cycles at the end [E-3]") {
        MemoryArbiter arbiter(slowDram());
        arbiter.start(0, 10, {.requestCycle = 100, .bytes = 40'000, .bytesPerCycle = 4});
        CHECK(arbiter.endCycle(0) == 100 + 10'000);
        arbiter.stop(0, 10'100);
        arbiter.start(0, 20'000, {.requestCycle = 20'000, .bytes = 1, .bytesPerCycle = 4});
        CHECK(arbiter.endCycle(0) == 20'001);
    }

    TEST_CASE("an odd bandwidth does not lose cycles over many chunks [E-3]") {
        NpuConfig config = slowDram();
        config.dram.bytesPerCycle = 12.8;
        MemoryArbiter arbiter(config);
        arbiter.start(0, 0, {.requestCycle = 0, .bytes = 64'000'000, .bytesPerCycle = 12.8});
        CHECK(arbiter.endCycle(0) == 5'000'000);
    }

    TEST_CASE("two equal transfers share by turns and end together [E-3]") {
        MemoryArbiter arbiter(slowDram());
        arbiter.start(0, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
        arbiter.start(1, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
        // 131072 bytes at 4 a cycle; the flow served first ends one chunk (1024 cycles) earlier.
        CHECK(arbiter.endCycle(1) == 32'768);
        CHECK(arbiter.endCycle(0) == 32'768 - 1'024);
    }

    TEST_CASE("a late transfer shares only what is left [E-3]") {
        MemoryArbiter arbiter(slowDram());
        arbiter.start(0, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
        CHECK(arbiter.endCycle(0) == 16'384);
        // Half done: 32768 bytes left, and 32768 come in.
        arbiter.start(1, 8'192, {.requestCycle = 8'192, .bytes = 32'768, .bytesPerCycle = 4});
        CHECK(arbiter.endCycle(0) == 24'576 - 1'024);
        CHECK(arbiter.endCycle(1) == 24'576);
    }

    TEST_CASE("a stopped transfer gives its share back [E-3]") {
        MemoryArbiter arbiter(slowDram());
        arbiter.start(0, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
        arbiter.start(1, 0, {.requestCycle = 0, .bytes = 65'536, .bytesPerCycle = 4});
        arbiter.stop(1, 8'192);
        // Eight chunks of 1024 cycles are over, four of each; the rest of flow 0 runs alone.
        CHECK(arbiter.endCycle(0) == 8'192 + 12 * 1'024);
        CHECK_FALSE(arbiter.isActive(1));
    }

    TEST_CASE("fast DRAM lets slow channels overlap [E-3]") {
        NpuConfig config = slowDram();
        config.dram.bytesPerCycle = 64;
        config.interconnect.bytesPerCycle = 64;
        MemoryArbiter arbiter(config);
        arbiter.start(0, 0, {.requestCycle = 0, .bytes = 16'384, .bytesPerCycle = 16});
        arbiter.start(1, 0, {.requestCycle = 0, .bytes = 16'384, .bytesPerCycle = 16});
        CHECK(arbiter.endCycle(0) == 1'024);
        // Its first chunk waited 4096 / 64 cycles at the DRAM.
        CHECK(arbiter.endCycle(1) == 1'024 + 64);
    }

    TEST_CASE("memory to memory occupies the DRAM twice [E-3]") {
        MemoryArbiter arbiter(slowDram());
        arbiter.start(3, 0, {.requestCycle = 0, .bytes = 8'192, .bytesPerCycle = 2, .passes = 2});
        CHECK(arbiter.endCycle(3) == 4'096);
        arbiter.stop(3, 4'096);
        CHECK(arbiter.dramBusyCycles() == 4'096);
    }

    TEST_CASE("the generation tells of new predictions [E-4]") {
        MemoryArbiter arbiter(slowDram());
        const std::uint64_t before = arbiter.generation();
        arbiter.start(0, 0, {.requestCycle = 0, .bytes = 64, .bytesPerCycle = 4});
        CHECK(arbiter.generation() != before);
    }
}
