// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/sim/bringup/bringup_bench.h"

using namespace vnpu::test;
namespace regs = vnpu::hw::regs;

TEST_SUITE_BEGIN("sim/bringup/wrong_registers");

TEST_CASE("an offset without a register is reported") {
    checkMistake("offset 0x0abc", "undefined-register",
                 [](BringupHost& host) { host.read(0xABC); });
}

TEST_CASE("a register of the controller is reported") {
    checkMistake("ENGINE_FREE[1]", "controller-register",
                 [](BringupHost& host) { host.read(regs::EngineFree::kSpec.at(1)); });
}

TEST_CASE("a misaligned access is reported") {
    checkMistake("STATUS", "misaligned-access",
                 [](BringupHost& host) { host.read(regs::Status::kSpec.offset + 2); });
}

TEST_CASE("a write to a read-only register is reported") {
    checkMistake("ID", "read-only-written",
                 [](BringupHost& host) { host.write(regs::Id::kSpec.offset, 1); });
}

TEST_CASE("a read of a write-only register is reported") {
    checkMistake("DOORBELL[3]", "write-only-read",
                 [](BringupHost& host) { host.read(regs::Doorbell::kSpec.at(3)); });
}

TEST_CASE("reserved bits are reported") {
    checkMistake("IRQ_MASK", "reserved-bits",
                 [](BringupHost& host) { host.write<regs::IrqMask>(0x10); });
}

TEST_CASE("a high word that was not latched is reported") {
    checkMistake("CYCLE_COUNTER_HI", "unlatched-high-word", [](BringupHost& host) {
        host.read<regs::CycleCounterLo>();
        host.read<regs::CycleCounterHi>();
        host.read<regs::CycleCounterHi>();
    });
}

TEST_CASE("polling of a value that never changes is reported") {
    checkMistake("STATUS", "endless-polling", [](BringupHost& host) {
        for (int i = 0; i < 1500; ++i) {
            host.read<regs::Status>();
        }
    });
}

TEST_SUITE_END();
