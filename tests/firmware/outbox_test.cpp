// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/host/outbox.h"

#include <doctest/doctest.h>

#include "tests/firmware/fake_controller.h"

namespace vnpu::fw::test {

namespace regs = hw::regs;

TEST_SUITE_BEGIN("firmware/outbox");

TEST_CASE("an empty outbox has no waiting message") {
    FakeController device;
    Outbox outbox(device);
    CHECK(outbox.flush());
    CHECK_FALSE(outbox.isWaiting());
    CHECK(device.hostRead(regs::MailboxOutControl::kSpec.offset) == 0);
}

TEST_CASE("all eight words of a message are sent [E-1]") {
    FakeController device;
    Outbox outbox(device);
    Message message{};
    message.type = MessageType::kReply;
    message.requestId = 2;
    message.status = 3;
    message.value = 4;
    message.versions[0] = 5;
    message.versions[3] = 8;
    outbox.put(message);
    CHECK(outbox.flush());
    // 0xE0DE is the seal: starting with 0x5EA1, each word is folded in after a rotation by one bit.
    CHECK(device.hostRead(regs::MailboxOut::kSpec.at(0)) == 0xE0DE0082);
    CHECK(device.hostRead(regs::MailboxOut::kSpec.at(1)) == 2);
    CHECK(device.hostRead(regs::MailboxOut::kSpec.at(2)) == 3);
    CHECK(device.hostRead(regs::MailboxOut::kSpec.at(3)) == 4);
    CHECK(device.hostRead(regs::MailboxOut::kSpec.at(4)) == 5);
    CHECK(device.hostRead(regs::MailboxOut::kSpec.at(7)) == 8);
    CHECK(device.hostRead(regs::IrqStatus::kSpec.offset) == 2);  // MESSAGE
}

TEST_CASE("a message waits until the one before is read") {
    FakeController device;
    Outbox outbox(device);
    device.hostWrite(regs::MailboxOutControl::kSpec.offset, 1);
    outbox.put(Message{});
    CHECK_FALSE(outbox.flush());
    CHECK(outbox.isWaiting());
    device.hostWrite(regs::MailboxOutControl::kSpec.offset, 0);
    CHECK(outbox.flush());
    CHECK(device.protocolErrors.empty());
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
