// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/schedule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "driver/compiler/emit/transfer.h"
#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/small_graph.h"
#include "tests/driver/compiler/test_device.h"

namespace vnpu::driver {
namespace {

std::vector<std::uint32_t> positionsOf(const Schedule& schedule) {
    std::vector<std::uint32_t> positions(schedule.order.size());
    for (std::uint32_t p = 0; p < schedule.order.size(); ++p) {
        positions[schedule.order[p]] = p;
    }
    return positions;
}

/// Commands of the vector unit that each take more than 4,096 cycles.
CommandList longCommands(const CostModel& costs, std::uint32_t count) {
    CommandList list(costs);
    list.setOperation(0);
    for (std::uint32_t i = 0; i < count; ++i) {
        list.add(hw::Engine::kVector, test::clampBytes(0, 131072, 65536));
    }
    return list;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/stream/schedule");

TEST_CASE("a load that could start long ago moves ahead of work in between") {
    const DeviceInfo device = test::edgeDevice();
    const CostModel costs(device);
    CommandList list(costs);
    list.setOperation(0);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 4096);
    for (int i = 0; i < 6; ++i) {
        list.add(hw::Engine::kVector, test::clampBytes(0, 8192, 4096));
    }
    addTransfer(list, hw::Engine::kDma1, {1, 0, 0, 0}, sramRef(65536), 4096);
    const Schedule schedule = scheduleCommands(list.commands(), costs);
    CHECK(positionsOf(schedule)[7] < 3);
}

TEST_CASE("engines keep their order, and no command precedes those that it waits for") {
    const DeviceInfo device = test::edgeDevice();
    const CostModel costs(device);
    CommandList list(costs);
    list.setOperation(0);
    for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint32_t slot = (i % 2) * 4096;
        addTransfer(list, hw::Engine::kDma0, {0, 0, 0, i * 4096ULL}, sramRef(slot), 4096);
        list.add(hw::Engine::kVector, test::clampBytes(slot, 16384 + slot, 4096));
        addTransfer(list, hw::Engine::kDma2, sramRef(16384 + slot), {1, 0, 0, i * 4096ULL}, 4096);
    }
    const Schedule schedule = scheduleCommands(list.commands(), costs);
    const auto positions = positionsOf(schedule);
    for (std::size_t i = 0; i + 3 < positions.size(); ++i) {
        CHECK(positions[i] < positions[i + 3]);  // the same engine's next
    }
    for (std::size_t i = 0; i < positions.size(); i += 3) {
        CHECK(positions[i] < positions[i + 1]);
        CHECK(positions[i + 1] < positions[i + 2]);
    }
    // Two buffers: the third load starts before the second result is stored.
    CHECK(positions[6] < positions[5]);
}

TEST_CASE("a job begins and ends with accesses of the controller, one latency each") {
    DeviceInfo device = test::edgeDevice();
    device.dramLatencyCycles = 300;
    device.dramBytesPerCycle = 2;
    const CostModel costs(device);
    // Three cycles of page walks in 4096 bytes.
    CHECK(costs.jobBeginCycles() ==
          doctest::Approx(630 + 4 * 300 + 768 / 2.0 + 0.56).epsilon(1e-5));
    CHECK(costs.jobEndCycles() == doctest::Approx(5 * 300 + 384 / 2.0 + 0.28).epsilon(1e-5));
}

TEST_CASE("a double-buffered array loads the weights of its first fold before all rows") {
    const DeviceInfo device = test::edgeDevice();  // 16 rows and columns
    const CostModel costs(device);
    MacWork work;
    work.channels = 16;
    work.depth = 16;
    work.pixels = 1;
    CHECK(costs.macCycles(work) == 2 * 16 + 16 + 1 - 2);
    work.depth = 48;  // two further folds, of which each waits for its weights
    CHECK(costs.macCycles(work) == 2 * 16 + 16 + 1 - 2 + 2 * 16);
    work.pixels = 100;
    CHECK(costs.macCycles(work) == 2 * 16 + 16 + 100 - 2 + 2 * 100);
}

TEST_CASE("commands come from memory, too") {
    DeviceInfo device = test::edgeDevice();
    device.dramBytesPerCycle = 0.25;  // so slow that nothing else takes time
    const CostModel costs(device);
    CommandList list(costs);
    list.setOperation(0);
    constexpr int kCommands = 20;
    for (std::uint64_t i = 0; i < kCommands; ++i) {
        addTransfer(list, hw::Engine::kDma0, {0, 0, 0, i * 64}, sramRef(i * 64), 64);
    }
    const double cycles = scheduleCommands(list.commands(), costs).totalCycles -
                          costs.jobBeginCycles() - costs.jobEndCycles();
    // With a command's header and payload, and the header that ends the stream; its first block has
    // come with the job.
    const double bytes = kCommands * (64 + 48 + 80) + 48 - 512;
    CHECK(cycles > bytes / 0.25);
    CHECK(cycles < 1.05 * bytes / 0.25);
}

TEST_CASE("the controller waits for the block of the stream that holds a command [E-3]") {
    const DeviceInfo device = test::edgeDevice();  // 100 cycles of latency, 4 bytes a cycle
    const CostModel costs(device);
    const auto startOf = [&](std::uint32_t command, std::uint32_t count) {
        CommandList list(costs);
        list.setOperation(0);
        for (std::uint32_t i = 0; i < count; ++i) {
            list.add(hw::Engine::kVector, test::clampBytes(i * 64, 65536 + i * 64, 64));
        }
        const Schedule schedule = scheduleCommands(list.commands(), costs);
        return schedule.startCycles[command] - schedule.beginCycles;
    };
    constexpr std::uint32_t kBytes = sizeof(hw::CommandHeader) + sizeof(hw::VecUnary);
    constexpr std::uint32_t kFirst = 512 / kBytes;  // commands in the first block
    // Engines of one kind work in turn; each command takes less than a dispatch of 40 cycles.
    CHECK(startOf(kFirst - 1, 20) == doctest::Approx(kFirst * 40));
    // A second block of 1,024 bytes, or what there is of it with the header that ends the stream.
    CHECK(startOf(kFirst, 20) == doctest::Approx(kFirst * 40 + 100 + 1024 / 4.0 + 40));
    const double rest = (kFirst + 1.0) * kBytes + sizeof(hw::CommandHeader) - 512;
    CHECK(startOf(kFirst, kFirst + 1) == doctest::Approx(kFirst * 40 + 100 + rest / 4 + 40));
}

TEST_CASE("the controller waits for half of a full queue [E-3]") {
    DeviceInfo device = test::edgeDevice();
    for (const std::uint32_t depth : {1U, 8U, 32U}) {
        CAPTURE(depth);
        device.engineQueueDepth = depth;
        const CostModel costs(device);
        const std::uint32_t window = std::min(depth, 16U);  // the firmware's command slots
        const CommandList list = longCommands(costs, window + 1);
        Schedule schedule = scheduleCommands(list.commands(), costs);
        schedule.checkpoints.resize(1);
        schedule.checkpoints[0].position = window + 1;
        timeCommands(list.commands(), costs, schedule);
        // The last command comes when all in flight but half of them have finished.
        const std::uint32_t finished = window - window / 2;
        CHECK(schedule.checkpoints[0].passedCycles >= schedule.finishCycles[finished - 1]);
        CHECK(schedule.checkpoints[0].passedCycles < schedule.finishCycles[finished - 1] + 1000);
    }
}

TEST_CASE("a hold counts from the checkpoint before if the controller comes late [E-3] [Q-3]") {
    const DeviceInfo device = test::edgeDevice();  // queues of eight commands
    const CostModel costs(device);
    const CommandList list = longCommands(costs, 10);
    constexpr std::uint32_t kHold = 30'000;
    // The controller comes to the second checkpoint when four of the commands have finished.
    const auto passedBehind = [&](std::uint32_t awaited) {
        Schedule schedule = scheduleCommands(list.commands(), costs);
        schedule.checkpoints.resize(2);
        schedule.checkpoints[0].position = 1;
        schedule.checkpoints[1].position = 10;
        schedule.checkpoints[1].checkpoint.holdCycles = kHold;
        hw::TokenWait& wait = schedule.checkpoints[1].waits.waits[0];
        wait.engine = static_cast<std::uint8_t>(hw::Engine::kVector);
        wait.count = awaited & 0xFFFFFF;
        schedule.checkpoints[1].waits.count = 1;
        timeCommands(list.commands(), costs, schedule);
        return std::pair(schedule.checkpoints[1].passedCycles,
                         awaited <= 4 ? schedule.checkpoints[0].passedCycles
                                      : schedule.finishCycles[awaited - 1]);
    };
    for (const std::uint32_t awaited : {1U, 3U, 5U, 8U}) {
        CAPTURE(awaited);
        const auto [passed, begin] = passedBehind(awaited);
        CHECK(passed == doctest::Approx(begin + kHold).epsilon(1e-6));
    }
}

TEST_CASE("what begins meanwhile delays a transfer and what waits for it [E-3]") {
    const DeviceInfo device = test::edgeDevice();  // 100 cycles of latency, 4 bytes a cycle
    const CostModel costs(device);
    CommandList list(costs);
    list.setOperation(0);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 16384);
    addTransfer(list, hw::Engine::kDma1, {1, 0, 0, 0}, sramRef(65536), 64);
    list.add(hw::Engine::kVector, test::clampBytes(0, 131072, 16384));
    const Schedule schedule = scheduleCommands(list.commands(), costs);
    const double alone = 40 + 8 + 100 + 16384 / 4.0;  // dispatch, start, latency, bytes
    CHECK(schedule.startCycles[2] - schedule.beginCycles ==
          doctest::Approx(alone + 64 / 4.0).epsilon(1e-6));
}

TEST_CASE("a transfer waits for the page walks of a job that exceeds the TLB [E-3]") {
    DeviceInfo device = test::edgeDevice();
    device.sramBytes = 8U << 20U;
    const CostModel costs(device);
    const auto walksOf = [&](std::uint32_t pages) {
        const std::uint32_t bytes = pages * 65536;
        CommandList list(costs);
        list.setOperation(0);
        addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), bytes);
        const Schedule schedule = scheduleCommands(list.commands(), costs);
        return schedule.finishCycles[0] - schedule.startCycles[0] - 108 - bytes / 4.0;
    };
    CHECK(walksOf(64) == doctest::Approx(0));
    CHECK(walksOf(65) == doctest::Approx(65 * 60));
}

TEST_CASE("the total is the last finish and the job's end, and memory bandwidth bounds it") {
    const DeviceInfo device = test::edgeDevice();
    const CostModel costs(device);
    CommandList list(costs);
    list.setOperation(0);
    for (std::uint32_t i = 0; i < 4; ++i) {
        const auto engine = static_cast<hw::Engine>(i % 2);
        addTransfer(list, engine, {0, 0, 0, i * 8192ULL}, sramRef(i * 8192ULL), 8192);
    }
    const Schedule schedule = scheduleCommands(list.commands(), costs);
    const double last =
            *std::max_element(schedule.finishCycles.begin(), schedule.finishCycles.end());
    CHECK(schedule.totalCycles == last + costs.jobEndCycles());
    const double transfers = last - costs.jobBeginCycles();
    CHECK(transfers >= 4 * 8192 / 4);       // 4 bytes per cycle
    CHECK(transfers < 4 * 8192 / 4 + 500);  // channels overlap their latencies
}

TEST_CASE("a convolution waits for the output stage of the one that it reads, not of others") {
    const DeviceInfo device = test::edgeDevice();
    const CostModel costs(device);
    const auto product = [](std::uint32_t from, std::uint32_t to) {
        hw::MacConv work{};
        work.inputType = work.filterType = work.outputType = hw::ElementType::kInt8;
        work.flags = hw::kMacDrain;
        work.inputSram = from;
        work.outputSram = to;
        work.filterSram = 0x10000;
        work.inputHeight = work.outputHeight = 64;
        work.inputWidth = work.outputWidth = 1;
        work.inputChannels = work.outputChannels = 16;
        work.inputRowBytes = work.outputRowBytes = 16;
        work.inputPixelBytes = work.outputPixelBytes = 16;
        work.filterHeight = work.filterWidth = 1;
        return work;
    };
    const auto totalWith = [&](std::uint32_t secondInput) {
        CommandList list(costs);
        list.setOperation(0);
        list.add(hw::Engine::kMac, product(0, 0x2000));
        list.add(hw::Engine::kMac, product(secondInput, 0x4000));
        return scheduleCommands(list.commands(), costs).totalCycles;
    };
    // 64 * 16 results.
    CHECK(totalWith(0x2000) - totalWith(0x6000) == doctest::Approx(costs.outputStageCycles(1024)));
}

TEST_CASE("nothing moves across a step of the controller, and token counts restart after it") {
    const DeviceInfo device = test::edgeDevice();
    const CostModel costs(device);
    CommandList list(costs);
    list.setOperation(0);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 4096);
    for (int i = 0; i < 6; ++i) {
        list.add(hw::Engine::kVector, test::clampBytes(0, 8192, 4096));
    }
    list.addControl({.kind = ControlNode::Kind::kLabel, .label = 0});
    addTransfer(list, hw::Engine::kDma1, {1, 0, 0, 0}, sramRef(65536), 4096);
    list.add(hw::Engine::kVector, test::clampBytes(0, 8192, 4096));  // reads the data loaded before
    list.add(hw::Engine::kVector, test::clampBytes(65536, 8192, 4096));
    const Schedule schedule = scheduleCommands(list.commands(), costs);
    const auto positions = positionsOf(schedule);
    CHECK(positions[7] == 7);
    CHECK(*std::min_element(positions.begin() + 8, positions.end()) == 8);
    CHECK(list.commands()[9].waits.view().empty());
    const auto waits = list.commands()[10].waits.view();
    REQUIRE(waits.size() == 1);
    CHECK(waits[0].engine == static_cast<std::uint32_t>(hw::Engine::kDma1));
    CHECK(waits[0].count == 1);
}

TEST_CASE("branches go where their label's step stands, forwards and backwards") {
    const DeviceInfo device = test::edgeDevice();
    const CostModel costs(device);
    CommandList list(costs);
    list.setOperation(3);
    list.addControl({.kind = ControlNode::Kind::kLoop, .loop = 2});
    list.addControl({.kind = ControlNode::Kind::kLabel, .label = 5});
    list.add(hw::Engine::kVector, test::clampBytes(0, 8192, 64));
    list.addControl({.kind = ControlNode::Kind::kBranch,
                     .label = 9,
                     .condition = hw::MemoryRef{1, 0, 0, 40},
                     .isInverted = true});
    list.addControl({.kind = ControlNode::Kind::kBranch, .label = 5, .loop = 2});
    list.addControl({.kind = ControlNode::Kind::kLabel, .label = 9});
    const Schedule schedule = scheduleCommands(list.commands(), costs);
    const auto bytes = encode(list.commands(), schedule);
    std::vector<hw::CommandView> views;
    hw::CommandReader reader(bytes);
    hw::CommandView view;
    while (reader.next(view)) {
        views.push_back(view);
    }
    CHECK(reader.status() == hw::JobStatus::kOk);
    REQUIRE(views.size() == 7);
    CHECK(views[0].as<hw::Loop>().loop == 2);
    CHECK(views[1].header->opcode == hw::Opcode::kSegment);
    const auto out = views[3].as<hw::Branch>();
    CHECK(out.target == views[5].offset);
    CHECK(out.flags == hw::kBranchIfFalse);
    CHECK(out.condition.space == 1);
    CHECK(out.condition.offset == 40);
    const auto back = views[4].as<hw::Branch>();
    CHECK(back.target == views[1].offset);
    CHECK(back.flags == (hw::kBranchAlways | hw::kBranchLoops));
    CHECK(back.loop == 2);
    CHECK(views[5].header->opcode == hw::Opcode::kSegment);
    CHECK(views[6].header->opcode == hw::Opcode::kEnd);
    CHECK(views[4].header->operation == 3);
}

TEST_SUITE_END();

}  // namespace vnpu::driver
