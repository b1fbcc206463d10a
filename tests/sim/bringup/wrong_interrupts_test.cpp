// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/sim/bringup/bringup_bench.h"

using namespace vnpu::test;
namespace regs = vnpu::hw::regs;
using std::chrono::milliseconds;

TEST_SUITE_BEGIN("sim/bringup/wrong_interrupts");

TEST_CASE("an enabled interrupt without a handler is reported") {
    checkMistake("IRQ_MASK", "interrupt-without-handler", [](BringupHost& host) {
        host.write<regs::IrqMask>(0xF);
        host.boot();
        host.sleep(milliseconds(2));
    });
}

TEST_CASE("an interrupt that is not acknowledged is reported") {
    checkMistake("IRQ_STATUS", "interrupt-not-acknowledged", [](BringupHost& host) {
        host.write<regs::IrqMask>(0xF);
        host.boot();
        host.read<regs::IrqStatus>();
        host.sleep(milliseconds(2));
    });
}

TEST_CASE("interrupts that are cleared unseen are reported") {
    checkMistake("IRQ_STATUS", "interrupt-cleared-unseen", [](BringupHost& host) {
        host.write<regs::IrqMask>(0xF);
        host.boot();
        host.write<regs::IrqStatus>(0xFFFFFFFF);
    });
}

TEST_SUITE_END();
