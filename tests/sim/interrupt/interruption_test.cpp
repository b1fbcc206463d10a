// SPDX-License-Identifier: Apache-2.0
#include "sim/interrupt/interruption.h"
#include "hw_model/timing/config_fields.h"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace vnpu;
using namespace vnpu::sim;

}  // namespace

TEST_SUITE_BEGIN("sim/interrupt/interruption");

TEST_CASE("each interruption has a name") {
    CHECK(std::string(nameOf(Interruption::kNone)) == "none");
    CHECK(std::string(nameOf(Interruption::kCheckpoint)) == "checkpoint");
    CHECK(std::string(nameOf(Interruption::kBoundary)) == "boundary");
    CHECK(std::string(nameOf(Interruption::kRestart)) == "restart");
}

TEST_CASE("an interruptible device differs only in poisoning, yield points and host costs [Q-3]") {
    hw::NpuConfig config;
    config.mac.rows = 32;
    const hw::NpuConfig made = interruptible(config);
    CHECK(made.mac.rows == 32);
    CHECK(made.dram.bytesPerCycle == config.dram.bytesPerCycle);
    CHECK(made.poisonOnChip);
    CHECK(made.dsp.yieldCycles < config.dsp.startupCycles);
    CHECK(made.host.submitNs + made.host.completeNs + made.host.interruptNs == 0);
    CHECK(hw::findConfigError(made) == "");
}

TEST_CASE("nothing is preempted until requested [Q-3]") {
    const driver::SchedulingOptions quiet = interruptibleScheduling(500);
    CHECK(quiet.checkpointCycles == 500);
    CHECK(quiet.mechanism == fw::Mechanism::kNone);
    CHECK_FALSE(quiet.experiments.isForced);

    const driver::SchedulingOptions tile = interruptingScheduling(Interruption::kCheckpoint);
    CHECK(tile.experiments.isForced);
    CHECK(tile.granularity == fw::Granularity::kTile);
    const driver::SchedulingOptions border = interruptingScheduling(Interruption::kBoundary);
    CHECK(border.experiments.isForced);
    CHECK(border.granularity == fw::Granularity::kOperation);
    const driver::SchedulingOptions restart = interruptingScheduling(Interruption::kRestart);
    CHECK_FALSE(restart.experiments.isForced);
    CHECK(restart.mechanism == fw::Mechanism::kRestart);
}

TEST_SUITE_END();
