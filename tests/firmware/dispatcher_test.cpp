// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/firmware/rig.h"

namespace vnpu::fw::test {
namespace {

using hw::Engine;
using hw::JobStatus;
using hw::Opcode;

CompletionRecord runOne(Rig& rig, const hw::CommandWriter& writer) {
    const JobSlot job = rig.makeJob(1, writer);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&rig, job] { rig.submit(0, job); });
    rig.step([&rig] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.completions.size() == 1);
    CHECK(rig.device.protocolErrors.empty());
    return rig.completions[0];
}

/// The completion of a job whose second command, on DMA channel 1, has this wait; the first command
/// is on channel 0.
CompletionRecord runWait(const hw::TokenWait& wait) {
    Rig rig;
    hw::CommandWriter writer;
    writer.add(onEngine(Engine::kDma0), smallFill());
    writer.add(onEngine(Engine::kDma1, std::span(&wait, 1)), smallFill());
    writer.add({}, Opcode::kEnd);
    return runOne(rig, writer);
}

}  // namespace

TEST_SUITE_BEGIN("firmware/dispatcher");

TEST_CASE("more commands than queue and slots hold reach the engines in order [E-2]") {
    Rig rig;
    hw::CommandWriter writer;
    for (std::uint32_t i = 0; i < 500; ++i) {
        hw::CommandContext context = onEngine(i % 3 == 0 ? Engine::kDma0 : Engine::kDma2);
        context.tile = i;
        writer.add(context, smallFill());
    }
    writer.add({}, Opcode::kEnd);
    const CompletionRecord record = runOne(rig, writer);
    CHECK(record.status == JobStatus::kOk);
    CHECK(record.commandCount == 501);
    REQUIRE(rig.device.executed.size() == 500);
    std::vector<std::uint32_t> next = {0, 1};
    for (const FakeController::Executed& done : rig.device.executed) {
        std::uint32_t& expected = next[done.engine == Engine::kDma0 ? 0 : 1];
        CHECK(done.header.tile == expected);
        expected += done.engine == Engine::kDma0 ? 3 : (expected % 3 == 1 ? 1 : 2);
    }
}

TEST_CASE("a fast engine is kept busy while commands come [E-3]") {
    Rig rig;
    rig.device.engineCycles.fill(200);
    hw::CommandWriter writer;
    for (std::uint32_t i = 0; i < 200; ++i) {
        writer.add(onEngine(Engine::kDma0), smallFill());
    }
    writer.add({}, Opcode::kEnd);
    const CompletionRecord record = runOne(rig, writer);
    // 200 commands of 200 cycles; dispatch may add the start and the latency of the stream once,
    // but not per command.
    CHECK(record.endCycle - record.startCycle < 200 * 200 + 2000);
}

TEST_CASE("commands of maximal size have separate slots [E-2]") {
    Rig rig;
    rig.device.engineCycles.fill(2000);
    hw::VecOperator work{};
    work.op = hw::Operator::kFloor;
    work.inputCount = work.outputCount = 1;
    for (int i = 0; i < 2; ++i) {
        work.operands[i].type = hw::TensorType::kFloat32;
        work.operands[i].rank = 1;
        work.operands[i].words[0] = 4;
    }
    hw::CommandWriter writer;
    for (std::uint32_t i = 0; i < 60; ++i) {
        hw::CommandContext context = onEngine(Engine::kVector);
        context.tile = i;
        writer.add(context, work);
        writer.add(onEngine(Engine::kDma3), smallFill());
    }
    writer.add({}, Opcode::kEnd);
    REQUIRE(writer.bytes().size() == 60 * (384 + 104) + 48);
    CHECK(runOne(rig, writer).status == JobStatus::kOk);
    CHECK(rig.device.executed.size() == 120);
}

TEST_CASE("a wait for dispatched commands is accepted") {
    CHECK(runWait({1, 0}).status == JobStatus::kOk);
    CHECK(runWait({0, 4}).status == JobStatus::kOk);
}

TEST_CASE("a wait for more than was dispatched could hang and is refused [E-7]") {
    const CompletionRecord record = runWait({2, 0});
    CHECK(record.status == JobStatus::kBadWait);
    CHECK(record.failingCommand == 104);
    CHECK(runWait({1, 4}).status == JobStatus::kBadWait);
    CHECK(runWait({1, 6}).status == JobStatus::kBadWait);
    CHECK(runWait({0xFFFFFF, 0}).status == JobStatus::kBadWait);
}

TEST_CASE("counts start at zero with every job [E-1]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    hw::CommandWriter writer;
    const hw::TokenWait wait[] = {{1, 0}};
    writer.add(onEngine(Engine::kDma1, wait), smallFill());
    writer.add({}, Opcode::kEnd);
    rig.step([&] {
        rig.put(0, rig.smallJob(1));  // one command of channel 0
        rig.put(0, rig.makeJob(2, writer));
        rig.bell(0);
    });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.completions.size() == 2);
    CHECK(rig.completions[1].status == JobStatus::kBadWait);
}

TEST_CASE("a waiting engine starts when its tokens arrive") {
    Rig rig;
    rig.device.engineCycles[0] = 3000;
    hw::CommandWriter writer;
    const hw::TokenWait wait[] = {{1, 0}};
    writer.add(onEngine(Engine::kDma0), smallFill());
    writer.add(onEngine(Engine::kDma1, wait), smallFill());
    writer.add({}, Opcode::kEnd);
    runOne(rig, writer);
    REQUIRE(rig.device.executed.size() == 2);
    CHECK(rig.device.executed[1].startCycle == rig.device.executed[0].endCycle);
}

TEST_CASE("a control command waits for its tokens too") {
    Rig rig;
    rig.device.engineCycles[0] = 3000;
    hw::CommandWriter writer;
    const hw::TokenWait wait[] = {{1, 0}};
    writer.add(onEngine(Engine::kDma0), smallFill());
    writer.add(onEngine(Engine::kController, wait), Opcode::kNop);
    writer.add(onEngine(Engine::kDma1), smallFill());
    writer.add({}, Opcode::kEnd);
    runOne(rig, writer);
    REQUIRE(rig.device.executed.size() == 2);
    CHECK(rig.device.executed[1].startCycle > rig.device.executed[0].endCycle);
}

TEST_CASE("a long chain of tokens over all engines does not deadlock") {
    Rig rig;
    hw::CommandWriter writer;
    const Engine ring[] = {Engine::kDma0, Engine::kDma1, Engine::kDma2, Engine::kDma3};
    for (std::uint32_t i = 0; i < 400; ++i) {
        const std::uint32_t turn = i % 4;
        const std::uint32_t before = (turn + 3) % 4;
        const std::uint32_t count = turn == 0 ? i / 4 : i / 4 + 1;
        const hw::TokenWait wait[] = {{count & 0xFFFFFF, static_cast<std::uint8_t>(before)}};
        writer.add(onEngine(ring[turn], wait), smallFill());
    }
    writer.add({}, Opcode::kEnd);
    CHECK(runOne(rig, writer).status == JobStatus::kOk);
    CHECK(rig.device.executed.size() == 400);
}

// The end of a command may fall between any two accesses of the firmware; if it were missed, the
// firmware would sleep until the next heartbeat, 5000 cycles.
TEST_CASE("the end of the last command is never missed [E-1]") {
    for (std::uint32_t cycles = 1; cycles < 400; ++cycles) {
        Rig rig;
        rig.device.engineCycles.fill(cycles);
        hw::CommandWriter writer;
        writer.add(onEngine(Engine::kDma0), smallFill());
        writer.add({}, Opcode::kEnd);
        const CompletionRecord record = runOne(rig, writer);
        REQUIRE(rig.device.executed.size() == 1);
        CHECK(record.endCycle < rig.device.executed[0].endCycle + 300);
    }
}

// Eight commands fill the queue; they are so slow that none has finished when the ninth arrives. It
// waits until half of them have finished; a missed end would cost the time until the heartbeat.
TEST_CASE("a full queue is filled again when half of it is free [E-1]") {
    for (std::uint32_t cycles = 520; cycles < 900; ++cycles) {
        Rig rig;
        rig.device.engineCycles.fill(cycles);
        hw::CommandWriter writer;
        for (int i = 0; i < 9; ++i) {
            writer.add(onEngine(Engine::kDma0), smallFill());
        }
        writer.add(onEngine(Engine::kDma1), smallFill());
        writer.add({}, Opcode::kEnd);
        runOne(rig, writer);
        std::vector<FakeController::Executed> loads;
        std::copy_if(
                rig.device.executed.begin(), rig.device.executed.end(), std::back_inserter(loads),
                [](const FakeController::Executed& done) { return done.engine == Engine::kDma0; });
        const auto other = std::find_if(
                rig.device.executed.begin(), rig.device.executed.end(),
                [](const FakeController::Executed& done) { return done.engine == Engine::kDma1; });
        REQUIRE(loads.size() == 9);
        REQUIRE(other != rig.device.executed.end());
        CHECK(other->startCycle > loads[3].endCycle);
        CHECK(other->startCycle < loads[3].endCycle + 200);
    }
}

TEST_CASE("an error while the queue is full is noticed immediately [E-7]") {
    Rig rig;
    rig.device.failCommand({Engine::kDma0, 1, 3, JobStatus::kBusError, 0});
    hw::CommandWriter writer;
    for (std::uint32_t i = 0; i < 100; ++i) {
        writer.add(onEngine(Engine::kDma0), smallFill());
    }
    writer.add({}, Opcode::kEnd);
    const CompletionRecord record = runOne(rig, writer);
    CHECK(record.status == JobStatus::kBusError);
    CHECK(record.failingCommand == 3 * 104);
    CHECK(record.commandCount < 30);
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
