// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/pci_config_space.h"

#include <doctest/doctest.h>

namespace {

using vnpu::sim::PciConfigSpace;

PciConfigSpace createSpace() {
    return PciConfigSpace({0x10000, 0, 0x40000, 0, 0, 0});
}

}  // namespace

TEST_SUITE_BEGIN("sim/qemu/pci_config_space");

TEST_CASE("a function says what it is [issue 28.5]") {
    const PciConfigSpace space = createSpace();
    CHECK(space.read(0x00, 4) == 0x4e50'1234);
    CHECK(space.read(0x00, 2) == 0x1234);
    CHECK(space.read(0x02, 2) == 0x4e50);
    CHECK(space.read(0x08, 4) == 0x1200'0001);
    CHECK(space.read(0x0a, 2) == 0x1200);
    CHECK(space.read(0x0b, 1) == 0x12);
    CHECK(space.read(0x0e, 1) == 0);
    CHECK(space.read(0x2c, 4) == 0x4e50'1234);
    CHECK(space.read(0x3d, 1) == 1);
    CHECK(space.read(0xfc, 4) == 0);
}

TEST_CASE("what is fixed cannot be written [issue 28.5]") {
    PciConfigSpace space = createSpace();
    const PciConfigSpace before = createSpace();
    for (std::uint32_t address = 0; address < 256; address += 4) {
        space.write(address, 0xffff'ffff, 4);
        space.write(address, 0, 4);
    }
    for (std::uint32_t address = 0; address < 256; address += 4) {
        CAPTURE(address);
        CHECK(space.read(address, 4) == before.read(address, 4));
    }
}

TEST_CASE("a BAR answers ones with its size [issue 28.5]") {
    PciConfigSpace space = createSpace();
    for (std::uint32_t bar = 0; bar < 6; ++bar) {
        space.write(0x10 + 4 * bar, 0xffff'ffff, 4);
    }
    CHECK(space.read(0x10, 4) == 0xffff'0000);
    CHECK(space.read(0x14, 4) == 0);
    CHECK(space.read(0x18, 4) == 0xfffc'0000);
    CHECK(space.read(0x24, 4) == 0);
    space.write(0x30, 0xffff'ffff, 4);
    CHECK(space.read(0x30, 4) == 0);
    space.write(0x10, 0xfebf'1234, 4);
    CHECK(space.read(0x10, 4) == 0xfebf'0000);
    space.write(0x13, 0x80, 1);
    CHECK(space.read(0x10, 4) == 0x80bf'0000);
}

TEST_CASE("a BAR is found only with memory enabled [issue 28.5]") {
    PciConfigSpace space = createSpace();
    space.write(0x10, 0xfe00'0000, 4);
    space.write(0x18, 0xfe10'0000, 4);
    CHECK_FALSE(space.findBar(0xfe00'0000).has_value());
    space.write(0x04, PciConfigSpace::kMemoryEnable, 2);
    CHECK(space.findBar(0xfe00'0000)->bar == 0);
    CHECK(space.findBar(0xfe00'ffff)->offset == 0xffff);
    CHECK_FALSE(space.findBar(0xfe01'0000).has_value());
    CHECK_FALSE(space.findBar(0xfdff'ffff).has_value());
    CHECK(space.findBar(0xfe10'0010)->bar == 2);
    CHECK_FALSE(space.findBar(0x1'fe00'0000).has_value());
}

TEST_CASE("the command register keeps what a function has [issue 28.5]") {
    PciConfigSpace space = createSpace();
    CHECK_FALSE(space.isBusMaster());
    space.write(0x04, 0xffff, 2);
    CHECK(space.read(0x04, 2) == 0x0406);
    CHECK(space.isBusMaster());
    CHECK(space.isPinDisabled());
    space.write(0x05, 0, 1);
    CHECK(space.read(0x04, 2) == 0x0006);
}

TEST_CASE(
        "the status register shows interrupts, and errors until they are cleared "
        "[issue 28.5]") {
    PciConfigSpace space = createSpace();
    CHECK(space.read(0x06, 2) == 0x0010);
    space.setInterruptPending(true);
    CHECK(space.read(0x06, 2) == 0x0018);
    space.setMasterAbort();
    CHECK(space.read(0x06, 2) == 0x2018);
    space.write(0x04, 0x2, 2);
    CHECK(space.read(0x06, 2) == 0x2018);
    space.write(0x06, 0x2000, 2);
    CHECK(space.read(0x06, 2) == 0x0018);
    space.setInterruptPending(false);
    CHECK(space.read(0x06, 2) == 0x0010);
}

TEST_CASE("the capability of MSI has one vector and a 64-bit address [issue 28.5]") {
    PciConfigSpace space = createSpace();
    const std::uint32_t at = space.read(0x34, 1);
    CHECK(space.read(at, 4) == 0x0080'0005);
    CHECK_FALSE(space.msi().has_value());
    space.write(at + 4, 0xfee0'1003, 4);
    space.write(at + 8, 0x1, 4);
    space.write(at + 12, 0xffff'4021, 4);
    space.write(at + 2, 0x0001, 2);
    REQUIRE(space.msi().has_value());
    CHECK(space.msi()->address == 0x1'fee0'1000);
    CHECK(space.msi()->data == 0x4021);
    space.write(at + 2, 0, 2);
    CHECK_FALSE(space.msi().has_value());
}

TEST_CASE("accesses that are none read ones and write nothing [issue 28.5]") {
    PciConfigSpace space = createSpace();
    for (const auto& [address, sizeBytes] : {std::pair(0U, 0U),
                                             {0U, 3U},
                                             {0U, 8U},
                                             {1U, 2U},
                                             {2U, 4U},
                                             {256U, 1U},
                                             {256U, 4U},
                                             {0xffff'fffcU, 4U},
                                             {0U, 0xffff'ffffU}}) {
        CAPTURE(address);
        CAPTURE(sizeBytes);
        CHECK(space.read(address, sizeBytes) == 0xffff'ffff);
        space.write(address, 0, sizeBytes);
    }
    space.write(0x3c, 0x0b, 1);
    CHECK(space.interruptLine() == 11);
    space.reset();
    CHECK(space.interruptLine() == 0);
}

TEST_SUITE_END();
