// SPDX-License-Identifier: Apache-2.0
// The part of a preempted job's context that stays on chip because the following jobs use other
// SRAM. All memory that the device need not keep is overwritten at the start of a job.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "firmware/api/save_area.h"
#include "hw_model/regs/sram_blocks.h"
#include "tests/hw_model/blocks/job_bench.h"
#include "tests/integration/device/preemptible_jobs.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using fw::LogEvent;
using fw::Mechanism;
using fw::Policy;
using fw::PriorityBand;
using hw::JobStatus;

constexpr std::uint64_t kKib = 1024;
constexpr std::uint64_t kBlock = 8 * kKib;        // of the 512 KiB
constexpr std::uint64_t kSmallBytes = 24 * kKib;  // of accumulatingJob(), from offset 0
// cycles: in the middle of loading 128 KiB at 4 bytes a cycle
constexpr std::uint32_t kLoad = 20'000;

constexpr std::uint64_t kReloadedAt = 64 * kKib;  // reloadBeside()

/// A job and the SRAM range that it declares.
struct Contender {
    PreemptibleJob job;
    std::uint64_t sramBlocks = hw::kAllSramBlocks;
};

std::uint64_t blocksOf(std::uint64_t begin, std::uint64_t end) {
    return hw::sramBlocksOf(begin, end, hw::NpuConfig{}.sram.kib * kKib);
}

Contender smallJob() {
    return {accumulatingJob(), blocksOf(0, kSmallBytes)};
}

Contender copyAt(std::uint32_t sramOffset, std::uint32_t bytes = 128 * kKib) {
    return {copyingJob(bytes, 0, 0, sramOffset), blocksOf(sramOffset, sramOffset + bytes)};
}

/// Rings 0 to 2 of rising bands, saved at checkpoints. Each job outputs the data that it has
/// loaded; the small job outputs the same as alone.
class ThreeBands {
  public:
    explicit ThreeBands(hw::FaultInjector* faults = nullptr)
        : bench(poisoningConfig(), "bench", faults) {
        bench.start();
        bench.makeRing(0, PriorityBand::kNormal);
        bench.makeRing(1, PriorityBand::kFocus);
        bench.makeRing(2, PriorityBand::kRealtime);
        bench.setScheduling(scheduling(Policy::kBands, Mechanism::kCheckpoint));
        const PlacedJob alone = submit(2, smallJob());
        CHECK(bench.finish(2).at(0).preemptions == 0);
        smallOutput_ = alone.output(bench, smallJob().job);
    }

    PlacedJob place(const Contender& contender) {
        PlacedJob placed = test::place(bench, contender.job, ++jobId_);
        placed.slot.sramBlocks = contender.sramBlocks;
        return placed;
    }
    PlacedJob submit(std::uint32_t ring, const Contender& contender) {
        const PlacedJob placed = place(contender);
        bench.submit(ring, placed.slot);
        return placed;
    }

    /// The next completion of a ring; checks that its job output the same as alone.
    fw::CompletionRecord finish(std::uint32_t ring, const Contender& contender,
                                const PlacedJob& placed) {
        const fw::CompletionRecord record = bench.finish(ring).at(0);
        CHECK(record.jobId == placed.slot.jobId);
        CHECK(record.status == JobStatus::kOk);
        const bool isSmall = contender.job.outputBytes == smallOutput_.size();
        const std::vector<std::byte> expected =
                isSmall ? smallOutput_ : bench.bytesAt(placed.regionBus, contender.job.outputBytes);
        CHECK(placed.output(bench, contender.job) == expected);
        return record;
    }

    FirmwareBench bench;

  private:
    std::vector<std::byte> smallOutput_;
    std::uint64_t jobId_ = 0;
};

/// A low job that is loading when the small high job arrives.
struct LowBelowHigh {
    explicit LowBelowHigh(Contender loaded = copyAt(64 * kKib), hw::FaultInjector* faults = nullptr)
        : bands(faults), lowJob(std::move(loaded)), low(bands.submit(0, lowJob)) {
        bands.bench.run(kLoad);
        high = bands.submit(2, smallJob());
    }

    fw::CompletionRecord finishLow() { return bands.finish(0, lowJob, low); }
    fw::CompletionRecord finishHigh() { return bands.finish(2, smallJob(), high); }

    ThreeBands bands;
    Contender lowJob;
    PlacedJob low, high;
};

/// A low job keeps 128 KiB beside a small high job, and a middle job that needs half of it waits.
struct KeptBelowWide : LowBelowHigh {
    explicit KeptBelowWide(hw::FaultInjector* faults = nullptr)
        : LowBelowHigh(copyAt(64 * kKib), faults), wide(bands.submit(1, wideJob)) {}

    fw::CompletionRecord finishWide() { return bands.finish(1, wideJob, wide); }

    Contender wideJob = copyAt(128 * kKib);
    PlacedJob wide;
};

/// Loads two blocks from kReloadedAt on, overwrites 1 KiB in the second, and is preempted for
/// `next`: the transfer must be repeated and the overwritten bytes must be saved.
fw::CompletionRecord reloadBeside(const Contender& next) {
    constexpr std::uint64_t kFilled = kReloadedAt + kBlock + 16;
    constexpr std::uint32_t kFills = 100;
    Contender lowJob = copyAt(kReloadedAt, 2 * kBlock);
    lowJob.job.writer = {};
    hw::CommandWriter& writer = lowJob.job.writer;
    const hw::CommandContext dma0{.engine = hw::Engine::kDma0};
    writer.add(dma0, copyBytes(inRegion(0), inSram(kReloadedAt), 2 * kBlock));
    for (std::uint32_t i = 1; i <= kFills; ++i) {
        writer.add(dma0, fillBytes(inSram(kFilled), kKib, i, 4));
    }
    hw::Checkpoint checkpoint = checkpointOf(0, {{kFilled, kKib}});
    checkpoint.reloadCount = 1;
    checkpoint.reloadBytes = 2 * kBlock;
    const hw::TokenWait filled[] = {waitFor(hw::Engine::kDma0, kFills + 1)};
    writer.add({.waits = filled}, checkpoint);
    writer.add({.engine = hw::Engine::kDma2, .waits = filled},
               copyBytes(inSram(kReloadedAt), inRegion(2 * kBlock), 2 * kBlock));
    writer.add({}, hw::Opcode::kEnd);

    ThreeBands bands;
    const PlacedJob low = bands.submit(0, lowJob);
    bands.bench.run(5000);
    const PlacedJob high = bands.submit(2, next);
    bands.finish(2, next, high);
    const fw::CompletionRecord record = bands.bench.finish(0).at(0);
    CHECK(record.status == JobStatus::kOk);
    CHECK(record.preemptions == 1);
    std::vector<std::byte> expected = bands.bench.bytesAt(low.regionBus, 2 * kBlock);
    for (std::uint64_t i = 0; i < kKib; ++i) {
        expected[kBlock + 16 + i] = i % 4 == 0 ? std::byte{kFills} : std::byte{0};
    }
    CHECK(low.output(bands.bench, lowJob.job) == expected);
    return record;
}

fw::Message ringRequest(fw::MessageType type, std::uint32_t ring) {
    fw::Message request{};
    request.type = type;
    request.target.ring = ring;
    return request;
}

}  // namespace

TEST_SUITE_BEGIN("integration/device/kept_context");

TEST_CASE("data that the next job does not use is neither saved nor restored [Q-3]") {
    simCase([] {
        LowBelowHigh jobs;
        jobs.finishHigh();
        const fw::CompletionRecord record = jobs.finishLow();
        CHECK(record.preemptions == 1);
        CHECK(record.savedBytes == sizeof(fw::SaveArea));
        // Header, set-up, messages; 128 KiB would be 32,768 cycles each way.
        CHECK(record.switchCycles < 3000);
        CHECK(jobs.bands.bench.countOf(LogEvent::kKeptSaved) == 0);
    });
}

TEST_CASE("only blocks that both jobs use are saved [Q-3]") {
    simCase([] {
        LowBelowHigh jobs(copyAt(kBlock));
        jobs.finishHigh();
        const fw::CompletionRecord record = jobs.finishLow();
        CHECK(record.preemptions == 1);
        CHECK(record.savedBytes == sizeof(fw::SaveArea) + 2 * kBlock);
    });
}

TEST_CASE("kept data is saved before a job that needs the room [Q-3]") {
    simCase([] {
        KeptBelowWide jobs;
        jobs.finishHigh();
        const fw::CompletionRecord second = jobs.finishWide();
        CHECK(second.preemptions + second.restarts == 0);
        const fw::CompletionRecord record = jobs.finishLow();
        CHECK(record.preemptions == 1);
        CHECK(record.savedBytes == sizeof(fw::SaveArea) + 64 * kKib);
        CHECK(jobs.bands.bench.countOf(LogEvent::kKeptSaved) == 1);
        CHECK(jobs.bands.bench.countOf(LogEvent::kJobResumed) == 1);
    });
}

TEST_CASE("two preempted jobs keep their data while a third runs [Q-3]") {
    simCase([] {
        ThreeBands bands;
        const Contender lowJob = copyAt(64 * kKib);
        const Contender middleJob = copyAt(256 * kKib);
        const PlacedJob low = bands.submit(0, lowJob);
        bands.bench.run(kLoad);
        const PlacedJob middle = bands.submit(1, middleJob);
        REQUIRE(bands.bench.runToMark("preempted"));
        bands.bench.run(kLoad);
        const PlacedJob high = bands.submit(2, smallJob());
        bands.finish(2, smallJob(), high);
        const fw::CompletionRecord second = bands.finish(1, middleJob, middle);
        const fw::CompletionRecord first = bands.finish(0, lowJob, low);
        CHECK(second.savedBytes == sizeof(fw::SaveArea));
        CHECK(first.savedBytes == sizeof(fw::SaveArea));
    });
}

TEST_CASE("a job that uses undeclared SRAM ends there [Q-4]") {
    simCase([] {
        ThreeBands bands;
        const Contender lowJob = copyAt(64 * kKib);
        const PlacedJob low = bands.submit(0, lowJob);
        bands.bench.run(kLoad);
        Contender liar = copyAt(64 * kKib);
        liar.sramBlocks = blocksOf(0, kSmallBytes);
        bands.submit(2, liar);
        const fw::CompletionRecord lied = bands.bench.finish(2).at(0);
        CHECK(lied.status == JobStatus::kOutOfSram);
        CHECK(lied.failingCommand == 0);
        CHECK(bands.finish(0, lowJob, low).savedBytes == sizeof(fw::SaveArea));
    });
}

TEST_CASE("a range that spans another job's blocks is moved without them [Q-3]") {
    simCase([] {
        // The checkpoint joins two live ends of 8 KiB; the bytes between them do not belong to
        // the job.
        Contender lowJob = copyAt(64 * kKib, 3 * kBlock);
        lowJob.job.writer = {};
        hw::CommandWriter& writer = lowJob.job.writer;
        const hw::CommandContext dma0{.engine = hw::Engine::kDma0};
        constexpr std::uint32_t kFirst = 64 * kKib;
        constexpr std::uint32_t kLast = kFirst + 2 * kBlock;
        writer.add(dma0, copyBytes(inRegion(0), inSram(kFirst), kBlock));
        writer.add(dma0, copyBytes(inRegion(kBlock), inSram(kLast), kBlock));
        for (std::uint32_t i = 0; i < 100; ++i) {
            writer.add(dma0, fillBytes(inSram(kFirst + 16), 1024, i, 4));
        }
        writer.add(dma0, copyBytes(inRegion(0), inSram(kFirst), kBlock));
        const hw::TokenWait loaded[] = {waitFor(hw::Engine::kDma0, 103)};
        writer.add({.waits = loaded},
                   checkpointOf(0, {{kFirst, 3 * kBlock}}, 0, hw::kCheckpointOperation));
        const hw::CommandContext dma2{.engine = hw::Engine::kDma2, .waits = loaded};
        writer.add(dma2, copyBytes(inSram(kFirst), inRegion(3 * kBlock), kBlock));
        writer.add(dma2, copyBytes(inSram(kLast), inRegion(4 * kBlock), kBlock));
        writer.add({}, hw::Opcode::kEnd);
        lowJob.job.outputBytes = 2 * kBlock;
        lowJob.sramBlocks = blocksOf(kFirst, kFirst + kBlock) | blocksOf(kLast, kLast + kBlock);

        // The next job uses the first end and the bytes between the ends, and keeps them while
        // a third job runs that uses the first end.
        ThreeBands bands;
        const Contender middleJob = copyAt(kFirst, 2 * kBlock);
        const Contender highJob = copyAt(kFirst, kBlock);
        const PlacedJob low = bands.submit(0, lowJob);
        bands.bench.run(3000);
        const PlacedJob middle = bands.submit(1, middleJob);
        REQUIRE(bands.bench.runToMark("preempted"));
        bands.bench.run(2000);
        const PlacedJob high = bands.submit(2, highJob);
        bands.finish(2, highJob, high);
        const fw::CompletionRecord second = bands.finish(1, middleJob, middle);
        const fw::CompletionRecord record = bands.finish(0, lowJob, low);
        CHECK(record.savedBytes == sizeof(fw::SaveArea) + kBlock);
        CHECK(second.savedBytes == sizeof(fw::SaveArea) + kBlock);
    });
}

TEST_CASE("a reload is skipped if its data is still there [Q-3]") {
    simCase([] {
        const fw::CompletionRecord record = reloadBeside(smallJob());
        CHECK(record.savedBytes == sizeof(fw::SaveArea));
        CHECK(record.reloadedBytes == 0);
    });
}

TEST_CASE("data that a reload would overwrite is not kept [Q-3]") {
    simCase([] {
        // Its first block is needed by the other job; the second would be kept but for the
        // transfer.
        const fw::CompletionRecord record = reloadBeside(copyAt(kReloadedAt, kBlock));
        CHECK(record.savedBytes == sizeof(fw::SaveArea) + kKib);
        CHECK(record.reloadedBytes == 2 * kBlock);
    });
}

TEST_CASE("an idle device keeps nothing, because it may lose its power [Q-3] [E-7]") {
    simCase([] {
        LowBelowHigh jobs;
        REQUIRE(jobs.bands.bench.runToMark("preempted"));
        CHECK(jobs.bands.bench.ask(ringRequest(fw::MessageType::kSuspendRing, 0)).status == 0);
        jobs.finishHigh();
        jobs.bands.bench.run(100'000);
        CHECK(jobs.bands.bench.countOf(LogEvent::kKeptSaved) == 1);
        CHECK(jobs.bands.bench.ask(ringRequest(fw::MessageType::kResumeRing, 0)).status == 0);
        const fw::CompletionRecord record = jobs.finishLow();
        CHECK(record.savedBytes == sizeof(fw::SaveArea) + 128 * kKib);
    });
}

TEST_CASE("if its save area is gone, only the job of the kept bytes restarts [Q-4]") {
    simCase([] {
        KeptBelowWide jobs;
        REQUIRE(jobs.bands.bench.runToMark("preempted"));
        for (std::uint64_t page = 0; page < 64; ++page) {
            jobs.bands.bench.unmap(jobs.low.slot.saveAddress + page * 4096);
        }
        fw::Message request{};
        request.type = fw::MessageType::kInvalidateTlb;
        request.target.context = kContext;
        CHECK(jobs.bands.bench.ask(request).status == 0);
        jobs.finishHigh();
        CHECK(jobs.finishWide().restarts == 0);
        const fw::CompletionRecord record = jobs.finishLow();
        CHECK(record.restarts == 1);
        CHECK(record.contextStatus == JobStatus::kMmuFault);
        CHECK(jobs.bands.bench.countOf(LogEvent::kSaveFailed) == 1);
    });
}

TEST_CASE("a bus error while kept bytes are saved is attributed to the preempted job [E-7]") {
    simCase([] {
        hw::FaultInjector faults;
        KeptBelowWide jobs(&faults);
        REQUIRE(jobs.bands.bench.runToMark("job-end"));
        faults.arm({.kind = hw::FaultKind::kDmaError, .engine = hw::Engine::kDma1});
        jobs.finishHigh();
        CHECK(jobs.finishWide().restarts == 0);
        const fw::CompletionRecord record = jobs.finishLow();
        REQUIRE(faults.injected().size() == 1);
        CHECK(faults.injected()[0].jobId == record.jobId);
        CHECK(record.restarts == 1);
        CHECK(record.contextStatus == JobStatus::kBusError);
        CHECK(record.contextEngine == hw::engineIndex(hw::Engine::kDma1));
    });
}

TEST_CASE("an engine that hangs while kept bytes are saved ends the preempted job [E-7]") {
    simCase([] {
        hw::FaultInjector faults;
        KeptBelowWide jobs(&faults);
        REQUIRE(jobs.bands.bench.runToMark("job-end"));
        faults.arm({.kind = hw::FaultKind::kEngineHang, .engine = hw::Engine::kDma1});
        const fw::CompletionRecord record = jobs.bands.bench.finish(0).at(0);
        CHECK(record.jobId == jobs.low.slot.jobId);
        CHECK(record.status == JobStatus::kEngineHang);
        CHECK(record.failingEngine == hw::engineIndex(hw::Engine::kDma1));
        jobs.finishWide();
    });
}

TEST_CASE("destroying a ring leaves nothing kept behind [Q-4]") {
    simCase([] {
        LowBelowHigh jobs;
        const Contender wideJob = copyAt(128 * kKib);
        REQUIRE(jobs.bands.bench.runToMark("preempted"));
        CHECK(jobs.bands.bench.ask(ringRequest(fw::MessageType::kDestroyRing, 0)).status == 0);
        const PlacedJob wide = jobs.bands.submit(1, wideJob);
        jobs.finishHigh();
        jobs.bands.finish(1, wideJob, wide);
        CHECK(jobs.bands.bench.countOf(LogEvent::kKeptSaved) == 0);
    });
}

TEST_CASE("a ring destroyed while its kept bytes are saved ends first [Q-4]") {
    simCase([] {
        LowBelowHigh jobs(copyAt(64 * kKib, 256 * kKib));
        const Contender wideJob = copyAt(128 * kKib);
        REQUIRE(jobs.bands.bench.runToMark("preempted"));
        const PlacedJob wide = jobs.bands.submit(1, wideJob);
        jobs.bands.bench.finish(2);
        jobs.bands.bench.run(5000);  // of the 32,768 cycles for 128 KiB
        CHECK(jobs.bands.bench.ask(ringRequest(fw::MessageType::kDestroyRing, 0)).status == 0);
        // Data written after the reply no longer belongs to the job.
        const std::vector<std::byte> atReply =
                jobs.bands.bench.bytesAt(jobs.low.saveBus, 256 * kKib);
        jobs.bands.finish(1, wideJob, wide);
        CHECK(jobs.bands.bench.bytesAt(jobs.low.saveBus, 256 * kKib) == atReply);
        CHECK(jobs.bands.bench.countOf(LogEvent::kKeptSaved) == 0);
    });
}

TEST_CASE("jobs of three bands with any SRAM at random times are correct to the byte [Q-3]") {
    simCase([] {
        std::mt19937 generator(7);
        const auto random = [&](std::uint32_t below) {
            return static_cast<std::uint32_t>(generator() % below);
        };
        ThreeBands bands;
        // Three rings of five jobs each, resubmitted repeatedly.
        std::vector<Contender> contenders;
        std::vector<PlacedJob> placed;
        for (int i = 0; i < 15; ++i) {
            const std::uint32_t bytes = (1 + random(60)) * 1000;
            contenders.push_back(i % 5 == 0 ? smallJob() : copyAt(random(400 * kKib), bytes));
            placed.push_back(bands.place(contenders.back()));
        }
        std::uint32_t preemptions = 0;
        std::uint64_t saved = 0;
        std::uint64_t jobId = 1000;
        for (int round = 0; round < 60; ++round) {
            std::size_t chosen[3];
            for (std::uint32_t ring = 0; ring < 3; ++ring) {
                const std::size_t i = chosen[ring] = ring * 5 + random(5);
                const PreemptibleJob& job = contenders[i].job;
                std::byte* region = bands.bench.memory.at(placed[i].regionBus);
                std::fill_n(region, job.regionBytes, std::byte{0});
                job.fill(region);
                placed[i].slot.jobId = ++jobId;
                bands.bench.submit(ring, placed[i].slot);
                bands.bench.run(random(12'000));
            }
            for (const std::uint32_t ring : {2U, 1U, 0U}) {
                const std::size_t i = chosen[ring];
                const auto record = bands.finish(ring, contenders[i], placed[i]);
                preemptions += record.preemptions;
                saved += record.savedBytes -
                         std::uint64_t{record.preemptions} * sizeof(fw::SaveArea);
                CHECK(record.restarts == 0);
            }
        }
        CHECK(preemptions > 30);
        CHECK(saved > 0);
        CHECK(bands.bench.countOf(LogEvent::kSaveFailed) == 0);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
