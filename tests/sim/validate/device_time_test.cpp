// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/device_time.h"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace vnpu::sim;

/// Two operations on a memory of 10 bytes a cycle with a latency of 8. The first computes 200
/// cycles and moves 4,000 bytes (400 cycles); the second computes 300 and moves 1,000 (100). If
/// each overlapped perfectly, they would take 300 of engine and 200 + 0 of waiting beside the 200 +
/// 300: 700. What could overlap are 200 and 100 cycles; the ends of two operations take
/// 2 * 2 * (8 + 112) = 480.
Measurement runOf(std::uint64_t cycles) {
    Measurement run;
    run.cycles = cycles;
    run.macActiveCycles = 480;  // and 20 of the output stage
    run.bytesRead = 4'000;
    run.bytesWritten = 900;
    run.operations = {{.macCycles = 200, .bytes = 3'900, .tiles = 2, .streamBytes = 100},
                      {.macCycles = 300, .bytes = 1'000, .tiles = 2}};
    return run;
}

WorkFigures figures() {
    return {.operations = {{.arrayCycles = 190, .outputCycles = 60},
                           {.arrayCycles = 290, .outputCycles = 50}},
            .leastBytes = 4'900,
            .mostBytes = 4'900};
}

const GapLimits kLimits{.array = "the form",
                        .arrayTolerance = 0.1,
                        .bytesTolerance = 0.1,
                        .mostLost = 0.5,
                        .restTolerance = 0.02};

/// 600 cycles were published; the rules give 590 of them: 450, 30 and 110.
const ReferenceTime kReference{.published = 600,
                               .array = 450,
                               .outputs = 30,
                               .transfers = 110,
                               .rules = "rules",
                               .rulesTolerance = 0.02};

Gap gapOf(const Measurement& run, const WorkFigures& work = figures(),
          const ReferenceTime& reference = kReference) {
    DeviceTime time;
    time.add(run, work, {.bytesPerCycle = 10, .latencyCycles = 8});
    return time.gapTo(reference, kLimits);
}

double cyclesOf(const Gap& gap, const std::string& name) {
    for (const Part& part : gap.parts) {
        if (part.name == name) {
            return part.cycles;
        }
    }
    return -1e9;
}

TEST_SUITE_BEGIN("sim/validate/device_time");

TEST_CASE("the difference is split into rules, array, output stage, transfers and overlap [E-3]") {
    const Gap gap = gapOf(runOf(750));
    CHECK(cyclesOf(gap, "rules") == -10);
    CHECK(cyclesOf(gap, "array") == 30);
    CHECK(cyclesOf(gap, "output stage") == -10);
    CHECK(cyclesOf(gap, "transfers") == 90);
    CHECK(cyclesOf(gap, "overlap") == 50);
    CHECK(cyclesOf(gap, "latency") == 0);
    CHECK(gap.rest() == doctest::Approx(0.0));
    CHECK(gap.holds());
}

TEST_CASE("overlap between operations is a negative part, down to the busiest engine [E-3]") {
    const Gap gap = gapOf(runOf(600));
    CHECK(cyclesOf(gap, "overlap") == -100);
    CHECK(gap.holds());
    CHECK(gapOf(runOf(500)).holds());        // the memory's 500 cycles
    CHECK_FALSE(gapOf(runOf(480)).holds());  // less than 0.97 of them
}

TEST_CASE("what is lost beyond half of the overlap is latency, and then a rest [E-3]") {
    const Gap gap = gapOf(runOf(1'000));
    CHECK(cyclesOf(gap, "overlap") == 150);
    CHECK(cyclesOf(gap, "latency") == 150);
    CHECK(gap.holds());
    CHECK(gapOf(runOf(1'330)).holds());
    CHECK(gapOf(runOf(1'350)).holds());  // 20 of 1,350 are within 2 %
    CHECK_FALSE(gapOf(runOf(1'400)).holds());
}

TEST_CASE("the published figure must be that of the rules [E-3]") {
    ReferenceTime reference = kReference;
    reference.published = 12'000;  // times 20
    CHECK_FALSE(gapOf(runOf(750), figures(), reference).holds());
    reference.published = 605;  // the rules give 0.975
    CHECK_FALSE(gapOf(runOf(750), figures(), reference).holds());
}

TEST_CASE("a slow or fast array does not hold, even if the time is right [E-3]") {
    Measurement run = runOf(750);
    run.macActiveCycles = 600;
    CHECK_FALSE(gapOf(run).holds());
    run.macActiveCycles = 400;
    CHECK_FALSE(gapOf(run).holds());
}

TEST_CASE("the fills of further blocks are the array's, if results leave meanwhile [E-3]") {
    Measurement run = runOf(750);
    WorkFigures work = figures();
    run.macActiveCycles = 560;  // 480 and four fills
    run.operations[0].blocks = 5;
    work.operations[0].fillCycles = 20;
    CHECK(gapOf(run, work).holds());
    run.operations[0].blocks = 1;
    CHECK_FALSE(gapOf(run, work).holds());

    run.operations[0].blocks = 5;
    run.macActiveCycles = 600;
    work.operations[0].fillCycles = 30;  // 120 cycles for results that leave in 60 and 50
    CHECK_FALSE(gapOf(run, work).holds());
    work.operations[0].outputCycles = 70;
    CHECK(gapOf(run, work).holds());
}

TEST_CASE("an operation shorter than its array and its output stage does not hold [E-3]") {
    Measurement run = runOf(750);
    WorkFigures work = figures();
    work.operations[0].outputCycles = 206;  // 200 are 0.971 of them
    CHECK(gapOf(run, work).holds());
    work.operations[0].outputCycles = 210;
    CHECK_FALSE(gapOf(run, work).holds());
    run.operations.pop_back();
    CHECK_FALSE(gapOf(run).holds());
}

TEST_CASE("needless or missing bytes do not hold [E-3]") {
    Measurement run = runOf(750);
    run.bytesRead = 4'600;  // 5,500 are 1.12 of 4,900
    CHECK_FALSE(gapOf(run).holds());
    run.bytesRead = 3'500;
    CHECK_FALSE(gapOf(run).holds());
}

TEST_CASE("the unused bytes of bursts are between their least and their most [E-3]") {
    Measurement run = runOf(750);
    WorkFigures work = figures();
    work.leastUnusedBytes = 150;
    work.mostUnusedBytes = 300;
    CHECK_FALSE(gapOf(run, work).holds());  // 4,900 bytes in bursts of as many
    run.operations[1].bytes = 1'200;
    CHECK(gapOf(run, work).holds());
    CHECK(cyclesOf(gapOf(run, work), "transfers") == 90);  // the second operation hides them
    run.operations[1].bytes = 1'310;
    CHECK_FALSE(gapOf(run, work).holds());
}

TEST_CASE("a slow vector unit does not hold [E-3]") {
    Measurement run = runOf(750);
    run.operations.push_back({.vectorCycles = 5});
    WorkFigures work = figures();
    work.operations.push_back({.vectorCycles = 5});
    CHECK(gapOf(run, work).holds());
    work.operations[2].vectorCycles = 4;
    CHECK_FALSE(gapOf(run, work).holds());
}

TEST_CASE("layers that repeat count as often [E-3]") {
    DeviceTime time;
    time.add(runOf(750), figures(), {.bytesPerCycle = 10, .latencyCycles = 8}, 3.0);
    ReferenceTime reference = kReference;
    reference.published *= 3;
    reference.array *= 3;
    reference.outputs *= 3;
    reference.transfers *= 3;
    const Gap gap = time.gapTo(reference, kLimits);
    CHECK(gap.model == 2'250);
    CHECK(cyclesOf(gap, "array") == 90);
    CHECK(gap.holds());
}

TEST_SUITE_END();

}  // namespace
