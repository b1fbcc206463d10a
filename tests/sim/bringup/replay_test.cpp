// SPDX-License-Identifier: Apache-2.0
#include "sim/bringup/replay.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "hw_model/regs/registers.h"
#include "tests/sim/bringup/bringup_bench.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"

using namespace vnpu::sim;
using vnpu::test::CommandFolder;
using vnpu::test::simCase;
namespace regs = vnpu::hw::regs;
using Kind = BusEvent::Kind;

namespace {

/// The event of this kind that comes first.
BusEvent& firstOf(Recording& recording, Kind kind) {
    const auto found = std::find_if(recording.events.begin(), recording.events.end(),
                                    [&](const BusEvent& event) { return event.kind == kind; });
    REQUIRE(found != recording.events.end());
    return *found;
}

/// Replays an inference of which one event was changed, in a process of its own.
void checkDifference(const std::string& what, const std::function<void(Recording&)>& change) {
    simCase([&] {
        const CommandFolder folder;
        REQUIRE(folder.run("infer zoo:ds_cnn --record " + folder / "run.rec") == 0);
        Recording recording = readRecording(folder / "run.rec");
        change(recording);
        const ReplayResult result = replay(recording, recording.config);
        REQUIRE(result.difference.has_value());
        CHECK(result.difference->what.starts_with(what));
        CHECK(result.difference->expected != result.difference->got);
    });
}

}  // namespace

TEST_SUITE_BEGIN("sim/bringup/replay");

TEST_CASE("another value of a register is the first difference") {
    checkDifference("read of ID", [](Recording& recording) {
        firstOf(recording, Kind::kRegisterRead).value ^= 1;
    });
}

TEST_CASE("another time of an interrupt is a difference") {
    checkDifference("interrupt line", [](Recording& recording) {
        firstOf(recording, Kind::kInterrupt).time += 1000;
    });
}

TEST_CASE("other bytes of a transfer are a difference") {
    checkDifference("DMA write of", [](Recording& recording) {
        const BusEvent& write = firstOf(recording, Kind::kMemoryWrite);
        recording.stream[static_cast<std::size_t>(write.data.data() - recording.stream.data())] ^=
                std::byte{1};
    });
}

TEST_CASE("a transfer that the recording does not have is a difference") {
    checkDifference("DMA read of 64 bytes", [](Recording& recording) {
        std::erase_if(recording.events, [&](const BusEvent& event) {
            return event.kind == Kind::kMemoryRead && event.size == 64;
        });
    });
}

TEST_CASE("a transfer that does not come again is a difference") {
    checkDifference("DMA write of", [](Recording& recording) {
        recording.events.insert(recording.events.end() - 1, firstOf(recording, Kind::kMemoryWrite));
    });
}

TEST_SUITE_END();
