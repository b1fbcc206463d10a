// SPDX-License-Identifier: Apache-2.0
// kAbortJob, kSuspendRing and kResumeRing.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/firmware/preemption_rig.h"

namespace vnpu::fw::test {
namespace {

using hw::JobStatus;
using Story = std::vector<std::string>;

/// Three jobs in one ring; the driver acts 15 000 cycles after their start.
struct ThreeJobs {
    explicit ThreeJobs(const std::function<void(PreemptionRig&)>& act) {
        rig.makeRing(0, 1, PriorityBand::kNormal);
        for (std::uint64_t id = 1; id <= 3; ++id) {
            jobs.push_back(rig.steppedJob(id, 3));
        }
        rig.step([this, act] {
            for (const JobSlot& job : jobs) {
                rig.put(0, job);
            }
            rig.bell(0);
            rig.device.at(rig.device.now() + 15'000, [this, act] { act(rig); });
        });
    }

    void run() {
        rig.step([this] { rig.readCompletions(0); });
        rig.run();
        CHECK(rig.device.protocolErrors.empty());
    }

    PreemptionRig rig;
    std::vector<JobSlot> jobs;
};

MessageStatus lastAnswer(const Rig& rig) {
    return statusOf(rig.messages.back());
}

}  // namespace

TEST_SUITE_BEGIN("firmware/ring_requests");

TEST_CASE("the running job is aborted immediately, the others run [Q-3]") {
    ThreeJobs jobs([](PreemptionRig& rig) { rig.post(ringRequest(MessageType::kAbortJob, 0, 1)); });
    jobs.run();
    CHECK(lastAnswer(jobs.rig) == MessageStatus::kOk);
    CHECK(jobs.rig.recordOf(1).status == JobStatus::kAborted);
    CHECK(jobs.rig.recordOf(1).endCycle - jobs.rig.recordOf(1).startCycle < 16'000);
    CHECK(jobs.rig.recordOf(2).status == JobStatus::kOk);
    CHECK(jobs.rig.recordOf(3).status == JobStatus::kOk);
}

TEST_CASE("a queued job is aborted at its turn [Q-3]") {
    ThreeJobs jobs([](PreemptionRig& rig) { rig.post(ringRequest(MessageType::kAbortJob, 0, 2)); });
    jobs.run();
    REQUIRE(jobs.rig.completions.size() == 3);
    CHECK(jobs.rig.completions[1].jobId == 2);
    CHECK(jobs.rig.completions[1].status == JobStatus::kAborted);
    CHECK(jobs.rig.completions[1].executedCycles == 0);
    CHECK(jobs.rig.completions[2].status == JobStatus::kOk);
    CHECK(jobs.rig.device.executed.size() == 6);
    CHECK(jobs.rig.ringHeader(0).fenceValue == 30);
}

TEST_CASE("only existing jobs can be aborted [Q-3]") {
    ThreeJobs jobs([](PreemptionRig& rig) { rig.post(ringRequest(MessageType::kAbortJob, 0, 9)); });
    jobs.run();
    CHECK(lastAnswer(jobs.rig) == MessageStatus::kBadJob);
    CHECK(jobs.rig.recordOf(1).status == JobStatus::kOk);
    ThreeJobs others(
            [](PreemptionRig& rig) { rig.post(ringRequest(MessageType::kAbortJob, 5, 1)); });
    others.run();
    CHECK(lastAnswer(others.rig) == MessageStatus::kBadRing);
}

TEST_CASE("a job that was withdrawn and submitted again is not aborted [Q-3]") {
    ThreeJobs jobs([](PreemptionRig& rig) {
        rig.post(ringRequest(MessageType::kAbortJob, 0, 3));
        rig.device.at(rig.device.now() + 2000,
                      [&rig] { rig.device.hostWrite(hw::regs::Doorbell::kSpec.at(0), 2); });
        rig.device.at(rig.device.now() + 4000,
                      [&rig] { rig.device.hostWrite(hw::regs::Doorbell::kSpec.at(0), 3); });
    });
    jobs.run();
    CHECK(jobs.rig.recordOf(3).status == JobStatus::kOk);
}

TEST_CASE("a started job cannot be withdrawn [E-1]") {
    ThreeJobs jobs(
            [](PreemptionRig& rig) { rig.device.hostWrite(hw::regs::Doorbell::kSpec.at(0), 0); });
    jobs.run();
    REQUIRE(jobs.rig.completions.size() == 1);
    CHECK(jobs.rig.completions[0].status == JobStatus::kOk);
    CHECK(jobs.rig.ringHeader(0).head == 1);
}

TEST_CASE("a suspended ring provides no job, and its running job is saved [Q-3]") {
    ThreeJobs jobs([](PreemptionRig& rig) { rig.post(ringRequest(MessageType::kSuspendRing, 0)); });
    jobs.rig.step([&jobs] {
        CHECK(jobs.rig.story() == Story{"job-start 1", "preempt-request 1", "preempted 1"});
        jobs.rig.post(ringRequest(MessageType::kResumeRing, 0));
    });
    jobs.run();
    REQUIRE(jobs.rig.completions.size() == 3);
    CHECK(jobs.rig.recordOf(1).preemptions == 1);
    CHECK(jobs.rig.recordOf(2).preemptions == 0);
}

TEST_CASE("a ring resumed before its job was saved loses nothing [Q-3]") {
    ThreeJobs jobs([](PreemptionRig& rig) {
        rig.post(ringRequest(MessageType::kSuspendRing, 0));
        rig.device.at(rig.device.now() + 2000,
                      [&rig] { rig.post(ringRequest(MessageType::kResumeRing, 0)); });
    });
    jobs.run();
    CHECK(jobs.rig.jobsAt("preempted").empty());
    CHECK(jobs.rig.completions.size() == 3);
}

TEST_CASE("a preempted job of a suspended ring can be aborted [Q-3]") {
    ThreeJobs jobs([](PreemptionRig& rig) { rig.post(ringRequest(MessageType::kSuspendRing, 0)); });
    jobs.rig.step([&jobs] { jobs.rig.post(ringRequest(MessageType::kAbortJob, 0, 1)); });
    jobs.run();
    REQUIRE(jobs.rig.completions.size() == 1);
    CHECK(jobs.rig.completions[0].status == JobStatus::kAborted);
    CHECK(jobs.rig.completions[0].preemptions == 1);
}

TEST_CASE("only existing rings can be suspended [Q-3]") {
    Rig rig;
    rig.ask(ringRequest(MessageType::kSuspendRing, 3));
    rig.ask(ringRequest(MessageType::kResumeRing, 99));
    rig.run();
    CHECK(statusOf(rig.messages.at(1)) == MessageStatus::kBadRing);
    CHECK(statusOf(rig.messages.at(2)) == MessageStatus::kBadRing);
}

TEST_SUITE_END();

}  // namespace vnpu::fw::test
