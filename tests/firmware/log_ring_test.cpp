// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <vector>

#include "tests/firmware/rig.h"

namespace vnpu::fw::test {
namespace {

BootError bootWithLog(std::uint32_t bytes, std::uint64_t address) {
    Rig rig;
    rig.parameters.logBytes = bytes;
    rig.parameters.logBusAddress = address;
    rig.run();
    REQUIRE(rig.messages.size() == 1);
    return rig.messages[0].type == MessageType::kReady
                   ? BootError::kNone
                   : static_cast<BootError>(rig.messages[0].value);
}

}  // namespace

TEST_SUITE_BEGIN("firmware/log_ring");

TEST_CASE("a log of 4 KiB holds 126 records") {
    Rig rig;
    rig.run();
    const auto header = rig.load<LogHeader>(kLogAddress);
    CHECK(header.recordCount == 126);  // (4096 - 64) / 32
    CHECK(header.written == 1);
    REQUIRE(rig.log().size() == 1);
    CHECK(rig.log()[0].event == LogEvent::kBoot);
    CHECK(rig.log()[0].a == 0x00010001);
}

TEST_CASE("the events of a job are logged with increasing cycles [E-6]") {
    Rig rig;
    rig.makeRing(2, 1, PriorityBand::kNormal);
    rig.step([&] { rig.submit(2, rig.smallJob(5)); });
    rig.run();
    const std::vector<LogRecord> log = rig.log();
    REQUIRE(log.size() == 5);
    CHECK(log[1].event == LogEvent::kContextCreated);
    CHECK(log[1].a == 1);
    CHECK(log[2].event == LogEvent::kRingCreated);
    CHECK(log[2].a == 2);
    CHECK(log[2].b == 1);
    CHECK(log[3].event == LogEvent::kJobStart);
    CHECK(log[3].a == 2);
    CHECK(log[3].b == 5);
    CHECK(log[4].event == LogEvent::kJobEnd);
    CHECK(log[4].a == 0);
    CHECK(log[4].b == 5);
    for (std::size_t i = 1; i < log.size(); ++i) {
        CHECK(log[i].cycle > log[i - 1].cycle);
    }
}

TEST_CASE("a full log overwrites its oldest records and nothing else") {
    Rig rig;
    for (std::uint32_t i = 0; i < 200; ++i) {
        rig.ask(request(static_cast<MessageType>(0x1000 + i), i));
    }
    rig.run();
    CHECK(rig.load<LogHeader>(kLogAddress).written == 201);
    const std::vector<LogRecord> log = rig.log();
    REQUIRE(log.size() == 126);
    CHECK(log.front().a == 0x1000 + 200 - 126);
    CHECK(log.back().a == 0x1000 + 199);
    CHECK(rig.load<std::uint64_t>(kLogAddress + kLogBytes) == 0);
}

TEST_CASE("the log is optional") {
    CHECK(bootWithLog(0, 0) == BootError::kNone);
}

TEST_CASE("the size of a log is a power of two from 4 KiB to 1 MiB") {
    CHECK(bootWithLog(4096, kLogAddress) == BootError::kNone);
    CHECK(bootWithLog(1U << 20, kHeapAddress) == BootError::kNone);
    CHECK(bootWithLog(2048, kLogAddress) == BootError::kBadLog);
    CHECK(bootWithLog(5000, kLogAddress) == BootError::kBadLog);
    CHECK(bootWithLog(1U << 21, kHeapAddress) == BootError::kBadLog);
}

TEST_CASE("the address of a log must be aligned, nonzero and writable") {
    CHECK(bootWithLog(4096, 0) == BootError::kBadLog);
    CHECK(bootWithLog(4096, kLogAddress + 4) == BootError::kBadLog);
    CHECK(bootWithLog(4096, 0x40000000) == BootError::kBadLog);
    CHECK(bootWithLog(4096, ~7ULL) == BootError::kBadLog);
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
