// SPDX-License-Identifier: Apache-2.0
// Jobs that preempt each other, with all on-chip data overwritten in between.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "firmware/api/save_area.h"
#include "tests/integration/device/preemptible_jobs.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using fw::LogEvent;
using fw::Mechanism;
using fw::Policy;
using fw::PriorityBand;
using hw::JobStatus;

/// A low and a high ring, and the expected output of each job.
class TwoRings {
  public:
    explicit TwoRings(const fw::SchedulingParameters& parameters)
        : bench(makeConfig()),
          jobs_{accumulatingJob(), loopingJob(), operatorJob(4096), operatorJob(4096)} {
        bench.start();
        bench.makeRing(0, PriorityBand::kNormal);
        bench.makeRing(1, PriorityBand::kRealtime);
        for (const PreemptibleJob& job : jobs_) {
            const PlacedJob placed = place(bench, job, 1000);
            bench.submit(0, placed.slot);
            CHECK(bench.finish(0).at(0).status == JobStatus::kOk);
            expected_.push_back(placed.output(bench, job));
            slots_.push_back(placed);
        }
        bench.setScheduling(parameters);
    }

    static hw::NpuConfig makeConfig() {
        hw::NpuConfig config = poisoningConfig();
        config.dsp.yieldCycles = 2000;
        return config;
    }

    /// Resubmits job `kind` with its region in the initial state.
    const PlacedJob& submit(std::uint32_t ring, std::size_t kind, std::uint64_t jobId) {
        PlacedJob& placed = slots_[kind];
        std::fill_n(bench.memory.at(placed.regionBus), jobs_[kind].regionBytes, std::byte{0});
        jobs_[kind].fill(bench.memory.at(placed.regionBus));
        placed.slot.jobId = jobId;
        bench.submit(ring, placed.slot);
        return placed;
    }
    bool isRight(std::size_t kind) {
        return slots_[kind].output(bench, jobs_[kind]) == expected_[kind];
    }

    FirmwareBench bench;

  private:
    std::vector<PreemptibleJob> jobs_;
    std::vector<PlacedJob> slots_;
    std::vector<std::vector<std::byte>> expected_;
};

/// Runs a low job of each kind many times with a high job at a random later time.
std::uint32_t runRandomly(TwoRings& rings, std::uint32_t rounds, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uint32_t disturbed = 0;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const std::size_t low = round % 3;
        const std::size_t high = (low + 1 + random() % 2) % 3;
        rings.submit(0, low, 2 * round + 2);
        rings.bench.run(random() % 12'000);
        rings.submit(1, high, 2 * round + 3);
        const fw::CompletionRecord second = rings.bench.finish(1).at(0);
        const fw::CompletionRecord first = rings.bench.finish(0).at(0);
        CHECK(first.status == JobStatus::kOk);
        CHECK(second.status == JobStatus::kOk);
        CHECK(second.preemptions + second.restarts == 0);
        REQUIRE(rings.isRight(low));
        REQUIRE(rings.isRight(high));
        disturbed += first.preemptions + first.restarts;
    }
    return disturbed;
}

/// Both jobs of operators at once, one in each ring.
void runBothOperators(TwoRings& rings, std::uint64_t firstJobId) {
    rings.submit(0, 2, firstJobId);
    rings.submit(1, 3, firstJobId + 1);
    CHECK(rings.bench.finish(0).at(0).status == JobStatus::kOk);
    CHECK(rings.bench.finish(1).at(0).status == JobStatus::kOk);
    REQUIRE(rings.isRight(2));
    REQUIRE(rings.isRight(3));
}

/// The engines' counters for a job.
hw::Activity activityOf(TwoRings& rings, std::uint64_t jobId) {
    hw::Activity sum;
    for (const hw::EngineCommandRecord& record : rings.bench.observer.commands) {
        if (record.jobId == jobId) {
            sum += record.activity;
        }
    }
    return sum;
}

/// A bench with a running low job of thousands of fills and a high job that waits for its
/// checkpoint.
fw::CompletionRecord highBehindFills(Mechanism mechanism, std::uint32_t fills) {
    FirmwareBench bench(poisoningConfig());
    bench.start();
    bench.makeRing(0, PriorityBand::kNormal);
    bench.makeRing(1, PriorityBand::kRealtime);
    bench.setScheduling(scheduling(Policy::kBands, mechanism));
    const PreemptibleJob job = copyingJob(4096, 0, fills);
    const PlacedJob low = place(bench, job, 1);
    const PlacedJob high = place(bench, accumulatingJob(), 2);
    bench.submit(0, low.slot);
    bench.run(20'000);
    bench.submit(1, high.slot);
    const fw::CompletionRecord record = bench.finish(1).at(0);
    CHECK(record.status == JobStatus::kOk);
    CHECK(bench.finish(0).at(0).status == JobStatus::kOk);
    CHECK(low.output(bench, job) == bench.bytesAt(low.regionBus, 4096));
    return record;
}

}  // namespace

TEST_SUITE_BEGIN("integration/device/preemption");

TEST_CASE("jobs preempted at random times are correct to the byte [Q-3]") {
    simCase([] {
        TwoRings rings(scheduling(Policy::kBands, Mechanism::kCheckpoint));
        CHECK(runRandomly(rings, 150, 1) > 50);
        CHECK(rings.bench.countOf(LogEvent::kSaveFailed) == 0);
        const std::uint32_t status = rings.bench.read(hw::regs::Status::kSpec.offset);
        CHECK(hw::regs::Status::kSramRace.get(status) == 0);
    });
}

TEST_CASE("jobs stopped at random times restart and are correct to the byte [Q-3]") {
    simCase([] {
        TwoRings rings(scheduling(Policy::kBands, Mechanism::kRestart));
        CHECK(runRandomly(rings, 90, 2) > 30);
    });
}

TEST_CASE("the dynamic choice at random times is correct to the byte [Q-3]") {
    simCase([] {
        TwoRings rings(scheduling(Policy::kBands, Mechanism::kDynamic));
        CHECK(runRandomly(rings, 90, 3) > 30);
    });
}

TEST_CASE("the bytes of saving and restoring count for the saved job [Q-3] [E-6]") {
    using hw::regs::PerfEvent;
    simCase([] {
        TwoRings rings(scheduling(Policy::kBands, Mechanism::kCheckpoint));
        rings.submit(0, 2, 2);
        rings.bench.finish(0);
        rings.submit(1, 1, 3);
        rings.bench.finish(1);
        rings.submit(0, 2, 4);
        rings.bench.run(5000);
        rings.submit(1, 1, 5);
        rings.bench.finish(1);
        const fw::CompletionRecord saved = rings.bench.finish(0).at(0);
        REQUIRE(saved.preemptions == 1);
        REQUIRE(saved.savedBytes != 0);
        const hw::Activity alone = activityOf(rings, 2);
        const hw::Activity disturbed = activityOf(rings, 4);
        // Full bursts; each byte goes out and returns. The controller moves the header.
        CHECK(disturbed[PerfEvent::kBusBytes] - alone[PerfEvent::kBusBytes] ==
              2 * (saved.savedBytes - sizeof(fw::SaveArea)));
        CHECK(disturbed[PerfEvent::kDspOpsFloat] == alone[PerfEvent::kDspOpsFloat]);
        CHECK(activityOf(rings, 5) == activityOf(rings, 3));
    });
}

TEST_CASE(
        "a job being restored yields immediately, because its save area is still complete [Q-3]") {
    simCase([] {
        constexpr std::uint32_t kBytes = 256 * 1024;
        FirmwareBench bench(poisoningConfig());
        bench.start();
        bench.makeRing(0, PriorityBand::kNormal);
        bench.makeRing(1, PriorityBand::kRealtime);
        bench.setScheduling(scheduling(Policy::kBands, Mechanism::kCheckpoint));
        const PreemptibleJob job = copyingJob(kBytes, 0);
        const PlacedJob low = place(bench, job, 1);
        bench.submit(0, low.slot);
        bench.run(20'000);
        bench.submit(1, place(bench, accumulatingJob(), 2).slot);
        bench.finish(1);
        bench.run(20'000);  // of the 65,536 that the restore takes at 4 bytes a cycle
        bench.submit(1, place(bench, accumulatingJob(), 3).slot);
        const fw::CompletionRecord high = bench.finish(1).at(0);
        CHECK(high.status == JobStatus::kOk);
        CHECK(high.startCycle - high.queuedCycle < 3000);
        const fw::CompletionRecord record = bench.finish(0).at(0);
        CHECK(record.status == JobStatus::kOk);
        CHECK(record.preemptions == 1);
        CHECK(record.restarts == 0);
        CHECK(record.savedBytes == sizeof(fw::SaveArea) + kBytes);
        CHECK(bench.countOf(LogEvent::kJobPreempted) == 2);
        CHECK(bench.countOf(LogEvent::kJobResumed) == 1);
        CHECK(low.output(bench, job) == bench.bytesAt(low.regionBus, kBytes));
    });
}

TEST_CASE("a short timeout mixes saves and restarts, all correct to the byte [Q-3]") {
    simCase([] {
        fw::SchedulingParameters parameters = scheduling(Policy::kBands, Mechanism::kCheckpoint);
        parameters.preemptTimeoutCycles = 2500;
        TwoRings rings(parameters);
        CHECK(runRandomly(rings, 90, 4) > 30);
        CHECK(rings.bench.countOf(LogEvent::kJobStopped) > 0);
        CHECK(rings.bench.countOf(LogEvent::kJobPreempted) > 0);
    });
}

TEST_CASE("equal rings share the device by quanta and are correct to the byte [Q-2]") {
    simCase([] {
        fw::SchedulingParameters parameters =
                scheduling(Policy::kRoundRobin, Mechanism::kCheckpoint);
        std::fill(std::begin(parameters.quantumCycles), std::end(parameters.quantumCycles), 5000);
        TwoRings rings(parameters);
        for (std::uint32_t round = 0; round < 20; ++round) {
            runBothOperators(rings, 2 * round + 2);
        }
        CHECK(rings.bench.countOf(LogEvent::kJobPreempted) >= 20);
    });
}

TEST_CASE("a restart lets a higher-ranked job begin immediately, waiting does not [Q-3]") {
    simCase([] {
        // 3000 fills of about 80 cycles each: about 240,000 cycles without a checkpoint.
        const fw::CompletionRecord high = highBehindFills(Mechanism::kRestart, 3000);
        CHECK(high.startCycle - high.queuedCycle < 2000);
    });
}

TEST_CASE("after its last checkpoint a job runs to its end [Q-3]") {
    simCase([] {
        const fw::CompletionRecord high = highBehindFills(Mechanism::kCheckpoint, 3000);
        CHECK(high.startCycle - high.queuedCycle > 50'000);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
