// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/usage_history.h"

#include <doctest/doctest.h>

#include <numeric>

#include "tests/sim/report/html/unpacked.h"

namespace {

using vnpu::hw::Engine;
using vnpu::hw::EngineCommandRecord;
using vnpu::sim::EngineEvent;
using vnpu::sim::UsageHistory;

constexpr auto kMac = static_cast<std::size_t>(Engine::kMac);
constexpr auto kDma0 = static_cast<std::size_t>(Engine::kDma0);

void add(UsageHistory& history, const EngineCommandRecord& record, std::uint64_t startNs,
         std::uint64_t endNs) {
    history.add(EngineEvent{.record = record, .startNs = startNs, .endNs = endNs});
}

TEST_SUITE_BEGIN("sim/report/html/usage_history");

TEST_CASE("the work of a command is spread evenly over the windows of its time") {
    UsageHistory history(8, 100);
    add(history, {.engine = Engine::kMac, .busyCycles = 40, .operations = 800}, 150, 350);
    add(history, {.engine = Engine::kDma0, .busyCycles = 6, .operations = 9, .dramBytes = 64}, 300,
        300);
    REQUIRE(history.lengthNs() == 100);
    const auto& windows = history.windows();
    REQUIRE(windows.size() == 4);
    CHECK(windows[0].busyCycles[kMac] == 0.0);
    CHECK(windows[1].busyCycles[kMac] == doctest::Approx(10.0));  // 50 of 200 ns
    CHECK(windows[2].busyCycles[kMac] == doctest::Approx(20.0));
    CHECK(windows[3].busyCycles[kMac] == doctest::Approx(10.0));
    CHECK(windows[2].macOperations == doctest::Approx(400.0));
    CHECK(windows[3].busyCycles[kDma0] == doctest::Approx(6.0));
    CHECK(windows[3].dramBytes == doctest::Approx(64.0));
    CHECK(windows[3].macOperations == doctest::Approx(200.0));  // those of the array alone
}

TEST_CASE("a longer run doubles the windows and loses nothing") {
    UsageHistory history(4, 100);
    for (std::uint64_t i = 0; i < 10; ++i) {
        add(history, {.engine = Engine::kMac, .busyCycles = 10 + i}, 100 * i, 100 * i + 50);
    }
    // 1000 ns need windows of 400 ns: 4 + 4 + 2 commands.
    REQUIRE(history.lengthNs() == 400);
    REQUIRE(history.windows().size() == 3);
    CHECK(history.windows()[0].busyCycles[kMac] == doctest::Approx(10 + 11 + 12 + 13));
    CHECK(history.windows()[1].busyCycles[kMac] == doctest::Approx(14 + 15 + 16 + 17));
    CHECK(history.windows()[2].busyCycles[kMac] == doctest::Approx(18 + 19));
    const auto json = history.json();
    CHECK(json["window_ns"] == 400);
    const auto column = vnpu::test::numbersOf(json["busy_cycles"][kMac]);
    CHECK(std::accumulate(column.begin(), column.end(), 0.0) == doctest::Approx(145.0));
}

TEST_SUITE_END();

}  // namespace
