// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/host/mailbox.h"

#include <doctest/doctest.h>

#include <array>

#include "tests/hw_model/blocks/device_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint32_t kIn = 0x80;
constexpr std::uint32_t kInControl = 0xA0;
constexpr std::uint32_t kOut = 0xC0;
constexpr std::uint32_t kOutControl = 0xE0;

// Takes one message and sends it back with one added to each word.
DeviceBench::Options echoing() {
    DeviceBench::Options options;
    options.script = [](ControllerPort& port) {
        const std::uint32_t irq = regs::ControllerIrqStatus::kSpec.offset;
        while (regs::ControllerIrqStatus::kMessage.get(port.read32(irq)) == 0) {
            port.waitForInterrupt(0);
        }
        port.write32(irq, regs::ControllerIrqStatus::kMessage.mask());
        std::array<std::uint32_t, regs::kMailboxWords> words{};
        for (std::uint32_t i = 0; i < regs::kMailboxWords; ++i) {
            words[i] = port.read32(regs::MailboxIn::kSpec.at(i));
        }
        port.charge(200);
        port.write32(regs::MailboxInControl::kSpec.offset, 0);
        for (std::uint32_t i = 0; i < regs::kMailboxWords; ++i) {
            port.write32(regs::MailboxOutData::kSpec.at(i), words[i] + 1);
        }
    };
    return options;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/mailbox");

TEST_CASE("a message goes in and its answer comes out [E-1]") {
    simCase([] {
        DeviceBench bench(echoing());
        bench.boot();
        for (std::uint32_t i = 0; i < 8; ++i) {
            bench.write(kIn + 4 * i, 100 + i);
        }
        CHECK(bench.read(kInControl) == 0);
        bench.write(kInControl, 1);
        CHECK(bench.read(kInControl) == 1);
        bench.run(1000);
        CHECK(bench.read(kInControl) == 0);
        CHECK(bench.read(kOutControl) == 1);
        CHECK(bench.read(0x60) == regs::IrqStatus::kMessage.mask());
        for (std::uint32_t i = 0; i < 8; ++i) {
            CHECK(bench.read(kOut + 4 * i) == 101 + i);
        }
        bench.write(kOutControl, 0);
        CHECK(bench.read(kOutControl) == 0);
    });
}

TEST_CASE("a full mailbox accepts no other words and cannot be taken back [E-1]") {
    simCase([] {
        DeviceBench bench(echoing());
        bench.boot();
        bench.write(kIn, 5);
        bench.write(kInControl, 1);
        bench.write(kIn, 6);
        bench.write(kInControl, 0);
        CHECK(bench.read(kIn) == 5);
        CHECK(bench.read(kInControl) == 1);
        bench.run(1000);
        CHECK(bench.read(kOut) == 6);  // 5 + 1
    });
}

TEST_CASE("the controller sees the host's release [E-1]") {
    simCase([] {
        std::uint32_t pending = 0;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            port.write32(regs::MailboxOutData::kSpec.at(7), 1);
            port.waitForInterrupt(0);
            pending = port.read32(regs::ControllerIrqStatus::kSpec.offset);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(100);
        CHECK(pending == 0);
        bench.write(kOutControl, 0);
        bench.run(100);
        CHECK(pending == regs::ControllerIrqStatus::kOutboxFree.mask());
    });
}

TEST_CASE("an unfinished outbound message is not visible [E-1]") {
    simCase([] {
        DeviceBench::Options options;
        options.script = [](ControllerPort& port) {
            port.write32(regs::MailboxOutData::kSpec.at(0), 9);
        };
        DeviceBench bench(std::move(options));
        bench.boot();
        bench.run(100);
        CHECK(bench.read(kOut) == 0);
        CHECK(bench.read(kOutControl) == 0);
    });
}

TEST_CASE("reset empties both boxes [E-7]") {
    simCase([] {
        DeviceBench bench(echoing());
        bench.boot();
        bench.write(kIn, 5);
        bench.write(kInControl, 1);
        bench.run(1000);
        bench.write(kIn, 5);
        bench.write(kInControl, 1);
        bench.write(0x40, 1);
        CHECK(bench.read(kInControl) == 0);
        CHECK(bench.read(kOutControl) == 0);
        CHECK(bench.read(kIn) == 0);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
