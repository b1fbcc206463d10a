// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/control/dispatcher.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/hw_model/blocks/job_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint32_t kTokens = regs::EngineTokens::kSpec.offset;
constexpr std::uint32_t kFree = regs::EngineFree::kSpec.offset;
constexpr std::uint32_t kVectorWord = 4 * static_cast<std::uint32_t>(Engine::kVector);

// Runs a script on a device with an empty memory for a while.
struct ScriptRun {
    explicit ScriptRun(ScriptProgram::Script script) : bench(makeOptions(std::move(script))) {
        bench.boot();
        bench.run(20'000);
    }
    static DeviceBench::Options makeOptions(ScriptProgram::Script script) {
        DeviceBench::Options options;
        options.script = std::move(script);
        return options;
    }
    DeviceBench bench;
};

void push(ControllerPort& port, Engine engine, std::uint32_t slot) {
    port.write32(regs::EnginePush::kSpec.at(static_cast<std::uint32_t>(engine)),
                 slot * kCommandSlotBytes);
}

template <typename Payload>
void place(ControllerPort& port, std::uint32_t slot, Engine engine, const Payload& payload) {
    CommandList list;
    list.add(engine, payload);
    std::copy(list.items()[0].bytes.begin(), list.items()[0].bytes.end(),
              port.localMemory().subspan(std::size_t{slot} * kCommandSlotBytes).begin());
}

void sleepCycles(ControllerPort& port, std::uint32_t cycles) {
    port.charge(cycles);
    port.read32(regs::CycleCounterLo::kSpec.offset);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/dispatcher");

TEST_CASE("a command waits for its tokens and records how long [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kVector, clampBytes(0, 0x10000, 64), {waitFor(Engine::kDma0, 2)});
        list.add(Engine::kDma0, fillBytes(inSram(0), 1024, 1, 1));
        list.add(Engine::kDma0, fillBytes(inSram(0), 1024, 2, 1));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto dma = bench.observer.of(Engine::kDma0);
        const auto vector = bench.observer.of(Engine::kVector).at(0);
        CHECK(vector.startCycle == dma.at(1).endCycle);
        CHECK(vector.tokenStallCycles == vector.startCycle - vector.queuedCycle);
        CHECK(bench.perf(regs::PerfEvent::kTokenStallCycles) == vector.tokenStallCycles);
    });
}

TEST_CASE("engines overlap unless tokens hold them back [E-1]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDma0, fillBytes(inSram(0), 16384, 1, 1));
        list.add(Engine::kVector, clampBytes(0x10000, 0x20000, 16384));
        list.add(Engine::kMac, gemm(64, 32, 32, 0x30000, 0x40000, 0x50000));
        JobBench bench(list);
        CHECK(bench.runJob() == 0);
        const auto dma = bench.observer.of(Engine::kDma0).at(0);
        CHECK(bench.observer.of(Engine::kVector).at(0).startCycle < dma.endCycle);
        CHECK(bench.observer.of(Engine::kMac).at(0).startCycle < dma.endCycle);
    });
}

TEST_CASE("the queue has the configured depth and counts down [E-1]") {
    simCase([] {
        std::vector<std::uint32_t> free;
        ScriptRun run([&](ControllerPort& port) {
            startJob(port, {});
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 32'000));
            free.push_back(port.read32(kFree + kVectorWord));
            for (int i = 0; i < 3; ++i) {
                push(port, Engine::kVector, 0);
                free.push_back(port.read32(kFree + kVectorWord));
            }
        });
        // The first command leaves the queue immediately.
        CHECK(free == std::vector<std::uint32_t>{8, 8, 7, 6});
    });
}

TEST_CASE("pushing to a full queue is an error [E-1]") {
    simCase([] {
        std::uint32_t before = 1;
        std::uint32_t after = 0;
        ScriptRun run([&](ControllerPort& port) {
            startJob(port, {});
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 32'000));
            for (int i = 0; i < 9; ++i) {
                push(port, Engine::kVector, 0);
            }
            before = port.read32(regs::EngineError::kSpec.offset);
            push(port, Engine::kVector, 0);
            after = port.read32(regs::EngineError::kSpec.offset);
        });
        CHECK(before == 0);
        CHECK(JobBench::statusOf(after) == JobStatus::kBadOperand);
    });
}

TEST_CASE("pushes to missing engines and bad offsets are errors [E-1]") {
    simCase([] {
        std::vector<JobStatus> statuses;
        ScriptRun run([&](ControllerPort& port) {
            const auto attempt = [&](Engine engine, std::uint32_t offset) {
                startJob(port, {});
                port.write32(regs::EnginePush::kSpec.at(static_cast<std::uint32_t>(engine)),
                             offset);
                statuses.push_back(
                        JobBench::statusOf(port.read32(regs::EngineError::kSpec.offset)));
            };
            attempt(Engine::kController, 0);
            attempt(Engine::kMac, 4);
            attempt(Engine::kMac, 64 * 1024 - 8);
            attempt(Engine::kMac, 0xFFFFFFF8);
        });
        CHECK(statuses == std::vector<JobStatus>{JobStatus::kBadEngine, JobStatus::kMisaligned,
                                                 JobStatus::kMisaligned, JobStatus::kMisaligned});
    });
}

TEST_CASE("after an error nothing starts until the next job [E-1]") {
    simCase([] {
        std::uint32_t tokensAfterError = 1;
        std::uint32_t errorAfterStart = 1;
        std::uint32_t tokensAfterStart = 0;
        ScriptRun run([&](ControllerPort& port) {
            startJob(port, {});
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 32));
            place(port, 1, Engine::kMac, gemm(4, 4, 4, 0xFFFFFFF0, 0, 0));
            push(port, Engine::kMac, 1);
            push(port, Engine::kVector, 0);
            sleepCycles(port, 500);
            tokensAfterError = port.read32(kTokens + kVectorWord);
            port.write32(regs::EngineAbort::kSpec.offset, 1);
            startJob(port, {});
            errorAfterStart = port.read32(regs::EngineError::kSpec.offset);
            push(port, Engine::kVector, 0);
            sleepCycles(port, 500);
            tokensAfterStart = port.read32(kTokens + kVectorWord);
        });
        CHECK(tokensAfterError == 0);
        CHECK(errorAfterStart == 0);
        CHECK(tokensAfterStart == 1);
    });
}

TEST_CASE("after an error the other engines finish their commands [E-1]") {
    simCase([] {
        std::uint32_t tokens = 0;
        ScriptRun run([&](ControllerPort& port) {
            startJob(port, {});
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 3200));
            place(port, 1, Engine::kMac, gemm(4, 4, 4, 0xFFFFFFF0, 0, 0));
            push(port, Engine::kVector, 0);
            push(port, Engine::kMac, 1);
            sleepCycles(port, 500);
            tokens = port.read32(kTokens + kVectorWord);
        });
        CHECK(tokens == 1);
    });
}

TEST_CASE("abort empties the queues, posts nothing and frees the engines [E-1]") {
    simCase([] {
        std::uint32_t tokens = 1;
        std::uint32_t free = 0;
        std::uint32_t busy = 1;
        std::uint32_t late = 0;
        ScriptRun run([&](ControllerPort& port) {
            startJob(port, {});
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 32'000));
            place(port, 1, Engine::kMac, gemm(64, 32, 32, 0x20000, 0x30000, 0x40000));
            place(port, 2, Engine::kDma0, fillBytes(inSram(0x50000), 32'000, 1, 1));
            push(port, Engine::kVector, 0);
            push(port, Engine::kVector, 0);
            push(port, Engine::kMac, 1);
            push(port, Engine::kDma0, 2);
            sleepCycles(port, 50);
            port.write32(regs::EngineAbort::kSpec.offset, 1);
            busy = regs::Status::kBusy.get(port.read32(regs::Status::kSpec.offset));
            free = port.read32(kFree + kVectorWord);
            sleepCycles(port, 3000);
            tokens = port.read32(kTokens + kVectorWord);
            startJob(port, {});
            push(port, Engine::kVector, 0);
            sleepCycles(port, 1100);
            late = port.read32(kTokens + kVectorWord);
        });
        CHECK(tokens == 0);
        CHECK(free == 8);
        CHECK(busy == 0);
        CHECK(late == 1);
        CHECK(run.bench.observer.commands.size() == 1);
    });
}

TEST_CASE("an aborted store writes nothing [E-2]") {
    simCase([] {
        DeviceBench* device = nullptr;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            device->setRoot(port);
            startJob(port, {{0x10000, 0x1000}});
            place(port, 0, Engine::kDma2, fillBytes(inRegion(0), 4096, 0xFF, 1));
            push(port, Engine::kDma2, 0);
            sleepCycles(port, 900);  // of about 1200
            port.write32(regs::EngineAbort::kSpec.offset, 1);
        };
        DeviceBench bench(std::move(options));
        device = &bench;
        bench.map(0x10000, MemoryTarget::kBase, 4096);
        bench.boot();
        bench.run(20'000);
        CHECK(*bench.memory.at(MemoryTarget::kBase) == std::byte{0});
    });
}

TEST_CASE("only the end of the watched command interrupts the controller [E-1]") {
    simCase([] {
        std::vector<std::uint32_t> tokens;
        ScriptRun run([&](ControllerPort& port) {
            const auto watch = [&](Engine engine, std::uint32_t number) {
                port.write32(regs::EngineWatch::kSpec.offset,
                             regs::EngineWatch::kEngine.put(static_cast<std::uint32_t>(engine)) |
                                     regs::EngineWatch::kTokens.put(number));
            };
            const auto sleep = [&] {
                port.write32(regs::ControllerIrqStatus::kSpec.offset,
                             regs::ControllerIrqStatus::kEngine.mask());
                port.waitForInterrupt(5000);
                tokens.push_back(port.read32(kTokens + kVectorWord));
            };
            startJob(port, {});
            watch(Engine::kVector, 3);
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 3200));
            for (int i = 0; i < 5; ++i) {
                push(port, Engine::kVector, 0);
            }
            sleep();
            watch(Engine::kMac, 4);  // an engine other than these
            sleep();
            startJob(port, {});
            CHECK(port.read32(regs::EngineWatch::kSpec.offset) == 0);
        });
        CHECK(tokens == std::vector<std::uint32_t>{3, 5});
    });
}

TEST_CASE("commands are copied when they start [E-1]") {
    simCase([] {
        ScriptRun run([&](ControllerPort& port) {
            startJob(port, {});
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 3200));
            push(port, Engine::kVector, 0);
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 32));
            push(port, Engine::kVector, 0);
        });
        const auto records = run.bench.observer.of(Engine::kVector);
        REQUIRE(records.size() == 2);
        CHECK(records[0].operations == 3200);
        CHECK(records[1].operations == 32);
    });
}

TEST_CASE("records contain the job, the operation and the place in the stream [E-6]") {
    simCase([] {
        ScriptRun run([&](ControllerPort& port) {
            port.write32(regs::JobIdLo::kSpec.offset, 0x89ABCDEF);
            port.write32(regs::JobIdHi::kSpec.offset, 0x01234567);
            startJob(port, {});
            CommandWriter writer;
            writer.add({.engine = Engine::kVector, .operation = 17, .tile = 4},
                       clampBytes(0, 0x10000, 32));
            std::copy(writer.bytes().begin(), writer.bytes().end(), port.localMemory().begin());
            push(port, Engine::kVector, 0);
            push(port, Engine::kVector, 0);
        });
        const auto records = run.bench.observer.of(Engine::kVector);
        REQUIRE(records.size() == 2);
        CHECK(records[1].jobId == 0x0123456789ABCDEF);
        CHECK(records[1].operation == 17);
        CHECK(records[1].tile == 4);
        CHECK(records[1].index == 1);
        CHECK(records[1].opcode == Opcode::kVecUnary);
        CHECK(records[0].index == 0);
        CHECK(run.bench.perf(regs::PerfEvent::kCommands) == 2);
        CHECK(run.bench.perf(regs::PerfEvent::kJobs) == 1);
    });
}

TEST_CASE("a new job starts counting tokens from zero [E-1]") {
    simCase([] {
        std::vector<std::uint32_t> tokens;
        ScriptRun run([&](ControllerPort& port) {
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 32));
            for (int job = 0; job < 2; ++job) {
                startJob(port, {});
                tokens.push_back(port.read32(kTokens + kVectorWord));
                push(port, Engine::kVector, 0);
                sleepCycles(port, 100);
                tokens.push_back(port.read32(kTokens + kVectorWord));
            }
        });
        CHECK(tokens == std::vector<std::uint32_t>{0, 1, 0, 1});
    });
}

TEST_CASE("a segment of idle engines counts tokens from zero and starts no job [E-1]") {
    simCase([] {
        std::vector<std::uint32_t> tokens;
        ScriptRun run([&](ControllerPort& port) {
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 32));
            startJob(port, {});
            for (int segment = 0; segment < 2; ++segment) {
                push(port, Engine::kVector, 0);
                sleepCycles(port, 100);
                tokens.push_back(port.read32(kTokens + kVectorWord));
                port.write32(regs::EngineWatch::kSpec.offset, 7);
                port.write32(regs::JobSegment::kSpec.offset, 1);
                tokens.push_back(port.read32(kTokens + kVectorWord));
                tokens.push_back(port.read32(regs::EngineWatch::kSpec.offset));
            }
            tokens.push_back(port.read32(regs::EngineError::kSpec.offset));
        });
        CHECK(tokens == std::vector<std::uint32_t>{1, 0, 0, 1, 0, 0, 0});
        CHECK(run.bench.perf(regs::PerfEvent::kJobs) == 1);
    });
}

TEST_CASE("a segment while an engine works is that engine's error [E-7]") {
    simCase([] {
        std::uint32_t error = 0;
        ScriptRun run([&](ControllerPort& port) {
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 3200));
            startJob(port, {});
            push(port, Engine::kVector, 0);
            port.write32(regs::JobSegment::kSpec.offset, 1);
            error = port.read32(regs::EngineError::kSpec.offset);
        });
        CHECK(regs::EngineError::kEngine.get(error) == 5);
        CHECK(regs::EngineError::kStatus.get(error) == 6);  // bad wait
    });
}

TEST_CASE("token counts of an idle engine continue from the loaded values [Q-3]") {
    simCase([] {
        std::vector<std::uint32_t> tokens;
        ScriptRun run([&](ControllerPort& port) {
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 32));
            startJob(port, {});
            port.write32(regs::EngineTokensLoad::kSpec.offset + kVectorWord, 41);
            tokens.push_back(port.read32(kTokens + kVectorWord));
            tokens.push_back(port.read32(kTokens));
            push(port, Engine::kVector, 0);
            sleepCycles(port, 100);
            tokens.push_back(port.read32(kTokens + kVectorWord));
            tokens.push_back(port.read32(regs::EngineError::kSpec.offset));
        });
        CHECK(tokens == std::vector<std::uint32_t>{41, 0, 42, 0});
        CHECK(run.bench.observer.of(Engine::kVector).at(0).index == 41);
    });
}

TEST_CASE("tokens of a working engine cannot be loaded [E-7]") {
    simCase([] {
        std::uint32_t error = 0;
        std::uint32_t tokens = 0;
        ScriptRun run([&](ControllerPort& port) {
            place(port, 0, Engine::kVector, clampBytes(0, 0x10000, 3200));
            startJob(port, {});
            push(port, Engine::kVector, 0);
            port.write32(regs::EngineTokensLoad::kSpec.offset + kVectorWord, 41);
            error = port.read32(regs::EngineError::kSpec.offset);
            tokens = port.read32(kTokens + kVectorWord);
        });
        CHECK(regs::EngineError::kEngine.get(error) == 5);
        CHECK(regs::EngineError::kStatus.get(error) == 6);  // bad wait
        CHECK(tokens == 0);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
