// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/checkpoints.h"

#include <doctest/doctest.h>
#include <hidlmemory/mapping.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "driver/compiler/compiler.h"
#include "driver/compiler/emit/transfer.h"
#include "firmware/api/save_area.h"
#include "hw_model/regs/command_reader.h"
#include "sim/cli/operations/operation_probes.h"
#include "sim/import/source.h"
#include "tests/driver/compiler/live_check.h"
#include "tests/driver/compiler/small_graph.h"
#include "tests/driver/compiler/test_device.h"
#include "tests/driver/support/model_builder.h"

namespace vnpu::driver::test {
namespace {

/// 8 x 1 pixels of 16 channels by a 1 x 1 filter: 512 bytes of accumulators.
hw::MacConv product(std::uint32_t flags, std::uint32_t accumulatorOffset) {
    hw::MacConv work{};
    work.inputType = work.filterType = work.outputType = hw::ElementType::kUint8;
    work.flags = flags;
    work.filterSram = 1024;
    work.outputSram = 2048;
    work.accumulatorOffset = accumulatorOffset;
    work.inputHeight = work.outputHeight = 8;
    work.inputWidth = work.outputWidth = 1;
    work.inputChannels = work.outputChannels = 16;
    work.inputRowBytes = work.inputPixelBytes = 16;
    work.outputRowBytes = work.outputPixelBytes = 32;
    work.filterHeight = work.filterWidth = 1;
    work.strideHeight = work.strideWidth = 1;
    work.dilationHeight = work.dilationWidth = 1;
    work.depthMultiplier = 1;
    work.outputStage.multiplier = 1 << 30;
    work.outputStage.clampMax = 255;
    return work;
}

std::string rangesOf(const hw::Checkpoint& checkpoint) {
    std::string text;
    for (std::uint32_t i = 0; i < checkpoint.rangeCount; ++i) {
        const hw::SramRange& range = checkpoint.ranges[i];
        text += std::to_string(range.offset) + "+" + std::to_string(range.sizeBytes) + " ";
    }
    return text + "acc " + std::to_string(checkpoint.accumulatorOffset) + "+" +
           std::to_string(checkpoint.accumulatorBytes);
}

const Region kInputRegion{RegionKind::kInput, 0, 1U << 20, false};
const Region kConstantRegion{RegionKind::kConstantPool, 0, 1U << 20, false};
const Region kScratchRegion{RegionKind::kScratch, 0, 1U << 20, true};
const Region kOutputRegion{RegionKind::kOutput, 0, 1U << 20, true};

/// A list of commands after the insertion of checkpoints.
struct Placed {
    explicit Placed(const CommandList& list, double intervalCycles = 0,
                    const std::vector<Region>& regions = {kInputRegion, kInputRegion,
                                                          kOutputRegion})
        : schedule(scheduleCommands(list.commands(), list.costs())),
          summary(placeCheckpoints(list.commands(), list.costs(), regions, intervalCycles,
                                   schedule)) {}

    Schedule schedule;
    CheckpointSummary summary;

    /// The checkpoint before the command with this index.
    const PlacedCheckpoint* at(std::uint32_t command) const {
        for (const PlacedCheckpoint& placed : schedule.checkpoints) {
            if (schedule.order[placed.position] == command) {
                return &placed;
            }
        }
        return nullptr;
    }

    /// The ranges saved there.
    std::string before(std::uint32_t command) const {
        const PlacedCheckpoint* placed = at(command);
        return placed == nullptr ? "none" : rangesOf(placed->checkpoint);
    }

    /// The commands repeated after it.
    std::vector<std::uint32_t> repeatedBefore(std::uint32_t command) const {
        const PlacedCheckpoint* placed = at(command);
        return placed == nullptr ? std::vector<std::uint32_t>{} : placed->reloads;
    }
};

CommandList listFor(const CostModel& costs) {
    CommandList list(costs);
    list.setOperation(0);
    return list;
}

Result<CompiledModel> compileNetwork(const sim::Network& network, const DeviceInfo& device,
                                     std::uint64_t checkpointCycles) {
    std::vector<android::sp<android::hidl::memory::V1_0::IMemory>> mapped;
    std::vector<PoolView> pools;
    for (const auto& pool : network.model.pools) {
        mapped.push_back(android::hardware::mapMemory(pool));
        REQUIRE(mapped.back() != nullptr);
        pools.emplace_back(static_cast<const std::byte*>(
                                   static_cast<const void*>(mapped.back()->getPointer())),
                           mapped.back()->getSize());
    }
    return compile(network.model, pools, device, {.checkpointCycles = checkpointCycles});
}

std::vector<hw::Checkpoint> checkpointsOf(const CompiledModel& model) {
    std::vector<hw::Checkpoint> found;
    hw::CommandReader reader(model.commands);
    hw::CommandView view;
    while (reader.next(view)) {
        if (view.header->opcode == hw::Opcode::kCheckpoint) {
            found.push_back(view.as<hw::Checkpoint>());
        }
    }
    return found;
}

struct Spoilt {
    int variants = 0;
    int seen = 0;  // of those, by the check
};

/// A small network's stream with one checkpoint at a time changed by `spoil`.
Spoilt spoilEach(
        const std::function<std::vector<hw::Checkpoint>(const hw::Checkpoint& whole)>& spoil) {
    auto compiled = compileNetwork(sim::loadNetwork("zoo:ds_cnn"), edgeDevice(), 2'000);
    REQUIRE(compiled);
    Spoilt spoilt;
    hw::CommandReader reader(compiled->commands);
    for (hw::CommandView view; reader.next(view);) {
        if (view.header->opcode != hw::Opcode::kCheckpoint) {
            continue;
        }
        std::byte* const place = &compiled->commands[view.offset + sizeof(hw::CommandHeader)];
        const auto whole = view.as<hw::Checkpoint>();
        for (const hw::Checkpoint& variant : spoil(whole)) {
            std::memcpy(place, &variant, sizeof(variant));
            ++spoilt.variants;
            spoilt.seen += checkLiveSets(*compiled, edgeDevice()).empty() ? 0 : 1;
        }
        std::memcpy(place, &whole, sizeof(whole));
    }
    return spoilt;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/stream/checkpoints");

TEST_CASE(
        "bytes are live if they are read later and not written before, prefetched data included "
        "[Q-3]") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 4096);        // 0
    list.add(hw::Engine::kVector, clampBytes(0, 8192, 4096));                    // 1
    addTransfer(list, hw::Engine::kDma1, {1, 0, 0, 0}, sramRef(65536), 100);     // 2
    list.add(hw::Engine::kVector, clampBytes(8192, 0, 4096));                    // 3
    list.add(hw::Engine::kVector, clampBytes(65536, 16384, 100));                // 4
    addTransfer(list, hw::Engine::kDma2, sramRef(0), {2, 0, 0, 0}, 4096);        // 5
    addTransfer(list, hw::Engine::kDma2, sramRef(16384), {2, 0, 0, 4096}, 100);  // 6
    const Placed placed(list);
    CHECK(placed.schedule.order.size() == 7);
    CHECK(placed.before(1) == "0+4096 65536+100 acc 0+0");  // command 2 was moved before it
    CHECK(placed.before(3) == "8192+4096 65536+100 acc 0+0");
    CHECK(placed.before(6) == "16384+100 acc 0+0");
    CHECK(placed.summary.saveBytes ==
          sizeof(fw::SaveArea) + 4096 + 128);  // each range starts at a 64-byte boundary
}

TEST_CASE("separate rows leave the bytes between them live") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 128);
    addTransfer(list, hw::Engine::kDma1, {1, 0, 0, 0}, sramRef(1024), 256);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(2048), 256);  // all 8 rows
    list.add(hw::Engine::kMac, product(hw::kMacDrain, 0));  // the first half of each
    addTransfer(list, hw::Engine::kDma2, sramRef(2048), {2, 0, 0, 0}, 256);
    const Placed placed(list);
    // The second halves of eight rows: the last three form one range.
    CHECK(placed.before(3) ==
          "0+128 1024+256 2064+16 2096+16 2128+16 2160+16 2192+16 2224+80 acc 0+0");
    CHECK(placed.before(4) == "2048+256 acc 0+0");
}

TEST_CASE("accumulators live from the command that begins a sum to the one that ends it") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 128);
    addTransfer(list, hw::Engine::kDma1, {1, 0, 0, 0}, sramRef(1024), 256);
    list.add(hw::Engine::kMac, product(0, 4096));
    list.add(hw::Engine::kMac, product(hw::kMacAccumulate, 4096));
    list.add(hw::Engine::kMac, product(hw::kMacAccumulate | hw::kMacDrain, 4096));
    addTransfer(list, hw::Engine::kDma2, sramRef(2048), {2, 0, 0, 0}, 16);
    const Placed placed(list);
    CHECK(placed.before(2) == "0+128 1024+256 acc 0+0");
    CHECK(placed.before(3) == "0+128 1024+256 acc 4096+512");
    CHECK(placed.before(4) == "0+128 1024+256 acc 4096+512");
    CHECK(placed.before(5) == "2048+16 acc 0+0");
}

TEST_CASE("bytes that memory still holds are loaded again instead of saved [Q-3]") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 4096);     // 0
    addTransfer(list, hw::Engine::kDma1, {1, 0, 0, 0}, sramRef(65536), 100);  // 1
    list.add(hw::Engine::kVector, clampBytes(0, 8192, 4096));                 // 2
    list.add(hw::Engine::kVector, clampBytes(65536, 16384, 100));             // 3
    list.add(hw::Engine::kVector, clampBytes(0, 20480, 2048));                // 4
    addTransfer(list, hw::Engine::kDma2, sramRef(8192), {2, 0, 0, 0}, 4096);  // 5
    addTransfer(list, hw::Engine::kDma2, sramRef(16384), {2, 0, 0, 4096}, 100);
    addTransfer(list, hw::Engine::kDma2, sramRef(20480), {2, 0, 0, 8192}, 2048);
    const Placed placed(list, 0, {kConstantRegion, kScratchRegion, kOutputRegion});
    REQUIRE(placed.schedule.order.size() == 8);
    CHECK(placed.before(2) == "acc 0+0");
    CHECK(placed.repeatedBefore(2) == std::vector<std::uint32_t>{0, 1});
    CHECK(placed.before(3) == "8192+4096 acc 0+0");
    CHECK(placed.repeatedBefore(3) == std::vector<std::uint32_t>{0, 1});
    CHECK(placed.at(3)->checkpoint.reloadBytes == 4096 + 100);
    // Half of the first transfer is still read; a transfer is repeated completely. Command 5 is
    // running.
    CHECK(placed.before(4) == "16384+100 acc 0+0");
    CHECK(placed.repeatedBefore(4) == std::vector<std::uint32_t>{0});
    CHECK(placed.at(4)->checkpoint.reloadBytes == 4096);
    CHECK(placed.summary.saveBytes == sizeof(fw::SaveArea) + 4096 + 128);
}

TEST_CASE("a stream names the source of every repeated load") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 64);
    addTransfer(list, hw::Engine::kDma1, {0, 0, 0, 64}, sramRef(4096), 64);
    list.add(hw::Engine::kVector, clampBytes(0, 8192, 64));
    list.add(hw::Engine::kVector, clampBytes(4096, 16384, 64));
    Schedule schedule = scheduleCommands(list.commands(), costs);
    PlacedCheckpoint& placed = schedule.checkpoints.emplace_back();
    placed.position = 2;
    placed.reloads = {0, 1};
    const std::vector<std::byte> stream = encode(list.commands(), schedule);
    hw::CommandReader reader(stream);
    hw::CommandView view;
    std::vector<std::size_t> transfers;
    while (reader.next(view) && view.header->opcode != hw::Opcode::kCheckpoint) {
        transfers.push_back(view.offset);
    }
    REQUIRE(transfers.size() == 2);
    const auto checkpoint = view.as<hw::Checkpoint>();
    CHECK(checkpoint.reloadCount == 2);
    CHECK(checkpoint.reloads[0] == transfers[0]);
    CHECK(checkpoint.reloads[1] == transfers[1]);
}

TEST_CASE("the largest ranges are loaded again, the others saved") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    const auto bytesOf = [](std::uint32_t i) { return i == 2 || i == 8 ? 32U : 64U; };
    for (std::uint32_t i = 0; i < 18; ++i) {
        addTransfer(list, hw::Engine::kDma0, {0, 0, 0, i * 256ULL},
                    sramRef(std::uint64_t{i} * 1024), bytesOf(i));
    }
    for (std::uint32_t i = 18; i-- > 0;) {  // the last one first, after all loads
        list.add(hw::Engine::kVector, clampBytes(i * 1024, 65536 + i * 64, bytesOf(i)));
    }
    const Placed placed(list, 0, {kConstantRegion});
    CHECK(placed.before(18) == "2048+32 8192+32 acc 0+0");
    CHECK(placed.repeatedBefore(18) ==
          std::vector<std::uint32_t>{0, 1, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17});
}

TEST_CASE("dead bytes within a range are not loaded again") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    // Ten pieces of an input, and one of the constants in the narrowest gap between them.
    for (std::uint32_t i = 0; i < 10; ++i) {
        addTransfer(list, hw::Engine::kDma0, {0, 0, 0, i * 64ULL},
                    sramRef(i < 2 ? i * 96 : i * 256), 64);
    }
    addTransfer(list, hw::Engine::kDma0, {1, 0, 0, 0}, sramRef(64), 32);  // 10
    list.add(hw::Engine::kVector, clampBytes(64, 131072, 32));            // after all loads
    for (std::uint32_t i = 0; i < 10; ++i) {
        list.add(hw::Engine::kVector, clampBytes(i < 2 ? i * 96 : i * 256, 65536 + i * 64, 64));
    }
    const Placed placed(list, 0, {kInputRegion, kConstantRegion});
    CHECK(placed.before(11).substr(0, 6) == "0+160 ");
    CHECK(placed.repeatedBefore(11).empty());
    CHECK(placed.at(11)->checkpoint.reloadBytes == 0);
}

TEST_CASE("the window's cheapest place is taken, and no gap exceeds the interval") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    for (std::uint64_t i = 0; i < 5; ++i) {  // 8,000 cycles to load, 1,016 to clamp
        addTransfer(list, hw::Engine::kDma0, {0, 0, 0, i * 32000}, sramRef(0), 32000);
        list.add(hw::Engine::kVector, clampBytes(0, 65536, 32000));
        list.add(hw::Engine::kVector, clampBytes(65536, 131072, 32));  // which uses little of it
        addTransfer(list, hw::Engine::kDma2, sramRef(131072), {2, 0, 0, i * 32}, 32);
    }
    const Placed placed(list, 12'000);
    const auto drained = placed.schedule.drainedCycles();
    REQUIRE(placed.schedule.checkpoints.size() == 4);
    double last = drained.front();
    for (const PlacedCheckpoint& checkpoint : placed.schedule.checkpoints) {
        CHECK(drained[checkpoint.position] - last <= 12'000);
        last = drained[checkpoint.position];
        REQUIRE(checkpoint.checkpoint.rangeCount == 1);
        CHECK(checkpoint.checkpoint.ranges[0].sizeBytes == 32);
    }
}

TEST_CASE("the controller runs ahead of the engines as far as their commands allow [Q-3]") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 32000);
    for (std::uint32_t i = 0; i < 12; ++i) {  // 1,016 cycles each
        list.add(hw::Engine::kVector, clampBytes(i % 2 * 65536, (i + 1) % 2 * 65536, 32000));
    }
    addTransfer(list, hw::Engine::kDma2, sramRef(0), {2, 0, 0, 0}, 32000);
    const Placed placed(list, 2'500);  // after every second one, with a margin of 625
    const auto& checkpoints = placed.schedule.checkpoints;
    const std::vector<double> drained = placed.schedule.drainedCycles();
    REQUIRE(checkpoints.size() == 7);
    CHECK(checkpoints[0].waits.count == 0);
    for (std::uint32_t i = 1; i < 7; ++i) {
        const auto waits = checkpoints[i].waits.view();
        REQUIRE(waits.size() == 2);
        CHECK(waits[0].engine == hw::engineIndex(hw::Engine::kDma0));
        CHECK(waits[0].count == 1);
        CHECK(waits[1].engine == hw::engineIndex(hw::Engine::kVector));
        CHECK(waits[1].count == 2 * i - 1);
    }
    // The load, of 32,000 bytes at 4 a cycle, and one command; then two, and the last 15 % of the
    // running one, because the controller is held until then.
    CHECK(placed.summary.longestCycles > 8'000 + 1'016);
    CHECK(placed.summary.longestCycles < 8'000 + 2 * 1'016);
    for (std::size_t i = 2; i < 7; ++i) {
        CHECK(drained[checkpoints[i].position] - checkpoints[i - 1].passedCycles ==
              doctest::Approx(2.15 * 1'016).epsilon(0.01));
    }
    // A controller that waits reads fewer commands while the data are loaded.
    const Schedule plain = scheduleCommands(list.commands(), costs);
    CHECK(placed.schedule.totalCycles <= plain.totalCycles);
    CHECK(placed.schedule.totalCycles == doctest::Approx(plain.totalCycles).epsilon(0.001));
}

TEST_CASE("a long command holds the controller until it is nearly done [Q-3]") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 200'000);
    for (std::uint32_t i = 0; i < 4; ++i) {  // 6,266 cycles each
        list.add(hw::Engine::kVector, clampBytes(i % 2 * 200'000, (i + 1) % 2 * 200'000, 200'000));
    }
    addTransfer(list, hw::Engine::kDma2, sramRef(0), {2, 0, 0, 0}, 200'000);
    const Placed placed(list, 2'500);  // after each one, with a margin of 625
    const auto& checkpoints = placed.schedule.checkpoints;
    REQUIRE(checkpoints.size() == 5);
    for (std::uint32_t i = 2; i < 5; ++i) {
        // Before the command that is running then.
        const auto waits = checkpoints[i].waits.view();
        REQUIRE(waits.size() == 2);
        CHECK(waits[1].count == i - 1);
        CHECK(checkpoints[i].checkpoint.holdCycles == doctest::Approx(6'266 - 625).epsilon(0.005));
    }
    // The rest of one command, and the next one.
    CHECK(placed.summary.longestCycles < 50'000 + 6'266 + 1'000);
    const std::vector<double> drained = placed.schedule.drainedCycles();
    CHECK(drained[checkpoints[3].position] - checkpoints[2].passedCycles ==
          doctest::Approx(6'266 + 625).epsilon(0.01));
    // A controller that waits reads fewer commands while the data are loaded.
    const Schedule plain = scheduleCommands(list.commands(), costs);
    CHECK(placed.schedule.totalCycles <= plain.totalCycles);
    CHECK(placed.schedule.totalCycles == doctest::Approx(plain.totalCycles).epsilon(0.001));
}

TEST_CASE("an operation's last store is handed over before the next one computes [Q-3]") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 4096);  // 0
    list.add(hw::Engine::kVector, clampBytes(0, 8192, 4096));              // 1
    addTransfer(list, hw::Engine::kDma2, sramRef(8192), {2, 0, 0, 0}, 4096);
    list.setOperation(1);
    addTransfer(list, hw::Engine::kDma1, {1, 0, 0, 0}, sramRef(65536), 64);  // 3
    list.add(hw::Engine::kVector, clampBytes(65536, 70000, 64));             // 4
    addTransfer(list, hw::Engine::kDma2, sramRef(70000), {2, 0, 0, 4096}, 64);
    const Schedule plain = scheduleCommands(list.commands(), costs);
    const Placed placed(list);
    const auto& order = placed.schedule.order;
    const auto store = std::find(order.begin(), order.end(), 2U);
    const auto computation = std::find(order.begin(), order.end(), 4U);
    CHECK(store < computation);
    const auto border = std::find_if(
            placed.schedule.checkpoints.begin(), placed.schedule.checkpoints.end(),
            [](const auto& p) { return p.checkpoint.flags == hw::kCheckpointOperation; });
    REQUIRE(border != placed.schedule.checkpoints.end());
    CHECK(order[border->position - 1] == 2);
    CHECK(rangesOf(border->checkpoint) == "65536+64 acc 0+0");  // loaded ahead
    // Six checkpoints at most, which come in one more block of the stream; no store waits for
    // another.
    constexpr double kMost = 6;
    const double block =
            device.dramLatencyCycles +
            costs.dramCycles(kMost * (sizeof(hw::CommandHeader) + sizeof(hw::Checkpoint)));
    CHECK(placed.schedule.totalCycles <=
          plain.totalCycles + kMost * CostModel::kDispatchCycles + block);
}

TEST_CASE("behind each operator of the DSP is a checkpoint, at the end of a stream too [Q-3]") {
    const sim::Network probe = sim::makeProbe(sim::nn::OperationType::RANDOM_MULTINOMIAL,
                                              {.main = sim::nn::OperandType::TENSOR_FLOAT32});
    const auto compiled = compileNetwork(probe, edgeDevice(), 1'000'000);
    REQUIRE(compiled);
    const auto checkpoints = checkpointsOf(*compiled);
    REQUIRE(checkpoints.size() == 1);
    CHECK(rangesOf(checkpoints[0]) == "acc 0+0");
    CHECK(checkpoints[0].flags == hw::kCheckpointOperation);
    CHECK(compiled->saveBytes == sizeof(fw::SaveArea) + fw::kSaveAlignment + hw::kMaxDspStateBytes);
    hw::CommandReader reader(compiled->commands);
    hw::CommandView view;
    std::vector<hw::Opcode> opcodes;
    while (reader.next(view)) {
        opcodes.push_back(view.header->opcode);
    }
    CHECK(opcodes == std::vector<hw::Opcode>{hw::Opcode::kDspOperator, hw::Opcode::kCheckpoint,
                                             hw::Opcode::kEnd});
}

TEST_CASE("each round of a loop passes a checkpoint, with nothing live [Q-3]") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    list.addControl({.kind = ControlNode::Kind::kLoop, .loop = 0});
    list.addControl({.kind = ControlNode::Kind::kLabel, .label = 5});
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 64);
    list.add(hw::Engine::kVector, clampBytes(0, 8192, 64));
    addTransfer(list, hw::Engine::kDma2, sramRef(8192), {2, 0, 0, 0}, 64);
    list.addControl({.kind = ControlNode::Kind::kBranch, .label = 5, .loop = 0});
    const Placed placed(list, 1e9);
    REQUIRE(placed.schedule.checkpoints.size() == 1);
    CHECK(placed.before(5) == "acc 0+0");
    CHECK(placed.schedule.checkpoints[0].checkpoint.flags == hw::kCheckpointOperation);
}

TEST_CASE("bytes read after a branch are live at every source of the branch") {
    const DeviceInfo device = edgeDevice();
    const CostModel costs(device);
    CommandList list = listFor(costs);
    addTransfer(list, hw::Engine::kDma0, {0, 0, 0, 0}, sramRef(0), 64);
    list.addControl({.kind = ControlNode::Kind::kLabel, .label = 5});
    list.add(hw::Engine::kVector, clampBytes(0, 8192, 64));
    addTransfer(list, hw::Engine::kDma2, sramRef(8192), {2, 0, 0, 0}, 64);
    list.addControl({.kind = ControlNode::Kind::kBranch, .label = 5, .loop = 0});
    const Placed placed(list, 1e9);
    REQUIRE(placed.schedule.checkpoints.size() == 1);
    CHECK(placed.before(4) == "0+64 acc 0+0");
}

TEST_CASE("without an interval a stream has no checkpoints and stays the same [Q-4]") {
    const sim::Network network = sim::loadNetwork("zoo:ds_cnn");
    const auto plain = compileNetwork(network, edgeDevice(), 0);
    REQUIRE(plain);
    CHECK(checkpointsOf(*plain).empty());
    CHECK(plain->checkpointCount == 0);
    CHECK(plain->saveBytes == 0);
}

TEST_CASE("every zoo network gives its results after a preemption at each checkpoint [Q-3]") {
    for (const std::string& name : sim::zooNames()) {
        CAPTURE(name);
        const sim::Network network = sim::loadNetwork("zoo:" + name, {.zeroWeights = true});
        const DeviceInfo edge = edgeDevice();
        for (const auto& [device, interval] :
             {std::pair{edge, 2'000ULL}, std::pair{edge, 50'000ULL},
              std::pair{tinyDevice(131072, 16384), 2'000ULL}}) {
            const std::uint64_t sramBytes = device.sramBytes;
            CAPTURE(sramBytes);
            const auto compiled = compileNetwork(network, device, interval);
            REQUIRE(compiled);
            CHECK(checkLiveSets(*compiled, device) == "");
            const auto checkpoints = checkpointsOf(*compiled);
            CHECK(checkpoints.size() == compiled->checkpointCount);
            for (std::size_t i = 0; i < checkpoints.size(); ++i) {
                REQUIRE(checkpoints[i].id == i);
            }
            // Half a percent for a checkpoint every 50,000 cycles.
            if (interval == 50'000) {
                const auto plain = compileNetwork(network, device, 0);
                REQUIRE(plain);
                CHECK(compiled->estimatedCycles <=
                      plain->estimatedCycles + plain->estimatedCycles / 200);
            }
        }
    }
}

TEST_CASE("the check detects a missing repeated load") {
    const Spoilt spoilt = spoilEach([](const hw::Checkpoint& whole) {
        std::vector<hw::Checkpoint> variants;
        for (std::uint32_t i = 0; i < whole.reloadCount; ++i) {
            hw::Checkpoint& less = variants.emplace_back(whole);
            std::copy(whole.reloads + i + 1, whole.reloads + whole.reloadCount, less.reloads + i);
            less.reloads[--less.reloadCount] = 0;
        }
        return variants;
    });
    CHECK(spoilt.variants >= 5);
    CHECK(spoilt.seen == spoilt.variants);
}

TEST_CASE("the check detects a live byte that is not named") {
    const Spoilt spoilt = spoilEach([](const hw::Checkpoint& whole) {
        std::vector<hw::Checkpoint> variants;
        if (whole.rangeCount != 0) {
            --variants.emplace_back(whole).ranges[whole.rangeCount - 1].sizeBytes;
        }
        return variants;
    });
    CHECK(spoilt.seen >= 5);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
