// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/counter_windows.h"

#include <doctest/doctest.h>

#include <map>

namespace {

using vnpu::hw::Engine;
using vnpu::hw::EngineCommandRecord;
using vnpu::hw::engineIndex;
using vnpu::sim::CounterWindow;
using vnpu::sim::CounterWindows;
using vnpu::sim::EngineEvent;

EngineEvent eventOf(const EngineCommandRecord& record, std::uint64_t startNs, std::uint64_t endNs) {
    return {.record = record, .startNs = startNs, .endNs = endNs};
}

std::map<std::uint64_t, CounterWindow> taken(CounterWindows& windows, std::uint64_t nowNs) {
    std::map<std::uint64_t, CounterWindow> result;
    windows.takeComplete(nowNs, [&](std::uint64_t startNs, const CounterWindow& window) {
        result[startNs] = window;
    });
    return result;
}

TEST_SUITE_BEGIN("sim/trace/counter_windows");

TEST_CASE("a command's bytes are spread evenly over its time") {
    CounterWindows windows(100);
    const EngineCommandRecord record{.engine = Engine::kDma0, .dramBytes = 400};
    windows.onEngineCommand(eventOf(record, 50, 250));  // 50 + 100 + 50 ns of 200
    const auto result = taken(windows, UINT64_MAX);
    REQUIRE(result.size() == 3);
    CHECK(result.at(0).dramBytes == doctest::Approx(100.0));
    CHECK(result.at(100).dramBytes == doctest::Approx(200.0));
    CHECK(result.at(200).dramBytes == doctest::Approx(100.0));
}

TEST_CASE("a command of zero length counts in its window") {
    CounterWindows windows(100);
    const EngineCommandRecord record{.engine = Engine::kMac, .operations = 8};
    windows.onEngineCommand(eventOf(record, 100, 100));
    const auto result = taken(windows, UINT64_MAX);
    REQUIRE(result.size() == 1);
    CHECK(result.at(100).macOperations == 8.0);
}

TEST_CASE("a vector command's elements are not MACs") {
    CounterWindows windows(100);
    const EngineCommandRecord record{.engine = Engine::kVector, .operations = 8};
    windows.onEngineCommand(eventOf(record, 0, 10));
    CHECK(taken(windows, UINT64_MAX).empty());
}

TEST_CASE("a window is removed only once no command can change it") {
    CounterWindows windows(100);
    windows.onQueueDepth(20, Engine::kMac, 1);
    windows.onMmuMiss(30);
    windows.onMmuMiss(150);
    CHECK(taken(windows, 300).empty());
    windows.onQueueDepth(120, Engine::kMac, 0);
    const EngineCommandRecord record{.engine = Engine::kMac, .operations = 1};
    windows.onEngineCommand(eventOf(record, 120, 250));
    const auto result = taken(windows, 250);
    REQUIRE(result.size() == 2);
    CHECK(result.at(0).tlbMisses == 1);
    CHECK(result.at(100).tlbMisses == 1);
}

TEST_CASE("a queue's length carries over to the next window") {
    CounterWindows windows(100);
    windows.onQueueDepth(10, Engine::kMac, 3);
    windows.onQueueDepth(20, Engine::kMac, 2);
    windows.onQueueDepth(150, Engine::kMac, 1);
    windows.onQueueDepth(250, Engine::kMac, 0);
    const auto result = taken(windows, UINT64_MAX);
    const std::size_t mac = engineIndex(Engine::kMac);
    CHECK(result.at(0).maxQueueDepth[mac] == 3);
    CHECK(result.at(100).maxQueueDepth[mac] == 2);
    CHECK(result.at(200).maxQueueDepth[mac] == 1);
    CHECK(windows.queueDepth(mac) == 0);
}

TEST_SUITE_END();

}  // namespace
