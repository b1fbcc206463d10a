// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <vector>

#include "tests/firmware/rig.h"

namespace vnpu::fw::test {
namespace {

namespace regs = hw::regs;
using hw::Engine;
using hw::JobStatus;
using hw::Opcode;

/// Runs one job in context 1 and returns its completion.
CompletionRecord runOne(Rig& rig, const JobSlot& job) {
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&rig, job] { rig.submit(0, job); });
    rig.step([&rig] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.completions.size() == 1);
    CHECK(rig.device.protocolErrors.empty());
    return rig.completions[0];
}

/// The completion of a small job with a changed slot.
template <typename Change>
JobStatus statusOfSlot(Change change) {
    Rig rig;
    JobSlot job = rig.smallJob(1);
    change(job);
    const CompletionRecord record = runOne(rig, job);
    CHECK(rig.device.executed.size() == (record.status == JobStatus::kOk ? 1 : 0));
    return record.status;
}

/// The completion of a small job with a changed region.
template <typename Change>
JobStatus statusOfRegion(Change change) {
    Rig rig;
    const JobSlot job = rig.smallJob(1);
    const std::uint64_t table = job.regionTableAddress - FakeController::kVirtualOffset;
    auto entry = rig.load<RegionEntry>(table);
    change(entry);
    rig.store(table, entry);
    return runOne(rig, job).status;
}

/// Two fills, then the commands of `end`.
template <typename Add>
CompletionRecord runStream(Rig& rig, Add add) {
    hw::CommandWriter writer;
    writer.add(onEngine(Engine::kDma0), smallFill());  // bytes 0 to 103
    writer.add(onEngine(Engine::kDma0), smallFill());  // bytes 104 to 207
    add(writer);
    return runOne(rig, rig.makeJob(1, writer));
}

/// Runs a job of one long command, in the middle of which the engines stop with this value of
/// ENGINE_ERROR.
CompletionRecord runAndStop(std::uint32_t engineError) {
    Rig rig;
    rig.device.engineCycles.fill(50000);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] {
        rig.submit(0, rig.smallJob(1));
        rig.device.at(rig.device.now() + 20000, [&] { rig.device.stopEngines(engineError); });
    });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.completions.size() == 1);
    return rig.completions[0];
}

hw::Timestamp timestampAt(std::uint64_t offset) {
    hw::Timestamp work{};
    work.destination.offset = offset;
    return work;
}

}  // namespace

TEST_SUITE_BEGIN("firmware/job_runner");

TEST_CASE("the fields of a slot are checked [E-1]") {
    const auto of = [](auto change) { return statusOfSlot(change); };
    CHECK(of([](JobSlot&) {}) == JobStatus::kOk);
    CHECK(of([](JobSlot& s) { s.jobId = 0; }) == JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.commandAddress += 4; }) == JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.commandAddress = 1ULL << 39; }) == JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.commandAddress = ~7ULL; }) == JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.commandBytes = 0; }) == JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.commandBytes -= 4; }) == JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.regionTableAddress += 4; }) == JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.regionTableAddress = (1ULL << 39) - 8; }) == JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.regionCount = 0; }) == JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.regionCount = 65; }) == JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.flags = 1; }) == JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.commandStreamVersion = hw::kCommandStreamVersion + 1; }) ==
          JobStatus::kBadJob);
    CHECK(of([](JobSlot& s) { s.reserved[2] = 1; }) == JobStatus::kBadJob);
}

TEST_CASE("the regions of a job are checked [E-1]") {
    const auto of = [](auto change) { return statusOfRegion(change); };
    CHECK(of([](RegionEntry&) {}) == JobStatus::kOk);
    CHECK(of([](RegionEntry& e) { e.sizeBytes = 0; }) == JobStatus::kBadJob);
    CHECK(of([](RegionEntry& e) { e.address = 1ULL << 39; }) == JobStatus::kBadJob);
    CHECK(of([](RegionEntry& e) { e.sizeBytes = 1ULL << 39; }) == JobStatus::kBadJob);
    CHECK(of([](RegionEntry& e) { e.sizeBytes = ~0ULL; }) == JobStatus::kBadJob);
    CHECK(of([](RegionEntry& e) { e.flags = 2; }) == JobStatus::kBadJob);
    CHECK(of([](RegionEntry& e) { e.reserved = 1; }) == JobStatus::kBadJob);
}

TEST_CASE("job id and regions are in the registers for the engines [E-1]") {
    Rig rig;
    hw::CommandWriter writer;
    writer.add({}, Opcode::kEnd);
    const Rig::Region before[] = {
            {0x41000000, 1, true}, {0x41000000, 2, true}, {0x41000000, 3, true}};
    const Rig::Region regions[] = {{0x41000000, 0x1000, true}, {0x7FFFFFF000, 0x1000, false}};
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] {
        rig.put(0, rig.makeJob(1, writer.bytes(), before));
        rig.put(0, rig.makeJob(0xABCD00001234ULL, writer.bytes(), regions));
        rig.bell(0);
    });
    rig.run();
    CHECK(rig.device.hostRead(regs::JobIdLo::kSpec.offset) == 0x00001234);
    CHECK(rig.device.hostRead(regs::JobIdHi::kSpec.offset) == 0xABCD);
    std::uint64_t table[6];
    std::memcpy(table,
                rig.device.localMemory().data() +
                        rig.device.hostRead(regs::JobRegionTable::kSpec.offset),
                sizeof(table));
    CHECK(table[0] == 0x41000000);
    CHECK(table[1] == 0x1000);
    CHECK(table[2] == (0x7FFFFFF000 | hw::kRegionReadOnly));
    CHECK(table[3] == 0x1000);
    CHECK(table[4] == 0);  // nothing is left of an earlier job
    CHECK(table[5] == 0);
}

TEST_CASE("a bad opcode ends the job at its offset, and the next job runs [E-7]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    hw::CommandWriter writer;
    writer.add(onEngine(Engine::kDma0), smallFill());
    writer.add(onEngine(Engine::kDma0), smallFill());
    writer.add({}, Opcode::kEnd);
    std::vector<std::byte> bytes = writer.takeBytes();
    bytes[104] = std::byte{0x7F};
    rig.step([&] {
        rig.put(0, rig.makeJob(1, bytes));
        rig.put(0, rig.smallJob(2));
        rig.bell(0);
    });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.completions.size() == 2);
    CHECK(rig.completions[0].status == JobStatus::kBadOpcode);
    CHECK(rig.completions[0].failingCommand == 104);
    CHECK(rig.completions[0].commandCount == 1);
    CHECK(rig.completions[0].fenceValue == 10);
    CHECK(rig.device.aborts == 1);
    CHECK(rig.completions[1].status == JobStatus::kOk);
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("a command that leaves its region ends the job at its offset [E-7]") {
    Rig rig;
    const CompletionRecord record = runStream(rig, [](hw::CommandWriter& writer) {
        hw::DmaFill outside = smallFill();
        outside.destination.space = 0;
        outside.destination.offset = 4096 - 63;
        writer.add(onEngine(Engine::kDma2), outside);
        writer.add({}, Opcode::kEnd);
    });
    CHECK(record.status == JobStatus::kOutOfRegion);
    CHECK(record.failingCommand == 208);
    CHECK(record.faultAddress == 0);
}

TEST_CASE("a command that leaves the SRAM of this device ends the job") {
    Rig rig;
    const CompletionRecord record = runStream(rig, [](hw::CommandWriter& writer) {
        hw::DmaFill outside = smallFill();
        outside.destination.offset = std::uint64_t{64} * 1024;
        writer.add(onEngine(Engine::kDma2), outside);
        writer.add({}, Opcode::kEnd);
    });
    CHECK(record.status == JobStatus::kOutOfSram);
}

TEST_CASE("a region of another job's table does not exist") {
    Rig rig;
    const CompletionRecord record = runStream(rig, [](hw::CommandWriter& writer) {
        hw::DmaFill elsewhere = smallFill();
        elsewhere.destination.space = 1;
        writer.add(onEngine(Engine::kDma2), elsewhere);
        writer.add({}, Opcode::kEnd);
    });
    CHECK(record.status == JobStatus::kBadRegion);
}

TEST_CASE("a write to a read-only region is refused") {
    Rig rig;
    hw::CommandWriter writer;
    hw::DmaFill fill = smallFill();
    fill.destination.space = 0;
    writer.add(onEngine(Engine::kDma2), fill);
    writer.add({}, Opcode::kEnd);
    const Rig::Region regions[] = {{Rig::virtualOf(kHeapAddress), 4096, false}};
    const CompletionRecord record = runOne(rig, rig.makeJob(1, writer.bytes(), regions));
    CHECK(record.status == JobStatus::kReadOnlyRegion);
}

TEST_CASE("a stream without an end is truncated") {
    Rig rig;
    const CompletionRecord record = runStream(rig, [](hw::CommandWriter&) {});
    CHECK(record.status == JobStatus::kTruncatedStream);
    CHECK(record.failingCommand == 208);
}

TEST_CASE("bytes after the end are refused") {
    Rig rig;
    const CompletionRecord record = runStream(rig, [](hw::CommandWriter& writer) {
        writer.add({}, Opcode::kEnd);
        writer.add({}, Opcode::kNop);
    });
    CHECK(record.status == JobStatus::kBadCommandSize);
    CHECK(record.failingCommand == 208);
}

TEST_CASE("the job ends when the last engine is idle [E-1]") {
    Rig rig;
    rig.device.engineCycles[1] = 30000;
    const CompletionRecord record = runStream(rig, [](hw::CommandWriter& writer) {
        writer.add(onEngine(Engine::kDma1), smallFill());
        writer.add({}, Opcode::kEnd);
    });
    CHECK(record.status == JobStatus::kOk);
    REQUIRE(rig.device.executed.size() == 3);
    CHECK(record.endCycle >= rig.device.executed[2].endCycle);
    CHECK(record.endCycle < rig.device.executed[2].endCycle + 500);
}

TEST_CASE("a barrier keeps later commands back until all engines are idle") {
    Rig rig;
    rig.device.engineCycles[0] = 5000;
    runStream(rig, [](hw::CommandWriter& writer) {
        writer.add({}, Opcode::kBarrier);
        writer.add(onEngine(Engine::kDma1), smallFill());
        writer.add({}, Opcode::kEnd);
    });
    REQUIRE(rig.device.executed.size() == 3);
    CHECK(rig.device.executed[2].engine == Engine::kDma1);
    CHECK(rig.device.executed[2].startCycle > rig.device.executed[1].endCycle);
}

TEST_CASE("without a barrier engines overlap") {
    Rig rig;
    rig.device.engineCycles[0] = 5000;
    runStream(rig, [](hw::CommandWriter& writer) {
        writer.add(onEngine(Engine::kDma1), smallFill());
        writer.add({}, Opcode::kEnd);
    });
    REQUIRE(rig.device.executed.size() == 3);
    CHECK(rig.device.executed[0].engine == Engine::kDma1);
}

TEST_CASE("a timestamp stores the cycle counter in its region") {
    Rig rig;
    rig.device.engineCycles[0] = 5000;
    hw::CommandWriter writer;
    writer.add({}, timestampAt(0));
    writer.add(onEngine(Engine::kDma0), smallFill());
    const hw::TokenWait wait[] = {{1, 0}};
    writer.add(onEngine(Engine::kController, wait), timestampAt(8));
    writer.add({}, Opcode::kEnd);
    const std::uint64_t region = rig.allocate(4096);
    const Rig::Region regions[] = {{Rig::virtualOf(region), 4096, true}};
    const CompletionRecord record = runOne(rig, rig.makeJob(1, writer.bytes(), regions));
    CHECK(record.status == JobStatus::kOk);
    const auto before = rig.load<std::uint64_t>(region);
    const auto after = rig.load<std::uint64_t>(region + 8);
    CHECK(before >= record.startCycle);
    CHECK(after >= before + 5000);  // it waited for the token
    CHECK(after <= record.endCycle);
}

TEST_CASE("checkpoints and empty commands are counted and cost little") {
    Rig rig;
    const CompletionRecord record = runStream(rig, [](hw::CommandWriter& writer) {
        writer.add({}, hw::Checkpoint{});
        writer.add({}, Opcode::kNop);
        writer.add({}, Opcode::kEnd);
    });
    CHECK(record.status == JobStatus::kOk);
    CHECK(record.commandCount == 5);
    CHECK(rig.device.executed.size() == 2);
}

TEST_CASE("an engine's error aborts its job and names the command [E-7]") {
    Rig rig;
    rig.device.failCommand({Engine::kDma0, 1, 1, JobStatus::kBusError, 0});
    const CompletionRecord record =
            runStream(rig, [](hw::CommandWriter& writer) { writer.add({}, Opcode::kEnd); });
    CHECK(record.status == JobStatus::kBusError);
    CHECK(record.failingCommand == 104);  // the second of the two
    CHECK(record.faultAddress == 0);
    CHECK(rig.device.aborts == 1);
}

TEST_CASE("an MMU fault is reported with its address, and only that job fails [E-1]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 2, PriorityBand::kNormal);
    rig.device.failCommand({Engine::kDma0, 2, 0, JobStatus::kMmuFault, 0x55AA12345ULL});
    rig.step([&] {
        rig.put(0, rig.smallJob(1));
        rig.put(0, rig.smallJob(2));
        rig.put(0, rig.smallJob(3));
        rig.put(1, rig.smallJob(4));
        rig.bell(0);
        rig.bell(1);
    });
    rig.step([&] {
        rig.readCompletions(0);
        rig.readCompletions(1);
    });
    rig.run();
    REQUIRE(rig.completions.size() == 4);
    CHECK(rig.completions[0].status == JobStatus::kOk);
    CHECK(rig.completions[1].status == JobStatus::kMmuFault);
    CHECK(rig.completions[1].faultAddress == 0x55AA12345ULL);
    CHECK(rig.completions[1].failingCommand == 0);
    CHECK(rig.completions[2].status == JobStatus::kOk);
    CHECK(rig.completions[3].status == JobStatus::kOk);
    // JOB_DONE for the jobs 1 and 4 (the rings take turns), FAULT and JOB_DONE for 2, JOB_DONE
    // for 3
    CHECK(rig.device.raised == std::vector<std::uint32_t>{1, 1, 4, 1, 1});
    CHECK(rig.device.hostRead(regs::MmuFaultInfo::kSpec.offset) == 0);
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("a fault is logged with status and address [E-7]") {
    Rig rig;
    rig.device.failCommand({Engine::kDma0, 1, 0, JobStatus::kMmuFault, 0x1000});
    runOne(rig, rig.smallJob(1));
    const std::vector<LogRecord> log = rig.log();
    REQUIRE(log.size() >= 2);
    CHECK(log[log.size() - 2].event == LogEvent::kFault);
    CHECK(log[log.size() - 2].a == static_cast<std::uint32_t>(JobStatus::kMmuFault));
    CHECK(log[log.size() - 2].b == 0x1000);
    CHECK(log.back().event == LogEvent::kJobEnd);
}

TEST_CASE("an error of an engine without a command names no command [E-7]") {
    for (const std::uint32_t engine : {5U, 15U}) {
        const CompletionRecord record = runAndStop(regs::EngineError::kStatus.put(15) |
                                                   regs::EngineError::kEngine.put(engine));
        CHECK(record.status == JobStatus::kBusError);
        CHECK(record.failingCommand == 0xFFFFFFFF);
    }
}

TEST_CASE("an error interrupt without a reason counts as a hang [E-7]") {
    CHECK(runAndStop(0).status == JobStatus::kEngineHang);
}

TEST_CASE("two consecutive faults report their own addresses") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.device.failCommand({Engine::kDma0, 1, 0, JobStatus::kMmuFault, 0x1000});
    rig.device.failCommand({Engine::kDma0, 2, 0, JobStatus::kMmuFault, 0x2000});
    rig.step([&] {
        rig.put(0, rig.smallJob(1));
        rig.put(0, rig.smallJob(2));
        rig.bell(0);
    });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.completions.size() == 2);
    CHECK(rig.completions[0].faultAddress == 0x1000);
    CHECK(rig.completions[1].faultAddress == 0x2000);
}

TEST_CASE("an unmapped stream faults at its address [E-1]") {
    Rig rig;
    const JobSlot job = rig.smallJob(1);
    rig.device.unmap(job.commandAddress);
    const CompletionRecord record = runOne(rig, job);
    CHECK(record.status == JobStatus::kMmuFault);
    CHECK(record.faultAddress == job.commandAddress);
    CHECK(record.failingCommand == 0);
    CHECK(record.commandCount == 0);
}

TEST_CASE("an unmapped region table faults at its address") {
    Rig rig;
    const JobSlot job = rig.smallJob(1);
    rig.device.unmap(job.regionTableAddress);
    const CompletionRecord record = runOne(rig, job);
    CHECK(record.status == JobStatus::kMmuFault);
    CHECK(record.faultAddress == job.regionTableAddress);
    CHECK(record.failingCommand == 0xFFFFFFFF);
}

TEST_CASE("a timestamp to an unmapped page faults") {
    Rig rig;
    hw::CommandWriter writer;
    writer.add({}, Opcode::kNop);
    writer.add({}, timestampAt(64));
    writer.add({}, Opcode::kEnd);
    const std::uint64_t page = Rig::virtualOf(rig.allocate(4096));
    rig.device.unmap(page);
    const Rig::Region regions[] = {{page, 4096, true}};
    const CompletionRecord record = runOne(rig, rig.makeJob(1, writer.bytes(), regions));
    CHECK(record.status == JobStatus::kMmuFault);
    CHECK(record.faultAddress == page + 64);
    CHECK(record.failingCommand == 48);
}

TEST_CASE("a job that fails for another reason leaves no fault record") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    hw::CommandWriter writer;
    writer.add(onEngine(Engine::kDma0), smallFill());
    for (int i = 0; i < 14; ++i) {
        writer.add({},
                   Opcode::kNop);  // the fault occurs before the bad command, the poll follows it
    }
    std::vector<std::byte> bytes = writer.takeBytes();
    bytes[bytes.size() - 48] = std::byte{0x7F};
    rig.device.failCommand({Engine::kDma0, 1, 0, JobStatus::kMmuFault, 0x1000});
    rig.device.failCommand({Engine::kDma0, 2, 0, JobStatus::kMmuFault, 0x2000});
    rig.step([&] {
        rig.put(0, rig.makeJob(1, bytes));
        rig.put(0, rig.smallJob(2));
        rig.bell(0);
    });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.completions.size() == 2);
    CHECK(rig.completions[0].status == JobStatus::kBadOpcode);
    CHECK(rig.completions[0].faultAddress == 0);
    CHECK(rig.completions[1].faultAddress == 0x2000);
}

TEST_CASE("a reset in the middle of a job ends the program, and the next boot works [E-7]") {
    Rig rig;
    rig.device.engineCycles.fill(1000000);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] {
        rig.submit(0, rig.smallJob(1));
        rig.device.at(rig.device.now() + 50000, [&] { rig.device.assertReset(); });
    });
    rig.run();
    CHECK(rig.device.now() < 100000);
    CHECK(rig.ringHeader(0).completionTail == 0);
    const std::size_t before = rig.messages.size();
    rig.run();
    REQUIRE(rig.messages.size() == before + 1);
    CHECK(rig.messages.back().type == MessageType::kReady);
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
