// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/lint.h"

#include <doctest/doctest.h>

#include <set>

#include "hw_model/regs/page_table.h"
#include "tests/sim/bringup/bringup_bench.h"
#include "tests/support/sim_case.h"

using namespace vnpu::test;
namespace regs = vnpu::hw::regs;
namespace sim = vnpu::sim;
using std::chrono::milliseconds;

TEST_SUITE_BEGIN("sim/bringup/lint");

TEST_CASE("a right driver gets no message but the summary") {
    simCase([] {
        const auto lines = linesOf([](BringupHost& host) {
            host.setBootParameters();
            host.handleInterrupts();
            host.boot();
            host.createContext();
            host.createRing();
            host.submit();
            host.awaitJobs();
            host.setPage(0x20000, 0);
            vnpu::fw::Message message{};
            message.type = vnpu::fw::MessageType::kInvalidateTlb;
            CHECK(host.request(message) == 0);
            host.submit();
            host.awaitJobs();
            host.sleep(milliseconds(2));
            host.write<regs::Control>(regs::Control::kReset.put(1));
            host.setBootParameters();
            host.handleInterrupts();
            host.boot();
        });
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].starts_with("lint: 0 mistakes in "));
    });
}

TEST_CASE("the names of the rules are distinct and of one form") {
    std::set<std::string_view> names;
    for (const sim::LintRuleRow& rule : sim::lintRules()) {
        CHECK(names.insert(rule.name).second);
        CHECK(rule.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos);
        CHECK(!rule.sentence.empty());
    }
    CHECK(names.size() >= 20);
}

TEST_CASE("lines of one mistake are limited, and the summary counts all") {
    std::vector<std::string> lines;
    sim::Lint lint([&](const std::string& line) { lines.push_back(line); });
    for (std::uint64_t i = 0; i < 10; ++i) {
        lint.registerWritten(i * 1'000'000, regs::Id::kSpec.offset, 1, false);
    }
    lint.registerRead(0, 0xABC, 0xFFFFFFFF, false);
    lint.finish(10'000'000);
    REQUIRE(lines.size() == 7);
    CHECK(lines[0] ==
          "lint: 0.000000 us: ID: read-only-written: the register is read-only, the write has no "
          "effect");
    CHECK(lines[2] ==
          "lint: 2.000000 us: ID: read-only-written: the register is read-only, the write has no "
          "effect; further ones are only counted");
    CHECK(lines[4] == "lint: 11 mistakes in 11 register accesses");
    CHECK(lines[5] == "lint: ID: read-only-written: 10");
    CHECK(lines[6] == "lint: offset 0x0abc: undefined-register: 1");
    CHECK(lint.mistakes() == 11);
}

TEST_SUITE_END();
