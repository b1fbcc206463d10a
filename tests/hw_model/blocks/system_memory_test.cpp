// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/system_memory.h"

#include <doctest/doctest.h>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/system_memory");

TEST_CASE("a direct pointer is requested once [E-2]") {
    simCase([] {
        CommandList list;
        for (int i = 0; i < 10; ++i) {
            list.add(Engine::kDma0, copyBytes(inRegion(0, 1), inSram(0), 30'000));
        }
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        // Only reads: one pointer granted for reading serves all of them.
        CHECK(bench.memory.grants() == 1);
        CHECK(bench.memory.transports() == 0);
    });
}

TEST_CASE("a direct pointer is requested again after its withdrawal [E-2]") {
    simCase([] {
        int round = 0;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            std::array<std::byte, 4> bytes{};
            while (round < 2) {
                CHECK(port.readMemory(ControllerPort::kPhysical, MemoryTarget::kBase, bytes) ==
                      JobStatus::kOk);
                ++round;
                port.waitForInterrupt(500);
            }
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(300);
        CHECK(bench.memory.grants() == 1);
        bench.memory.withdrawPointers();
        bench.run(1000);
        CHECK(round == 2);
        CHECK(bench.memory.grants() == 2);
    });
}

TEST_CASE("fallback transactions stay within a page [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(100), inSram(0), 10'000));
        JobBench bench(list);
        bench.memory.setGrantsPointers(false);
        CHECK(bench.runJob() == 0);
        // Three page table entries, and the bytes of three pages.
        CHECK(bench.memory.transports() == 3 + 3);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
