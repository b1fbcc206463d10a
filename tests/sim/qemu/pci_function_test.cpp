// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/pci_function.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/sim/qemu/memory_file.h"

namespace {

using vnpu::sim::BarAccess;
using vnpu::sim::ConfigAccess;
using vnpu::sim::DeviceReset;
using vnpu::sim::MemoryMapMessage;
using vnpu::sim::PciConfigSpace;
using vnpu::sim::PciFunction;

/// Writes down what reaches it.
struct FakeCard : vnpu::sim::Card {
    std::uint32_t registerBytes() const override { return 0x9000; }
    std::uint32_t residentBytes() const override { return 4096; }
    std::uint32_t read32(std::uint32_t offset) override {
        events.push_back(fmt::format("read {:#x}", offset));
        return offset + 0x1000'0000;
    }
    void write32(std::uint32_t offset, std::uint32_t value) override {
        events.push_back(fmt::format("write {:#x} {:#x}", offset, value));
    }
    void readResident(std::uint32_t offset, std::span<std::byte> data) override {
        std::memcpy(data.data(), &resident[offset], data.size());
    }
    void writeResident(std::uint32_t offset, std::span<const std::byte> data) override {
        std::memcpy(&resident[offset], data.data(), data.size());
    }
    void reset() override { events.emplace_back("reset"); }
    void unmap(std::uint64_t address, std::uint64_t sizeBytes) override {
        events.push_back(fmt::format("unmap {:#x} {:#x}", address, sizeBytes));
    }

    std::vector<std::string> events;
    std::array<std::byte, 4096> resident{};
};

struct FakeWires : vnpu::sim::InterruptWires {
    void setInput(std::uint32_t input, bool isHigh) override {
        events.push_back(fmt::format("input {} {}", input, isHigh ? "high" : "low"));
    }
    void sendMessage(std::uint64_t address, std::uint32_t data) override {
        events.push_back(fmt::format("message {:#x} {:#x}", address, data));
    }
    std::vector<std::string> events;
};

constexpr std::uint32_t kBar0 = 0xfe00'0000, kBar2 = 0xfe10'0000;

/// A function as firmware leaves it: with addresses and an interrupt line, but no bus master.
struct Slot {
    Slot() {
        writeConfig(0x10, kBar0, 4);
        writeConfig(0x18, kBar2, 4);
        writeConfig(0x3c, 10, 1);
        writeConfig(0x04, PciConfigSpace::kMemoryEnable, 2);
    }

    std::uint64_t writeConfig(std::uint32_t address, std::uint32_t value, std::uint32_t sizeBytes) {
        return *function.serve(ConfigAccess{true, address, value, sizeBytes});
    }
    std::uint64_t readConfig(std::uint32_t address, std::uint32_t sizeBytes) {
        return *function.serve(ConfigAccess{false, address, 0, sizeBytes});
    }
    void command(std::uint32_t bits) { writeConfig(0x04, PciConfigSpace::kMemoryEnable | bits, 2); }
    std::uint64_t read(std::uint64_t address, std::uint32_t sizeBytes) {
        return *function.serve(BarAccess{false, address, 0, sizeBytes});
    }
    void write(std::uint64_t address, std::uint64_t value, std::uint32_t sizeBytes) {
        CHECK(function.serve(BarAccess{true, address, value, sizeBytes}).has_value());
    }
    void enableMsi() {
        writeConfig(0x44, 0xfee0'0000, 4);
        writeConfig(0x4c, 0x31, 2);
        writeConfig(0x42, 1, 2);
    }
    void setMemory() {
        MemoryMapMessage map;
        map.regions.push_back(vnpu::test::createRegion(0x10'0000, 0x2000, true));
        CHECK_FALSE(function.serve(std::move(map)).has_value());
    }
    bool canDma() {
        std::array<std::byte, 8> data{};
        const bool isRead = function.read(0x10'0000, data);
        CHECK(function.write(0x10'0000, data) == isRead);
        CHECK(function.map(0x10'0000).empty() == !isRead);
        return isRead;
    }
    std::vector<std::string> cardEvents() { return std::exchange(card.events, {}); }
    std::vector<std::string> wireEvents() { return std::exchange(wires.events, {}); }

    FakeCard card;
    FakeWires wires;
    std::vector<std::string> log;
    PciFunction function{card, wires, [this](const std::string& line) { log.push_back(line); }};
};

using Events = std::vector<std::string>;

}  // namespace

TEST_SUITE_BEGIN("sim/qemu/pci_function");

TEST_CASE("BAR 0 is the register window [issue 28.5]") {
    Slot slot;
    CHECK(slot.read(kBar0 + 0x40, 4) == 0x1000'0040);
    slot.write(kBar0 + 0x44, 0x1'2345'6789, 4);
    CHECK(slot.cardEvents() == Events{"read 0x40", "write 0x44 0x23456789"});
    CHECK(slot.read(kBar0 + 0x40, 8) == 0x1000'0044'1000'0040);
    slot.write(kBar0 + 0x80, 0x1122'3344'5566'7788, 8);
    CHECK(slot.cardEvents() ==
          Events{"read 0x40", "read 0x44", "write 0x80 0x55667788", "write 0x84 0x11223344"});
    CHECK(slot.read(kBar0 + 0x43, 1) == 0x10);
    CHECK(slot.read(kBar0 + 0x40, 2) == 0x0040);
}

TEST_CASE("registers take whole words [issue 28.5]") {
    Slot slot;
    slot.write(kBar0 + 0x40, 1, 2);
    CHECK(slot.cardEvents().empty());
    CHECK(slot.log == Events{"a write of 2 bytes to the register at 0x40, which takes 4; ignored"});
}

TEST_CASE("accesses outside of the BARs and beyond the window are not answered [issue 28.5]") {
    Slot slot;
    CHECK(slot.read(kBar0 + 0x9000, 4) == 0xffff'ffff);
    slot.write(kBar0 + 0x9000, 1, 4);
    CHECK(slot.read(kBar0 + 0x1'0000, 4) == ~0ULL);
    CHECK(slot.read(kBar0 + 0x41, 4) == ~0ULL);
    CHECK(slot.read(kBar0 + 0x40, 0) == ~0ULL);
    CHECK(slot.read(kBar0 + 0x40, 3) == ~0ULL);
    CHECK(slot.read(kBar0 + 0x40, 16) == ~0ULL);
    CHECK(slot.read(kBar0, 0x8000'0000) == ~0ULL);
    CHECK(slot.read(~0ULL, 1) == ~0ULL);
    slot.writeConfig(0x04, 0, 2);
    CHECK(slot.read(kBar0 + 0x40, 4) == ~0ULL);
    CHECK(slot.cardEvents().empty());
}

TEST_CASE("BAR 2 is the resident memory [issue 28.5]") {
    Slot slot;
    slot.write(kBar2 + 8, 0x1122'3344'5566'7788, 8);
    slot.write(kBar2 + 9, 0xaa, 1);
    CHECK(slot.read(kBar2 + 8, 8) == 0x1122'3344'5566'aa88);
    CHECK(slot.read(kBar2 + 10, 2) == 0x5566);
    slot.write(kBar2 + 4092, 5, 4);
    CHECK(slot.read(kBar2 + 4092, 4) == 5);
    CHECK(slot.read(kBar2 + 4096, 4) == ~0ULL);
}

TEST_CASE("there is no DMA without bus mastering [issue 28.5]") {
    Slot slot;
    slot.setMemory();
    CHECK_FALSE(slot.canDma());
    slot.command(PciConfigSpace::kBusMaster);
    CHECK(slot.canDma());
    CHECK(slot.cardEvents().empty());
    slot.command(0);
    CHECK(slot.cardEvents() == Events{"unmap 0x100000 0x2000"});
    CHECK_FALSE(slot.canDma());
    CHECK(slot.readConfig(0x06, 2) == 0x0010);
}

TEST_CASE("DMA to no memory sets the status of a master abort [issue 28.5]") {
    Slot slot;
    slot.setMemory();
    slot.command(PciConfigSpace::kBusMaster);
    std::array<std::byte, 8> data{};
    CHECK_FALSE(slot.function.read(0x20'0000, data));
    CHECK(slot.readConfig(0x06, 2) == 0x2010);
    slot.writeConfig(0x06, 0x2000, 2);
    CHECK_FALSE(slot.function.write(0x10'1ffc, data));
    CHECK(slot.readConfig(0x06, 2) == 0x2010);
}

TEST_CASE("a new memory map takes back the old one [issue 28.5]") {
    Slot slot;
    slot.setMemory();
    slot.command(PciConfigSpace::kBusMaster);
    CHECK(slot.canDma());
    slot.setMemory();
    CHECK(slot.cardEvents() == Events{"unmap 0x100000 0x2000"});
    CHECK(slot.canDma());
    CHECK_FALSE(slot.function.serve(MemoryMapMessage{}).has_value());
    CHECK(slot.cardEvents() == Events{"unmap 0x100000 0x2000"});
    std::array<std::byte, 1> data{};
    CHECK_FALSE(slot.function.read(0x10'0000, data));
    CHECK(slot.function.map(0x10'0000).empty());
}

TEST_CASE("memory where the device has its own is reported [issue 28.5]") {
    Slot slot;
    MemoryMapMessage map;
    map.regions.push_back(vnpu::test::createRegion(0x3fff'f000, 0x2000, true));
    slot.function.serve(std::move(map));
    REQUIRE(slot.log.size() == 1);
    CHECK(slot.log[0].starts_with("the guest has memory at 0x40000000"));
    MemoryMapMessage lower;
    lower.regions.push_back(vnpu::test::createRegion(0x3fff'f000, 0x1000, true));
    lower.regions.push_back(vnpu::test::createRegion(0x4000'1000, 0x1000, true));
    slot.function.serve(std::move(lower));
    CHECK(slot.log.size() == 1);
}

TEST_CASE("the pin follows the line and its disable bit [issue 28.5]") {
    Slot slot;
    slot.function.setLine(true);
    CHECK(slot.wireEvents() == Events{"input 10 high"});
    CHECK(slot.readConfig(0x06, 2) == 0x0018);
    slot.function.setLine(true);
    CHECK(slot.wireEvents().empty());
    slot.command(PciConfigSpace::kInterruptDisable);
    CHECK(slot.wireEvents() == Events{"input 10 low"});
    CHECK(slot.readConfig(0x06, 2) == 0x0018);
    slot.command(0);
    CHECK(slot.wireEvents() == Events{"input 10 high"});
    slot.function.setLine(false);
    CHECK(slot.wireEvents() == Events{"input 10 low"});
    CHECK(slot.readConfig(0x06, 2) == 0x0010);
}

TEST_CASE("the pin is at the input that the guest chose [issue 28.5]") {
    Slot slot;
    slot.function.setLine(true);
    CHECK(slot.wireEvents() == Events{"input 10 high"});
    slot.writeConfig(0x3c, 5, 1);
    CHECK(slot.wireEvents() == Events{"input 10 low", "input 5 high"});
    for (const std::uint32_t none : {0U, 24U, 255U}) {
        slot.writeConfig(0x3c, 5, 1);
        slot.wireEvents();
        slot.writeConfig(0x3c, none, 1);
        CHECK(slot.wireEvents() == Events{"input 5 low", "input 11 high"});
    }
}

TEST_CASE("with MSI, each rise of the line is one message of a bus master [issue 28.5]") {
    Slot slot;
    slot.enableMsi();
    slot.function.setLine(true);
    CHECK(slot.wireEvents().empty());
    slot.command(PciConfigSpace::kBusMaster);
    CHECK(slot.wireEvents() == Events{"message 0xfee00000 0x31"});
    slot.writeConfig(0x3c, 5, 1);
    CHECK(slot.wireEvents().empty());
    slot.function.setLine(false);
    slot.function.setLine(true);
    CHECK(slot.wireEvents() == Events{"message 0xfee00000 0x31"});
    slot.writeConfig(0x42, 0, 2);
    CHECK(slot.wireEvents() == Events{"input 5 high"});
    slot.writeConfig(0x42, 1, 2);
    CHECK(slot.wireEvents() == Events{"message 0xfee00000 0x31", "input 5 low"});
}

TEST_CASE("a reset leaves the function as after power-on [issue 28.5]") {
    Slot slot;
    slot.setMemory();
    slot.enableMsi();
    slot.command(PciConfigSpace::kBusMaster);
    CHECK(slot.function.serve(DeviceReset{}) == 0);
    CHECK(slot.cardEvents() == Events{"unmap 0x100000 0x2000", "reset"});
    CHECK(slot.readConfig(0x04, 4) == 0x0010'0000);
    CHECK(slot.readConfig(0x10, 4) == 0);
    CHECK(slot.readConfig(0x42, 2) == 0x0080);
    std::array<std::byte, 1> data{};
    CHECK_FALSE(slot.function.read(0x10'0000, data));
    slot.command(PciConfigSpace::kBusMaster);
    CHECK(slot.function.read(0x10'0000, data));
}

TEST_SUITE_END();
