// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/synthetic_work.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "driver/compiler/ir/accesses.h"
#include "hw_model/regs/command_reader.h"
#include "hw_model/timing/npu_config.h"
#include "sim/validate/measurement.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu;
using sim::Measurement;
using sim::SyntheticLayer;
using sim::SyntheticWork;

// 8 x 8 MACs, one byte of memory a cycle.
constexpr const char* kSmall = "base = \"nvdla-64\"\n";

std::vector<Measurement> measured(const std::vector<SyntheticWork>& works,
                                  const char* config = kSmall) {
    return sim::measure({config, {works.begin(), works.end()}});
}

driver::DeviceInfo smallDevice() {
    driver::DeviceInfo device;
    device.dataflow = static_cast<std::uint32_t>(hw::Dataflow::kBroadcast);
    device.macRows = device.macColumns = 8;
    device.accumulatorBytes = 262'144;
    device.sramBytes = 131'072;
    device.dramLatencyCycles = 128;
    return device;
}

/// A command of a stream, and the number of commands of each engine that have ended when it begins.
struct Step {
    hw::Engine engine{};
    std::array<std::uint32_t, hw::kEngineCount> endedBefore{};
    std::uint32_t index = 0;  // among its engine's
    driver::AccessList accesses{};
};

bool isBefore(const Step& first, const Step& second) {
    return second.endedBefore[hw::engineIndex(first.engine)] > first.index;
}

/// The commands known to have ended before each command: by its own waits, by its engine's order,
/// and transitively.
std::vector<Step> stepsOf(const std::vector<std::byte>& commands) {
    std::vector<Step> steps;
    std::array<std::vector<Step>, hw::kEngineCount> byEngine;
    hw::CommandReader reader(commands);
    hw::CommandView view;
    while (reader.next(view)) {
        const hw::CommandHeader& header = *view.header;
        if (header.engine == hw::Engine::kController) {
            continue;
        }
        auto& own = byEngine[hw::engineIndex(header.engine)];
        Step step{.engine = header.engine, .index = static_cast<std::uint32_t>(own.size())};
        const auto learn = [&](std::size_t engine, std::uint32_t count) {
            step.endedBefore[engine] = std::max(step.endedBefore[engine], count);
            if (count != 0) {
                const auto& known = byEngine[engine].at(count - 1).endedBefore;
                for (std::size_t e = 0; e < hw::kEngineCount; ++e) {
                    step.endedBefore[e] = std::max(step.endedBefore[e], known[e]);
                }
            }
        };
        learn(hw::engineIndex(header.engine), step.index);
        for (std::size_t i = 0; i < header.waitCount; ++i) {
            learn(header.waits[i].engine, header.waits[i].count);
        }
        step.accesses = header.opcode == hw::Opcode::kMacConv
                                ? driver::accessesOf(view.as<hw::MacConv>())
                                : driver::accessesOf(view.as<hw::DmaTransfer>());
        own.push_back(step);
        steps.push_back(step);
    }
    return steps;
}

bool collide(const Step& one, const Step& other) {
    for (const driver::Access& a : one.accesses) {
        for (const driver::Access& b : other.accesses) {
            if (a.space == b.space && (a.isWrite || b.isWrite) && a.begin < b.end &&
                b.begin < a.end) {
                return true;
            }
        }
    }
    return false;
}

/// Checks the cycles to within half a fold, or a hundredth of a tile.
void checkCycles(const char* config, double halfFold) {
    const std::vector<SyntheticWork> works = {{{{50'000, 20'000, 4000, 4000, 4000, 0}}},
                                              {{{3'000'000, 64, 100, 0, 100, 0}}, true},
                                              {{{1000, 500'000, 100, 100, 100, 0}}, true}};
    const auto runs = measured(works, config);
    for (std::size_t i = 0; i < works.size(); ++i) {
        CAPTURE(i);
        CHECK(runs.at(i).error.empty());
        const auto asked = static_cast<double>(works[i].layers[0].macCycles);
        CHECK(std::abs(static_cast<double>(runs[i].macActiveCycles) - asked) <=
              std::max(halfFold, 0.01 * asked));
    }
}

TEST_SUITE_BEGIN("sim/validate/synthetic_work");

TEST_CASE("the device computes and moves exactly the bytes of the layers [E-3]") {
    vnpu::test::simCase([] {
        // 2048 results on 8 columns: 256 pixels of 16 steps.
        const SyntheticWork work{{{4096, 2048, 1000, 500, 300, 0},
                                  {640, 640, 0, 70, 33, 111},
                                  {64, 64, 90'000, 1, 1, 0}}};
        const Measurement run = measured({work}).at(0);
        CHECK(run.error.empty());
        CHECK(run.macActiveCycles == 4096 + 640 + 64);
        CHECK(run.bytesRead == 1000 + 500 + 70 + 111 + 90'000 + 1);
        CHECK(run.bytesWritten == 300 + 33 + 1);
        CHECK(run.operations.size() == 3);
    });
}

TEST_CASE("a layer takes the longer of array and memory, and little more [E-3]") {
    vnpu::test::simCase([] {
        const auto runs = measured(
                {{{{50'000, 8000, 500, 500, 500, 0}}}, {{{500, 500, 20'000, 20'000, 10'000, 0}}}});
        for (const Measurement& run : runs) {
            CHECK(run.error.empty());
            CHECK(run.cycles > 50'000);
            CHECK(run.cycles < 52'000);
        }
    });
}

TEST_CASE("the input of a pool takes additional time [E-3]") {
    vnpu::test::simCase([] {
        const Measurement run = measured({{{{20'000, 8000, 100, 100, 100, 20'000}}}}).at(0);
        CHECK(run.cycles > 40'000);
        CHECK(run.cycles < 43'000);
    });
}

TEST_CASE("filters are loaded while the previous layer is computed, its result is not [E-3]") {
    const SyntheticLayer first{20'000, 8000, 100, 100, 100, 0};
    vnpu::test::simCase([&] {
        const auto runs = measured(
                {{{first, {64, 64, 0, 16'000, 0, 0}}}, {{first, {64, 64, 16'000, 0, 0, 0}}}});
        CHECK(runs.at(0).cycles > 20'000);
        CHECK(runs.at(0).cycles < 20'000 + 12'000);
        CHECK(runs.at(1).cycles > 20'000 + 16'000);
    });
}

// 16 x 16, one fold: 2 * 16 + 16 + 1 - 2 = 47 cycles.
TEST_CASE("weight stationary arrays take about the requested cycles [E-3]") {
    vnpu::test::simCase([] { checkCycles("base = \"ws16\"\n", 24); });
}

// 16 + 16 + 16 - 2 = 46 cycles.
TEST_CASE("output stationary arrays take about the requested cycles [E-3]") {
    vnpu::test::simCase([] { checkCycles("base = \"os16\"\n", 23); });
}

TEST_CASE("in the largest tiles a small layer is loaded, computed and stored in turn [E-3]") {
    vnpu::test::simCase([] {
        const SyntheticLayer layer{10'000, 1000, 8000, 0, 5000, 0};
        const auto runs = measured({{{layer}, true}, {{layer}}});
        CHECK(runs.at(0).cycles > 23'000);
        CHECK(runs.at(0).cycles < 24'000);
        CHECK(runs.at(1).cycles < 20'000);
    });
}

TEST_CASE("nothing in SRAM is read or written too early [E-3]") {
    const SyntheticWork work{{{4096, 2048, 100'000, 500, 300, 0},
                              {640, 640, 0, 200'000, 33, 111'000},
                              {900'000, 640'000, 90'000, 0, 70'000, 5},
                              {64, 64, 1, 0, 0, 9000}}};
    const auto compiled = sim::withSyntheticWork({}, work, smallDevice());
    REQUIRE(compiled);
    const std::vector<Step> steps = stepsOf(compiled->commands);
    REQUIRE(steps.size() > 50);
    std::size_t collisions = 0, unordered = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (std::size_t j = i + 1; j < steps.size(); ++j) {
            if (collide(steps[i], steps[j])) {
                ++collisions;
                unordered += !isBefore(steps[i], steps[j]);
            }
        }
    }
    CHECK(collisions > steps.size());
    CHECK(unordered == 0);
}

TEST_CASE("other dataflows, and layers that exceed the SRAM, are refused [E-3]") {
    driver::DeviceInfo device = smallDevice();
    const auto huge =
            sim::withSyntheticWork({}, {{{1, 1, std::uint64_t{1} << 50U, 1, 1, 0}}}, device);
    REQUIRE_FALSE(huge);
    CHECK(huge.error().reason.find("1125899906842624 bytes of input") != std::string::npos);
    const auto endless =
            sim::withSyntheticWork({}, {{{std::uint64_t{1} << 50U, 1, 1, 1, 1, 0}}}, device);
    REQUIRE_FALSE(endless);
    CHECK(endless.error().reason.find("1125899906842624 cycles") != std::string::npos);
    for (const SyntheticLayer& most :
         {SyntheticLayer{UINT64_MAX, 1, 1, 1, 1, 0}, SyntheticLayer{1, 1, UINT64_MAX, 1, 1, 0},
          SyntheticLayer{1, 1, 1, UINT64_MAX, 1, 0}, SyntheticLayer{1, 1, 1, 1, UINT64_MAX, 0},
          SyntheticLayer{1, 1, 1, 1, 1, UINT64_MAX}}) {
        CHECK_FALSE(sim::withSyntheticWork({}, {{most}}, device));
    }
    device.sramBytes = 256;
    CHECK_FALSE(sim::withSyntheticWork({}, {{{1, 1, 1, 1, 1, 0}}}, device));
    device = smallDevice();
    device.macRows = 4;
    CHECK_FALSE(sim::withSyntheticWork({}, {{{1, 1, 1, 1, 1, 0}}}, device));
    vnpu::test::simCase([] {
        const Measurement run = measured({{{{1, 1, 1, 1, 1, 0}}}}, "base = \"edge\"\n").at(0);
        CHECK(run.error.find("without double buffering") != std::string::npos);
    });
}

TEST_SUITE_END();

}  // namespace
