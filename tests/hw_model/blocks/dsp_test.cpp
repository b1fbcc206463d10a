// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/dsp.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "tests/hw_model/blocks/dsp_case.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

/// SPLIT of six int32 into two halves with open dimensions and room for `outputBytes` each.
std::vector<DspOperand> splitOperands(std::uint64_t outputBytes) {
    std::vector<DspOperand> operands = {tensor(TensorType::kInt32, {6}, kInputOffset),
                                        tensor(TensorType::kInt32Scalar, {}, kInputOffset + 0x100),
                                        tensor(TensorType::kInt32Scalar, {}, kInputOffset + 0x104)};
    for (std::uint64_t o = 0; o < 2; ++o) {
        DspOperand half = tensor(TensorType::kInt32, {}, kOutputOffset + o * 0x100, outputBytes);
        half.rank = kAnyRank;
        half.flags = kOperandDynamic;
        half.shape = shapeAt(o);
        operands.push_back(half);
    }
    return operands;
}

void placeSplit(JobBench& bench, std::uint64_t outputBytes) {
    place(bench, splitOperands(outputBytes));
    store<std::int32_t>(bench, kInputOffset, {1, 2, 3, 4, 5, 6});
    store<std::int32_t>(bench, kInputOffset + 0x100, {0, 2});
}

/// Runs the bench's job again, after a reset of its program.
JobStatus runAgain(JobBench& bench) {
    bench.write(regs::Control::kSpec.offset, regs::Control::kReset.mask());
    bench.run(1000);
    return JobBench::statusOf(bench.runJob());
}

/// A device that runs several jobs one after another.
class FloorBench {
  public:
    FloorBench() : bench_(floorCommand()) { floor_.placeIn(bench_); }

    /// The status of a FLOOR of 16 floats with operands changed by `change`; checks that nothing
    /// was written.
    JobStatus statusAfter(const std::function<void(std::vector<DspOperand>&)>& change) {
        std::vector<DspOperand> operands = floor_.operands();
        change(operands);
        place(bench_, operands);
        const JobStatus status = runAgain(bench_);
        CHECK(floor_.isUntouchedIn(bench_));
        CHECK(bench_.observer.of(Engine::kDsp).empty());
        return status;
    }

  private:
    const Floor floor_{16};
    JobBench bench_;
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/dsp");

TEST_CASE("an operator reads and writes tensors in memory [E-2]") {
    simCase([] {
        JobBench bench(floorCommand());
        const Floor floor(1000);
        floor.placeIn(bench);
        CHECK(bench.runJob() == 0);
        CHECK(floor.isDoneIn(bench));
        CHECK(bench.memory.load<float>(JobBench::bus(kOutputOffset + 4000)) == 0.0F);
        CHECK(bench.perf(regs::PerfEvent::kDmaBytesRead) == 4000);
        CHECK(bench.perf(regs::PerfEvent::kDmaBytesWritten) == 4000);
    });
}

TEST_CASE("the memory port limits an operator of few cycles [E-3]") {
    simCase([] {
        JobBench bench(floorCommand());
        Floor(1000).placeIn(bench);
        CHECK(bench.runJob() == 0);
        const EngineCommandRecord record = bench.observer.of(Engine::kDsp).at(0);
        // 8000 bytes and two descriptors of 104 are 129 bursts; 450 cycles of work hide.
        CHECK(cyclesOf(record) == kDspFixedCycles + 129 * 64 / 4 + kWalkCycles);
        CHECK(record.busyCycles == kDspFixedCycles + 129 * 64 / 4);
        CHECK(record.dramBytes == 8000);
        CHECK(record.dramStallCycles == 0);
    });
}

TEST_CASE("the computation limits an operator of few bytes [E-3]") {
    simCase([] {
        constexpr std::uint32_t kCount = 1000;
        JobBench bench(only(command(Operator::kTopkV2, 2, 2)));
        place(bench,
              {floats(kCount, kInputOffset), tensor(TensorType::kInt32Scalar, {}, kInputOffset - 4),
               tensor(TensorType::kFloat32, {2}, kOutputOffset),
               tensor(TensorType::kInt32, {2}, kOutputOffset + 0x100)});
        store(bench, kInputOffset, halves(kCount));
        store<std::int32_t>(bench, kInputOffset - 4, {2});
        CHECK(bench.runJob() == 0);
        CHECK(loadAll<float>(bench, kOutputOffset, 2) == std::vector<float>{999.5F, 998.5F});
        CHECK(loadAll<std::int32_t>(bench, kOutputOffset + 0x100, 2) ==
              std::vector<std::int32_t>{999, 998});
        // A sort: n * log2(n) steps, which hide 4028 bytes and the page walk.
        CHECK(cyclesOf(bench.observer.of(Engine::kDsp).at(0)) == 200 + 1000 * 10 * 4);
    });
}

TEST_CASE("the values of scalars determine the cycles [E-3]") {
    simCase([] {
        // A pool with windows of 9 x 9 and padding SAME: 81 steps for each of 2048 results.
        JobBench bench(only(command(Operator::kMaxPool2d, 7, 1)));
        std::vector<DspOperand> operands = {
                tensor(TensorType::kFloat32, {1, 16, 16, 8}, kInputOffset)};
        const std::vector<std::int32_t> scalars = {1, 1, 1, 9, 9, 0};
        for (std::uint64_t i = 0; i < scalars.size(); ++i) {
            operands.push_back(tensor(TensorType::kInt32Scalar, {}, kShapes + 4 * i));
        }
        operands.push_back(tensor(TensorType::kFloat32, {1, 16, 16, 8}, kOutputOffset));
        place(bench, operands);
        store(bench, kShapes, scalars);
        CHECK(bench.runJob() == 0);
        CHECK(cyclesOf(bench.observer.of(Engine::kDsp).at(0)) == 200 + 2048 / 4 * 81);
    });
}

TEST_CASE("the DSP shares the memory with the DMA [E-3]") {
    simCase([] {
        CommandList list = floorCommand();
        list.add(Engine::kDma0, copyBytes(inRegion(0x20000), inSram(0), 16384));
        JobBench bench(list);
        const Floor floor(2000);
        floor.placeIn(bench);
        CHECK(bench.runJob() == 0);
        CHECK(floor.isDoneIn(bench));
        CHECK(bench.observer.of(Engine::kDsp).at(0).dramStallCycles > 1000);
        CHECK(bench.observer.of(Engine::kDma0).at(0).dramStallCycles > 1000);
    });
}

TEST_CASE("operators run one after another, and tokens hold them back [E-1]") {
    simCase([] {
        constexpr std::uint64_t kSecond = 0x400;
        CommandList list = floorCommand();
        list.add(Engine::kDsp, command(Operator::kNeg, 1, 1, kSecond));
        list.add(Engine::kDma2, copyBytes(inRegion(kOutputOffset + 0x2000), inRegion(0x20000), 64),
                 {waitFor(Engine::kDsp, 2)});
        JobBench bench(list);
        Floor(16).placeIn(bench);
        place(bench, {floats(16, kOutputOffset), floats(16, kOutputOffset + 0x2000)}, kSecond);
        CHECK(bench.runJob() == 0);
        CHECK(bench.memory.load<float>(JobBench::bus(0x20000 + 60)) == -15.0F);
        const auto records = bench.observer.of(Engine::kDsp);
        CHECK(records.at(1).startCycle == records.at(0).endCycle);
        CHECK(bench.observer.of(Engine::kDma2).at(0).startCycle == records.at(1).endCycle);
    });
}

TEST_CASE("open dimensions are reported when they are known [E-2]") {
    simCase([] {
        JobBench bench(only(command(Operator::kSplit, 3, 2)));
        placeSplit(bench, 12);
        CHECK(bench.runJob() == 0);
        for (std::uint64_t o = 0; o < 2; ++o) {
            const auto shape = bench.memory.load<DspShape>(JobBench::bus(shapeAt(o).offset));
            CHECK(shape.state == kShapeKnown);
            CHECK(shape.rank == 1);
            CHECK(shape.dimensions[0] == 3);
            CHECK(shape.neededBytes == 12);
        }
        CHECK(loadAll<std::int32_t>(bench, kOutputOffset, 3) == std::vector<std::int32_t>{1, 2, 3});
        CHECK(loadAll<std::int32_t>(bench, kOutputOffset + 0x100, 3) ==
              std::vector<std::int32_t>{4, 5, 6});
    });
}

TEST_CASE(
        "the shape of an output that is too small is reported, and nothing else is written "
        "[MP-3]") {
    simCase([] {
        JobBench bench(only(command(Operator::kSplit, 3, 2)));
        placeSplit(bench, 11);
        const std::uint32_t error = bench.runJob();
        CHECK(JobBench::statusOf(error) == JobStatus::kNoRoom);
        CHECK(regs::EngineError::kEngine.get(error) == static_cast<std::uint32_t>(Engine::kDsp));
        const auto shape = bench.memory.load<DspShape>(JobBench::bus(shapeAt(0).offset));
        CHECK(shape.state == kShapeTooLarge);
        CHECK(shape.rank == 1);
        CHECK(shape.dimensions[0] == 3);
        CHECK(shape.neededBytes == 12);
        CHECK(bench.memory.load<std::int32_t>(JobBench::bus(kOutputOffset)) == 0);
        CHECK(bench.memory.load<std::int32_t>(JobBench::bus(kOutputOffset + 0x100)) == 0);
    });
}

TEST_CASE("the end of a region limits the room of an output [MP-3]") {
    simCase([] {
        JobBench bench(only(command(Operator::kSplit, 3, 2)));
        placeSplit(bench, 1024);
        std::vector<DspOperand> operands = splitOperands(1024);
        operands[4].data = inRegion(kRegionBytes - 8);
        place(bench, operands);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kNoRoom);
        CHECK(bench.memory.load<DspShape>(JobBench::bus(shapeAt(1).offset)).state ==
              kShapeTooLarge);
    });
}

TEST_CASE("an input's dimensions may be stored in memory [E-2]") {
    simCase([] {
        JobBench bench(floorCommand());
        const Floor floor(16);
        floor.placeIn(bench);
        std::vector<DspOperand> operands = floor.operands();
        for (std::uint64_t i = 0; i < 2; ++i) {
            operands[i].rank = kAnyRank;
            operands[i].flags = kOperandDynamic;
            operands[i].shape = shapeAt(i);
        }
        place(bench, operands);
        DspShape shape{};
        shape.state = kShapeKnown;
        shape.rank = 2;
        shape.dimensions[0] = 2;
        shape.dimensions[1] = 8;
        bench.memory.store(JobBench::bus(shapeAt(0).offset), shape);
        CHECK(bench.runJob() == 0);
        CHECK(floor.isDoneIn(bench));
        const auto found = bench.memory.load<DspShape>(JobBench::bus(shapeAt(1).offset));
        CHECK(found.rank == 2);
        CHECK(found.dimensions[1] == 8);
    });
}

TEST_CASE("an input without a known shape, or with one beyond its room, is refused [E-7]") {
    simCase([] {
        JobBench bench(floorCommand());
        const auto with = [&](std::uint32_t state, std::uint32_t rank, std::uint32_t extent) {
            std::vector<DspOperand> operands = Floor(16).operands();
            operands[0].flags = kOperandDynamic;
            operands[0].shape = shapeAt(0);
            place(bench, operands);
            DspShape shape{};
            shape.state = state;
            shape.rank = rank;
            std::fill(std::begin(shape.dimensions), std::end(shape.dimensions), extent);
            bench.memory.store(JobBench::bus(shapeAt(0).offset), shape);
            return runAgain(bench);
        };
        CHECK(with(kShapeKnown, 1, 16) == JobStatus::kOk);
        CHECK(with(kShapeUnknown, 1, 16) == JobStatus::kBadOperand);
        CHECK(with(kShapeTooLarge, 1, 16) == JobStatus::kBadOperand);
        CHECK(with(kShapeKnown, 9, 1) == JobStatus::kBadOperand);
        CHECK(with(kShapeKnown, 1, 0x1001) == JobStatus::kBadOperand);
        CHECK(with(kShapeKnown, 2, 1U << 31) == JobStatus::kBadOperand);  // 2^64 bytes
        CHECK(with(kShapeKnown, 8, ~0U) == JobStatus::kBadOperand);
    });
}

TEST_CASE("omitted and empty operands have no memory [E-2]") {
    simCase([] {
        constexpr std::uint64_t kNowhere = ~0ULL;
        JobBench bench(floorCommand());
        std::vector<DspOperand> operands = {floats(0, kNowhere), floats(0, kNowhere)};
        place(bench, operands);
        CHECK(bench.runJob() == 0);
        operands[0].flags = kOperandOmitted;
        place(bench, operands);
        CHECK(runAgain(bench) == JobStatus::kBadOperand);  // FLOOR needs it
    });
}

TEST_CASE("invalid descriptors are refused [E-7]") {
    using Operands = std::vector<DspOperand>;
    simCase([] {
        const std::vector<std::function<void(Operands&)>> changes = {
                [](Operands& o) { o[0].type = static_cast<TensorType>(15); },
                [](Operands& o) { o[1].type = static_cast<TensorType>(255); },
                [](Operands& o) { o[0].rank = 9; },
                [](Operands& o) { o[0].rank = kAnyRank; },  // a static input
                [](Operands& o) { o[0].flags = 0x80; },
                [](Operands& o) { o[0].flags = kOperandImmediate; },
                [](Operands& o) { o[1].flags = kOperandOmitted; },
                [](Operands& o) { o[0].capacityBytes = 63; },
                [](Operands& o) { o[0].channelCount = 1; },
                [](Operands& o) {
                    o[0].channelCount = 16;
                    o[0].channelDimension = 8;
                },
                [](Operands& o) { o[1].dimensions[0] = 17; },  // not the computed extent
                [](Operands& o) { o[1].rank = 2; },
                [](Operands& o) { o[1].type = TensorType::kInt32; },
        };
        FloorBench bench;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            CAPTURE(i);
            CHECK(bench.statusAfter(changes[i]) == JobStatus::kBadOperand);
        }
    });
}

TEST_CASE("operands outside their region are refused, however large [E-7]") {
    using Operands = std::vector<DspOperand>;
    simCase([] {
        const auto vast = [](Operands& o, std::uint32_t rank, std::uint32_t extent) {
            o[0].rank = static_cast<std::uint8_t>(rank);
            std::fill_n(o[0].dimensions, rank, extent);
            o[0].capacityBytes = ~0ULL;
        };
        const std::vector<std::function<void(Operands&)>> changes = {
                [](Operands& o) { o[0].data.offset = kRegionBytes - 63; },
                [](Operands& o) { o[0].data.offset = ~0ULL - 3; },
                [&](Operands& o) { vast(o, 1, 0x8000'0000); },
                [&](Operands& o) { vast(o, 2, 0x8000'0000); },
                [&](Operands& o) { vast(o, 8, ~0U); },
                [](Operands& o) {  // 16 GiB of scales for no elements
                    o[0].rank = 2;
                    o[0].dimensions[0] = o[0].channelCount = ~0U;
                    o[0].dimensions[1] = 0;
                },
                [](Operands& o) {
                    o[1].flags = kOperandDynamic;
                    o[1].shape = inRegion(kRegionBytes - 63);
                },
        };
        FloorBench bench;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            CAPTURE(i);
            CHECK(bench.statusAfter(changes[i]) == JobStatus::kOutOfRegion);
        }
        CHECK(bench.statusAfter([](Operands& o) { o[0].data.space = 64; }) ==
              JobStatus::kBadRegion);
        CHECK(bench.statusAfter([](Operands& o) { o[1].data.space = kSpaceSram; }) ==
              JobStatus::kNoRoom);
    });
}

TEST_CASE("invalid commands are refused [E-7]") {
    simCase([] {
        const std::vector<std::pair<DspOperator, JobStatus>> cases = {
                {command(static_cast<Operator>(96), 1, 1), JobStatus::kBadOperand},
                {command(static_cast<Operator>(9999), 1, 1), JobStatus::kBadOperand},
                {command(Operator::kFloor, 256, 1), JobStatus::kBadOperand},
                {command(Operator::kFloor, 0, 0), JobStatus::kBadOperand},
                {command(Operator::kFloor, 2, 0), JobStatus::kBadOperand},
                {command(Operator::kFloor, 1, 1, kRegionBytes - 207), JobStatus::kOutOfRegion}};
        std::vector<std::unique_ptr<JobBench>> benches;  // all before the first of them runs
        for (const auto& [work, status] : cases) {
            const char* name = sc_core::sc_gen_unique_name("bench");
            benches.push_back(std::make_unique<JobBench>(only(work), NpuConfig{}, name));
        }
        for (std::size_t i = 0; i < cases.size(); ++i) {
            CAPTURE(i);
            Floor(16).placeIn(*benches[i]);
            CHECK(JobBench::statusOf(benches[i]->runJob()) == cases[i].second);
        }
    });
}

TEST_CASE("a command of another engine is refused [E-7]") {
    simCase([] {
        CommandList list;
        list.add(Engine::kDsp, clampBytes(0, 0x1000, 16));
        JobBench bench(list);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kBadEngine);
    });
}

TEST_CASE("an unmapped input is a read fault [E-7]") {
    simCase([] {
        JobBench bench(floorCommand());
        std::vector<DspOperand> operands = Floor(2048).operands();
        operands[0].data = inRegion(0x20000, 1);
        place(bench, operands);
        bench.unmap(JobBench::smallPagesVa() + 0x21000);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kMmuFault);
        const std::uint32_t info = bench.read(regs::MmuFaultInfo::kSpec.offset);
        CHECK(regs::MmuFaultInfo::kValid.get(info) == 1);
        CHECK(regs::MmuFaultInfo::kWrite.get(info) == 0);
        CHECK(regs::MmuFaultInfo::kEngine.get(info) == static_cast<std::uint32_t>(Engine::kDsp));
        CHECK(bench.read(regs::MmuFaultAddressLo::kSpec.offset) ==
              static_cast<std::uint32_t>(JobBench::smallPagesVa() + 0x21000));
    });
}

TEST_CASE("an output on a read-only page is a write fault [E-7]") {
    simCase([] {
        JobBench bench(floorCommand());
        const Floor floor(2048);
        floor.placeIn(bench);
        std::vector<DspOperand> operands = floor.operands();
        operands[1].data = inRegion(kOutputOffset, 1);
        place(bench, operands);
        bench.map(JobBench::smallPagesVa() + kOutputOffset + 0x1000,
                  JobBench::bus(kOutputOffset + 0x1000), 0x1000, false);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kMmuFault);
        const std::uint32_t info = bench.read(regs::MmuFaultInfo::kSpec.offset);
        CHECK(regs::MmuFaultInfo::kWrite.get(info) == 1);
        CHECK(regs::MmuFaultInfo::kPermission.get(info) == 1);
        CHECK(floor.isUntouchedIn(bench));  // its first page neither
    });
}

TEST_CASE("a page without memory behind it is a bus error [E-7]") {
    simCase([] {
        JobBench bench(floorCommand());
        std::vector<DspOperand> operands = Floor(16).operands();
        operands[0].data = inRegion(0x20000, 1);
        place(bench, operands);
        bench.map(JobBench::smallPagesVa() + 0x20000, MemoryTarget::kBase + (1ULL << 32), 4096);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kBusError);
    });
}

TEST_CASE("an aborted command has written nothing and may be restarted [E-2]") {
    simCase([] {
        DeviceBench* device = nullptr;
        std::uint32_t tokens = 1;
        bool isUntouched = false;
        const Floor floor(1000);
        const CommandList list = floorCommand();
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            device->setRoot(port);
            const std::vector<Region> regions = {{kRegionVa, kRegionBytes}};
            startJob(port, regions);
            pushAll(port, list);
            port.charge(2300);  // of 2428
            port.read32(regs::CycleCounterLo::kSpec.offset);
            port.write32(regs::EngineAbort::kSpec.offset, 1);
            port.charge(3000);
            tokens = port.read32(
                    regs::EngineTokens::kSpec.at(static_cast<std::uint32_t>(Engine::kDsp)));
            isUntouched = floor.isUntouchedIn(*device);
            startJob(port, regions);
            pushAll(port, list);
            waitForAll(port, list);
        };
        DeviceBench aborted(std::move(options));
        device = &aborted;
        aborted.map(kRegionVa, MemoryTarget::kBase, kRegionBytes, true, true);
        floor.placeIn(aborted);
        aborted.boot();
        aborted.run(30'000);
        CHECK(tokens == 0);
        CHECK(isUntouched);
        const auto records = aborted.observer.of(Engine::kDsp);
        REQUIRE(records.size() == 1);
        // The pages are known by now, and the aborted one no longer takes part of the memory.
        CHECK(cyclesOf(records[0]) == kDspFixedCycles + 129 * 64 / 4);
        CHECK(floor.isDoneIn(aborted));
    });
}

TEST_CASE("timing-only mode takes the same cycles and omits the data [E-3]") {
    simCase([] {
        NpuConfig config;
        config.timingOnly = true;
        JobBench bench(floorCommand(), config);
        JobBench split(only(command(Operator::kSplit, 3, 2)), config, "split");
        const Floor floor(1000);
        floor.placeIn(bench);
        CHECK(bench.runJob() == 0);
        CHECK(cyclesOf(bench.observer.of(Engine::kDsp).at(0)) ==
              kDspFixedCycles + 129 * 64 / 4 + kWalkCycles);
        CHECK(floor.isUntouchedIn(bench));
        placeSplit(split, 12);
        CHECK(split.runJob() == 0);
        CHECK(split.memory.load<DspShape>(JobBench::bus(shapeAt(0).offset)).state == kShapeUnknown);
    });
}

TEST_CASE("timing-only mode takes a look-up whose operands have no room [E-3] [E-7]") {
    simCase([] {
        NpuConfig config;
        config.timingOnly = true;
        JobBench bench(only(command(Operator::kEmbeddingLookup, 2, 1)), config);
        std::vector<DspOperand> operands = {
                tensor(TensorType::kInt32, {4}, kInputOffset, 0),
                tensor(TensorType::kFloat32, {1000, 16}, kInputOffset, 0),
                tensor(TensorType::kFloat32, {4, 16}, kOutputOffset, 0)};
        for (std::size_t i = 0; i < operands.size(); ++i) {
            operands[i].flags = kOperandDynamic;  // so that their shapes are only declared
            operands[i].shape = shapeAt(i);
        }
        place(bench, operands);
        CHECK(bench.runJob() == 0);
        // Only the three descriptors of 104 bytes move.
        CHECK(cyclesOf(bench.observer.of(Engine::kDsp).at(0)) ==
              kDspFixedCycles + 5 * 64 / 4 + kWalkCycles);
    });
}

TEST_CASE("timing-only mode reports the same page faults [E-3]") {
    simCase([] {
        NpuConfig config;
        config.timingOnly = true;
        JobBench bench(floorCommand(), config);
        std::vector<DspOperand> operands = Floor(2048).operands();
        operands[1].data = inRegion(0x20000, 1);
        place(bench, operands);
        bench.unmap(JobBench::smallPagesVa() + 0x21000);
        CHECK(JobBench::statusOf(bench.runJob()) == JobStatus::kMmuFault);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
