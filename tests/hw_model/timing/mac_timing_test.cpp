// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/mac_timing.h"

#include <doctest/doctest.h>

namespace vnpu::test {
namespace {

using hw::Dataflow;
using hw::ElementType;
using hw::gemmCycles;
using hw::MacConfig;
using hw::MacConv;
using hw::macConvCycles;

MacConfig array(std::uint32_t rows, std::uint32_t columns, Dataflow dataflow, bool doubleBuffer) {
    MacConfig config;
    config.rows = rows;
    config.columns = columns;
    config.dataflow = dataflow;
    config.weightDoubleBuffer = doubleBuffer;
    config.floatDivisor = 4;
    config.outputLanes = 16;
    config.depthwiseColumns = 0;
    return config;
}

// 56 x 56 output pixels, 3 x 3 filter, 64 to 128 channels: M = 3136, N = 128, K = 576.
MacConv convolution() {
    MacConv work{};
    work.inputType = work.filterType = work.outputType = ElementType::kInt8;
    work.inputHeight = work.inputWidth = 56;
    work.outputHeight = work.outputWidth = 56;
    work.inputChannels = 64;
    work.outputChannels = 128;
    work.filterHeight = work.filterWidth = 3;
    work.depthMultiplier = 1;
    work.flags = hw::kMacDrain;
    return work;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/timing/mac_timing");

TEST_CASE("weight stationary folds cost 2R + C + M - 2 each, one after another [E-3]") {
    const MacConfig config = array(16, 16, Dataflow::kWeightStationary, false);
    // By hand: one fold of 2*16 + 16 + 16 - 2.
    CHECK(gemmCycles(config, {.m = 16, .n = 16, .k = 16}) == 62);
    // The first layer of MobileNetV1: M = 112*112, N = 32, K = 27: 2 * 2 folds of 12,590.
    CHECK(gemmCycles(config, {.m = 12'544, .n = 32, .k = 27}) == 50'360);
    // One more row of K or column of N opens a fold.
    CHECK(gemmCycles(config, {.m = 16, .n = 17, .k = 16}) == 124);
    CHECK(gemmCycles(config, {.m = 16, .n = 16, .k = 17}) == 124);
    // A matrix-vector product, 1 x 1024 x 1001 on 128 x 128: 8 * 8 folds of 2*128 + 128 + 1 - 2
    // = 383.
    CHECK(gemmCycles(array(128, 128, Dataflow::kWeightStationary, false),
                     {.m = 1, .n = 1001, .k = 1024}) == 24'512);
}

TEST_CASE("output stationary folds cost R + C + K - 2 each [E-3]") {
    const MacConfig config = array(16, 16, Dataflow::kOutputStationary, false);
    CHECK(gemmCycles(config, {.m = 16, .n = 16, .k = 16}) == 46);
    // M = 12544 gives 784 row folds, N = 32 two column folds; 16 + 16 + 27 - 2 = 57.
    CHECK(gemmCycles(config, {.m = 12'544, .n = 32, .k = 27}) == 89'376);
    CHECK(gemmCycles(config, {.m = 17, .n = 16, .k = 16}) == 92);
}

TEST_CASE("rows and columns of a rectangular array are distinguished [E-3]") {
    // ceil(40/8) * ceil(40/32) = 5 * 2 folds of 16 + 32 + 10 - 2 = 56.
    CHECK(gemmCycles(array(8, 32, Dataflow::kWeightStationary, false),
                     {.m = 10, .n = 40, .k = 40}) == 560);
    // ceil(40/32) * ceil(40/8) = 2 * 5 folds of 64 + 8 + 10 - 2 = 80.
    CHECK(gemmCycles(array(32, 8, Dataflow::kWeightStationary, false),
                     {.m = 10, .n = 40, .k = 40}) == 800);
}

TEST_CASE("double buffered weights hide behind a sufficiently long stream [E-3]") {
    const MacConfig config = array(16, 16, Dataflow::kWeightStationary, true);
    // A single fold has nothing to overlap with.
    CHECK(gemmCycles(config, {.m = 16, .n = 16, .k = 16}) == 62);
    // Four folds: 12,590 for the first and three streams of 12,544.
    CHECK(gemmCycles(config, {.m = 12'544, .n = 32, .k = 27}) == 12'590 + 3 * 12'544);
    // A stream of 4 is shorter than the 16 cycles of the load: 2*16 + 16 + 4 - 2 = 50, then 16
    // each.
    CHECK(gemmCycles(config, {.m = 4, .n = 32, .k = 32}) == 50 + 3 * 16);
}

TEST_CASE("double buffered results hide behind the next reduction [E-3]") {
    const MacConfig config = array(16, 16, Dataflow::kOutputStationary, true);
    // Four folds of K = 100: 16 + 16 + 100 - 2 = 130, then 100 each.
    CHECK(gemmCycles(config, {.m = 32, .n = 32, .k = 100}) == 130 + 3 * 100);
    CHECK(gemmCycles(config, {.m = 32, .n = 32, .k = 5}) == 35 + 3 * 16);
}

TEST_CASE("a broadcast array has no fill: one step per fold and row of M [E-3]") {
    const MacConfig config = array(64, 16, Dataflow::kBroadcast, true);
    CHECK(gemmCycles(config, {.m = 100, .n = 32, .k = 130}) == 3 * 2 * 100);
}

TEST_CASE("an empty product takes no time [E-3]") {
    for (const Dataflow dataflow :
         {Dataflow::kWeightStationary, Dataflow::kOutputStationary, Dataflow::kBroadcast}) {
        CHECK(gemmCycles(array(16, 16, dataflow, true), {.m = 0, .n = 5, .k = 5}) == 0);
        CHECK(gemmCycles(array(16, 16, dataflow, true), {.m = 5, .n = 0, .k = 5}) == 0);
        CHECK(gemmCycles(array(16, 16, dataflow, true), {.m = 5, .n = 5, .k = 0}) == 0);
    }
}

TEST_CASE("a convolution is the product of pixels, channels and taps [E-3]") {
    const MacConfig config = array(16, 16, Dataflow::kWeightStationary, false);
    // ceil(576/16) * ceil(128/16) = 36 * 8 folds of 32 + 16 + 3136 - 2 = 3182.
    CHECK(macConvCycles(config, convolution()).array == 916'416);
    // 3136 * 128 results through 16 lanes.
    CHECK(macConvCycles(config, convolution()).outputStage == 25'088);
    CHECK(macConvOperations(convolution()) == 231'211'008);
}

TEST_CASE("float steps take floatDivisor times as long, the output stage does not [E-3]") {
    const MacConfig config = array(16, 16, Dataflow::kWeightStationary, false);
    MacConv work = convolution();
    work.inputType = work.filterType = work.outputType = ElementType::kFloat32;
    CHECK(macConvCycles(config, work).array == 4 * 916'416);
    CHECK(macConvCycles(config, work).outputStage == 25'088);
}

TEST_CASE("without drain the output stage takes no time [E-3]") {
    MacConv work = convolution();
    work.flags = 0;
    CHECK(macConvCycles(array(16, 16, Dataflow::kWeightStationary, false), work).outputStage == 0);
}

TEST_CASE("a depthwise convolution puts channels on columns and taps on rows [E-3]") {
    MacConv work = convolution();
    work.flags = hw::kMacDrain | hw::kMacDepthwise;
    work.inputChannels = 128;
    MacConfig config = array(16, 16, Dataflow::kWeightStationary, false);
    // ceil(9/16) * ceil(128/16) = 8 folds of 3182.
    CHECK(macConvCycles(config, work).array == 8 * 3182);
    CHECK(macConvOperations(work) == 3'612'672);
    // Four columns for depthwise work: 32 folds of 32 + 4 + 3136 - 2 = 3170.
    config.depthwiseColumns = 4;
    CHECK(macConvCycles(config, work).array == 32 * 3170);
    // Eight rows: nine taps take two folds each, 16 + 4 + 3136 - 2 = 3154.
    config.rows = 8;
    CHECK(macConvCycles(config, work).array == 64 * 3154);
}

TEST_CASE("the broadcast array holds channels of one tap only [E-3]") {
    const MacConfig config = array(64, 16, Dataflow::kBroadcast, true);
    MacConv work = convolution();
    // 9 taps * ceil(64/64) * ceil(128/16) * 3136.
    CHECK(macConvCycles(config, work).array == 225'792);
    work.inputChannels = 65;
    CHECK(macConvCycles(config, work).array == 2 * 225'792);
}

TEST_CASE("an image's filter rows are processed side by side where they fit [E-3]") {
    const MacConfig config = array(64, 16, Dataflow::kBroadcast, true);
    MacConv work = convolution();
    // Steps * ceil(128/16) * 3136. 3 x 3 of three channels: 9 of 64, so four rows in a step.
    work.inputChannels = 3;
    CHECK(macConvCycles(config, work).array == 25'088);
    // 7 x 7: 21, two rows in a step, four steps.
    work.filterHeight = work.filterWidth = 7;
    CHECK(macConvCycles(config, work).array == 4 * 25'088);
    // 11 x 11: 33, one row in a step.
    work.filterHeight = work.filterWidth = 11;
    CHECK(macConvCycles(config, work).array == 11 * 25'088);
    // 3 x 3 with a stride of 8 pixels, each with 24 channels: two rows in a step.
    work.filterHeight = work.filterWidth = 3;
    work.strideWidth = 8;
    CHECK(macConvCycles(config, work).array == 2 * 25'088);
    // An array of 8 rows: 9 take two steps for each row.
    CHECK(macConvCycles(array(8, 16, Dataflow::kBroadcast, true), work).array == 6 * 25'088);
}

TEST_CASE("with taps apart, each tap has folds of its own [E-3]") {
    MacConfig config = array(64, 16, Dataflow::kWeightStationary, true);
    MacConv work = convolution();
    work.inputChannels = 3;
    // ceil(9*3/64) = 1 fold for each of ceil(128/16) columns: 2*64 + 16 - 2 and 8 * 3136.
    CHECK(macConvCycles(config, work).array == 142 + 8 * 3'136);
    const auto together = hw::macConvEffort(config, work).accumulatorBytes;
    config.tapsApart = true;
    CHECK(macConvCycles(config, work).array == 142 + 9 * 8 * 3'136);
    // Sums are written by 9 folds and read by 8, instead of written once; and drained.
    CHECK(hw::macConvEffort(config, work).accumulatorBytes - together == 16 * 3'136 * 128 * 4);
    work.inputChannels = 64;  // whole folds
    CHECK(macConvCycles(config, work).array == 142 + 9 * 8 * 3'136);
    work.flags |= hw::kMacDepthwise;  // ceil(9/64) as before
    CHECK(macConvCycles(config, work).array == 142 + 8 * 3'136);
}

TEST_CASE("Winograd takes 16 steps for a tile of 2 x 2 outputs of a 3 x 3 filter [E-3]") {
    MacConfig config = array(64, 16, Dataflow::kBroadcast, true);
    config.winograd = true;
    MacConv work = convolution();
    work.strideHeight = work.strideWidth = work.dilationHeight = work.dilationWidth = 1;
    // 28 * 28 tiles * 16 * ceil(64/64) * ceil(128/16): 2.25 times fewer than 225,792.
    CHECK(macConvCycles(config, work).active == 100'352);
    // The work stays the same.
    CHECK(macConvOperations(work) == 231'211'008);
    // Ragged tiles: 7 x 7 outputs are 4 * 4 of them.
    work.outputHeight = work.outputWidth = 7;
    CHECK(macConvCycles(config, work).active == 16 * 16 * 8);
    // Blocks of 3 rows: 2 of 2 * 4 tiles and a last of 1 * 4.
    work.blockHeight = 3;
    work.blockWidth = 7;
    work.blockChannels = 128;
    CHECK(macConvCycles(config, work).active == (8 + 8 + 4) * 16 * 8);
}

TEST_CASE("convolutions that Winograd does not support take as long as without it [E-3]") {
    MacConfig config = array(64, 16, Dataflow::kBroadcast, true);
    config.winograd = true;
    const auto cyclesWith = [&](auto&& change) {
        MacConv work = convolution();
        work.strideHeight = work.strideWidth = work.dilationHeight = work.dilationWidth = 1;
        change(work);
        return macConvCycles(config, work).active;
    };
    CHECK(cyclesWith([](MacConv& work) { work.strideWidth = 2; }) == 225'792);
    CHECK(cyclesWith([](MacConv& work) { work.dilationHeight = 2; }) == 225'792);
    CHECK(cyclesWith([](MacConv& work) { work.filterWidth = 1; }) == 75'264);
    CHECK(cyclesWith([](MacConv& work) { work.inputChannels = 3; }) == 25'088);
    // Depthwise: ceil(9/64) * ceil(128/16) * 3136.
    CHECK(cyclesWith([](MacConv& work) { work.flags |= hw::kMacDepthwise; }) == 25'088);
    config.winograd = false;
    CHECK(cyclesWith([](MacConv&) {}) == 225'792);
}

// A product of 40 rows, 32 columns, 32 reduced in blocks of 16 rows: by hand, a block of M rows
// takes 2*16 + 16 + M - 2 and three folds of max(M, 16): 110, 110 and, for the last 8 rows,
// 102.
TEST_CASE("the output stage limits the rate of blocks [E-3]") {
    MacConv work = convolution();
    work.inputHeight = work.outputHeight = 40;
    work.inputWidth = work.outputWidth = 1;
    work.inputChannels = work.outputChannels = 32;
    work.filterHeight = work.filterWidth = 1;
    work.blockHeight = 16;
    work.blockWidth = 1;
    work.blockChannels = 32;
    MacConfig config = array(16, 16, Dataflow::kWeightStationary, true);
    const auto fast = macConvCycles(config, work);
    CHECK(fast.active == 110 + 110 + 102);
    CHECK(fast.array == 110 + 110 + 102);
    CHECK(fast.outputStage == 8 * 32 / 16);
    // The output stage is busy for 1000 cycles: the first block waits, the others follow.
    CHECK(macConvCycles(config, work, 1000).array == 1000 + 110 + 102);
    // One lane: 512 cycles of output stage per block, which hide those of the array.
    config.outputLanes = 1;
    const auto slow = macConvCycles(config, work);
    CHECK(slow.active == 110 + 110 + 102);
    CHECK(slow.array == 110 + 512 + 512);
    CHECK(slow.outputStage == 8 * 32);
    // Blocks of columns: the middle one is like the first, the last has 4 of 12 channels.
    config.outputLanes = 16;
    work.outputChannels = 28;
    work.blockHeight = 40;
    work.blockChannels = 12;
    const auto columns = macConvCycles(config, work);
    CHECK(columns.active == 3 * (2 * 16 + 16 + 40 - 2 + 40));
    CHECK(columns.array == columns.active);
    CHECK(columns.outputStage == 40 * 4 / 16);
}

TEST_CASE("every block reads its own filter [E-3]") {
    MacConv work = convolution();
    const MacConfig config = array(16, 16, Dataflow::kWeightStationary, true);
    const auto whole = macConvTraffic(config, work);
    work.blockHeight = 20;  // three blocks, the last of 16 rows
    work.blockWidth = 56;
    work.blockChannels = 128;
    const auto rows = macConvTraffic(config, work);
    CHECK(rows.inputBytes == whole.inputBytes);
    CHECK(rows.filterBytes == 3 * whole.filterBytes);
    CHECK(rows.outputBytes == whole.outputBytes);
    work.blockHeight = 56;
    work.blockChannels = 24;  // two column folds of the array each, but one for the last 8
    const auto columns = macConvTraffic(config, work);
    CHECK(columns.inputBytes == 3136ULL * 576 * 11);
    CHECK(columns.filterBytes == whole.filterBytes);
}

TEST_CASE("traffic follows the folds and the element sizes [E-3]") {
    MacConv work = convolution();
    const auto ws = macConvTraffic(array(16, 16, Dataflow::kWeightStationary, true), work);
    CHECK(ws.inputBytes == 3136ULL * 576 * 8);
    CHECK(ws.filterBytes == 576ULL * 128);
    CHECK(ws.outputBytes == 3136ULL * 128);
    const auto os = macConvTraffic(array(16, 16, Dataflow::kOutputStationary, true), work);
    CHECK(os.inputBytes == 3136ULL * 576 * 8);
    CHECK(os.filterBytes == 576ULL * 128 * 196);
    work.inputType = work.filterType = work.outputType = ElementType::kFloat32;
    work.flags = 0;
    const auto undrained = macConvTraffic(array(16, 16, Dataflow::kWeightStationary, true), work);
    CHECK(undrained.inputBytes == 4 * ws.inputBytes);
    CHECK(undrained.filterBytes == 4 * ws.filterBytes);
    CHECK(undrained.outputBytes == 0);
    work.flags = hw::kMacDepthwise;
    const auto depthwise = macConvTraffic(array(16, 16, Dataflow::kWeightStationary, true), work);
    CHECK(depthwise.inputBytes == 4ULL * 3136 * 9 * 128);
    CHECK(depthwise.filterBytes == 4ULL * 9 * 128);
}

TEST_SUITE_END();

}  // namespace vnpu::test
