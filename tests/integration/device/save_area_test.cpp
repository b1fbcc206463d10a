// SPDX-License-Identifier: Apache-2.0
// The contents of a preempted job's save area, and their restore, on the device itself, where
// JOB_START destroys all other state of the job.
#include "firmware/api/save_area.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/integration/device/preemptible_jobs.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using fw::LogEvent;
using fw::Mechanism;
using fw::Policy;
using fw::PriorityBand;
using hw::JobStatus;

/// Runs the job undisturbed and then with a save at every checkpoint; returns whether both produced
/// the same bytes.
bool isSameWhenForced(const PreemptibleJob& disturbed,
                      const hw::NpuConfig& config = poisoningConfig()) {
    FirmwareBench bench(config);
    bench.start();
    bench.makeRing(0, PriorityBand::kNormal);
    const PlacedJob alone = place(bench, disturbed, 1);
    bench.submit(0, alone.slot);
    CHECK(bench.finish(0).at(0).status == JobStatus::kOk);

    bench.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, fw::kScheduleForced));
    const PlacedJob forced = place(bench, disturbed, 2);
    bench.submit(0, forced.slot);
    const fw::CompletionRecord record = bench.finish(0).at(0);
    CHECK(record.status == JobStatus::kOk);
    CHECK(record.preemptions == disturbed.checkpoints);
    CHECK(record.restarts == 0);
    CHECK(bench.countOf(LogEvent::kJobPreempted) == disturbed.checkpoints);
    CHECK(bench.countOf(LogEvent::kJobResumed) == disturbed.checkpoints);
    const bool isRace =
            hw::regs::Status::kSramRace.get(bench.read(hw::regs::Status::kSpec.offset)) != 0;
    CHECK_FALSE(isRace);
    return alone.output(bench, disturbed) == forced.output(bench, disturbed);
}

/// Makes one save or restore of a job fail: it must still produce the same bytes, from its start.
/// `spoil` runs before the job starts or after it is preempted.
struct Spoilt {
    std::function<void(FirmwareBench&, PlacedJob&)> before = [](FirmwareBench&, PlacedJob&) {};
    std::function<void(FirmwareBench&, PlacedJob&)> whileSaved = {};
    ChangeCheckpoint checkpoint = {};
};

fw::CompletionRecord runSpoilt(FirmwareBench& bench, const Spoilt& spoilt) {
    bench.start();
    bench.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, fw::kScheduleForced));
    bench.makeRing(0, PriorityBand::kNormal);
    const PreemptibleJob job = accumulatingJob();
    const PlacedJob sound = place(bench, job, 1);
    bench.submit(0, sound.slot);
    CHECK(bench.finish(0).at(0).preemptions == 3);

    PlacedJob placed = place(bench, accumulatingJob(spoilt.checkpoint), 2);
    spoilt.before(bench, placed);
    bench.submit(0, placed.slot);
    if (spoilt.whileSaved) {
        REQUIRE(bench.runToMark("preempted"));
        spoilt.whileSaved(bench, placed);
    }
    const fw::CompletionRecord record = bench.finish(0).at(0);
    CHECK(record.status == JobStatus::kOk);
    CHECK(placed.output(bench, job) == sound.output(bench, job));
    CHECK(bench.countOf(LogEvent::kSaveFailed) == 1);
    return record;
}

/// Marks the operands of the second product of accumulatingJob() to be reloaded by the transfers at
/// these positions instead of saved.
ChangeCheckpoint reloading(const std::vector<std::uint32_t>& offsets) {
    return [offsets](hw::Checkpoint& checkpoint) {
        if (checkpoint.id == 0) {
            std::fill(std::begin(checkpoint.ranges), std::end(checkpoint.ranges), hw::SramRange{});
            checkpoint.rangeCount = 0;
            checkpoint.reloadBytes = 2048 + 1024;
            checkpoint.reloadCount = static_cast<std::uint16_t>(offsets.size());
            std::copy(offsets.begin(), offsets.end(), std::begin(checkpoint.reloads));
        }
    };
}

// The job's transfers of these operands: the second and the fourth command, 128 bytes each.
constexpr std::uint32_t kSecondInput = 128;
constexpr std::uint32_t kSecondFilter = 3 * 128;

/// A checkpoint that repeats the command at `offset`.
void reloadWrong(std::uint32_t offset, JobStatus status) {
    FirmwareBench bench(poisoningConfig());
    const fw::CompletionRecord record =
            runSpoilt(bench, {.checkpoint = reloading({kSecondInput, offset})});
    CHECK(record.preemptions == 1);
    CHECK(record.restarts == 1);
    CHECK(record.contextStatus == status);
    CHECK(record.contextEngine == fw::kNoEngine);
}

/// A job whose header in the save area is changed while it is preempted.
void changeHeader(const std::function<void(fw::SaveArea&)>& change) {
    FirmwareBench bench(poisoningConfig());
    const fw::CompletionRecord record =
            runSpoilt(bench, {.whileSaved = [&](FirmwareBench& memory, PlacedJob& job) {
                          auto header = memory.memory.load<fw::SaveArea>(job.saveBus);
                          REQUIRE(header.magic == fw::kSaveMagic);
                          change(header);
                          memory.memory.store(job.saveBus, header);
                      }});
    CHECK(record.preemptions == 1);
    CHECK(record.restarts == 1);
    CHECK(record.contextStatus == JobStatus::kBadOperand);
    CHECK(record.contextEngine == fw::kNoEngine);
}

}  // namespace

TEST_SUITE_BEGIN("integration/device/save_area");

TEST_CASE("a product preempted between its halves is the same to the byte [Q-3]") {
    simCase([] { CHECK(isSameWhenForced(accumulatingJob())); });
}

TEST_CASE("a loop preempted in each pass is the same to the byte [Q-3]") {
    simCase([] { CHECK(isSameWhenForced(loopingJob())); });
}

TEST_CASE("operators stopped at a yield point are the same to the byte [Q-3]") {
    simCase([] {
        hw::NpuConfig config = poisoningConfig();
        config.dsp.yieldCycles = 3000;
        CHECK(isSameWhenForced(operatorJob(16384), config));
    });
}

TEST_CASE("overwriting the DSP's state changes the result [Q-3]") {
    simCase([] {
        hw::NpuConfig config = poisoningConfig();
        config.dsp.yieldCycles = 3000;
        FirmwareBench bench(config);
        bench.start();
        bench.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, fw::kScheduleForced));
        bench.makeRing(0, PriorityBand::kNormal);
        const PreemptibleJob job = operatorJob(16384);
        const PlacedJob sound = place(bench, job, 1);
        bench.submit(0, sound.slot);
        CHECK(bench.finish(0).at(0).status == JobStatus::kOk);
        const PlacedJob spoilt = place(bench, job, 2);
        bench.submit(0, spoilt.slot);
        REQUIRE(bench.runToMark("preempted"));
        *bench.memory.at(spoilt.saveBus + 768) ^= std::byte{1};
        CHECK(bench.finish(0).at(0).status == JobStatus::kOk);
        CHECK(sound.output(bench, job) != spoilt.output(bench, job));
    });
}

TEST_CASE("an interrupted operator takes its time plus one start-up [Q-3]") {
    simCase([] {
        hw::NpuConfig config;
        config.dsp.yieldCycles = 5000;
        FirmwareBench bench(config);
        bench.start();
        bench.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, fw::kScheduleForced));
        bench.makeRing(0, PriorityBand::kNormal);
        const PlacedJob placed = place(bench, operatorJob(16384), 1);
        bench.submit(0, placed.slot);
        CHECK(bench.finish(0).at(0).status == JobStatus::kOk);
        const auto parts = bench.observer.of(hw::Engine::kDsp);
        REQUIRE(parts.size() == 4);
        // Start-up 200, latency 104, then the two operands of the descriptor and the data,
        // limited by memory at 4 bytes a cycle, with walks of 60 in between.
        const std::uint64_t moved = (2 * 104 + 2 * 65536) / 4;
        CHECK(parts[0].endCycle - parts[0].startCycle == 5000);
        const std::uint64_t rest = parts[1].endCycle - parts[1].startCycle;
        const std::uint64_t first = 5000 - 304;
        CHECK(static_cast<double>(rest) ==
              doctest::Approx(304.0 + static_cast<double>(moved - first)).epsilon(0.02));
        CHECK(parts[0].dramBytes + parts[1].dramBytes == 2 * 65536);
    });
}

TEST_CASE("a live range that is not saved changes the result [Q-3]") {
    simCase([] {
        CHECK_FALSE(isSameWhenForced(accumulatingJob([](hw::Checkpoint& checkpoint) {
            if (checkpoint.id == 0) {
                checkpoint.ranges[1] = {};
                checkpoint.rangeCount = 1;
            }
        })));
    });
}

TEST_CASE("data reloaded instead of saved is the same to the byte [Q-3]") {
    simCase([] {
        CHECK(isSameWhenForced(accumulatingJob(reloading({kSecondInput, kSecondFilter}))));
    });
}

TEST_CASE("data neither saved nor reloaded changes the result [Q-3]") {
    simCase([] { CHECK_FALSE(isSameWhenForced(accumulatingJob(reloading({kSecondInput})))); });
}

TEST_CASE("reloading omits the save and takes a second load [Q-3]") {
    simCase([] {
        FirmwareBench bench(poisoningConfig());
        bench.start();
        bench.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, fw::kScheduleForced));
        bench.makeRing(0, PriorityBand::kNormal);
        const PlacedJob saved = place(bench, accumulatingJob(), 1);
        const PlacedJob reloaded =
                place(bench, accumulatingJob(reloading({kSecondInput, kSecondFilter})), 2);
        bench.submit(0, saved.slot);
        const fw::CompletionRecord first = bench.finish(0).at(0);
        bench.submit(0, reloaded.slot);
        const fw::CompletionRecord second = bench.finish(0).at(0);
        CHECK(first.savedBytes - second.savedBytes == 2048 + 1024);
        // They are not written, at 4 bytes a cycle. Their restore takes as long as before, but
        // it comes first and starts separately: the fetch of the first command of 128 bytes,
        // its push, the transfer's latency, a walk of the page table, the wake-up.
        const double less = (2048 + 1024) / 4.0;
        const double more = 104 + 128 / 4.0 + 20 + 30 + 112 + 60 + 30;
        CHECK(static_cast<double>(second.switchCycles) - static_cast<double>(first.switchCycles) ==
              doctest::Approx(more - less).epsilon(0.1));
    });
}

TEST_CASE("a matrix product as reload is refused [Q-4]") {
    simCase([] { reloadWrong(4 * 128, JobStatus::kBadOpcode); });
}

TEST_CASE("a reload that begins within a transfer is refused [Q-4]") {
    simCase([] { reloadWrong(3 * 128 + 8, JobStatus::kBadOpcode); });
}

TEST_CASE("a reload after the end of the stream is refused [Q-4]") {
    simCase([] { reloadWrong(0xFFFFFFF8, JobStatus::kTruncatedStream); });
}

TEST_CASE("live accumulators that are not saved change the result [Q-3]") {
    simCase([] {
        CHECK_FALSE(isSameWhenForced(accumulatingJob(
                [](hw::Checkpoint& checkpoint) { checkpoint.accumulatorBytes = 0; })));
    });
}

TEST_CASE("the area contains header, ranges and accumulators at the specified offsets [Q-3]") {
    simCase([] {
        FirmwareBench bench(poisoningConfig());
        bench.start();
        bench.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, fw::kScheduleForced));
        bench.makeRing(0, PriorityBand::kNormal);
        const PreemptibleJob job = copyingJob(1000, 100);
        const PlacedJob placed = place(bench, job, 7);
        bench.submit(0, placed.slot);
        const fw::CompletionRecord record = bench.finish(0).at(0);
        const auto header = bench.memory.load<fw::SaveArea>(placed.saveBus);
        CHECK(header.magic == fw::kSaveMagic);
        CHECK(header.jobId == 7);
        // One transfer of 128 bytes and the checkpoint of 136 bytes precede the next command.
        CHECK(header.nextCommand == 128 + 208);
        CHECK(header.tokens[0] == 1);
        CHECK(std::all_of(std::begin(header.tokens) + 1, std::end(header.tokens),
                          [](std::uint32_t count) { return count == 0; }));
        CHECK(header.checkpoint.ranges[0].sizeBytes == 1000);
        CHECK(bench.bytesAt(placed.saveBus + 768, 1000) == bench.bytesAt(placed.regionBus, 1000));
        // 1000 bytes end at 1024; the accumulators hold the values of JOB_START.
        CHECK(bench.bytesAt(placed.saveBus + 768 + 1024, 100) ==
              std::vector<std::byte>(100, std::byte{0xA5}));
        CHECK(record.savedBytes == 768 + 1024 + 100);
    });
}

TEST_CASE("saving takes the transfers' closed form, on all channels [Q-3]") {
    simCase([] {
        constexpr std::uint32_t kBytes = 256 * 1024;
        constexpr std::uint32_t kAccumulators = 32 * 1024;
        hw::NpuConfig config;
        FirmwareBench bench(config);
        bench.start();
        bench.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, fw::kScheduleForced));
        bench.makeRing(0, PriorityBand::kNormal);
        const PreemptibleJob job = copyingJob(kBytes, kAccumulators);
        PlacedJob placed = place(bench, job, 1);
        bench.addSaveArea(placed.slot, 0x60000, true);
        bench.submit(0, placed.slot);
        const fw::CompletionRecord record = bench.finish(0).at(0);
        CHECK(record.status == JobStatus::kOk);
        // The default device: start-up 8, DRAM latency 100 and 4 bytes per cycle, interconnect
        // latency 4. Both ways; the controller moves the header of 768 bytes.
        const double data = 112 + (kBytes + kAccumulators) / 4.0;
        const double header = 104 + 768 / 4.0;
        CHECK(static_cast<double>(record.switchCycles) ==
              doctest::Approx(2 * (data + header)).epsilon(0.05));
        for (std::size_t channel = 0; channel < hw::kDmaChannelCount; ++channel) {
            // Range and accumulators in four parts each, saved and restored, and the two of the
            // job itself.
            const std::size_t own = channel == 0 || channel == 2 ? 1 : 0;
            CHECK(bench.observer.of(static_cast<hw::Engine>(channel)).size() == 4 + own);
        }
    });
}

TEST_CASE("saving in timing-only mode takes the same time [Q-3]") {
    simCase([] {
        hw::NpuConfig config;
        config.timingOnly = true;
        FirmwareBench bench(config);
        bench.start();
        bench.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, fw::kScheduleForced));
        bench.makeRing(0, PriorityBand::kNormal);
        const PlacedJob placed = place(bench, accumulatingJob(), 1);
        bench.submit(0, placed.slot);
        const fw::CompletionRecord record = bench.finish(0).at(0);
        CHECK(record.status == JobStatus::kOk);
        CHECK(record.preemptions == 3);
        // The three contexts: 768 + 2048 + 1024 + 8192, twice 768 + 2048.
        CHECK(record.savedBytes == 12032 + 2816 + 2816);
    });
}

TEST_CASE("an unmapped save area makes the job restart, with the correct result [Q-4]") {
    simCase([] {
        FirmwareBench bench(poisoningConfig());
        const fw::CompletionRecord record =
                runSpoilt(bench, {.before = [](FirmwareBench& memory, PlacedJob& job) {
                              memory.unmap(job.slot.saveAddress);
                          }});
        CHECK(record.preemptions == 0);
        CHECK(record.restarts == 1);
        CHECK(record.wastedCycles > 0);
        CHECK(record.faultAddress == 0);
        CHECK(record.wastedCycles < record.executedCycles);
        CHECK(record.contextStatus == JobStatus::kMmuFault);
        CHECK(record.contextEngine == hw::engineIndex(hw::Engine::kDma0));
        CHECK(record.failingEngine == fw::kNoEngine);
    });
}

TEST_CASE("a save area without room for the context makes the job restart [Q-4]") {
    simCase([] {
        FirmwareBench bench(poisoningConfig());
        const fw::CompletionRecord record =
                runSpoilt(bench, {.before = [](FirmwareBench&, PlacedJob& job) {
                              job.slot.saveBytes = sizeof(fw::SaveArea) + 64;
                          }});
        CHECK(record.preemptions == 0);
        CHECK(record.restarts == 1);
        CHECK(record.contextStatus == JobStatus::kOutOfRegion);
        CHECK(record.contextEngine == fw::kNoEngine);
    });
}

TEST_CASE("a save area unmapped during the preemption makes the job restart [Q-4]") {
    simCase([] {
        FirmwareBench bench(poisoningConfig());
        const fw::CompletionRecord record =
                runSpoilt(bench, {.whileSaved = [](FirmwareBench& memory, PlacedJob& job) {
                              memory.unmap(job.slot.saveAddress);
                              fw::Message request{};
                              request.type = fw::MessageType::kInvalidateTlb;
                              request.target.context = kContext;
                              CHECK(memory.ask(request).status == 0);
                          }});
        CHECK(record.restarts == 1);
        CHECK(record.contextStatus == JobStatus::kMmuFault);
        CHECK(record.contextEngine == fw::kNoEngine);  // the controller's own access
    });
}

TEST_CASE("a bus error during a restore is reported and makes the job restart [E-7]") {
    simCase([] {
        hw::FaultInjector faults;
        FirmwareBench bench(poisoningConfig(), "bench", &faults);
        const fw::CompletionRecord record = runSpoilt(
                bench, {.whileSaved = [&faults](FirmwareBench&, PlacedJob&) {
                    faults.arm({.kind = hw::FaultKind::kDmaError, .engine = hw::Engine::kDma1});
                }});
        REQUIRE(faults.injected().size() == 1);
        CHECK(faults.injected()[0].jobId == record.jobId);
        CHECK(record.restarts == 1);
        CHECK(record.contextStatus == JobStatus::kBusError);
        CHECK(record.contextEngine == hw::engineIndex(hw::Engine::kDma1));
        CHECK(record.failingEngine == fw::kNoEngine);
    });
}

TEST_CASE("a header without its magic number is refused [Q-4]") {
    simCase([] { changeHeader([](fw::SaveArea& header) { header.magic = 0; }); });
}

TEST_CASE("another job's header is refused [Q-4]") {
    simCase([] { changeHeader([](fw::SaveArea& header) { ++header.jobId; }); });
}

TEST_CASE("a header of another checkpoint is refused [Q-4]") {
    simCase([] {
        changeHeader([](fw::SaveArea& header) { header.checkpoint.ranges[0].sizeBytes -= 8; });
    });
}

TEST_CASE("a next command without a checkpoint before it is refused [Q-4]") {
    simCase([] { changeHeader([](fw::SaveArea& header) { header.nextCommand -= 8; }); });
}

TEST_CASE("a next command after the end of the stream is refused [Q-4]") {
    simCase([] { changeHeader([](fw::SaveArea& header) { header.nextCommand = 0xFFFFFFF8; }); });
}

TEST_CASE("more tokens than commands are refused [Q-4]") {
    simCase([] { changeHeader([](fw::SaveArea& header) { header.tokens[4] = 0xFFFFFFFF; }); });
}

TEST_CASE("a save area over the job's own stream affects only that job [Q-4]") {
    simCase([] {
        FirmwareBench bench(poisoningConfig());
        bench.start();
        bench.setScheduling(scheduling(Policy::kBands, Mechanism::kNone, fw::kScheduleForced));
        bench.makeRing(0, PriorityBand::kNormal);
        bench.makeRing(1, PriorityBand::kNormal);
        const PreemptibleJob job = accumulatingJob();
        PlacedJob liar = place(bench, job, 1);
        liar.slot.saveAddress = liar.slot.commandAddress;
        const PlacedJob honest = place(bench, job, 2);
        const PlacedJob alone = place(bench, job, 3);
        bench.submit(0, liar.slot);
        bench.submit(1, honest.slot);
        CHECK(bench.finish(0).at(0).status != JobStatus::kOk);
        CHECK(bench.finish(1).at(0).status == JobStatus::kOk);
        bench.submit(1, alone.slot);
        CHECK(bench.finish(1).at(0).status == JobStatus::kOk);
        CHECK(honest.output(bench, job) == alone.output(bench, job));
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
