// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/firmware/rig.h"

namespace vnpu::fw::test {
namespace {

namespace regs = hw::regs;

/// The status of the reply to a request on a freshly booted device (context 1 with ring 0).
MessageStatus answerTo(const Message& request) {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.ask(request);
    rig.run();
    REQUIRE(rig.messages.size() == 4);
    CHECK(rig.messages[3].type == MessageType::kReply);
    CHECK(rig.messages[3].requestId == request.requestId);
    CHECK(rig.device.protocolErrors.empty());
    return statusOf(rig.messages[3]);
}

/// The same for the creation of ring 5 with a changed header.
template <typename Change>
MessageStatus answerToRing(Change change) {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    RingHeader header{};
    header.magic = kRingMagic;
    header.version = kRingApiVersion;
    header.slotCount = 8;
    header.completionCount = 8;
    change(header);
    rig.setRingHeader(5, header);
    rig.ask(createRing(5, 1, 1, Rig::ringAddress(5)));
    rig.run();
    REQUIRE(rig.messages.size() == 4);
    return statusOf(rig.messages[3]);
}

Message withContext(MessageType type, std::uint32_t context) {
    Message message = request(type, 77);
    message.target.context = context;
    return message;
}

}  // namespace

TEST_SUITE_BEGIN("firmware/mailbox_server");

TEST_CASE("a ping returns its value and id [E-1]") {
    Rig rig;
    Message ping = request(MessageType::kPing, 42);
    ping.value = 0xCAFE;
    rig.ask(ping);
    rig.run();
    REQUIRE(rig.messages.size() == 2);
    CHECK(rig.messages[1].type == MessageType::kReply);
    CHECK(rig.messages[1].requestId == 42);
    CHECK(statusOf(rig.messages[1]) == MessageStatus::kOk);
    CHECK(rig.messages[1].value == 0xCAFE);
}

TEST_CASE("the version table is returned on request") {
    Rig rig;
    rig.ask(request(MessageType::kGetVersions, 1));
    rig.run();
    REQUIRE(rig.messages.size() == 2);
    CHECK(rig.messages[1].versions[0] == 0x00010001);
    CHECK(rig.messages[1].versions[3] == hw::kCommandStreamVersion);
}

TEST_CASE("an unknown type is answered and logged") {
    Rig rig;
    rig.ask(request(static_cast<MessageType>(0x55), 9));
    rig.run();
    REQUIRE(rig.messages.size() == 2);
    CHECK(rig.messages[1].requestId == 9);
    CHECK(statusOf(rig.messages[1]) == MessageStatus::kUnknownType);
    CHECK(rig.log().back().event == LogEvent::kBadMessage);
    CHECK(rig.log().back().a == 0x55);
}

TEST_CASE("message types of the firmware are unknown as requests") {
    CHECK(answerTo(request(MessageType::kNone, 1)) == MessageStatus::kUnknownType);
    CHECK(answerTo(request(MessageType::kReply, 1)) == MessageStatus::kUnknownType);
}

TEST_CASE("a new context gets its root table and an empty TLB [E-1]") {
    Rig rig;
    rig.ask(createContext(3, 0x23000));
    rig.run();
    CHECK(statusOf(rig.messages.at(1)) == MessageStatus::kOk);
    CHECK(rig.device.hostRead(regs::ContextRootLo::kSpec.at(3)) == 0x23000);
    CHECK(rig.device.hostRead(regs::ContextRootHi::kSpec.at(3)) == 0);
    CHECK(rig.device.hostRead(regs::MmuInvalidate::kSpec.offset) == 3);
}

TEST_CASE("a new context's index must be valid and free") {
    CHECK(answerTo(createContext(63, 0x23000)) == MessageStatus::kOk);
    CHECK(answerTo(createContext(64, 0x23000)) == MessageStatus::kBadContext);
    CHECK(answerTo(createContext(0xFFFFFFFF, 0x23000)) == MessageStatus::kBadContext);
    CHECK(answerTo(createContext(1, 0x23000)) == MessageStatus::kBadContext);
}

TEST_CASE("a root table must be a readable page") {
    CHECK(answerTo(createContext(2, 0)) == MessageStatus::kBadAddress);
    CHECK(answerTo(createContext(2, 0x23800)) == MessageStatus::kBadAddress);
    CHECK(answerTo(createContext(2, 0x40000000)) == MessageStatus::kBadAddress);
    CHECK(answerTo(createContext(2, 1ULL << 48)) == MessageStatus::kBadAddress);
}

TEST_CASE("a context with rings cannot be destroyed") {
    CHECK(answerTo(destroyContext(1)) == MessageStatus::kBusy);
}

TEST_CASE("a context can be destroyed after all of its rings") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.ask(destroyRing(0));
    rig.ask(destroyContext(1));
    rig.ask(destroyContext(1));
    rig.run();
    REQUIRE(rig.messages.size() == 6);
    CHECK(statusOf(rig.messages[3]) == MessageStatus::kOk);
    CHECK(statusOf(rig.messages[4]) == MessageStatus::kOk);
    CHECK(rig.device.hostRead(regs::ContextRootLo::kSpec.at(1)) == 0);
    CHECK(statusOf(rig.messages[5]) == MessageStatus::kBadContext);
}

TEST_CASE("only existing contexts can be destroyed or flushed") {
    CHECK(answerTo(destroyContext(2)) == MessageStatus::kBadContext);
    CHECK(answerTo(destroyContext(9999)) == MessageStatus::kBadContext);
    CHECK(answerTo(withContext(MessageType::kInvalidateTlb, 2)) == MessageStatus::kBadContext);
    CHECK(answerTo(withContext(MessageType::kInvalidateTlb, 64)) == MessageStatus::kBadContext);
    CHECK(answerTo(withContext(MessageType::kInvalidateTlb, 1)) == MessageStatus::kOk);
}

TEST_CASE("a new ring's index must be valid and free") {
    CHECK(answerTo(createRing(16, 1, 1, Rig::ringAddress(0))) == MessageStatus::kBadRing);
    CHECK(answerTo(createRing(0, 1, 1, Rig::ringAddress(0))) == MessageStatus::kBadRing);
    CHECK(answerTo(createRing(1, 1, 1, Rig::ringAddress(0))) == MessageStatus::kOk);
}

TEST_CASE("a ring needs an existing context") {
    CHECK(answerTo(createRing(1, 2, 1, Rig::ringAddress(0))) == MessageStatus::kBadContext);
    CHECK(answerTo(createRing(1, 64, 1, Rig::ringAddress(0))) == MessageStatus::kBadContext);
}

TEST_CASE("there are four priority bands") {
    CHECK(answerTo(createRing(1, 1, 3, Rig::ringAddress(0))) == MessageStatus::kOk);
    CHECK(answerTo(createRing(1, 1, 4, Rig::ringAddress(0))) == MessageStatus::kBadPriority);
}

TEST_CASE("a ring must start at a readable page") {
    CHECK(answerTo(createRing(1, 1, 1, 0)) == MessageStatus::kBadAddress);
    CHECK(answerTo(createRing(1, 1, 1, Rig::ringAddress(0) + 64)) == MessageStatus::kBadAddress);
    CHECK(answerTo(createRing(1, 1, 1, 0x40000000)) == MessageStatus::kBadAddress);
    CHECK(answerTo(createRing(1, 1, 1, ~0xFFFULL)) == MessageStatus::kBadAddress);
}

TEST_CASE("a ring whose end cannot be read is refused") {
    Rig rig;
    const std::uint64_t lastPage =
            FakeController::kMemoryBase + FakeController::kMemoryBytes - 4096;
    RingHeader header{};
    header.magic = kRingMagic;
    header.version = kRingApiVersion;
    header.slotCount = 64;  // 64 + 64 * 128 + 64 * 128 bytes: more than a page
    header.completionCount = 64;
    rig.store(lastPage, header);
    rig.ask(createContext(1, 0x23000));
    rig.ask(createRing(1, 1, 1, lastPage));
    rig.run();
    CHECK(statusOf(rig.messages.at(2)) == MessageStatus::kBadAddress);
}

TEST_CASE("a ring header is checked [E-1]") {
    CHECK(answerToRing([](RingHeader&) {}) == MessageStatus::kOk);
    CHECK(answerToRing([](RingHeader& h) { h.magic = 1; }) == MessageStatus::kBadRing);
    CHECK(answerToRing([](RingHeader& h) { h.version = 0x00010001; }) ==
          MessageStatus::kBadVersion);
    CHECK(answerToRing([](RingHeader& h) { h.slotCount = 0; }) == MessageStatus::kBadRing);
    CHECK(answerToRing([](RingHeader& h) { h.slotCount = 1; }) == MessageStatus::kBadRing);
    CHECK(answerToRing([](RingHeader& h) { h.slotCount = 7; }) == MessageStatus::kBadRing);
    CHECK(answerToRing([](RingHeader& h) { h.slotCount = h.completionCount = 512; }) ==
          MessageStatus::kBadRing);
    CHECK(answerToRing([](RingHeader& h) { h.completionCount = 4; }) == MessageStatus::kBadRing);
    CHECK(answerToRing([](RingHeader& h) { h.completionCount = 12; }) == MessageStatus::kBadRing);
    CHECK(answerToRing([](RingHeader& h) { h.tail = 9; }) == MessageStatus::kBadRing);
    CHECK(answerToRing([](RingHeader& h) { h.head = 1; }) == MessageStatus::kBadRing);
    CHECK(answerToRing([](RingHeader& h) { h.completionTail = 9; }) == MessageStatus::kBadRing);
    CHECK(answerToRing([](RingHeader& h) { h.reserved[2] = 1; }) == MessageStatus::kBadRing);
}

TEST_CASE("only existing rings can be destroyed") {
    CHECK(answerTo(destroyRing(1)) == MessageStatus::kBadRing);
    CHECK(answerTo(destroyRing(16)) == MessageStatus::kBadRing);
    CHECK(answerTo(destroyRing(0)) == MessageStatus::kOk);
}

TEST_CASE("destroying a ring aborts its running and queued jobs [E-1]") {
    Rig rig;
    rig.device.engineCycles.fill(100000);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] {
        for (std::uint64_t id = 1; id <= 3; ++id) {
            rig.put(0, rig.smallJob(id));
        }
        rig.bell(0);
        rig.device.at(rig.device.now() + 20000, [&] { rig.post(destroyRing(0)); });
    });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.messages.size() == 4);
    CHECK(statusOf(rig.messages[3]) == MessageStatus::kOk);
    CHECK(rig.messages[3].value == 2);  // queued behind the running one
    REQUIRE(rig.completions.size() == 3);
    for (std::uint64_t i = 0; i < 3; ++i) {
        CHECK(rig.completions[i].jobId == i + 1);
        CHECK(rig.completions[i].status == hw::JobStatus::kAborted);
    }
    CHECK(rig.device.executed.empty());
    CHECK(rig.device.aborts == 1);
    CHECK(rig.device.now() < 100000);  // it did not wait for the engine
}

TEST_CASE("a ring can be created at the index of a destroyed one") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.ask(destroyRing(0));
    rig.ask(createRing(0, 1, 2, Rig::ringAddress(0)));
    rig.step([&] { rig.submit(0, rig.smallJob(1)); });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    REQUIRE(rig.completions.size() == 1);
    CHECK(rig.completions[0].status == hw::JobStatus::kOk);
}

TEST_CASE("a request is answered while a job runs") {
    Rig rig;
    rig.device.engineCycles.fill(50000);
    rig.makeRing(0, 1, PriorityBand::kNormal);
    std::uint64_t answered = 0;
    rig.step([&] {
        rig.submit(0, rig.smallJob(1));
        rig.device.at(rig.device.now() + 10000, [&] { rig.post(request(MessageType::kPing, 1)); });
        rig.device.at(rig.device.now() + 12000, [&] {
            answered = rig.device.hostRead(regs::MailboxOutControl::kSpec.offset);
        });
    });
    rig.run();
    CHECK(answered == 1);
    CHECK(rig.device.executed.size() == 1);
}

TEST_CASE("a full outbound mailbox holds back the next request, not the jobs [E-1]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.step([&] { rig.takesMessages = false; });
    rig.ask(request(MessageType::kPing, 1));  // its reply stays in the mailbox
    rig.ask(request(MessageType::kPing, 2));  // accepted, but there is no room for its reply
    rig.step([&] { rig.submit(0, rig.smallJob(1)); });
    rig.step([&] {
        rig.readCompletions(0);
        CHECK(rig.completions.size() == 1);
        rig.takesMessages = true;
    });
    rig.step([] {});
    rig.step([] {});
    rig.run();
    REQUIRE(rig.messages.size() == 5);
    CHECK(rig.messages[3].requestId == 1);
    CHECK(rig.messages[4].requestId == 2);
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("random messages never make the firmware misbehave [E-7]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    std::uint32_t state = 12345;
    const auto next = [&] { return state = state * 1664525 + 1013904223; };
    for (int i = 0; i < 300; ++i) {
        Message message{};
        message.type = static_cast<MessageType>(next() >> 28);
        message.requestId = static_cast<std::uint32_t>(i);
        message.value = (next() >> 16) % 6;
        message.target.context = (next() >> 16) % 80;
        message.target.ring = (next() >> 16) % 20;
        message.target.address = std::uint64_t{(next() >> 16) % 512} * 4096;
        rig.ask(message);
    }
    rig.run();
    REQUIRE(rig.messages.size() == 303);
    for (std::uint32_t i = 0; i < 300; ++i) {
        CHECK(rig.messages[i + 3].requestId == i);
    }
    CHECK(rig.device.protocolErrors.empty());
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
