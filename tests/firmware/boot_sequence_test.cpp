// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/firmware/rig.h"

namespace vnpu::fw::test {
namespace {

namespace regs = hw::regs;

std::uint32_t deviceState(Rig& rig) {
    return regs::Status::kState.get(rig.device.hostRead(regs::Status::kSpec.offset));
}

/// Boots and expects this failure: state, message and reason.
void checkFailure(Rig& rig, BootError error) {
    rig.run();
    CHECK(deviceState(rig) == 3);
    REQUIRE(rig.messages.size() == 1);
    CHECK(rig.messages[0].type == MessageType::kBootFailed);
    CHECK(rig.messages[0].value == static_cast<std::uint32_t>(error));
    CHECK(rig.device.protocolErrors.empty());
}

}  // namespace

TEST_SUITE_BEGIN("firmware/boot_sequence");

TEST_CASE("a successful boot ends in the state ready, with the version table in a message [E-1]") {
    Rig rig;
    rig.run();
    CHECK(deviceState(rig) == 2);
    REQUIRE(rig.messages.size() == 1);
    CHECK(rig.messages[0].type == MessageType::kReady);
    CHECK(rig.messages[0].versions[0] == 0x00010001);
    CHECK(rig.messages[0].versions[1] == 0x00020001);
    CHECK(rig.messages[0].versions[2] == 0x00020004);
    CHECK(rig.messages[0].versions[3] == hw::kCommandStreamVersion);
    REQUIRE(rig.device.marks.size() >= 2);
    CHECK(rig.device.marks[0].event == "cold-boot");
    CHECK(rig.device.marks[1].event == "ready");
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("missing, misaligned or unreachable parameters are unreadable") {
    for (const std::uint32_t address : {0U, 0x10004U, 0xFFFF0000U}) {
        Rig rig;
        rig.device.hostWrite(regs::BootParametersLo::kSpec.offset, address);
        checkFailure(rig, BootError::kUnreadable);
    }
}

TEST_CASE("the high word of the parameters' address is used") {
    Rig rig;
    rig.device.hostWrite(regs::BootParametersHi::kSpec.offset, 1);
    checkFailure(rig, BootError::kUnreadable);
}

TEST_CASE("a wrong magic number is refused") {
    Rig rig;
    rig.parameters.magic = 0x12345678;
    checkFailure(rig, BootError::kBadMagic);
}

TEST_CASE("parameters of another size are refused") {
    Rig rig;
    rig.parameters.sizeBytes = 56;
    checkFailure(rig, BootError::kBadSize);
}

TEST_CASE("another major version of any interface is refused") {
    SUBCASE("boot") {
        Rig rig;
        rig.parameters.bootApiVersion = 0x00020000;
        checkFailure(rig, BootError::kBadVersion);
    }
    SUBCASE("mailbox") {
        Rig rig;
        rig.parameters.mailboxApiVersion = 0x00000001;
        checkFailure(rig, BootError::kBadVersion);
    }
    SUBCASE("ring") {
        Rig rig;
        rig.parameters.ringApiVersion = 0x00010001;
        checkFailure(rig, BootError::kBadVersion);
    }
    SUBCASE("command stream") {
        Rig rig;
        rig.parameters.commandStreamVersion = hw::kCommandStreamVersion + 1;
        checkFailure(rig, BootError::kBadVersion);
    }
}

TEST_CASE("a device with another command stream version is refused") {
    Rig rig;
    rig.device.hostWrite(regs::CommandStreamVersion::kSpec.offset, hw::kCommandStreamVersion + 1);
    checkFailure(rig, BootError::kBadVersion);
}

TEST_CASE("another minor version is accepted") {
    Rig rig;
    rig.parameters.mailboxApiVersion = 0x00020007;
    rig.run();
    CHECK(deviceState(rig) == 2);
}

TEST_CASE("reserved fields in use are refused") {
    SUBCASE("flags") {
        Rig rig;
        rig.parameters.flags = 1;
        checkFailure(rig, BootError::kBadVersion);
    }
    SUBCASE("misaligned dump memory is refused") {
        Rig rig;
        rig.parameters.dumpBusAddress = 4;
        checkFailure(rig, BootError::kBadVersion);
    }
}

TEST_CASE("a controller with too little local memory does not boot") {
    Rig rig;
    rig.device.setLocalMemoryBytes(std::size_t{16} * 1024);
    checkFailure(rig, BootError::kNoLocalMemory);
}

TEST_CASE("the boot message waits until an older message was taken [E-1]") {
    Rig rig;
    rig.device.hostWrite(regs::MailboxOutControl::kSpec.offset, 1);
    rig.run();
    REQUIRE(rig.messages.size() == 1);  // the message that was there before; it ended the script
    rig.device.hostWrite(regs::MailboxOutControl::kSpec.offset, 0);
    rig.run();
    REQUIRE(rig.messages.size() == 2);
    CHECK(rig.messages[1].type == MessageType::kReady);
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("the firmware boots again after a reset without its earlier state [E-1]") {
    Rig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.run();
    rig.ask(createRing(0, 1, 1, Rig::ringAddress(0)));
    rig.run();
    REQUIRE(rig.messages.size() == 5);
    CHECK(rig.messages[3].type == MessageType::kReady);
    CHECK(statusOf(rig.messages[4]) == MessageStatus::kBadContext);
}

TEST_CASE("a failed boot can be followed by a successful one") {
    Rig rig;
    rig.parameters.magic = 0;
    rig.run();
    rig.parameters.magic = kBootMagic;
    rig.run();
    CHECK(deviceState(rig) == 2);
    REQUIRE(rig.messages.size() == 2);
    CHECK(rig.messages[1].type == MessageType::kReady);
}

TEST_CASE("a reset in the middle of the boot ends it") {
    Rig rig;
    rig.device.at(rig.device.now() + 10, [&] { rig.device.assertReset(); });
    rig.run();
    CHECK(rig.device.marks.size() <= 2);
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
