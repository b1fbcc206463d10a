// SPDX-License-Identifier: Apache-2.0
// Preemption within an operator of the DSP.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "firmware/api/save_area.h"
#include "firmware/core/base/local_memory.h"
#include "tests/firmware/preemption_rig.h"

namespace vnpu::fw::test {
namespace {

using hw::Engine;
using hw::JobStatus;
using Story = std::vector<std::string>;

constexpr std::uint32_t kOperatorCycles = 500'000;
constexpr std::uint32_t kYieldCycles = 20'000;
constexpr std::uint64_t kWatchdogCycles = 50'000;

hw::DspOperator anOperator() {
    hw::DspOperator work{};
    work.op = hw::Operator::kFloor;
    work.inputCount = work.outputCount = 1;
    return work;
}

hw::Checkpoint betweenOperations(std::uint32_t id) {
    hw::Checkpoint checkpoint{};
    checkpoint.id = id;
    checkpoint.flags = hw::kCheckpointOperation;
    return checkpoint;
}

/// A low job of two operators with a checkpoint after each, and a high job that arrives within the
/// first operator.
struct OperatorJobs {
    explicit OperatorJobs(const SchedulingParameters& parameters) {
        rig.parameters.watchdogCycles = kWatchdogCycles;
        rig.device.engineCycles[hw::engineIndex(Engine::kDsp)] = kOperatorCycles;
        rig.device.dspYieldCycles = kYieldCycles;
        rig.makeRing(0, 1, PriorityBand::kNormal);
        rig.makeRing(1, 1, PriorityBand::kRealtime);
        rig.setScheduling(parameters);
        hw::CommandWriter writer;
        writer.add(onEngine(Engine::kDsp), anOperator());
        writer.add({}, betweenOperations(0));
        hw::TokenWait wait{};
        wait.engine = static_cast<std::uint8_t>(Engine::kDsp);
        wait.count = 1;
        writer.add(onEngine(Engine::kDma0, std::span(&wait, 1)), smallFill());
        wait.engine = static_cast<std::uint8_t>(Engine::kDma0);
        writer.add(onEngine(Engine::kDsp, std::span(&wait, 1)), anOperator());
        writer.add({}, betweenOperations(1));
        writer.add({}, hw::Opcode::kEnd);
        low = rig.makeJob(1, writer);
        low.saveBytes = 4096;
        low.saveAddress = Rig::virtualOf(saveBus = rig.allocate(low.saveBytes));
        high = rig.steppedJob(2, 1);
    }

    void run(std::uint64_t highAfter) {
        rig.step([this, highAfter] {
            rig.submit(0, low);
            rig.submitAfter(highAfter, 1, high);
        });
        rig.step([this] {
            rig.readCompletions(0);
            rig.readCompletions(1);
        });
        rig.run();
        CHECK(rig.device.protocolErrors.empty());
        CHECK(rig.recordOf(1).status == JobStatus::kOk);
    }

    std::uint64_t saved() { return rig.recordOf(1).savedBytes; }

    PreemptionRig rig;
    JobSlot low{};
    JobSlot high{};
    std::uint64_t saveBus = 0;
};

}  // namespace

TEST_SUITE_BEGIN("firmware/dsp_yield");

TEST_CASE("an operator stops at its next yield point and continues from there [Q-3]") {
    OperatorJobs jobs(scheduling(Policy::kBands, Mechanism::kCheckpoint));
    jobs.run(105'000);
    CHECK(jobs.rig.story() == Story{"job-start 1", "preempt-request 1", "preempted 1",
                                    "job-start 2", "job-end 2", "resumed 1", "job-end 1"});
    const CompletionRecord& high = jobs.rig.recordOf(2);
    // The time to the yield point, and one transfer for the operator's state.
    CHECK(high.startCycle - high.queuedCycle < kYieldCycles + PreemptionRig::kStepCycles + 3000);
    const std::vector<std::uint64_t>& credits = jobs.rig.device.dspCredits;
    REQUIRE(credits.size() == 3);
    CHECK(credits[0] == 0);
    CHECK(credits[1] % kYieldCycles == 0);
    CHECK(credits[1] >= 100'000);
    CHECK(credits[1] <= 120'000);
    CHECK(credits[2] == 0);
    // No part of the operators is executed twice.
    CHECK(jobs.rig.recordOf(1).executedCycles <
          2 * kOperatorCycles + PreemptionRig::kStepCycles + 2000);
    CHECK(jobs.saved() == 768 + 256);
    const auto area = jobs.rig.load<SaveArea>(jobs.saveBus);
    CHECK(area.dspCommand == 0);
    CHECK(area.dspStateBytes == 256);
    CHECK(area.dspDoneCycles == credits[1]);
    CHECK(area.tokens[hw::engineIndex(Engine::kDsp)] == 0);
}

TEST_CASE("an operator is saved and restored more than once [Q-3]") {
    OperatorJobs jobs(scheduling(Policy::kBands, Mechanism::kCheckpoint));
    const JobSlot again = jobs.rig.steppedJob(3, 1);
    jobs.rig.step([&] {
        jobs.rig.submit(0, jobs.low);
        jobs.rig.submitAfter(105'000, 1, jobs.high);
        jobs.rig.submitAfter(305'000, 1, again);
    });
    jobs.rig.step([&] { jobs.rig.readCompletions(0); });
    jobs.rig.run();
    CHECK(jobs.rig.recordOf(1).preemptions == 2);
    const std::vector<std::uint64_t>& credits = jobs.rig.device.dspCredits;
    REQUIRE(credits.size() == 4);
    CHECK(credits[2] > credits[1] + 100'000);
    CHECK(jobs.rig.recordOf(1).executedCycles <
          2 * kOperatorCycles + PreemptionRig::kStepCycles + 2000);
    CHECK(jobs.rig.device.protocolErrors.empty());
}

TEST_CASE("without yield points the job waits for the operator [Q-3]") {
    OperatorJobs jobs(scheduling(Policy::kBands, Mechanism::kCheckpoint));
    jobs.rig.device.dspYieldCycles = 0;
    jobs.run(105'000);
    const CompletionRecord& high = jobs.rig.recordOf(2);
    CHECK(high.startCycle - high.queuedCycle > kOperatorCycles - 110'000);
    CHECK(jobs.rig.recordOf(1).preemptions == 1);
    CHECK(jobs.saved() == 768);
}

TEST_CASE("in forced mode each operator is interrupted [Q-3]") {
    OperatorJobs jobs(scheduling(Policy::kBands, Mechanism::kNone, kScheduleForced));
    jobs.run(2'000'000);
    CHECK(jobs.rig.recordOf(1).preemptions == 2);
    CHECK(jobs.saved() == 2 * (768 + 256));
    CHECK(jobs.rig.device.dspCredits.size() == 4);
}

TEST_CASE("the request may be withdrawn before the operator reaches its yield point [Q-3]") {
    OperatorJobs jobs(scheduling(Policy::kBands, Mechanism::kCheckpoint));
    jobs.rig.step([&] {
        jobs.rig.submit(0, jobs.low);
        jobs.rig.submitAfter(105'000, 1, jobs.high);
        jobs.rig.device.at(jobs.rig.device.now() + 108'000, [&] { jobs.rig.post(destroyRing(1)); });
    });
    jobs.rig.step([&] { jobs.rig.readCompletions(0); });
    jobs.rig.run();
    CHECK(jobs.rig.recordOf(1).status == JobStatus::kOk);
    CHECK(jobs.rig.recordOf(1).preemptions == 0);
    CHECK(jobs.rig.device.dspCredits.at(1) > 0);
    CHECK(jobs.rig.recordOf(1).executedCycles <
          2 * kOperatorCycles + PreemptionRig::kStepCycles + 2000);
    CHECK(jobs.rig.device.protocolErrors.empty());
}

TEST_CASE("without preemption the stream does not stay at a checkpoint for the DSP [Q-3]") {
    OperatorJobs jobs(scheduling(Policy::kBands, Mechanism::kNone));
    jobs.run(105'000);
    const auto& executed = jobs.rig.device.executed;
    CHECK(executed.front().header.engine == Engine::kDsp);
    CHECK(jobs.rig.recordOf(1).preemptions == 0);
}

TEST_CASE("a hung operator is detected wherever the stream waits for it [E-7]") {
    const auto atCheckpoint = scheduling(Policy::kBands, Mechanism::kCheckpoint);
    const auto forced = scheduling(Policy::kBands, Mechanism::kNone, kScheduleForced);
    for (const SchedulingParameters& parameters : {atCheckpoint, forced}) {
        OperatorJobs jobs(parameters);
        jobs.rig.device.isHung[hw::engineIndex(Engine::kDsp)] = true;
        jobs.rig.device.dspYieldCycles = 0;
        jobs.rig.step([&] { jobs.rig.submit(0, jobs.low); });
        jobs.rig.step([&] { jobs.rig.readCompletions(0); });
        jobs.rig.run();
        const CompletionRecord& record = jobs.rig.recordOf(1);
        CHECK(record.status == JobStatus::kEngineHang);
        CHECK(record.failingEngine == hw::engineIndex(Engine::kDsp));
        CHECK(record.failingCommand == 0);
        CHECK(record.endCycle - record.startCycle < 2 * kWatchdogCycles);
    }
}

TEST_CASE("a header with a wrong operator is refused [Q-4]") {
    const std::vector<void (*)(SaveArea&)> lies = {
            [](SaveArea& area) { area.dspCommand = 8; },
            [](SaveArea& area) { area.dspCommand = kNoDspCommand; },
            [](SaveArea& area) { area.dspCommand = 0x10000; },
            [](SaveArea& area) { area.dspStateBytes = 1U << 30; },
    };
    for (const auto& lie : lies) {
        OperatorJobs jobs(scheduling(Policy::kBands, Mechanism::kCheckpoint));
        bool isTold = false;
        jobs.rig.device.onExecuted = [&](const FakeController::Executed& done) {
            if (done.jobId == 2 && !isTold) {
                isTold = true;
                auto area = jobs.rig.load<SaveArea>(jobs.saveBus);
                lie(area);
                jobs.rig.store(jobs.saveBus, area);
            }
        };
        jobs.run(105'000);
        CHECK(isTold);
        CHECK(jobs.rig.recordOf(1).restarts == 1);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
