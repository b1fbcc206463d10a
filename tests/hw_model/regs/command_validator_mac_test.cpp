// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <bit>
#include <limits>

#include "tests/hw_model/regs/sample_commands.h"

namespace vnpu::hw::test {
namespace {

template <typename Change>
JobStatus conv(Change change) {
    MacConv work = sampleConv();
    change(work);
    return validate(Engine::kMac, work);
}

/// 1x1 float convolution of 4x4x2 to 4x4x2 with a bias, everything 4-byte aligned.
MacConv floatConv() {
    MacConv work = sampleConv();
    work.inputType = work.filterType = work.outputType = ElementType::kFloat32;
    work.inputZeroPoint = 0;
    work.inputHeight = work.inputWidth = work.outputHeight = work.outputWidth = 4;
    work.inputChannels = work.outputChannels = 2;
    work.inputPixelBytes = work.outputPixelBytes = 8;
    work.inputRowBytes = work.outputRowBytes = 32;
    work.filterHeight = work.filterWidth = 1;
    work.padTop = work.padLeft = 0;
    work.outputStage.flags = kOutputHasBias;
    work.outputStage.clampMin = std::bit_cast<std::int32_t>(-1.0F);
    work.outputStage.clampMax = std::bit_cast<std::int32_t>(6.0F);
    return work;
}

template <typename Change>
JobStatus convFloat(Change change) {
    MacConv work = floatConv();
    change(work);
    return validate(Engine::kMac, work);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/regs/command_validator_mac");

TEST_CASE("reserved fields and unknown flags must be zero") {
    CHECK(conv([](MacConv& w) { w.reserved0 = 1; }) == JobStatus::kReservedNotZero);
    CHECK(conv([](MacConv& w) { w.flags |= 8; }) == JobStatus::kReservedNotZero);
    CHECK(conv([](MacConv& w) { w.outputStage.flags |= 4; }) == JobStatus::kReservedNotZero);
}

TEST_CASE("a float convolution is valid") {
    CHECK(convFloat([](MacConv&) {}) == JobStatus::kOk);
}

TEST_CASE("operand types must be 8 bit or float") {
    CHECK(conv([](MacConv& w) { w.inputType = ElementType::kInt32; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.filterType = static_cast<ElementType>(4); }) ==
          JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.outputType = static_cast<ElementType>(255); }) ==
          JobStatus::kBadOperand);
}

TEST_CASE("float and 8-bit operands must not be mixed") {
    CHECK(conv([](MacConv& w) { w.filterType = ElementType::kFloat32; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.outputType = ElementType::kFloat32; }) == JobStatus::kBadOperand);
    CHECK(convFloat([](MacConv& w) { w.inputType = ElementType::kInt8; }) ==
          JobStatus::kBadOperand);
}

TEST_CASE("signed and unsigned operands may be mixed") {
    CHECK(conv([](MacConv& w) {
              w.inputType = ElementType::kUint8;
              w.inputZeroPoint = 255;
          }) == JobStatus::kOk);
}

TEST_CASE("zero points must be values of their types") {
    CHECK(conv([](MacConv& w) { w.inputZeroPoint = 128; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.inputZeroPoint = -129; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) {
              w.filterType = ElementType::kUint8;
              w.filterZeroPoint = -1;
          }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.outputStage.zeroPoint = 200; }) == JobStatus::kBadOperand);
    CHECK(convFloat([](MacConv& w) { w.inputZeroPoint = 1; }) == JobStatus::kBadOperand);
}

TEST_CASE("no dimension may be zero") {
    CHECK(conv([](MacConv& w) { w.inputHeight = 0; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.inputWidth = 0; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.inputChannels = 0; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.outputHeight = 0; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.outputWidth = 0; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.outputChannels = 0; }) == JobStatus::kBadOperand);
}

TEST_CASE("filter, stride and dilation must be at least one") {
    CHECK(conv([](MacConv& w) { w.filterHeight = 0; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.filterWidth = 0; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.strideHeight = 0; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.strideWidth = 0; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.dilationHeight = 0; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.dilationWidth = 0; }) == JobStatus::kBadOperand);
}

TEST_CASE("padding may be large or negative, as long as coordinates stay small") {
    CHECK(conv([](MacConv& w) { w.padTop = -100; }) == JobStatus::kOk);
    CHECK(conv([](MacConv& w) { w.padLeft = 100; }) == JobStatus::kOk);
    CHECK(conv([](MacConv& w) { w.padTop = std::numeric_limits<std::int32_t>::min(); }) ==
          JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.padLeft = std::numeric_limits<std::int32_t>::max(); }) ==
          JobStatus::kBadOperand);
}

TEST_CASE("pixel strides must cover the channels and row strides the pixels") {
    CHECK(conv([](MacConv& w) { w.inputPixelBytes = 3; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.inputRowBytes = 31; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.outputPixelBytes = 7; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.outputRowBytes = 63; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) {
              w.inputPixelBytes = 16;
              w.inputRowBytes = 7 * 16 + 4;  // the last pixel needs its channels only
          }) == JobStatus::kOk);
}

// 7 * 32 + 32 = 256 bytes of input.
TEST_CASE("the input must lie in SRAM") {
    CHECK(conv([](MacConv& w) { w.inputSram = 65536 - 256; }) == JobStatus::kOk);
    CHECK(conv([](MacConv& w) { w.inputSram = 65536 - 255; }) == JobStatus::kOutOfSram);
    CHECK(conv([](MacConv& w) { w.inputSram = 0xFFFFFFFF; }) == JobStatus::kOutOfSram);
}

// 8 * 3 * 3 * 4 = 288 bytes of filter.
TEST_CASE("the filter must lie in SRAM") {
    CHECK(conv([](MacConv& w) { w.filterSram = 65536 - 288; }) == JobStatus::kOk);
    CHECK(conv([](MacConv& w) { w.filterSram = 65536 - 287; }) == JobStatus::kOutOfSram);
}

// 3 * 3 * 8 = 72 bytes where each output channel has its own plane.
TEST_CASE("a depthwise filter has one plane per output channel") {
    const auto at = [](std::uint32_t address) {
        return conv([address](MacConv& w) {
            w.flags |= kMacDepthwise;
            w.depthMultiplier = 2;
            w.filterSram = address;
        });
    };
    CHECK(at(65536 - 72) == JobStatus::kOk);
    CHECK(at(65536 - 71) == JobStatus::kOutOfSram);
}

TEST_CASE("a drained output must lie in SRAM") {
    CHECK(conv([](MacConv& w) { w.outputSram = 65536 - 512; }) == JobStatus::kOk);
    CHECK(conv([](MacConv& w) { w.outputSram = 65536 - 511; }) == JobStatus::kOutOfSram);
    CHECK(conv([](MacConv& w) {
              w.outputSram = 65536;
              w.flags = 0;
          }) == JobStatus::kOk);
}

TEST_CASE("bias and scale tables must lie in SRAM, word aligned") {
    CHECK(conv([](MacConv& w) { w.outputStage.biasSram = 65536 - 32; }) == JobStatus::kOk);
    CHECK(conv([](MacConv& w) { w.outputStage.biasSram = 65536 - 28; }) == JobStatus::kOutOfSram);
    CHECK(conv([](MacConv& w) { w.outputStage.biasSram = 2; }) == JobStatus::kMisaligned);
    CHECK(conv([](MacConv& w) { w.outputStage.scaleSram = 65536 - 64; }) == JobStatus::kOk);
    CHECK(conv([](MacConv& w) { w.outputStage.scaleSram = 65536 - 60; }) == JobStatus::kOutOfSram);
    CHECK(conv([](MacConv& w) { w.outputStage.scaleSram = 1; }) == JobStatus::kMisaligned);
}

TEST_CASE("unused tables are not checked") {
    CHECK(conv([](MacConv& w) {
              w.outputStage.flags = 0;
              w.outputStage.biasSram = w.outputStage.scaleSram = 0xFFFFFFFF;
          }) == JobStatus::kOk);
}

TEST_CASE("a float output must not have a scale table") {
    CHECK(convFloat([](MacConv& w) { w.outputStage.flags |= kOutputPerChannel; }) ==
          JobStatus::kBadOperand);
}

TEST_CASE("float tiles must be word aligned") {
    CHECK(convFloat([](MacConv& w) { w.inputSram = 2; }) == JobStatus::kMisaligned);
    CHECK(convFloat([](MacConv& w) { w.filterSram = 0x1001; }) == JobStatus::kMisaligned);
    CHECK(convFloat([](MacConv& w) { w.outputSram = 0x2003; }) == JobStatus::kMisaligned);
    CHECK(convFloat([](MacConv& w) {
              w.inputPixelBytes = 9;
              w.inputRowBytes = 36;
          }) == JobStatus::kMisaligned);
}

// 8 * 8 * 8 accumulators of 4 bytes: 2048 of 16384 bytes.
TEST_CASE("accumulators must lie within their memory, word aligned") {
    CHECK(conv([](MacConv& w) { w.accumulatorOffset = 16384 - 2048; }) == JobStatus::kOk);
    CHECK(conv([](MacConv& w) { w.accumulatorOffset = 16384 - 2044; }) ==
          JobStatus::kOutOfAccumulator);
    CHECK(conv([](MacConv& w) { w.accumulatorOffset = 0xFFFFFFFC; }) ==
          JobStatus::kOutOfAccumulator);
    CHECK(conv([](MacConv& w) { w.accumulatorOffset = 2; }) == JobStatus::kMisaligned);
}

TEST_CASE("maximal dimensions do not wrap around to small tiles") {
    CHECK(conv([](MacConv& w) {
              w.inputChannels = 0x80000000;
              w.inputPixelBytes = 0x80000000;
              w.inputRowBytes = 0xFFFFFFFF;
          }) != JobStatus::kOk);
    CHECK(conv([](MacConv& w) {
              w.filterHeight = w.filterWidth = 0xFFFF;
              w.outputChannels = 0x10000;
              w.outputPixelBytes = w.outputRowBytes = 0x80000;
          }) == JobStatus::kOutOfSram);
    CHECK(conv([](MacConv& w) {
              w.outputHeight = 0x10000;
              w.outputWidth = 0x10000;
          }) == JobStatus::kOutOfAccumulator);
}

TEST_CASE("each depthwise output channel needs an input channel") {
    const auto channels = [](std::uint32_t output, std::uint32_t multiplier) {
        return conv([=](MacConv& w) {
            w.flags |= kMacDepthwise;
            w.depthMultiplier = multiplier;
            w.outputChannels = output;
        });
    };
    CHECK(channels(8, 2) == JobStatus::kOk);  // 4 input channels, two outputs each
    CHECK(channels(7, 2) == JobStatus::kOk);  // a tile may end within a group
    CHECK(channels(8, 1) == JobStatus::kBadOperand);
    CHECK(channels(8, 0) == JobStatus::kBadOperand);
}

TEST_CASE("a normal convolution must not have a depth multiplier") {
    CHECK(conv([](MacConv& w) { w.depthMultiplier = 1; }) == JobStatus::kOk);
    CHECK(conv([](MacConv& w) { w.depthMultiplier = 2; }) == JobStatus::kBadOperand);
}

TEST_CASE("blocks must have an extent along every axis or none") {
    const auto blocks = [](std::uint32_t height, std::uint32_t width, std::uint32_t channels) {
        return conv([=](MacConv& w) {
            w.blockHeight = height;
            w.blockWidth = width;
            w.blockChannels = channels;
        });
    };
    CHECK(blocks(2, 8, 8) == JobStatus::kOk);
    CHECK(blocks(3, 5, 7) == JobStatus::kOk);
    CHECK(blocks(9, 9, 9) == JobStatus::kOk);  // all in one
    CHECK(blocks(0, 8, 8) == JobStatus::kBadOperand);
    CHECK(blocks(2, 0, 8) == JobStatus::kBadOperand);
    CHECK(blocks(2, 8, 0) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.reserved1 = 1; }) == JobStatus::kReservedNotZero);
}

TEST_CASE("several blocks must drain, start from zero and use both halves from offset 0") {
    const auto blocked = [](std::uint32_t flags, std::uint32_t offset) {
        return conv([=](MacConv& w) {
            w.blockHeight = 4;
            w.blockWidth = w.blockChannels = 8;
            w.flags = flags;
            w.accumulatorOffset = offset;
        });
    };
    CHECK(blocked(kMacDrain, 0) == JobStatus::kOk);
    CHECK(blocked(0, 0) == JobStatus::kBadOperand);
    CHECK(blocked(kMacDrain | kMacAccumulate, 0) == JobStatus::kBadOperand);
    CHECK(blocked(kMacDrain, 4) == JobStatus::kBadOperand);
}

TEST_CASE("a block must fit half of the accumulators, whatever the output's size") {
    // 64 x 64 x 8 results take 131,072 bytes of accumulators, half of 16 KiB holds 2,048
    // results.
    const auto blocked = [](std::uint32_t height, std::uint32_t width) {
        return conv([=](MacConv& w) {
            w.inputSram = 0;
            w.inputHeight = w.inputWidth = w.outputHeight = w.outputWidth = 64;
            w.inputChannels = w.inputPixelBytes = 1;
            w.inputRowBytes = 64;
            w.outputRowBytes = 64 * 8;
            w.outputSram = 0x4000;
            w.blockHeight = height;
            w.blockWidth = width;
            w.blockChannels = 8;
        });
    };
    CHECK(blocked(4, 64) == JobStatus::kOk);
    CHECK(blocked(4, 100) == JobStatus::kOk);  // the block ends with the output
    CHECK(blocked(5, 64) == JobStatus::kOutOfAccumulator);
    CHECK(blocked(64, 64) == JobStatus::kOutOfAccumulator);
}

TEST_CASE("the clamp must be ordered and within the output's type") {
    CHECK(conv([](MacConv& w) {
              w.outputStage.clampMin = 5;
              w.outputStage.clampMax = 4;
          }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.outputStage.clampMin = -129; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.outputStage.clampMax = 128; }) == JobStatus::kBadOperand);
}

TEST_CASE("a float clamp must be ordered and not NaN") {
    CHECK(convFloat([](MacConv& w) {
              w.outputStage.clampMin = std::bit_cast<std::int32_t>(7.0F);
          }) == JobStatus::kBadOperand);
    CHECK(convFloat([](MacConv& w) { w.outputStage.clampMax = 0x7FC00000; }) ==
          JobStatus::kBadOperand);
    CHECK(convFloat([](MacConv& w) { w.outputStage.clampMax = 0x7F800000; }) ==  // infinity
          JobStatus::kOk);
}

TEST_CASE("shifts must stay within a word") {
    CHECK(conv([](MacConv& w) { w.outputStage.shift = 30; }) == JobStatus::kOk);
    CHECK(conv([](MacConv& w) { w.outputStage.shift = 31; }) == JobStatus::kBadOperand);
    CHECK(conv([](MacConv& w) { w.outputStage.shift = -31; }) == JobStatus::kOk);
    CHECK(conv([](MacConv& w) { w.outputStage.shift = -32; }) == JobStatus::kBadOperand);
}

TEST_SUITE_END();

}  // namespace vnpu::hw::test
