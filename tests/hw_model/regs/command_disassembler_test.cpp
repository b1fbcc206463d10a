// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <string>

#include "hw_model/regs/command_reader.h"
#include "tests/hw_model/regs/sample_commands.h"

namespace vnpu::hw::test {
namespace {

std::string lastLine(const CommandWriter& writer) {
    CommandReader reader(writer.bytes());
    CommandView view;
    std::string line;
    while (reader.next(view)) {
        line = disassemble(view);
    }
    return line;
}

template <typename Payload>
std::string line(Engine engine, const Payload& payload) {
    CommandWriter writer;
    writer.add({engine}, payload);
    return lastLine(writer);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/regs/command_disassembler");

TEST_CASE("the line contains offset, operation and waits") {
    const TokenWait waits[] = {{12, 4}, {3, 0}};
    CommandWriter writer;
    writer.add({Engine::kMac}, sampleConv());
    writer.add({Engine::kVector, 17, 3, waits}, sampleReduce());
    CHECK(lastLine(writer) ==
          "0000c0 vector vec.reduce mean int8 sram:0x0 -> sram:0x1000 1x7x7x32 over 1 2 "
          "; operation 17 tile 3 wait mac>=12 dma0>=3");
}

TEST_CASE("a coded transfer prints its coded bytes") {
    DmaTransfer work = sampleTransfer();
    work.codedBytes = 9;
    CHECK(line(Engine::kDma0, work) ==
          "000000 dma0 dma.transfer region0:0x80 -> sram:0x100 16B from 9B coded");
}

TEST_CASE("a transfer prints both sides, the row and the repeated dimensions") {
    CHECK(line(Engine::kDma0, sampleTransfer()) ==
          "000000 dma0 dma.transfer region0:0x80 -> sram:0x100 16B x4@64->32B");
}

TEST_CASE("an operator in SRAM prints types, places and dimensions") {
    VecOperator work = sampleVecOperator();
    work.operands[2].words[0] = 3;
    CHECK(line(Engine::kVector, work) ==
          "000000 vector vec.operator div float32 sram:0x100 2x5x7 float32 sram:0x300 2x5x7 "
          "int32-scalar=3 -> float32 sram:0x500 2x5x7");
    work.operands[2] = {};
    work.operands[2].type = TensorType::kInt32;
    work.operands[2].flags = kOperandOmitted;
    CHECK(line(Engine::kVector, work).find(" int32:none ->") != std::string::npos);
}

TEST_CASE("an operator of the DSP prints the address of its operand descriptions") {
    CHECK(line(Engine::kDsp, sampleDspOperator()) ==
          "000000 dsp dsp.operator split 1 -> 2 operands at region0:0xec8");
}

TEST_CASE("branches print target, condition and loop") {
    Branch work = sampleBranch();
    CHECK(line(Engine::kController, work) ==
          "000000 controller branch to 0x000060 if region1:0x1fff loop 63");
    work.flags = kBranchIfFalse;
    work.loop = 0;
    CHECK(line(Engine::kController, work) ==
          "000000 controller branch to 0x000060 if not region1:0x1fff");
    work = {};
    work.target = 0xABCD8;
    work.flags = kBranchAlways;
    CHECK(line(Engine::kController, work) == "000000 controller branch to 0x0abcd8");
    CHECK(line(Engine::kController, Loop{7, 0}) == "000000 controller loop 7");
    CommandWriter writer;
    writer.add({}, Opcode::kSegment);
    CHECK(lastLine(writer) == "000000 controller segment");
}

TEST_CASE("a fill prints its pattern") {
    CHECK(line(Engine::kDma2, sampleFill()) ==
          "000000 dma2 dma.fill 0xdeadbeef (4B) -> region1:0x100 64B x2@128B");
}

TEST_CASE("a convolution prints tiles, geometry and output stage") {
    CHECK(line(Engine::kMac, sampleConv()) ==
          "000000 mac mac.conv int8 sram:0x0 8x8x4 pitch 32/4B zero -5 * int8 sram:0x1000 3x3 "
          "zero 0 stride 1x1 dilation 1x1 pad 1,1 -> acc:0x0 8x8x8 drain int8 sram:0x2000 "
          "pitch 64/8B zero 3 scales sram:0x3100 bias sram:0x3000 clamp [-128, 127]");
}

TEST_CASE("a depthwise convolution prints the accumulation") {
    MacConv work = sampleConv();
    work.flags = kMacDepthwise | kMacAccumulate;
    work.depthMultiplier = 2;
    const std::string text = line(Engine::kMac, work);
    CHECK(text.find("* depthwise int8") != std::string::npos);
    CHECK(text.find(" multiplier 2 += acc:0x0") != std::string::npos);
    CHECK(text.find("drain") == std::string::npos);
}

TEST_CASE("a convolution in blocks prints their size") {
    MacConv work = sampleConv();
    work.blockHeight = 2;
    work.blockWidth = 4;
    work.blockChannels = 8;
    CHECK(line(Engine::kMac, work).find(" -> acc:0x0 8x8x8 by 2x4x8 drain ") != std::string::npos);
}

TEST_CASE("pooling, elementwise, unary and softmax commands print their operands") {
    CHECK(line(Engine::kVector, samplePool()) ==
          "000000 vector vec.pool average uint8 sram:0x400 8x8x16 -> sram:0x1000 4x4 window "
          "2x2 "
          "stride 2x2 pad 0,0 clamp [0, 255]");
    CHECK(line(Engine::kVector, sampleEltwise()) ==
          "000000 vector vec.eltwise add int8 1x4x4x8 sram:0x100 step 128,32,8,1, sram:0x200 "
          "step 0,0,0,1 -> sram:0x300 zero 0 scale 1073741824*2^-49 clamp [-128, 127]");
    CHECK(line(Engine::kVector, sampleUnary()) ==
          "000000 vector vec.unary quantize float32 sram:0x100 -> uint8 sram:0x400 64 elements "
          "by 0.5 zero 128 clamp [0, 255]");
    CHECK(line(Engine::kVector, sampleSoftmax()) ==
          "000000 vector vec.softmax uint8 sram:0x0 -> sram:0x800 1x1000x1");
}

TEST_CASE("a float clamp is printed as floats") {
    VecPool work = samplePool();
    work.type = ElementType::kFloat32;
    work.clampMin = 0;
    work.clampMax = std::bit_cast<std::int32_t>(6.0F);
    CHECK(line(Engine::kVector, work).find("clamp [0, 6]") != std::string::npos);
}

TEST_CASE("control commands are short") {
    CommandWriter writer;
    writer.add({}, Opcode::kBarrier);
    CHECK(lastLine(writer) == "000000 controller barrier");
    CHECK(line(Engine::kController, emptyCheckpoint(4)) == "000000 controller checkpoint 4");
    CHECK(line(Engine::kController, sampleCheckpoint()) ==
          "000000 controller checkpoint 7 between operations sram:0x40 64 sram:0x100 32 "
          "acc+0x80 256 reloads 0x000000 0x000080 hold 500");
    CHECK(line(Engine::kController, sampleTimestamp()) ==
          "000000 controller timestamp -> region1:0x1ff8");
}

TEST_CASE("invalid enumeration values are printed as a question mark") {
    VecPool work = samplePool();
    work.type = static_cast<ElementType>(9);
    work.kind = static_cast<PoolKind>(9);
    CHECK(line(Engine::kVector, work).find("vec.pool ? ? sram") != std::string::npos);
}

TEST_CASE("a wait count beyond the table is limited") {
    CommandWriter writer;
    writer.add({}, Opcode::kNop);
    std::vector<std::byte> bytes = writer.takeBytes();
    bytes[5] = std::byte{255};
    CommandReader reader(bytes);
    CommandView view;
    REQUIRE(reader.next(view));
    CHECK(disassemble(view) ==
          "000000 controller nop wait dma0>=0 dma0>=0 dma0>=0 dma0>=0 dma0>=0 dma0>=0");
}

TEST_SUITE_END();

}  // namespace vnpu::hw::test
