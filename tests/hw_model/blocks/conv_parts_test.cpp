// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/conv_parts.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <vector>

#include "hw_model/kernels/kernels.h"

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint32_t kFilter = 0x40000;
constexpr std::uint32_t kBias = 0x80000;
constexpr std::uint32_t kScales = 0x84000;
constexpr std::uint32_t kOutput = 0xC0000;
constexpr std::size_t kSramBytes = 0x200000;
constexpr std::size_t kManyThreads = 8;

/// 8-bit, 3 x 3 with one row and column of padding, with biases and a scale for each channel.
MacConv conv(std::uint32_t size, std::uint32_t channels, std::uint32_t outputs,
             std::uint32_t flags) {
    MacConv work{};
    work.inputType = work.filterType = work.outputType = ElementType::kInt8;
    work.flags = flags;
    work.inputZeroPoint = 3;
    work.filterSram = kFilter;
    work.outputSram = kOutput;
    work.inputHeight = work.inputWidth = work.outputHeight = work.outputWidth = size;
    work.inputChannels = channels;
    work.inputPixelBytes = channels;
    work.inputRowBytes = size * channels;
    work.outputChannels = outputs;
    work.outputPixelBytes = outputs;
    work.outputRowBytes = size * outputs;
    work.filterHeight = work.filterWidth = 3;
    work.strideHeight = work.strideWidth = work.dilationHeight = work.dilationWidth = 1;
    work.padTop = work.padLeft = 1;
    work.depthMultiplier = 1;
    work.outputStage = {.zeroPoint = -5,
                        .clampMin = -128,
                        .clampMax = 127,
                        .multiplier = 0,
                        .shift = 0,
                        .biasSram = kBias,
                        .scaleSram = kScales,
                        .flags = kOutputHasBias | kOutputPerChannel};
    return work;
}

std::uint64_t operationsOf(const MacConv& work) {
    const bool isDepthwise = (work.flags & kMacDepthwise) != 0;
    return std::uint64_t{work.outputHeight} * work.outputWidth * work.outputChannels * 9 *
           (isDepthwise ? 8 : work.inputChannels);
}

std::vector<std::byte> randomSram() {
    std::mt19937 random(7);
    std::vector<std::byte> sram(kSramBytes);
    for (std::byte& byte : sram) {
        byte = static_cast<std::byte>(random());
    }
    for (std::uint32_t channel = 0; channel < 512; ++channel) {
        const std::int32_t scale[2] = {0x40000000 + static_cast<std::int32_t>(channel << 16), -9};
        std::memcpy(&sram[kScales + channel * sizeof(scale)], scale, sizeof(scale));
        const std::int32_t bias = static_cast<std::int32_t>(channel) * 100 - 20'000;
        std::memcpy(&sram[kBias + channel * sizeof(bias)], &bias, sizeof(bias));
    }
    return sram;
}

/// The parts, executed in reverse order, leave memory as the whole command does.
void checkSameBytes(const MacConv& work, const ConvParts& parts) {
    CAPTURE(parts.rows);
    CAPTURE(parts.channels);
    const std::vector<std::byte> before = randomSram();
    std::vector<std::byte> whole = before;
    kernels::macConv(work, whole.data(), nullptr);
    REQUIRE(whole != before);
    std::vector<std::byte> inParts = before;
    for (std::uint32_t index = parts.count(); index-- > 0;) {
        kernels::macConv(partOf(work, parts, index), inParts.data(), nullptr);
    }
    CHECK(inParts == whole);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/conv_parts");

TEST_CASE("parts of rows and of channels leave the bytes of the whole command [E-2]") {
    const MacConv work = conv(20, 32, 200, kMacDrain);
    for (const ConvParts& parts :
         {ConvParts{1, 1}, ConvParts{3, 1}, ConvParts{1, 3}, ConvParts{3, 2}, ConvParts{20, 4}}) {
        checkSameBytes(work, parts);
    }
}

TEST_CASE("parts of a strided convolution begin at their own rows [E-2]") {
    MacConv work = conv(21, 16, 64, kMacDrain);
    work.strideHeight = work.strideWidth = 2;
    work.outputHeight = work.outputWidth = 11;
    work.outputRowBytes = 11 * 64;
    for (const ConvParts& parts : {ConvParts{2, 1}, ConvParts{4, 1}, ConvParts{11, 1}}) {
        checkSameBytes(work, parts);
    }
}

TEST_CASE("parts of a depthwise convolution leave the bytes of the whole command [E-2]") {
    checkSameBytes(conv(24, 96, 96, kMacDrain | kMacDepthwise), ConvParts{5, 1});
}

TEST_CASE("large commands are split into parts that are worth a thread, small ones are not [E-2]") {
    const MacConv small = conv(8, 16, 16, kMacDrain);  // 147,456 products
    CHECK(partsOf(small, operationsOf(small), kManyThreads).count() == 1);
    // 20 * 20 pixels give three parts of at least 112 pixels; 29 million products give eight parts
    // in all.
    const MacConv large = conv(20, 32, 256, kMacDrain);
    const ConvParts parts = partsOf(large, operationsOf(large), kManyThreads);
    CHECK(parts.rows == 3);
    CHECK(parts.channels == 3);
    // The channels of a depthwise filter are not contiguous.
    const MacConv depthwise = conv(32, 256, 256, kMacDrain | kMacDepthwise);
    CHECK(partsOf(depthwise, operationsOf(depthwise), kManyThreads).channels == 1);
    CHECK(partsOf(depthwise, operationsOf(depthwise), kManyThreads).rows == 8);
}

TEST_CASE("a command is split into at most eight parts, and no more than threads want [E-2]") {
    const MacConv work = conv(32, 256, 256, kMacDrain | kMacDepthwise);
    CHECK(partsOf(work, operationsOf(work), 0).count() == 1);
    CHECK(partsOf(work, operationsOf(work), 1).count() == 1);
    CHECK(partsOf(work, operationsOf(work), 2).count() == 2);
    CHECK(partsOf(work, operationsOf(work), 9).count() == 8);
}

TEST_CASE("commands with sums in accumulators, or with outputs over inputs, are not split [E-2]") {
    const MacConv kept = conv(20, 32, 256, 0);
    CHECK(partsOf(kept, operationsOf(kept), kManyThreads).count() == 1);
    const MacConv added = conv(20, 32, 256, kMacDrain | kMacAccumulate);
    CHECK(partsOf(added, operationsOf(added), kManyThreads).count() == 1);
    MacConv inPlace = conv(20, 256, 256, kMacDrain);
    inPlace.outputSram = inPlace.inputSram;
    CHECK(partsOf(inPlace, operationsOf(inPlace), kManyThreads).count() == 1);
}

TEST_CASE("another command's half of the channels may lie directly before the input [E-2]") {
    // The other half of each pixel belongs to another command. The last such half also lies before
    // the input, but does not belong to this command.
    MacConv work = conv(20, 256, 256, kMacDrain);
    work.filterSram = 0x100000;
    work.outputPixelBytes = 512;
    work.outputRowBytes = 20 * 512;
    work.inputSram = work.outputSram + 19 * work.outputRowBytes + 19 * 512 + 256;
    CHECK(partsOf(work, operationsOf(work), kManyThreads).count() > 1);
    checkSameBytes(work, partsOf(work, operationsOf(work), kManyThreads));
    --work.inputSram;
    CHECK(partsOf(work, operationsOf(work), kManyThreads).count() == 1);
    // The same right after it.
    work.inputSram = 0;
    work.inputPixelBytes = 300;
    work.inputRowBytes = 20 * 300;
    work.outputSram = 19 * work.inputRowBytes + 19 * 300 + 256;
    CHECK(partsOf(work, operationsOf(work), kManyThreads).count() > 1);
    checkSameBytes(work, partsOf(work, operationsOf(work), kManyThreads));
    --work.outputSram;
    CHECK(partsOf(work, operationsOf(work), kManyThreads).count() == 1);
}

TEST_SUITE_END();

}  // namespace vnpu::test
