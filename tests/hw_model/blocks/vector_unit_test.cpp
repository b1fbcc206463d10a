// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/vector_unit.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

VecOperand floats(std::uint32_t count, std::uint32_t sram) {
    VecOperand operand{};
    operand.type = TensorType::kFloat32;
    operand.rank = 1;
    operand.sram = sram;
    operand.words[0] = count;
    return operand;
}

/// The larger one of two rows of floats, element by element.
VecOperator maximum(std::uint32_t count, std::uint32_t a, std::uint32_t b, std::uint32_t output) {
    VecOperator work{};
    work.op = Operator::kMaximum;
    work.inputCount = 2;
    work.outputCount = 1;
    work.operands[0] = floats(count, a);
    work.operands[1] = floats(count, b);
    work.operands[2] = floats(count, output);
    return work;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/vector_unit");

TEST_CASE("a command takes its start-up and its elements over the lanes [E-3]") {
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

TEST_CASE("a command works on the bytes in SRAM [E-2]") {
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

TEST_CASE("an operator takes its start-up and the steps of its definition [E-3]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kVector, maximum(800, 0, 0x1000, 0x10000));
        list.add(Engine::kVector, maximum(801, 0, 0x1000, 0x10000));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto records = bench.observer.of(Engine::kVector);
        REQUIRE(records.size() == 2);
        CHECK(records[0].endCycle - records[0].startCycle == 16 + 100);
        CHECK(records[0].operations == 800);
        CHECK(records[0].sramBytes == 3 * 3200);
        CHECK(records[1].endCycle - records[1].startCycle == 16 + 101);
    });
}

TEST_CASE("an operator works on the tensors in SRAM [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 64));
        list.add(Engine::kVector, maximum(8, 0, 32, 0x10000), {waitFor(Engine::kDma0, 1)});
        list.add(Engine::kDma2, copyBytes(inSram(0x10000), inRegion(0x1000), 36),
                 {waitFor(Engine::kVector, 1)});
        JobBench bench(list);
        for (std::uint64_t i = 0; i < 8; ++i) {
            bench.memory.store(JobBench::bus(i * 4), static_cast<float>(i));
            bench.memory.store(JobBench::bus(32 + i * 4), 7.0F - static_cast<float>(i));
        }
        CHECK(bench.runJob() == 0);
        CHECK(bench.memory.load<float>(JobBench::bus(0x1000)) == 7.0F);
        CHECK(bench.memory.load<float>(JobBench::bus(0x1000 + 12)) == 4.0F);
        CHECK(bench.memory.load<float>(JobBench::bus(0x1000 + 28)) == 7.0F);
        CHECK(bench.memory.load<float>(JobBench::bus(0x1000 + 32)) == 0.0F);
    });
}

TEST_CASE("an operator with incompatible operands is refused at its end [E-7]") {
    simCase([] {
        CommandList list;
        VecOperator work = maximum(800, 0, 0x1000, 0x10000);
        work.operands[1].words[0] = 799;
        list.add(Engine::kVector, work);
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kBadOperand);
        CHECK(bench.observer.of(Engine::kVector).empty());
        REQUIRE(bench.observer.faults.size() == 1);
        CHECK(bench.observer.faults[0].second.find("maximum: ") != std::string::npos);
    });
}

TEST_CASE("an operator's output has the dimensions that it computes [E-7]") {
    simCase([] {
        CommandList list;
        VecOperator work = maximum(800, 0, 0x1000, 0x10000);
        work.operands[2].words[0] = 801;
        list.add(Engine::kVector, work);
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kBadOperand);
    });
}

TEST_CASE("an operator's operands outside the SRAM are refused [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kVector, maximum(800, 0, 0x1000, 512 * 1024 - 3196));
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kOutOfSram);
    });
}

TEST_CASE("a race of an operator with a load into its input shows in its output [E-2]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, copyBytes(inRegion(0), inSram(0), 3200));
        list.add(Engine::kVector, maximum(800, 0, 0x1000, 0x10000));
        list.add(Engine::kDma2, copyBytes(inSram(0x10000), inRegion(0x8000), 3200),
                 {waitFor(Engine::kVector, 1)});
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        CHECK(bench.perf(regs::PerfEvent::kSramRaces) > 0);
        bool isSpoilt = false;
        for (std::uint64_t i = 0; i < 3200; ++i) {
            isSpoilt = isSpoilt || *bench.memory.at(JobBench::bus(0x8000 + i)) != std::byte{0};
        }
        CHECK(isSpoilt);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
