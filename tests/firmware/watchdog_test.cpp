// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/base/watchdog.h"

#include <doctest/doctest.h>

#include "firmware/api/state_dump.h"
#include "tests/firmware/rig.h"

namespace vnpu::fw::test {
namespace {

using hw::Engine;
using hw::JobStatus;
constexpr std::uint64_t kDumpAddress = 0x12000;
constexpr std::uint64_t kBound = 50'000;

bool hasEvent(Rig& rig, LogEvent event, std::uint64_t b) {
    for (const LogRecord& record : rig.log()) {
        if (record.event == event && record.b == b) {
            return true;
        }
    }
    return false;
}

/// One small job of ring 0, then one of ring 1. After `soundAfter` cycles, hung engines execute new
/// commands normally; 0: they never do.
void runTwoJobs(Rig& rig, std::uint64_t soundAfter = 0) {
    rig.parameters.dumpBusAddress = kDumpAddress;
    rig.parameters.watchdogCycles = kBound;
    rig.makeRing(0, 0, PriorityBand::kNormal);
    rig.makeRing(1, 0, PriorityBand::kNormal);
    rig.step([&rig, soundAfter] {
        if (soundAfter != 0) {
            rig.device.at(rig.device.now() + soundAfter, [&rig] { rig.device.isHung.fill(false); });
        }
        rig.put(0, rig.smallJob(7));
        rig.put(1, rig.smallJob(8));
        rig.bell(0);
        rig.bell(1);
    });
    rig.step([&rig] {
        rig.readCompletions(0);
        rig.readCompletions(1);
    });
    rig.run();
}

}  // namespace

TEST_SUITE_BEGIN("firmware/watchdog");

TEST_CASE("a hung engine ends its job with engine and command, and the next one runs [E-7]") {
    Rig rig;
    rig.device.isHung[0] = true;
    runTwoJobs(rig, kBound / 2);
    CHECK(rig.device.protocolErrors.empty());
    REQUIRE(rig.completions.size() == 2);
    CHECK(rig.completions[0].jobId == 7);
    CHECK(rig.completions[0].status == JobStatus::kEngineHang);
    CHECK(rig.completions[0].failingEngine == 0);
    CHECK(rig.completions[0].failingCommand == 0);
    CHECK(rig.completions[0].endCycle - rig.completions[0].startCycle < 2 * kBound);
    CHECK(rig.completions[1].status == JobStatus::kOk);
    CHECK(rig.completions[1].failingEngine == kNoEngine);
    CHECK(hasEvent(rig, LogEvent::kEngineHang, 7));
    CHECK_FALSE(hasEvent(rig, LogEvent::kStopped, 7));
}

TEST_CASE("the state is dumped before a hung engine is stopped [E-7]") {
    Rig rig;
    rig.device.isHung[0] = true;
    runTwoJobs(rig, kBound / 2);
    const auto dump = rig.load<StateDump>(kDumpAddress);
    CHECK(dump.magic == kDumpMagic);
    CHECK(dump.reason == DumpReason::kEngineHang);
    CHECK(dump.runningRing == 0);
    CHECK(dump.jobId == 7);
    CHECK(dump.hungEngine == 0);
    CHECK(dump.engines[0].dispatched == 1);
    CHECK(dump.engines[0].finished == 0);
    CHECK(dump.engines[0].command == 0);
    CHECK(hw::regs::EngineProgress::kBusy.get(dump.engines[0].progress) == 1);
    CHECK(dump.rings[1].tail - dump.rings[1].head == 1);
    CHECK(dump.rings[2].state == 0);
}

TEST_CASE("an engine that ignores its abort stops the device with a fatal interrupt [E-7]") {
    Rig rig;
    rig.device.isHung[0] = true;
    rig.device.ignoresAborts = true;
    runTwoJobs(rig);
    REQUIRE(rig.completions.size() == 1);
    CHECK(rig.completions[0].status == JobStatus::kEngineHang);
    CHECK(hasEvent(rig, LogEvent::kStopped, 7));
    REQUIRE(!rig.device.raised.empty());
    CHECK(rig.device.raised.back() == hw::regs::IrqStatus::kFatal.mask());
    const std::uint32_t status = rig.device.hostRead(hw::regs::Status::kSpec.offset);
    CHECK(hw::regs::Status::kState.get(status) ==
          static_cast<std::uint32_t>(hw::regs::DeviceState::kStopped));
    CHECK(rig.device.executed.empty());
}

TEST_CASE("a command that makes progress is not hung, however long it takes [E-7]") {
    Rig rig;
    rig.device.engineCycles[0] = 40 * kBound;
    runTwoJobs(rig);
    REQUIRE(rig.completions.size() == 2);
    CHECK(rig.completions[0].status == JobStatus::kOk);
    CHECK(rig.completions[1].status == JobStatus::kOk);
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("firmware/state_dumper");

TEST_CASE("a dump is written on request if there is room for it [E-7]") {
    Rig rig;
    rig.makeRing(3, 1, PriorityBand::kNormal);
    Message ask = request(MessageType::kStateDump, 9);
    ask.target.address = kDumpAddress;
    ask.value = sizeof(StateDump);
    rig.ask(ask);
    ask.value = sizeof(StateDump) - 1;
    rig.ask(ask);
    ask.value = sizeof(StateDump);
    ask.target.address = 0x10;
    rig.ask(ask);
    rig.run();
    REQUIRE(rig.messages.size() == 6);  // ready, context, ring, three dumps
    CHECK(rig.messages[3].status == static_cast<std::uint32_t>(MessageStatus::kOk));
    CHECK(rig.messages[4].status == static_cast<std::uint32_t>(MessageStatus::kBadParameter));
    CHECK(rig.messages[5].status == static_cast<std::uint32_t>(MessageStatus::kBadAddress));
    const auto dump = rig.load<StateDump>(kDumpAddress);
    CHECK(dump.reason == DumpReason::kRequest);
    CHECK(dump.runningRing == 0xFFFFFFFF);
    CHECK(dump.hungEngine == 0xFFFFFFFF);
    CHECK(dump.rings[3].state == 1);
    CHECK(dump.rings[3].context == 1);
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("firmware/seals");

TEST_CASE("every flipped bit breaks a message's seal [E-7]") {
    Message message = createRing(3, 2, 1, 0x123456789000);
    const Message sent = sealed(message);
    bool isRepeated = true;
    message = sent;
    CHECK(unseal(message, isRepeated));
    CHECK_FALSE(isRepeated);
    CHECK(message.type == MessageType::kCreateRing);
    for (unsigned bit = 0; bit < 8 * sizeof(Message); ++bit) {
        auto words = std::bit_cast<std::array<std::uint32_t, 8>>(sent);
        words[bit / 32] ^= 1U << (bit % 32);
        Message spoiled = std::bit_cast<Message>(words);
        CHECK_MESSAGE(!unseal(spoiled, isRepeated), bit);
    }
}

TEST_CASE(
        "every flipped bit changes a record's checksum, and an all-zero record is invalid [E-7]") {
    CompletionRecord record{};
    CHECK(record.checksum != checksumOf(record));
    record.jobId = 77;
    record.startCycle = 0xABCDEF0123456789;
    record.checksum = checksumOf(record);
    for (unsigned bit = 0; bit < 8 * sizeof(record); ++bit) {
        auto words = std::bit_cast<std::array<std::uint64_t, 16>>(record);
        words[bit / 64] ^= 1ULL << (bit % 64);
        const auto spoiled = std::bit_cast<CompletionRecord>(words);
        CHECK_MESSAGE(spoiled.checksum != checksumOf(spoiled), bit);
    }
}

TEST_CASE("a corrupted request is reported and has no effect [E-7]") {
    Rig rig;
    Message spoiled = sealed(createContext(1, kRootAddress));
    spoiled.value ^= 0x10;
    rig.step([&rig, spoiled] { rig.postSealed(spoiled); });
    rig.ask(destroyContext(1));
    rig.run();
    CHECK(rig.areSealsIntact);
    REQUIRE(rig.messages.size() == 3);
    CHECK(rig.messages[1].requestId == 0);
    CHECK(rig.messages[1].status == static_cast<std::uint32_t>(MessageStatus::kCorrupted));
    CHECK(rig.messages[2].status == static_cast<std::uint32_t>(MessageStatus::kBadContext));
}

TEST_CASE("a request that is repeated is answered again, not served again [E-7]") {
    Rig rig;
    const Message first = createContext(1, kRootAddress);
    Message again = first;
    again.type = static_cast<MessageType>(static_cast<std::uint32_t>(again.type) | kRepeated);
    rig.ask(first);
    rig.ask(again);
    Message other = again;
    other.requestId = 77;
    rig.ask(other);  // never arrived the first time
    rig.run();
    REQUIRE(rig.messages.size() == 4);
    CHECK(rig.messages[1].status == static_cast<std::uint32_t>(MessageStatus::kOk));
    CHECK(rig.messages[2].status == static_cast<std::uint32_t>(MessageStatus::kOk));
    CHECK(rig.messages[2].requestId == first.requestId);
    CHECK(rig.messages[3].status == static_cast<std::uint32_t>(MessageStatus::kBadContext));
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
