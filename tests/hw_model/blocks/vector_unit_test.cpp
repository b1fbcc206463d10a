// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/vector_unit.h"

#include <doctest/doctest.h>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

}  // namespace

TEST_SUITE("hw_model/blocks/vector_unit") {
    TEST_CASE("takes its start-up and elements over lanes [E-3]") {
        simCase([] {
            CommandList list;
            list.add(Engine::kVector, clampBytes(0, 0x10000, 3200));
            list.add(Engine::kVector, clampBytes(0, 0x10000, 3201));
            JobBench bench(list);
            CHECK(bench.runJob() == 0);
            const auto records = bench.observer.of(Engine::kVector);
            REQUIRE(records.size() == 2);
            CHECK(records[0].endCycle - records[0].startCycle == 16 + 100);
            CHECK(records[0].operations == 3200);
            CHECK(records[0].sramBytes == 6400);
            CHECK(records[1].endCycle - records[1].startCycle == 16 + 101);
            CHECK(records[1].startCycle == records[0].endCycle);
            CHECK(bench.perf(regs::PerfEvent::kVectorActiveCycles) == 233);
        });
    }

    TEST_CASE("works on the bytes in SRAM [E-2]") {
        simCase([] {
            CommandList list;
            VecUnary work = clampBytes(0, 0x10000, 256);
            work.outputStage.clampMin = -10;
            work.outputStage.clampMax = 20;
            list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 256));
            list.add(Engine::kVector, work, {waitFor(Engine::kDma0, 1)});
            list.add(Engine::kDma2, copyBytes(inSram(0x10000), inRegion(0x1000), 256),
                     {waitFor(Engine::kVector, 1)});
            JobBench bench(list);
            for (int i = 0; i < 256; ++i) {
                bench.memory.store(JobBench::bus(static_cast<std::uint64_t>(i)),
                                   static_cast<std::int8_t>(i - 128));
            }
            CHECK(bench.runJob() == 0);
            CHECK(bench.memory.load<std::int8_t>(JobBench::bus(0x1000)) == -10);
            CHECK(bench.memory.load<std::int8_t>(JobBench::bus(0x1000 + 128 + 5)) == 5);
            CHECK(bench.memory.load<std::int8_t>(JobBench::bus(0x1000 + 255)) == 20);
        });
    }

    TEST_CASE("a command of another engine is refused [E-1]") {
        simCase([] {
            CommandList list;
            list.add(Engine::kVector, gemm(4, 4, 4, 0, 100, 200));
            JobBench bench(list);
            CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kBadEngine);
        });
    }

    TEST_CASE("operands outside the SRAM are refused [E-1]") {
        simCase([] {
            CommandList list;
            list.add(Engine::kVector, clampBytes(0, 512 * 1024 - 99, 100));
            JobBench bench(list);
            CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kOutOfSram);
        });
    }
}

}  // namespace vnpu::test
