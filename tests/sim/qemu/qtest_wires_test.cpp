// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/qtest_wires.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "sim/qemu/socket_pair.h"

namespace {

using vnpu::sim::QtestWires;
using vnpu::sim::SocketPair;

struct Line {
    SocketPair pair = SocketPair::create();
    QtestWires wires{std::move(pair.ours)};

    std::string received() {
        char text[4096];
        const ssize_t got = read(pair.theirs.get(), text, sizeof(text));
        return {text, got > 0 ? static_cast<std::size_t>(got) : 0};
    }
    void answer(const std::string& text) {
        REQUIRE(write(pair.theirs.get(), text.data(), text.size()) ==
                static_cast<ssize_t>(text.size()));
        wires.exchange();
    }
};

}  // namespace

TEST_SUITE_BEGIN("sim/qemu/qtest_wires");

TEST_CASE("interrupts are lines of text, sent in order [issue 28.5]") {
    Line line;
    line.wires.setInput(11, true);
    line.wires.setInput(11, false);
    line.wires.sendMessage(0xfee0'1000, 0x31);
    CHECK(line.wires.hasUnsent());
    line.wires.exchange();
    CHECK_FALSE(line.wires.hasUnsent());
    CHECK(line.received() ==
          "set_irq_in /machine/i440fx/ioapic unnamed-gpio-in 11 1\n"
          "set_irq_in /machine/i440fx/ioapic unnamed-gpio-in 11 0\n"
          "writel 0xfee01000 0x31\n");
}

TEST_CASE("answers are read, and a refusal is an error [issue 28.5]") {
    Line line;
    line.answer("OK\nOK\nO");
    line.answer("K\n");
    CHECK_FALSE(line.wires.isClosed());
    CHECK_THROWS_WITH_AS(line.answer("FAIL Unknown device\n"),
                         doctest::Contains("FAIL Unknown device"), std::runtime_error);
}

TEST_CASE("a peer that reads nothing is an error in the end [issue 28.5]") {
    Line line;
    const auto flood = [&] {
        for (int i = 0; i < 1'000'000; ++i) {
            line.wires.setInput(11, i % 2 == 0);
            line.wires.exchange();
        }
    };
    CHECK_THROWS_WITH_AS(flood(), doctest::Contains("does not take interrupts"),
                         std::runtime_error);
}

TEST_CASE("the end of the peer is seen [issue 28.5]") {
    Line line;
    line.pair.theirs.reset();
    line.wires.sendMessage(0, 0);
    line.wires.exchange();
    CHECK(line.wires.isClosed());
}

TEST_SUITE_END();
