// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "firmware/api/save_area.h"
#include "firmware/core/base/local_memory.h"
#include "tests/firmware/preemption_rig.h"

namespace vnpu::fw::test {
namespace {

namespace regs = hw::regs;
using hw::JobStatus;
using Story = std::vector<std::string>;

/// The reply to kSetScheduling with changed parameters.
MessageStatus answerTo(const std::function<void(SchedulingParameters&)>& change) {
    PreemptionRig rig;
    SchedulingParameters parameters = scheduling(Policy::kLeastLaxity, Mechanism::kDynamic);
    change(parameters);
    rig.setScheduling(parameters);
    rig.run();
    return statusOf(rig.messages.at(1));
}

MessageStatus answerToAddress(std::uint64_t address) {
    Rig rig;
    Message message = request(MessageType::kSetScheduling, 1);
    message.target.address = address;
    rig.ask(message);
    rig.run();
    return statusOf(rig.messages.at(1));
}

/// A low job of ten steps, and a high job of one step that arrives 25 000 cycles later, within the
/// third step.
struct TwoJobs {
    explicit TwoJobs(const SchedulingParameters& parameters, bool hasSaveArea = true) {
        rig.makeRing(0, 1, PriorityBand::kNormal);
        rig.makeRing(1, 1, PriorityBand::kRealtime);
        rig.setScheduling(parameters);
        low = rig.steppedJob(1, 10, hasSaveArea);
        high = rig.steppedJob(2, 1);
    }

    /// Runs both; further steps may have been added before.
    void run() {
        rig.step([this] {
            rig.submit(0, low);
            rig.submitAfter(25'000, 1, high);
        });
        rig.step([this] {
            rig.readCompletions(0);
            rig.readCompletions(1);
        });
        rig.run();
        CHECK(rig.device.protocolErrors.empty());
    }

    PreemptionRig rig;
    JobSlot low{};
    JobSlot high{};
};

/// The waiting time of a high job that arrives in the middle of the third step of a queued job, and
/// the duration of the queued job.
struct Waited {
    explicit Waited(std::uint32_t holdCycles) {
        TwoJobs jobs(scheduling(Policy::kBands, Mechanism::kCheckpoint));
        jobs.low = jobs.rig.queuedJob(1, 6, holdCycles);
        jobs.run();
        const CompletionRecord& high = jobs.rig.recordOf(2);
        CHECK(jobs.rig.recordOf(1).preemptions == 1);
        CHECK(jobs.rig.device.executed.size() == 7);
        highCycles = high.startCycle - high.queuedCycle;
        lowCycles = jobs.rig.recordOf(1).executedCycles;
    }

    std::uint64_t highCycles = 0;
    std::uint64_t lowCycles = 0;
};

const Story kPreempted = {"job-start 1", "preempt-request 1", "preempted 1", "job-start 2",
                          "job-end 2",   "resumed 1",         "job-end 1"};
const Story kUndisturbed = {"job-start 1", "job-end 1", "job-start 2", "job-end 2"};
const Story kStopped = {"job-start 1", "preempt-request 1", "stopped 1", "job-start 2",
                        "job-end 2",   "restarted 1",       "job-end 1"};

}  // namespace

TEST_SUITE_BEGIN("firmware/scheduler");

TEST_CASE("parameters are checked field by field") {
    CHECK(answerTo([](SchedulingParameters&) {}) == MessageStatus::kOk);
    const auto isBad = [](const std::function<void(SchedulingParameters&)>& change) {
        return answerTo(change) == MessageStatus::kBadParameter;
    };
    CHECK(isBad([](SchedulingParameters& p) { p.sizeBytes = 120; }));
    CHECK(isBad([](SchedulingParameters& p) { p.policy = static_cast<Policy>(7); }));
    CHECK(isBad([](SchedulingParameters& p) { p.mechanism = static_cast<Mechanism>(4); }));
    CHECK(isBad([](SchedulingParameters& p) { p.granularity = static_cast<Granularity>(2); }));
    CHECK(isBad([](SchedulingParameters& p) { p.flags = 4; }));
    CHECK(isBad([](SchedulingParameters& p) { p.flags = kScheduleFairContexts; }));  // no slice
    CHECK(isBad([](SchedulingParameters& p) { p.starvationPermille = 334; }));
    CHECK(isBad([](SchedulingParameters& p) { p.reserved[1] = 1; }));
}

TEST_CASE("parameters must be readable") {
    CHECK(answerToAddress(0) == MessageStatus::kBadAddress);
    CHECK(answerToAddress(kHeapAddress + 4) == MessageStatus::kBadAddress);
    CHECK(answerToAddress(0x40000000) == MessageStatus::kBadAddress);
    CHECK(answerToAddress(kHeapAddress) == MessageStatus::kBadParameter);  // zeros
}

TEST_CASE("two jobs with a quantum shorter than a restore both make progress [Q-2]") {
    SchedulingParameters parameters = scheduling(Policy::kRoundRobin, Mechanism::kCheckpoint);
    std::fill(std::begin(parameters.quantumCycles), std::end(parameters.quantumCycles), 100);
    PreemptionRig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 1, PriorityBand::kNormal);
    rig.setScheduling(parameters);
    const JobSlot first = rig.steppedJob(1, 5, true, 512);  // kStepCycles each way
    const JobSlot second = rig.steppedJob(2, 5, true, 512);
    rig.step([&] {
        rig.submit(0, first);
        rig.submit(1, second);
        rig.device.at(rig.device.now() + 100 * PreemptionRig::kStepCycles, [&rig] {
            if (rig.jobsAt("job-end").size() != 2) {
                rig.device.assertReset();  // they would preempt each other forever
            }
        });
    });
    rig.step([&] {
        rig.readCompletions(0);
        rig.readCompletions(1);
    });
    rig.run();
    CHECK(rig.recordOf(1).status == JobStatus::kOk);
    CHECK(rig.recordOf(2).status == JobStatus::kOk);
    // At each of its checkpoints but perhaps the last a job has had its quantum.
    CHECK(rig.recordOf(1).preemptions >= 4);
    CHECK(rig.recordOf(1).preemptions <= 5);
}

TEST_CASE("without parameters nothing is preempted [Q-3]") {
    PreemptionRig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 1, PriorityBand::kRealtime);
    const JobSlot low = rig.steppedJob(1, 10);
    const JobSlot high = rig.steppedJob(2, 1);
    rig.step([&] {
        rig.submit(0, low);
        rig.submitAfter(25'000, 1, high);
    });
    rig.run();
    CHECK(rig.story() == kUndisturbed);
}

TEST_CASE("a higher-ranked job has the running one saved at its next checkpoint [Q-3]") {
    TwoJobs jobs(scheduling(Policy::kBands, Mechanism::kCheckpoint));
    jobs.run();
    CHECK(jobs.rig.story() == kPreempted);
    const CompletionRecord& low = jobs.rig.recordOf(1);
    CHECK(low.status == JobStatus::kOk);
    CHECK(low.preemptions == 1);
    CHECK(low.restarts == 0);
    CHECK(low.wastedCycles == 0);
    CHECK(low.savedBytes == sizeof(SaveArea));
    CHECK(low.commandCount == 31);  // ten steps of three, and the end
    // Ten steps, plus the firmware's own time.
    CHECK(low.executedCycles >= 100'000);
    CHECK(low.executedCycles < 105'000);
    CHECK(low.switchCycles > 0);
    const CompletionRecord& high = jobs.rig.recordOf(2);
    CHECK(high.preemptions == 0);
    // The rest of the step, and the save.
    CHECK(high.startCycle - high.queuedCycle < PreemptionRig::kStepCycles);
    // None of the commands ran twice.
    CHECK(jobs.rig.device.executed.size() == 11);
}

TEST_CASE("a checkpoint that holds the controller delays the next command [Q-3]") {
    // It arrives in the first half of the third step, which is running; the fourth is queued.
    const Waited queued(0);
    CHECK(queued.highCycles > 15'000);
    CHECK(queued.highCycles < 20'000);
    const Waited held(8'000);
    CHECK(held.highCycles > 5'000);
    CHECK(held.highCycles < 10'000);
}

TEST_CASE("a checkpoint holds the controller only for the stated time [Q-3]") {
    const Waited held(1'000);  // over when the high job arrives
    CHECK(held.highCycles > 15'000);
    CHECK(held.highCycles < 20'000);
    // No step waited for the controller.
    CHECK(held.lowCycles >= 60'000);
    CHECK(held.lowCycles < 62'000);
}

TEST_CASE("with operation granularity only checkpoints between operations count [Q-3]") {
    SchedulingParameters parameters = scheduling(Policy::kBands, Mechanism::kCheckpoint);
    parameters.granularity = Granularity::kOperation;
    TwoJobs jobs(parameters);
    jobs.run();
    CHECK(jobs.rig.story() == kPreempted);
    const auto& executed = jobs.rig.device.executed;
    const auto high = std::find_if(executed.begin(), executed.end(),
                                   [](const auto& done) { return done.jobId == 2; });
    CHECK(high - executed.begin() == 4);  // behind the fourth step, not the third
}

TEST_CASE("without a save area the running job runs to its end [Q-3]") {
    TwoJobs jobs(scheduling(Policy::kBands, Mechanism::kCheckpoint), false);
    jobs.run();
    CHECK(jobs.rig.story() == kUndisturbed);
}

TEST_CASE("with the restart mechanism the running job is stopped immediately [Q-3]") {
    TwoJobs jobs(scheduling(Policy::kBands, Mechanism::kRestart));
    jobs.run();
    CHECK(jobs.rig.story() == kStopped);
    const CompletionRecord& low = jobs.rig.recordOf(1);
    CHECK(low.status == JobStatus::kOk);
    CHECK(low.restarts == 1);
    CHECK(low.preemptions == 0);
    // 25 000 cycles, less the time before its start and after the doorbell.
    CHECK(low.wastedCycles > 24'000);
    CHECK(low.wastedCycles < 26'000);
    CHECK(low.executedCycles - low.wastedCycles >= 100'000);
    CHECK(low.executedCycles - low.wastedCycles < 105'000);
    CHECK(jobs.rig.recordOf(2).startCycle - jobs.rig.recordOf(2).queuedCycle < 2000);
    // Two complete steps of the first attempt, then all steps.
    CHECK(jobs.rig.device.executed.size() == 2 + 10 + 1);
}

TEST_CASE("the dynamic mechanism does not stop a job that is nearly done [Q-3]") {
    TwoJobs jobs(scheduling(Policy::kBands, Mechanism::kDynamic));
    jobs.low.estimateCycles = 25'100;
    jobs.run();
    CHECK(jobs.rig.story() == kUndisturbed);
}

TEST_CASE("the dynamic mechanism saves a job with little context [Q-3]") {
    TwoJobs jobs(scheduling(Policy::kBands, Mechanism::kDynamic));
    jobs.low.estimateCycles = 100'000;
    jobs.rig.device.hostWrite(regs::ConfigDramBandwidth::kSpec.offset, 4096);
    jobs.run();
    CHECK(jobs.rig.story() == kPreempted);
}

TEST_CASE("the dynamic mechanism stops a job with little progress [Q-3]") {
    TwoJobs jobs(scheduling(Policy::kBands, Mechanism::kDynamic));
    jobs.low.estimateCycles = 100'000;
    // One byte in 1024 cycles: the save area's first checkpoint takes longer than it ran.
    jobs.rig.device.hostWrite(regs::ConfigDramBandwidth::kSpec.offset, 1);
    jobs.run();
    CHECK(jobs.rig.story() == kStopped);
}

TEST_CASE("a job that reaches no checkpoint in time is stopped [Q-3]") {
    SchedulingParameters parameters = scheduling(Policy::kBands, Mechanism::kCheckpoint);
    parameters.preemptTimeoutCycles = 3000;  // the third step has 5000 cycles to go
    TwoJobs jobs(parameters);
    jobs.run();
    CHECK(jobs.rig.story() == kStopped);
    const auto& marks = jobs.rig.device.marks;
    const auto cycleOf = [&](const std::string& event) {
        return std::find_if(marks.begin(), marks.end(),
                            [&](const auto& mark) { return mark.event == event; })
                ->cycle;
    };
    const std::uint64_t waited = cycleOf("stopped") - cycleOf("preempt-request");
    // Counted from the decision that led to the request.
    CHECK(waited > 2800);
    CHECK(waited < 3500);
}

TEST_CASE("a checkpoint in time ends the timeout [Q-3]") {
    SchedulingParameters parameters = scheduling(Policy::kBands, Mechanism::kCheckpoint);
    parameters.preemptTimeoutCycles = 8000;
    TwoJobs jobs(parameters);
    jobs.run();
    CHECK(jobs.rig.story() == kPreempted);
}

TEST_CASE("the preemption request ends with the higher-ranked job [Q-3]") {
    TwoJobs jobs(scheduling(Policy::kBands, Mechanism::kCheckpoint));
    jobs.rig.step([&jobs] {
        jobs.rig.submit(0, jobs.low);
        jobs.rig.submitAfter(25'000, 1, jobs.high);
        jobs.rig.device.at(jobs.rig.device.now() + 26'000,
                           [&jobs] { jobs.rig.post(destroyRing(1)); });
    });
    jobs.rig.run();
    CHECK(jobs.rig.story() == Story{"job-start 1", "preempt-request 1", "job-end 1"});
}

TEST_CASE("rings of a band take turns by quantum [Q-2]") {
    SchedulingParameters parameters = scheduling(Policy::kBands, Mechanism::kCheckpoint);
    parameters.quantumCycles[1] = 25'000;
    PreemptionRig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 1, PriorityBand::kNormal);
    rig.setScheduling(parameters);
    const JobSlot one = rig.steppedJob(1, 5);
    const JobSlot two = rig.steppedJob(2, 5);
    rig.step([&] {
        rig.put(0, one);
        rig.put(1, two);
        rig.bell(0);
        rig.bell(1);
    });
    rig.run();
    // A turn ends within the third step.
    CHECK(rig.story() == Story{"job-start 1", "preempt-request 1", "preempted 1", "job-start 2",
                               "preempt-request 2", "preempted 2", "resumed 1", "job-end 1",
                               "resumed 2", "job-end 2"});
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("a low job of one context is not starved by high jobs of another [Q-1]") {
    SchedulingParameters parameters =
            scheduling(Policy::kBands, Mechanism::kCheckpoint, kScheduleFairContexts);
    parameters.contextSliceCycles = 25'000;
    PreemptionRig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 2, PriorityBand::kRealtime);
    rig.makeRing(2, 2, PriorityBand::kNormal);
    rig.setScheduling(parameters);
    const JobSlot low = rig.steppedJob(1, 6);
    const JobSlot high = rig.steppedJob(2, 6);
    const JobSlot ownLow = rig.steppedJob(3, 6);
    rig.step([&] {
        rig.put(0, low);
        rig.put(1, high);
        rig.put(2, ownLow);
        rig.bell(0);
        rig.bell(1);
        rig.bell(2);
    });
    rig.run();
    // The contexts alternate after the third step of the first turn and the fifth of the second;
    // the high job goes before the low one of its own context.
    CHECK(rig.story() == Story{"job-start 1", "preempt-request 1", "preempted 1", "job-start 2",
                               "preempt-request 2", "preempted 2", "resumed 1", "job-end 1",
                               "resumed 2", "job-end 2", "job-start 3", "job-end 3"});
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("a job leaves its restore for another context once, then it makes progress [Q-1]") {
    SchedulingParameters parameters =
            scheduling(Policy::kBands, Mechanism::kCheckpoint, kScheduleFairContexts);
    parameters.contextSliceCycles = 5'000;
    PreemptionRig rig;
    for (std::uint32_t ring = 0; ring < 4; ++ring) {
        rig.makeRing(ring, 1 + ring, PriorityBand::kNormal);
    }
    rig.setScheduling(parameters);
    const JobSlot running = rig.steppedJob(1, 6, true, 512);  // kStepCycles each way
    const JobSlot jobs[] = {rig.steppedJob(2, 1), rig.steppedJob(3, 1), rig.steppedJob(4, 1)};
    rig.step([&] {
        rig.submit(0, running);
        rig.submitAfter(5'000, 1, jobs[0]);
        // The step ends, its data is saved and job 2 runs: 30 000. The restores begin then and
        // after job 3.
        rig.submitAfter(35'000, 2, jobs[1]);
        rig.submitAfter(50'000, 3, jobs[2]);
    });
    rig.run();
    CHECK(rig.story() == Story{"job-start 1", "preempt-request 1", "preempted 1", "job-start 2",
                               "job-end 2", "preempt-request 1", "preempted 1", "job-start 3",
                               "job-end 3", "resumed 1", "preempt-request 1", "preempted 1",
                               "job-start 4", "job-end 4", "resumed 1", "job-end 1"});
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("a low band gets its share while a higher one is busy [Q-2]") {
    SchedulingParameters parameters = scheduling(Policy::kBands, Mechanism::kCheckpoint);
    parameters.starvationPermille = 250;
    parameters.quantumCycles[1] = 10'000;
    PreemptionRig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 1, PriorityBand::kRealtime);
    rig.setScheduling(parameters);
    const JobSlot low = rig.steppedJob(1, 4);
    const JobSlot high = rig.steppedJob(2, 40);
    rig.step([&] {
        rig.submit(1, high);
        rig.submitAfter(1000, 0, low);
    });
    rig.step([&] {
        rig.readCompletions(0);
        rig.readCompletions(1);
    });
    rig.run();
    CHECK(rig.completions.at(0).jobId == 1);
    CHECK(rig.recordOf(1).endCycle < rig.recordOf(2).endCycle);
    // Four steps at a quarter of the device, and another turn for the end.
    const std::uint64_t took = rig.recordOf(1).endCycle - rig.recordOf(1).queuedCycle;
    CHECK(took > 150'000);
    CHECK(took < 250'000);
}

TEST_CASE("in forced mode a job is saved at every checkpoint although no job waits [Q-3]") {
    PreemptionRig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, kScheduleForced));
    const JobSlot job = rig.steppedJob(1, 4);
    rig.step([&] { rig.submit(0, job); });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    CHECK(rig.recordOf(1).preemptions == 4);
    CHECK(rig.recordOf(1).status == JobStatus::kOk);
    CHECK(rig.device.executed.size() == 4);
    CHECK(rig.device.protocolErrors.empty());
}

TEST_CASE("token counts continue where they were [Q-3]") {
    PreemptionRig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, kScheduleForced));
    hw::CommandWriter writer;
    writer.add(onEngine(hw::Engine::kDma0), smallFill());
    writer.add(onEngine(hw::Engine::kDma0), smallFill());
    writer.add({}, hw::Checkpoint{});
    hw::TokenWait wait{};
    wait.engine = 0;
    wait.count = 2;
    writer.add(onEngine(hw::Engine::kDma1, std::span(&wait, 1)), smallFill());
    wait.count = 3;
    writer.add(onEngine(hw::Engine::kDma0), smallFill());
    writer.add(onEngine(hw::Engine::kDma1, std::span(&wait, 1)), smallFill());
    writer.add({}, hw::Opcode::kEnd);
    JobSlot slot = rig.makeJob(1, writer);
    slot.saveBytes = 4096;
    slot.saveAddress = Rig::virtualOf(rig.allocate(4096));
    rig.step([&] { rig.submit(0, slot); });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    CHECK(rig.recordOf(1).status == JobStatus::kOk);
    CHECK(rig.recordOf(1).preemptions == 1);
    CHECK(rig.device.protocolErrors.empty());
    REQUIRE(rig.device.executed.size() == 5);
    CHECK(rig.device.executed[3].number + rig.device.executed[2].number == 2);  // 0 and 2
}

TEST_CASE("the save area is a region only while a context is moved [Q-3]") {
    PreemptionRig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, kScheduleForced));
    hw::CommandWriter writer;
    writer.add(onEngine(hw::Engine::kDma0), smallFill());
    hw::Checkpoint checkpoint{};
    checkpoint.rangeCount = 1;
    checkpoint.ranges[0] = {0, 8192};
    checkpoint.accumulatorBytes = 256;
    writer.add({}, checkpoint);
    writer.add(onEngine(hw::Engine::kDma0), smallFill());
    writer.add({}, hw::Opcode::kEnd);
    JobSlot slot = rig.makeJob(1, writer);
    slot.saveBytes = 16384;
    slot.saveAddress = Rig::virtualOf(rig.allocate(slot.saveBytes));
    rig.step([&] { rig.submit(0, slot); });
    rig.run();
    std::vector<std::uint32_t> tables;
    std::vector<hw::Engine> engines;
    for (const FakeController::Executed& done : rig.device.executed) {
        tables.push_back(done.regionTable);
        engines.push_back(done.engine);
    }
    // The job's command, two parts of the range and the accumulators out and in, the job's.
    constexpr std::uint32_t kSave = kSaveRegionOffset;
    CHECK(tables == std::vector<std::uint32_t>{0, kSave, kSave, kSave, kSave, kSave, kSave, 0});
    CHECK(std::count(engines.begin(), engines.end(), hw::Engine::kDma1) == 2);
    CHECK(std::count(engines.begin(), engines.end(), hw::Engine::kDma2) == 2);
    const LocalRegion region = [&] {
        LocalRegion value{};
        std::memcpy(&value, rig.device.localMemory().data() + kSave, sizeof(value));
        return value;
    }();
    CHECK(region.address == slot.saveAddress);
    CHECK(region.sizeBytes == slot.saveBytes);
}

TEST_CASE("the time of a loop does not count while the job is saved [Q-3]") {
    PreemptionRig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 1, PriorityBand::kRealtime);
    rig.setScheduling(scheduling(Policy::kBands, Mechanism::kCheckpoint));
    hw::CommandWriter writer;
    writer.add({}, hw::Loop{0, 0});
    const auto body = static_cast<std::uint32_t>(writer.bytes().size());
    writer.add(onEngine(hw::Engine::kDma0), smallFill());
    writer.add({}, hw::Opcode::kBarrier);
    writer.add({}, hw::Checkpoint{});
    hw::Branch branch{};
    branch.target = body;
    branch.flags = hw::kBranchLoops;
    writer.add({}, branch);
    writer.add({}, hw::Opcode::kEnd);
    const std::uint64_t regionBus = rig.allocate(4096);
    rig.store(regionBus, std::uint8_t{1});
    const Rig::Region region{Rig::virtualOf(regionBus), 4096, true};
    JobSlot low = rig.makeJob(1, writer.bytes(), std::span(&region, 1));
    low.saveBytes = 4096;
    low.saveAddress = Rig::virtualOf(rig.allocate(4096));
    low.loopTimeoutCycles = 45'000;  // four passes; the high job alone takes longer
    const JobSlot high = rig.steppedJob(2, 10);
    int passes = 0;
    rig.device.onExecuted = [&](const FakeController::Executed& done) {
        if (done.jobId == 1 && ++passes == 4) {
            rig.store(regionBus, std::uint8_t{0});
        }
    };
    rig.step([&] {
        rig.submit(0, low);
        rig.submitAfter(15'000, 1, high);
    });
    rig.step([&] { rig.readCompletions(0); });
    rig.run();
    CHECK(rig.recordOf(1).preemptions == 1);
    CHECK(rig.recordOf(1).status == JobStatus::kOk);
    CHECK(passes == 4);
}

TEST_CASE("a preempted job ends when its ring is destroyed [Q-3]") {
    TwoJobs jobs(scheduling(Policy::kBands, Mechanism::kCheckpoint));
    jobs.rig.step([&jobs] {
        jobs.rig.submit(0, jobs.low);
        jobs.rig.submitAfter(25'000, 1, jobs.high);
        jobs.rig.device.at(jobs.rig.device.now() + 35'000,
                           [&jobs] { jobs.rig.post(destroyRing(0)); });
    });
    jobs.rig.step([&jobs] {
        jobs.rig.readCompletions(0);
        jobs.rig.readCompletions(1);
    });
    jobs.rig.run();
    CHECK(jobs.rig.recordOf(1).status == JobStatus::kAborted);
    CHECK(jobs.rig.recordOf(1).preemptions == 1);
    CHECK(jobs.rig.recordOf(1).executedCycles >= 30'000);
    CHECK(jobs.rig.recordOf(2).status == JobStatus::kOk);
}

TEST_CASE("the heartbeat continues while contexts move and quanta end [Q-3]") {
    SchedulingParameters parameters = scheduling(Policy::kRoundRobin, Mechanism::kCheckpoint);
    std::fill(std::begin(parameters.quantumCycles), std::end(parameters.quantumCycles), 20'000);
    PreemptionRig rig;
    rig.makeRing(0, 1, PriorityBand::kNormal);
    rig.makeRing(1, 1, PriorityBand::kRealtime);
    rig.setScheduling(parameters);
    const JobSlot one = rig.steppedJob(1, 20);
    const JobSlot two = rig.steppedJob(2, 20);
    rig.step([&] {
        rig.submit(0, one);
        rig.submit(1, two);
    });
    rig.run();
    CHECK(rig.jobsAt("preempted").size() > 10);
    const auto& beats = rig.device.heartbeats;
    for (std::size_t i = 1; i < beats.size(); ++i) {
        CHECK(beats[i] - beats[i - 1] <= 10'000);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
