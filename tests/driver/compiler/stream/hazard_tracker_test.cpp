// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/hazard_tracker.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

namespace vnpu::driver {
namespace {

using hw::Engine;

Access read(std::uint64_t begin, std::uint64_t end, std::uint16_t space = hw::kSpaceSram) {
    return {space, false, begin, end};
}

Access write(std::uint64_t begin, std::uint64_t end, std::uint16_t space = hw::kSpaceSram) {
    return {space, true, begin, end};
}

/// Waits by engine.
std::map<Engine, std::uint32_t> record(HazardTracker& tracker, Engine engine,
                                       std::vector<Access> accesses) {
    std::map<Engine, std::uint32_t> waits;
    const WaitList list = tracker.record(engine, accesses);
    for (const hw::TokenWait& wait : list.view()) {
        waits[static_cast<Engine>(wait.engine)] = wait.count;
    }
    return waits;
}

using Waits = std::map<Engine, std::uint32_t>;

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/stream/hazard_tracker");

TEST_CASE("a reader waits for the writer of any of its bytes") {
    HazardTracker tracker;
    CHECK(record(tracker, Engine::kDma0, {write(0, 100)}).empty());
    CHECK(record(tracker, Engine::kDma0, {write(100, 200)}).empty());
    CHECK(record(tracker, Engine::kMac, {read(99, 101)}) == Waits{{Engine::kDma0, 2}});
}

TEST_CASE("adjacent bytes do not wait for each other") {
    HazardTracker tracker;
    record(tracker, Engine::kDma0, {write(0, 100)});
    CHECK(record(tracker, Engine::kMac, {read(100, 200), write(200, 300)}).empty());
}

TEST_CASE("a writer waits for the readers since the last write") {
    HazardTracker tracker;
    record(tracker, Engine::kMac, {read(0, 64)});
    record(tracker, Engine::kVector, {read(32, 64)});
    CHECK(record(tracker, Engine::kDma0, {write(0, 32)}) == Waits{{Engine::kMac, 1}});
    CHECK(record(tracker, Engine::kDma1, {write(48, 64)}) ==
          Waits{{Engine::kMac, 1}, {Engine::kVector, 1}});
}

TEST_CASE("a writer waits for an earlier writer of another engine") {
    HazardTracker tracker;
    record(tracker, Engine::kMac, {write(0, 64)});
    CHECK(record(tracker, Engine::kVector, {write(10, 20)}) == Waits{{Engine::kMac, 1}});
    CHECK(record(tracker, Engine::kDma2, {read(0, 10)}) == Waits{{Engine::kMac, 1}});
    CHECK(record(tracker, Engine::kDma2, {read(10, 20)}) == Waits{{Engine::kVector, 1}});
}

TEST_CASE("readers do not wait for readers") {
    HazardTracker tracker;
    record(tracker, Engine::kMac, {read(0, 64)});
    CHECK(record(tracker, Engine::kDma2, {read(0, 64)}).empty());
}

TEST_CASE("an engine never waits for itself") {
    HazardTracker tracker;
    record(tracker, Engine::kMac, {write(0, 64)});
    CHECK(record(tracker, Engine::kMac, {read(0, 64), write(0, 64)}).empty());
}

TEST_CASE("regions and SRAM are separate address spaces") {
    HazardTracker tracker;
    record(tracker, Engine::kDma2, {write(0, 64, 0)});
    CHECK(record(tracker, Engine::kDma0, {read(0, 64, 1), write(0, 64)}).empty());
    CHECK(record(tracker, Engine::kDma0, {read(0, 64, 0)}) == Waits{{Engine::kDma2, 1}});
}

TEST_CASE("a wait of an earlier command of the engine is not repeated") {
    HazardTracker tracker;
    record(tracker, Engine::kDma0, {write(0, 64)});
    CHECK(record(tracker, Engine::kMac, {read(0, 32)}) == Waits{{Engine::kDma0, 1}});
    CHECK(record(tracker, Engine::kMac, {read(32, 64)}).empty());
}

TEST_CASE("a wait that another wait implies is left out") {
    HazardTracker tracker;
    record(tracker, Engine::kDma0, {write(0, 64)});
    record(tracker, Engine::kMac, {read(0, 64), write(64, 128)});
    // The MAC's command is finished only after the load's.
    CHECK(record(tracker, Engine::kVector, {read(0, 128)}) == Waits{{Engine::kMac, 1}});
}

TEST_CASE("waits order every pair of conflicting commands, directly or transitively") {
    // Byte-by-byte bookkeeping for random commands, with the transitive closure of the waits.
    constexpr std::size_t kBytes = 64;
    std::minstd_rand random(5);
    for (int round = 0; round < 40; ++round) {
        HazardTracker tracker;
        struct Command {
            std::size_t engine = 0;
            std::uint32_t count = 0;
            std::vector<Access> accesses;
            std::vector<bool> after;  // commands that are finished before this one starts
        };
        std::vector<Command> commands;
        std::array<std::uint32_t, hw::kEngineCount> counts{};
        const auto find = [&](std::size_t engine, std::uint32_t count) {
            std::size_t i = 0;
            while (commands[i].engine != engine || commands[i].count != count) {
                ++i;
            }
            return i;
        };
        for (std::size_t n = 0; n < 60; ++n) {
            Command command;
            command.engine = random() % 6;
            command.count = ++counts[command.engine];
            for (int a = 0; a < 2; ++a) {
                const std::uint64_t begin = random() % kBytes;
                const std::uint64_t end = begin + 1 + random() % 12;
                command.accesses.push_back({hw::kSpaceSram, random() % 2 == 0, begin, end});
            }
            command.after.resize(n, false);
            const auto follow = [&](std::size_t i, bool isFinished) {
                command.after[i] = command.after[i] || isFinished;
                for (std::size_t k = 0; k < i; ++k) {
                    command.after[k] = command.after[k] || commands[i].after[k];
                }
            };
            const WaitList waits =
                    tracker.record(static_cast<Engine>(command.engine), command.accesses);
            for (const hw::TokenWait& wait : waits.view()) {
                const std::size_t i = find(wait.engine, wait.count);
                for (std::size_t k = 0; k <= i; ++k) {  // in order: earlier ones are too
                    if (commands[k].engine == wait.engine) {
                        follow(k, true);
                    }
                }
            }
            if (command.count >
                1) {  // it started after the commands for which its predecessor waited
                follow(find(command.engine, command.count - 1), false);
            }
            for (std::size_t i = 0; i < n; ++i) {
                bool conflicts = false;
                for (const Access& x : commands[i].accesses) {
                    for (const Access& y : command.accesses) {
                        conflicts = conflicts || (x.begin < y.end && y.begin < x.end &&
                                                  (x.isWrite || y.isWrite));
                    }
                }
                if (conflicts && commands[i].engine != command.engine) {
                    CHECK(command.after[i]);
                }
            }
            commands.push_back(command);
        }
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver
