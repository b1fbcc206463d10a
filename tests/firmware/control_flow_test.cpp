// SPDX-License-Identifier: Apache-2.0
// Segments, loops and branches of a job.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/firmware/rig.h"

namespace vnpu::fw::test {
namespace {

using hw::Engine;
using hw::JobStatus;
using hw::Opcode;

constexpr std::uint32_t kFillBytes = 104;
constexpr std::uint32_t kBranchBytes = 80;
constexpr std::uint32_t kLoopBytes = 56;

/// A stream under construction: numbered fills (the number is their tile), control flow, and
/// command offsets.
class Program {
  public:
    std::uint32_t here() const { return static_cast<std::uint32_t>(writer.bytes().size()); }

    void fill(std::uint32_t number, Engine engine = Engine::kDma0) {
        hw::CommandContext context = onEngine(engine);
        context.tile = number;
        writer.add(context, smallFill());
    }
    void loop(std::uint32_t number) { writer.add({}, hw::Loop{number, 0}); }
    void segment() { writer.add({}, Opcode::kSegment); }
    void end() { writer.add({}, Opcode::kEnd); }

    void always(std::uint32_t target, std::uint32_t flags = 0, std::uint32_t loop = 0) {
        hw::Branch work{};
        work.target = target;
        work.flags = hw::kBranchAlways | flags;
        work.loop = loop;
        writer.add({}, work);
    }
    void branchIf(std::uint64_t byte, std::uint32_t target, std::uint32_t flags = 0,
                  std::uint32_t loop = 0) {
        hw::Branch work{};
        work.condition.offset = byte;
        work.target = target;
        work.flags = flags;
        work.loop = loop;
        writer.add({}, work);
    }

    hw::CommandWriter writer;
};

/// A rig with one writable region, whose first bytes are the conditions.
class Run {
  public:
    Run() : conditions_(rig.allocate(4096)) {}

    void setCondition(std::uint64_t byte, bool value) {
        rig.device.memory(conditions_ + byte, 1)[0] =
                std::byte{value ? std::uint8_t{2} : std::uint8_t{0}};
    }

    JobSlot job(const Program& program, std::uint64_t loopTimeoutCycles = 0) {
        const Rig::Region regions[] = {{Rig::virtualOf(conditions_), 4096, true}};
        JobSlot slot = rig.makeJob(1, program.writer.bytes(), regions);
        slot.loopTimeoutCycles = loopTimeoutCycles;
        return slot;
    }

    CompletionRecord operator()(const JobSlot& slot) {
        rig.makeRing(0, 1, PriorityBand::kNormal);
        rig.step([this, slot] { rig.submit(0, slot); });
        rig.step([this] { rig.readCompletions(0); });
        rig.run();
        REQUIRE(rig.completions.size() == 1);
        CHECK(rig.device.protocolErrors.empty());
        return rig.completions[0];
    }
    CompletionRecord operator()(const Program& program) { return (*this)(job(program)); }

    /// Numbers of the fills in the order in which they ended.
    std::vector<std::uint32_t> numbers() const {
        std::vector<std::uint32_t> tiles;
        for (const FakeController::Executed& done : rig.device.executed) {
            tiles.push_back(done.header.tile);
        }
        return tiles;
    }

    std::uint64_t conditionAddress() const { return Rig::virtualOf(conditions_); }

    Rig rig;

  private:
    std::uint64_t conditions_;
};

using Numbers = std::vector<std::uint32_t>;

/// An empty loop that never ends by itself.
Program endlessLoop() {
    Program program;
    program.loop(0);
    program.always(kLoopBytes, hw::kBranchLoops, 0);
    program.end();
    return program;
}

}  // namespace

TEST_SUITE_BEGIN("firmware/control_flow");

TEST_CASE("a segment waits for all engines and lets tokens count from zero [E-1]") {
    Run run;
    run.rig.device.engineCycles[0] = 5000;
    Program program;
    program.fill(1);
    program.segment();
    program.fill(2);
    program.fill(3, Engine::kDma1);
    program.segment();
    program.fill(4);
    program.end();
    const CompletionRecord record = run(program);
    CHECK(record.status == JobStatus::kOk);
    CHECK(record.commandCount == 7);
    CHECK(run.rig.device.segments == 2);
    const auto& executed = run.rig.device.executed;
    REQUIRE(run.numbers() == Numbers{1, 3, 2, 4});
    for (const FakeController::Executed& done : executed) {
        CHECK(done.number == 0);
        CHECK(done.jobId == 1);
    }
    CHECK(executed[1].startCycle > executed[0].endCycle);
    CHECK(executed[3].startCycle > executed[2].endCycle);
}

TEST_CASE("after a segment a wait counts the commands since it [E-7]") {
    const auto waitBehind = [](std::uint32_t fills) {
        Run run;
        Program program;
        program.fill(1);
        program.segment();
        for (std::uint32_t i = 0; i < fills; ++i) {
            program.fill(2);
        }
        const hw::TokenWait wait[] = {{1, 0}};
        program.writer.add(onEngine(Engine::kDma1, wait), smallFill());
        program.end();
        return run(program).status;
    };
    CHECK(waitBehind(0) == JobStatus::kBadWait);
    CHECK(waitBehind(1) == JobStatus::kOk);
}

TEST_CASE("a loop repeats according to its condition [E-1]") {
    for (const std::uint32_t iterations : {1U, 2U, 100U}) {
        Run run;
        run.setCondition(5, true);
        run.rig.device.onExecuted = [&](const FakeController::Executed&) {
            run.setCondition(5, run.rig.device.executed.size() < iterations);
        };
        Program program;
        program.loop(3);
        program.fill(1);
        program.branchIf(5, kLoopBytes, hw::kBranchLoops, 3);
        program.end();
        const CompletionRecord record = run(program);
        CHECK(record.status == JobStatus::kOk);
        CHECK(run.rig.device.executed.size() == iterations);
        CHECK(record.commandCount == 2 + 2 * iterations);
    }
}

TEST_CASE("an iteration with more commands than slots runs in order [E-2]") {
    Run run;
    run.setCondition(0, true);
    run.rig.device.onExecuted = [&](const FakeController::Executed&) {
        run.setCondition(0, run.rig.device.executed.size() < 120);
    };
    Program program;
    program.loop(0);
    for (std::uint32_t i = 0; i < 40; ++i) {
        program.fill(i);
    }
    program.branchIf(0, kLoopBytes, hw::kBranchLoops, 0);
    program.end();
    CHECK(run(program).status == JobStatus::kOk);
    const Numbers numbers = run.numbers();
    REQUIRE(numbers.size() == 120);
    for (std::uint32_t i = 0; i < 120; ++i) {
        CHECK(numbers[i] == i % 40);
    }
}

TEST_CASE("loops can be nested [E-1]") {
    Run run;
    std::uint32_t inner = 0;
    std::uint32_t outer = 0;
    run.rig.device.onExecuted = [&](const FakeController::Executed& done) {
        run.setCondition(0, done.header.tile != 1 || ++inner % 3 != 0);
        run.setCondition(1, done.header.tile != 2 || ++outer % 2 != 0);
    };
    Program program;
    program.loop(0);
    program.loop(1);
    const std::uint32_t body = program.here();
    program.fill(1);
    program.branchIf(0, body, hw::kBranchLoops, 1);
    program.fill(2);
    program.branchIf(1, kLoopBytes, hw::kBranchLoops, 0);
    program.fill(3);
    program.end();
    CHECK(run(program).status == JobStatus::kOk);
    CHECK(run.numbers() == Numbers{1, 1, 1, 2, 1, 1, 1, 2, 3});
}

TEST_CASE("a branch takes either path by its condition [E-1]") {
    for (const bool isTrue : {false, true}) {
        Run run;
        run.setCondition(0, isTrue);
        Program program;
        const std::uint32_t otherwise = 2 * kBranchBytes + kFillBytes;
        program.branchIf(0, otherwise, hw::kBranchIfFalse);
        program.fill(1);
        program.always(otherwise + kFillBytes);
        program.fill(2);
        program.fill(3);
        program.end();
        CHECK(run(program).status == JobStatus::kOk);
        CHECK(run.numbers() == (isTrue ? Numbers{1, 3} : Numbers{2, 3}));
    }
    for (const bool isTrue : {false, true}) {
        Run run;
        run.setCondition(0, isTrue);
        Program program;
        program.branchIf(0, kBranchBytes + kFillBytes);
        program.fill(1);
        program.fill(2);
        program.end();
        CHECK(run(program).status == JobStatus::kOk);
        CHECK(run.numbers() == (isTrue ? Numbers{2} : Numbers{1, 2}));
    }
}

TEST_CASE("a condition is read when every engine is idle") {
    Run run;
    run.rig.device.engineCycles[0] = 20000;
    run.rig.device.onExecuted = [&](const FakeController::Executed&) { run.setCondition(0, true); };
    Program program;
    program.fill(1);
    program.branchIf(0, 2 * kFillBytes + kBranchBytes);
    program.fill(2);
    program.end();
    CHECK(run(program).status == JobStatus::kOk);
    CHECK(run.numbers() == Numbers{1});
}

TEST_CASE("a target outside the stream ends the job at the branch [E-7]") {
    for (const std::uint32_t beyond : {0U, 8U, 0xFFFFF000U}) {
        Run run;
        Program program;
        program.fill(1);
        program.always(kFillBytes + kBranchBytes + 48 + beyond);
        program.end();
        const CompletionRecord record = run(program);
        CHECK(record.status == JobStatus::kTruncatedStream);
        CHECK(record.failingCommand == kFillBytes);
        CHECK(run.rig.device.aborts == 1);
    }
}

TEST_CASE("a target within a command is checked as a command [E-7]") {
    Run run;
    Program program;
    program.always(kBranchBytes + 8);
    program.fill(1);
    program.end();
    const CompletionRecord record = run(program);
    CHECK(record.status == JobStatus::kBadOpcode);
    CHECK(record.failingCommand == kBranchBytes + 8);
    CHECK(run.rig.device.executed.empty());
}

TEST_CASE("a branch of a loop that has not begun is refused [E-7]") {
    Run run;
    Program program;
    program.loop(1);
    program.always(0, hw::kBranchLoops, 2);
    program.end();
    const CompletionRecord record = run(program);
    CHECK(record.status == JobStatus::kBadOperand);
    CHECK(record.failingCommand == kLoopBytes);
}

TEST_CASE("a loop begun by an earlier job has not begun in this one [E-7]") {
    Run run;
    Program first;
    first.loop(2);
    first.end();
    Program second;
    second.always(0, hw::kBranchLoops, 2);
    second.end();
    const JobSlot jobs[] = {run.job(first), run.job(second)};
    run.rig.makeRing(0, 1, PriorityBand::kNormal);
    run.rig.step([&] {
        run.rig.put(0, jobs[0]);
        run.rig.put(0, jobs[1]);
        run.rig.bell(0);
    });
    run.rig.step([&] { run.rig.readCompletions(0); });
    run.rig.run();
    REQUIRE(run.rig.completions.size() == 2);
    CHECK(run.rig.completions[0].status == JobStatus::kOk);
    CHECK(run.rig.completions[1].status == JobStatus::kBadOperand);
}

TEST_CASE("a condition outside its region ends the job at the branch") {
    Run run;
    Program program;
    program.branchIf(4096, 0);
    program.end();
    const CompletionRecord record = run(program);
    CHECK(record.status == JobStatus::kOutOfRegion);
    CHECK(record.failingCommand == 0);
}

TEST_CASE("an unmapped condition faults at its address [E-1]") {
    Run run;
    Program program;
    program.fill(1);
    program.branchIf(9, 0);
    program.end();
    const JobSlot job = run.job(program);
    run.rig.device.unmap(run.conditionAddress());
    const CompletionRecord record = run(job);
    CHECK(record.status == JobStatus::kMmuFault);
    CHECK(record.faultAddress == run.conditionAddress() + 9);
    CHECK(record.failingCommand == kFillBytes);
}

TEST_CASE("an engine's error in a later iteration names its command [E-7]") {
    Run run;
    run.setCondition(0, true);
    run.rig.device.onExecuted = [&](const FakeController::Executed&) {
        if (run.rig.device.executed.size() == 4) {
            run.rig.device.failCommand({Engine::kDma0, 1, 1, JobStatus::kBusError, 0});
        }
    };
    Program program;
    program.loop(0);
    program.fill(1);
    program.fill(2);
    program.branchIf(0, kLoopBytes, hw::kBranchLoops, 0);
    program.end();
    const CompletionRecord record = run(program);
    CHECK(record.status == JobStatus::kBusError);
    CHECK(record.failingCommand == kLoopBytes + kFillBytes);
    CHECK(run.numbers() == Numbers{1, 2, 1, 2, 1});
}

TEST_CASE("a loop that takes longer than the job allows ends it [E-7]") {
    Run run;
    const CompletionRecord record = run(run.job(endlessLoop(), 50000));
    CHECK(record.status == JobStatus::kLoopTimeout);
    CHECK(record.failingCommand == kLoopBytes);
    CHECK(record.endCycle - record.startCycle > 50000);
    CHECK(record.endCycle - record.startCycle < 52000);
    CHECK(run.rig.device.aborts == 1);
}

TEST_CASE("each begin of a loop restarts its time; the time of an outer loop continues [E-7]") {
    // Four times an inner loop of two times 10000 cycles.
    const auto nested = [](std::uint64_t limit) {
        Run run;
        run.rig.device.engineCycles[0] = 10000;
        run.rig.device.onExecuted = [&](const FakeController::Executed&) {
            run.setCondition(0, run.rig.device.executed.size() % 2 != 0);
            run.setCondition(1, run.rig.device.executed.size() < 8);
        };
        Program program;
        program.loop(0);
        program.loop(1);
        program.fill(1);
        program.branchIf(0, 2 * kLoopBytes, hw::kBranchLoops, 1);
        program.branchIf(1, kLoopBytes, hw::kBranchLoops, 0);
        program.end();
        const CompletionRecord record = run(run.job(program, limit));
        return std::pair(record.status, record.failingCommand);
    };
    constexpr std::uint32_t kInner = 2 * kLoopBytes + kFillBytes;
    CHECK(nested(100000).first == JobStatus::kOk);
    CHECK(nested(0).first == JobStatus::kOk);
    CHECK(nested(50000) == std::pair(JobStatus::kLoopTimeout, kInner + kBranchBytes));
    CHECK(nested(5000) == std::pair(JobStatus::kLoopTimeout, kInner));
}

TEST_CASE("branches without a loop have no time limit") {
    Run run;
    run.rig.device.engineCycles[0] = 10000;
    run.setCondition(0, true);
    run.rig.device.onExecuted = [&](const FakeController::Executed&) {
        run.setCondition(0, run.rig.device.executed.size() < 3);
    };
    Program program;
    program.fill(1);
    program.branchIf(0, 0);
    program.end();
    CHECK(run(run.job(program, 1)).status == JobStatus::kOk);
    CHECK(run.rig.device.executed.size() == 3);
}

TEST_CASE("destroying its ring ends an endless loop without commands [E-7]") {
    Run run;
    const JobSlot job = run.job(endlessLoop());
    run.rig.makeRing(0, 1, PriorityBand::kNormal);
    run.rig.step([&] {
        run.rig.submit(0, job);
        run.rig.device.at(run.rig.device.now() + 100000, [&] { run.rig.post(destroyRing(0)); });
        // Ends the test if the firmware never checks the loop's limit.
        run.rig.device.at(run.rig.device.now() + 200000, [&] { run.rig.device.assertReset(); });
    });
    run.rig.run();
    run.rig.readCompletions(0);
    REQUIRE(run.rig.completions.size() == 1);
    CHECK(run.rig.completions[0].status == JobStatus::kAborted);
    CHECK(run.rig.completions[0].endCycle < run.rig.completions[0].startCycle + 102000);
    CHECK(run.rig.device.protocolErrors.empty());
}

TEST_CASE("a reset ends an endless loop without commands [E-7]") {
    Run run;
    const JobSlot job = run.job(endlessLoop());
    run.rig.makeRing(0, 1, PriorityBand::kNormal);
    std::uint64_t begin = 0;
    run.rig.step([&] {
        begin = run.rig.device.now();
        run.rig.submit(0, job);
        run.rig.device.at(begin + 100000, [&] { run.rig.device.assertReset(); });
    });
    run.rig.run();
    CHECK(run.rig.device.now() < begin + 101000);
}

TEST_CASE("messages are answered and the heartbeat continues in an endless loop [E-1]") {
    Run run;
    const JobSlot job = run.job(endlessLoop(), 100000);
    run.rig.makeRing(0, 1, PriorityBand::kNormal);
    run.rig.step([&] {
        run.rig.submit(0, job);
        run.rig.device.at(run.rig.device.now() + 50000,
                          [&] { run.rig.post(request(MessageType::kPing, 77)); });
    });
    run.rig.step([&] { run.rig.readCompletions(0); });
    run.rig.run();
    REQUIRE(run.rig.completions.size() == 1);
    CHECK(run.rig.completions[0].status == JobStatus::kLoopTimeout);
    CHECK(run.rig.messages.back().requestId == 77);
    const auto& beats = run.rig.device.heartbeats;
    CHECK(std::count_if(beats.begin(), beats.end(), [&](std::uint64_t cycle) {
              return cycle > run.rig.completions[0].startCycle &&
                     cycle < run.rig.completions[0].endCycle;
          }) > 10);
}

TEST_CASE("a short loop runs from the fetch buffer, a long one is fetched again") {
    const auto fetches = [](std::uint32_t commands) {
        Run run;
        run.setCondition(0, true);
        run.rig.device.onExecuted = [&](const FakeController::Executed&) {
            run.setCondition(0, run.rig.device.executed.size() < std::size_t{10} * commands);
        };
        Program program;
        program.loop(0);
        for (std::uint32_t i = 0; i < commands; ++i) {
            program.fill(i);
        }
        program.branchIf(0, kLoopBytes, hw::kBranchLoops, 0);
        program.end();
        const JobSlot job = run.job(program);
        CHECK(run(job).status == JobStatus::kOk);
        CHECK(run.rig.device.executed.size() == 10U * commands);
        const auto& read = run.rig.device.read;
        return std::count_if(read.begin(), read.end(), [&](std::uint64_t address) {
            return address >= job.commandAddress && address < job.commandAddress + job.commandBytes;
        });
    };
    CHECK(fetches(2) == 1);
    CHECK(fetches(30) == 3);  // 512, 1024 and 2048 bytes
    CHECK(fetches(100) > 20);
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
