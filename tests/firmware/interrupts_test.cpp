// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/base/interrupts.h"

#include <doctest/doctest.h>

#include "tests/firmware/fake_controller.h"

namespace vnpu::fw::test {

using Irq = regs::ControllerIrqStatus;

TEST_SUITE_BEGIN("firmware/interrupts");

TEST_CASE("a polled interrupt is cleared in the hardware and kept until taken") {
    FakeController device;
    Interrupts interrupts(device);
    device.hostWrite(regs::Doorbell::kSpec.at(3), 1);
    interrupts.poll();
    CHECK(device.hostRead(Irq::kSpec.offset) == 0);
    CHECK(interrupts.isPending(Irq::kDoorbell));
    CHECK_FALSE(interrupts.isPending(Irq::kMessage));
    CHECK(interrupts.take(Irq::kDoorbell));
    CHECK_FALSE(interrupts.take(Irq::kDoorbell));
}

TEST_CASE("interrupts accumulate over polls") {
    FakeController device;
    Interrupts interrupts(device);
    device.hostWrite(regs::Doorbell::kSpec.at(0), 1);
    interrupts.poll();
    device.hostWrite(regs::MailboxInControl::kSpec.offset, 1);
    interrupts.poll();
    CHECK(interrupts.isPending(Irq::kDoorbell));
    CHECK(interrupts.isPending(Irq::kMessage));
}

TEST_CASE("a reset stays visible") {
    FakeController device;
    Interrupts interrupts(device);
    CHECK_FALSE(interrupts.isReset());
    device.assertReset();
    interrupts.poll();
    interrupts.poll();
    CHECK(interrupts.isReset());
}

TEST_CASE("an interrupt that was polled but not served does not end a sleep") {
    FakeController device;
    Interrupts interrupts(device);
    device.hostWrite(regs::Doorbell::kSpec.at(0), 1);
    interrupts.poll();
    const std::uint64_t before = device.now();
    interrupts.sleep(5000);
    CHECK(device.now() >= before + 5000);
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
