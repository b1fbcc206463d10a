// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/sim/bringup/bringup_bench.h"

using namespace vnpu::test;
namespace fw = vnpu::fw;
namespace regs = vnpu::hw::regs;
using std::chrono::milliseconds;

namespace {

fw::Message ping() {
    fw::Message message{};
    message.type = fw::MessageType::kPing;
    message.requestId = 77;
    return message;
}

}  // namespace

TEST_SUITE_BEGIN("sim/bringup/wrong_boot");

TEST_CASE("a boot without parameters is reported") {
    checkMistake("BOOT_PARAMETERS_LO", "boot-without-parameters", [](BringupHost& host) {
        host.write<regs::Control>(0);
        host.write<regs::Control>(regs::Control::kBoot.put(1));
    });
}

TEST_CASE("parameters that a reset has cleared are reported") {
    checkMistake("BOOT_PARAMETERS_LO", "boot-without-parameters", [](BringupHost& host) {
        host.write<regs::Control>(0);
        host.setBootParameters();
        host.write<regs::Control>(regs::Control::kReset.put(1));
        host.boot();
    });
}

TEST_CASE("a misaligned address of the boot parameters is reported") {
    checkMistake("BOOT_PARAMETERS_LO", "boot-parameters-misaligned", [](BringupHost& host) {
        host.setBootParameters();
        host.write<regs::BootParametersLo>(host.read<regs::BootParametersLo>() + 4);
        host.boot();
    });
}

TEST_CASE("boot parameters that the firmware refuses are reported by their field") {
    checkMistake("BOOT_PARAMETERS_LO", "bad-boot-parameters", [](BringupHost& host) {
        host.setBootParameters([](fw::BootParameters& boot) { boot.sizeBytes = 60; });
        host.boot();
    });
}

TEST_CASE("boot parameters outside of the host's memory are reported") {
    checkMistake("BOOT_PARAMETERS_LO", "dma-bus-error", [](BringupHost& host) {
        host.setBootParameters();
        host.write<regs::BootParametersHi>(0x7777);
        host.boot();
    });
}

TEST_CASE("a boot in reset is reported") {
    checkMistake("CONTROL", "boot-in-reset", [](BringupHost& host) {
        host.setBootParameters();
        host.write<regs::Control>(regs::Control::kReset.put(1) | regs::Control::kBoot.put(1));
    });
}

TEST_CASE("a second boot is reported") {
    checkMistake("CONTROL", "boot-twice", [](BringupHost& host) {
        host.boot();
        host.write<regs::Control>(regs::Control::kBoot.put(1));
    });
}

TEST_CASE("a message before the firmware is ready is reported") {
    checkMistake("MAILBOX_IN_CONTROL", "message-before-ready", [](BringupHost& host) {
        host.setBootParameters();
        host.write<regs::Control>(0);
        host.write<regs::Control>(regs::Control::kBoot.put(1));
        host.send(fw::sealed(ping()));
    });
}

TEST_CASE("a message into the full mailbox is reported") {
    checkMistake("MAILBOX_IN_CONTROL", "mailbox-full", [](BringupHost& host) {
        host.boot();
        host.send(fw::sealed(ping()));
        host.write<regs::MailboxInControl>(regs::MailboxInControl::kFull.put(1));
    });
}

TEST_CASE("a read of the empty mailbox is reported") {
    checkMistake("MAILBOX_OUT[0]", "mailbox-empty", [](BringupHost& host) {
        host.boot();
        host.read<regs::MailboxOut>(0);
    });
}

TEST_CASE("a message that was not released is reported") {
    checkMistake("MAILBOX_OUT_CONTROL", "message-not-released", [](BringupHost& host) {
        host.boot();
        host.send(fw::sealed(ping()));
        host.awaitMessage();
        host.takeMessage(false);
        host.send(fw::sealed(ping()));
    });
}

TEST_CASE("a message that was dropped unread is reported") {
    checkMistake("MAILBOX_OUT_CONTROL", "message-dropped", [](BringupHost& host) {
        host.boot();
        host.send(fw::sealed(ping()));
        host.awaitMessage();
        host.write<regs::MailboxOutControl>(0);
    });
}

TEST_CASE("a message without its seal is reported") {
    checkMistake("MAILBOX_IN[0]", "broken-seal", [](BringupHost& host) {
        host.boot();
        host.send(ping());
    });
}

TEST_CASE("an unknown message is reported") {
    checkMistake("MAILBOX_IN[0]", "unknown-message", [](BringupHost& host) {
        host.boot();
        fw::Message message = ping();
        message.type = static_cast<fw::MessageType>(99);
        host.request(message);
    });
}

TEST_SUITE_END();
