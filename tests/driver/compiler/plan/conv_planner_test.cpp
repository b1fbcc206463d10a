// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/conv_planner.h"

#include <doctest/doctest.h>

#include <vector>

#include "driver/compiler/plan/conv_transfers.h"
#include "tests/driver/compiler/test_device.h"

namespace vnpu::driver {
namespace {

ConvNode convolution(std::uint32_t side, std::uint32_t inputs, std::uint32_t outputs) {
    ConvNode node;
    node.geometry.inputHeight = node.geometry.inputWidth = side;
    node.geometry.outputHeight = node.geometry.outputWidth = side;
    node.geometry.inputChannels = inputs;
    node.geometry.outputChannels = outputs;
    node.geometry.filterHeight = node.geometry.filterWidth = 3;
    node.geometry.padTop = node.geometry.padLeft = 1;
    node.prototype.inputType = node.prototype.filterType = node.prototype.outputType =
            hw::ElementType::kInt8;
    return node;
}

/// Nodes that differ in one property each.
std::vector<ConvNode> relatedNodes() {
    std::vector<ConvNode> nodes(8, convolution(28, 64, 64));
    nodes[1].bias = 0;
    nodes[2].scaleTable = 0;
    nodes[3].groups = 2;
    nodes[4].outputPixelStride = 256;
    nodes[5].codedShare = kPlainShare / 2;
    nodes[6].prototype.outputType = hw::ElementType::kInt32;
    nodes[7].geometry.dilationHeight = 2;
    return nodes;
}

/// Rooms that differ in one property each.
std::vector<Workspace> relatedRooms() {
    constexpr std::uint64_t kKib = 1024;
    std::vector<Workspace> rooms(6);
    for (Workspace& room : rooms) {
        room.free = {{0, 96 * kKib}};
        room.bankBytes = 64 * kKib;
    }
    rooms[1].side = Side::kHigh;
    rooms[2].bankBytes = 0;
    rooms[3].free = {{32 * kKib, 128 * kKib}};
    rooms[4].free = {{0, 48 * kKib}, {64 * kKib, 112 * kKib}};
    rooms[5].free = {{0, 2 * kKib}};
    return rooms;
}

void checkEqual(const SlotSet& a, const SlotSet& b) {
    CHECK(a.slotBytes == b.slotBytes);
    CHECK(a.addresses == b.addresses);
}

void checkEqual(const ConvPlan& a, const ConvPlan& b) {
    checkEqual(a.input, b.input);
    checkEqual(a.filter, b.filter);
    checkEqual(a.output, b.output);
    checkEqual(a.tables, b.tables);
    CHECK(a.cut.blocks == b.cut.blocks);
    CHECK(a.commands == b.commands);
    CHECK(a.cycles == b.cycles);
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/plan/conv_planner");

TEST_CASE("a planner that knows other nodes and rooms finds what a new one finds") {
    const DeviceInfo device = test::edgeDevice();
    const CostModel costs(device);
    ConvPlanner experienced(costs);
    std::vector<ResidentTensors> residents(4);
    residents[1].input = true;
    residents[2].output = true;
    residents[3].filter = true;
    for (int round = 0; round < 2; ++round) {
        for (const ConvNode& node : relatedNodes()) {
            for (const Workspace& room : relatedRooms()) {
                for (std::size_t i = 0; i < 2 * residents.size(); ++i) {
                    const ResidentTensors& resident = residents[i / 2];
                    const bool readsPixels = i % 2 != 0;
                    const auto found = experienced.plan(node, room, resident, readsPixels);
                    const auto expected =
                            ConvPlanner(costs).plan(node, room, resident, readsPixels);
                    REQUIRE((found == nullptr) == (expected == nullptr));
                    if (found != nullptr) {
                        checkEqual(*found, *expected);
                    }
                }
            }
        }
    }
}

TEST_CASE("a small convolution is one tile") {
    const DeviceInfo device = test::edgeDevice();
    const CostModel costs(device);
    Workspace room;
    room.free = {{0, 64 * 1024}};
    const auto plan = ConvPlanner(costs).plan(convolution(4, 16, 16), room, {});
    REQUIRE(plan != nullptr);
    CHECK(plan->rows == 4);
    CHECK(plan->columns == 4);
    CHECK(plan->channels == 16);
    CHECK(plan->input.slotBytes == 4 * 4 * 16);
    CHECK(plan->filter.slotBytes == 3 * 3 * 16 * 16);
    CHECK(plan->output.slotBytes == 4 * 4 * 16);
}

TEST_CASE("the estimate of a node has most of the drain of its last results [E-3]") {
    const auto cyclesWith = [](std::uint32_t outputLanes) {
        DeviceInfo device = test::edgeDevice();
        device.outputLanes = outputLanes;
        const CostModel costs(device);
        Workspace room;
        room.free = {{0, 64 * 1024}};
        const ResidentTensors all{.input = true, .output = true, .filter = true};
        const auto plan = ConvPlanner(costs).plan(convolution(4, 16, 16), room, all);
        return plan == nullptr ? 0.0 : plan->cycles;
    };
    // 256 results leave in 16 cycles or in one.
    CHECK(cyclesWith(16) - cyclesWith(256) == doctest::Approx(0.75 * 15));
}

TEST_CASE("there is no plan where not even one result fits") {
    const DeviceInfo device = test::edgeDevice();
    const CostModel costs(device);
    Workspace room;
    room.free = {{0, 128}};  // the window of one result has 3 x 3 x 64 = 576 bytes
    CHECK(ConvPlanner(costs).plan(convolution(28, 64, 64), room, {.filter = true}) == nullptr);
}

TEST_CASE("an image that is read by pixels takes a burst for each in the plans, too [E-3]") {
    ConvNode node = convolution(20, 3, 16);
    node.geometry.padTop = node.geometry.padLeft = 0;
    node.geometry.outputHeight = node.geometry.outputWidth = 18;
    ConvPlan plan;
    plan.rows = plan.columns = 18;
    plan.channels = 16;
    plan.depth = 3;
    sizeSlots(node, plan);
    const DeviceInfo device = test::edgeDevice();
    const CostModel costs(device);
    // 20 x 20 pixels of 3 bytes: 19 bursts of 64 bytes in one row, 400 by pixels.
    const auto bytes = [&](bool readsPixels) {
        return ConvTransfers(node, costs, readsPixels).of(plan).input.dramCycles;
    };
    CHECK(bytes(false) == costs.dramCycles(19 * 64));
    CHECK(bytes(true) == costs.dramCycles(400 * 64));
}

TEST_CASE("the estimate of the array has folds for each tap where taps are apart [E-3]") {
    DeviceInfo device = test::edgeDevice();
    device.macRows = 64;
    device.macColumns = 16;
    device.weightDoubleBuffer = true;
    MacWork work{.pixels = 3136, .channels = 128};
    work.filterHeight = work.filterWidth = 3;
    work.depth = 3;
    // ceil(9*3/64) = 1 fold for each of ceil(128/16) columns: 2*64 + 16 - 2 and 8 * 3136.
    CHECK(CostModel(device).macCycles(work) == 142 + 8 * 3136);
    device.tapsApart = true;
    CHECK(CostModel(device).macCycles(work) == 142 + 9 * 8 * 3136);
    work.isDepthwise = true;  // one channel of the input for each result, as before
    const double depthwise = CostModel(device).macCycles(work);
    device.tapsApart = false;
    CHECK(depthwise == CostModel(device).macCycles(work));
}

TEST_SUITE_END();

}  // namespace vnpu::driver
