// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/emit/mac_parts.h"

#include <doctest/doctest.h>

namespace vnpu::driver {
namespace {

/// 3 x 3 over 8 x 6 x 4 bytes, padded on all sides, to 8 x 6 x 16, in blocks of 2 x 3 x 8.
hw::MacConv paddedConvolution() {
    hw::MacConv work{};
    work.inputType = work.filterType = work.outputType = hw::ElementType::kInt8;
    work.flags = hw::kMacDrain;
    work.inputSram = 1000;
    work.filterSram = 2000;
    work.outputSram = 4000;
    work.inputHeight = 8;
    work.inputWidth = 6;
    work.inputChannels = 4;
    work.inputRowBytes = 24;
    work.inputPixelBytes = 4;
    work.outputHeight = 8;
    work.outputWidth = 6;
    work.outputChannels = 16;
    work.outputRowBytes = 96;
    work.outputPixelBytes = 16;
    work.filterHeight = work.filterWidth = 3;
    work.strideHeight = work.strideWidth = 1;
    work.dilationHeight = work.dilationWidth = 1;
    work.padTop = work.padLeft = 1;
    work.blockHeight = 2;
    work.blockWidth = 3;
    work.blockChannels = 8;
    work.outputStage.biasSram = 3000;
    work.outputStage.scaleSram = 3100;
    work.outputStage.flags = hw::kOutputHasBias | hw::kOutputPerChannel;
    return work;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/emit/mac_parts");

TEST_CASE("a command is divided by channels first, with their filters, biases and scales [Q-3]") {
    const auto parts = macParts(paddedConvolution(), 2);
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].outputChannels == 8);
    CHECK(parts[0].filterSram == 2000);
    CHECK(parts[1].outputChannels == 8);
    CHECK(parts[1].filterSram == 2000 + 8 * 3 * 3 * 4);
    CHECK(parts[1].outputSram == 4000 + 8);
    CHECK(parts[1].outputStage.biasSram == 3000 + 8 * 4);
    CHECK(parts[1].outputStage.scaleSram == 3100 + 8 * 8);
    CHECK(parts[1].inputSram == 1000);
    CHECK(parts[1].outputHeight == 8);
    CHECK(parts[1].padTop == 1);
}

TEST_CASE("then by rows and columns, with the input that they read") {
    const auto parts = macParts(paddedConvolution(), 100);
    REQUIRE(parts.size() == 2 * 4 * 2);  // one per block
    for (const hw::MacConv& part : parts) {
        CHECK(hw::blocksOf(part).count() == 1);
    }
    // Channels 8 to 15, rows 2 and 3, columns 3 to 5: input rows 1 to 4, columns 2 to 5.
    const hw::MacConv& part = parts[8 + 2 + 1];
    CHECK(part.outputSram == 4000 + 2 * 96 + 3 * 16 + 8);
    CHECK(part.outputHeight == 2);
    CHECK(part.outputWidth == 3);
    CHECK(part.inputSram == 1000 + 1 * 24 + 2 * 4);
    CHECK(part.inputHeight == 4);
    CHECK(part.inputWidth == 4);
    CHECK(part.padTop == 0);
    CHECK(part.padLeft == 0);
    // The first rows and columns keep their padding.
    CHECK(parts[0].inputHeight == 3);
    CHECK(parts[0].inputWidth == 4);
    CHECK(parts[0].padTop == 1);
    CHECK(parts[0].padLeft == 1);
}

TEST_CASE("a depthwise command is divided by rows only") {
    hw::MacConv work = paddedConvolution();
    work.flags |= hw::kMacDepthwise;
    work.inputChannels = 16;
    const auto parts = macParts(work, 2);
    REQUIRE(parts.size() == 2);
    CHECK(parts[1].outputChannels == 16);
    CHECK(parts[1].filterSram == 2000);
    CHECK(parts[1].outputSram == 4000 + 4 * 96);
    CHECK(parts[1].inputSram == 1000 + 3 * 24);
    CHECK(parts[1].inputHeight == 5);
}

TEST_CASE("a command of one block, and one that keeps sums, stay whole") {
    hw::MacConv work = paddedConvolution();
    CHECK(macParts(work, 1).size() == 1);
    work.blockHeight = 8;
    work.blockWidth = 6;
    work.blockChannels = 16;
    CHECK(macParts(work, 5).size() == 1);
    work = paddedConvolution();
    work.flags = 0;
    CHECK(macParts(work, 5).size() == 1);
    work.flags = hw::kMacDrain | hw::kMacAccumulate;
    CHECK(macParts(work, 5).size() == 1);
}

TEST_SUITE_END();

}  // namespace vnpu::driver
