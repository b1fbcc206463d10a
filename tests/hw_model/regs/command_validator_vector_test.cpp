// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <bit>
#include <limits>

#include "tests/hw_model/regs/sample_commands.h"

namespace vnpu::hw::test {
namespace {

template <typename Payload, typename Change>
JobStatus changed(Payload work, Change change) {
    change(work);
    return validate(Engine::kVector, work);
}

template <typename Change>
JobStatus pool(Change change) {
    return changed(samplePool(), change);
}
template <typename Change>
JobStatus eltwise(Change change) {
    return changed(sampleEltwise(), change);
}
template <typename Change>
JobStatus unary(Change change) {
    return changed(sampleUnary(), change);
}
template <typename Change>
JobStatus softmax(Change change) {
    return changed(sampleSoftmax(), change);
}
template <typename Change>
JobStatus reduce(Change change) {
    return changed(sampleReduce(), change);
}

VecUnary unaryOf(UnaryKind kind, ElementType input, ElementType output) {
    VecUnary work = sampleUnary();
    work.kind = kind;
    work.inputType = input;
    work.outputType = output;
    work.outputStage.zeroPoint = 0;
    work.outputStage.clampMin = 0;
    work.outputStage.clampMax = output == ElementType::kInt8 ? 127 : 255;
    if (output == ElementType::kFloat32) {
        work.outputStage.clampMax = std::bit_cast<std::int32_t>(1.0F);
    }
    return work;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/regs/command_validator_vector");

TEST_CASE("reserved fields must be zero") {
    CHECK(pool([](VecPool& w) { w.reserved0 = 1; }) == JobStatus::kReservedNotZero);
    CHECK(eltwise([](VecEltwise& w) { w.reserved0 = 1; }) == JobStatus::kReservedNotZero);
    CHECK(eltwise([](VecEltwise& w) { w.reserved1 = 1; }) == JobStatus::kReservedNotZero);
    CHECK(unary([](VecUnary& w) { w.reserved0 = 1; }) == JobStatus::kReservedNotZero);
    CHECK(unary([](VecUnary& w) { w.reserved1 = 1; }) == JobStatus::kReservedNotZero);
    CHECK(softmax([](VecSoftmax& w) { w.reserved0[2] = 1; }) == JobStatus::kReservedNotZero);
    CHECK(reduce([](VecReduce& w) { w.reserved0 = 1; }) == JobStatus::kReservedNotZero);
    CHECK(reduce([](VecReduce& w) { w.reserved1[1] = 1; }) == JobStatus::kReservedNotZero);
}

TEST_CASE("operand types must be 8 bit or float") {
    CHECK(pool([](VecPool& w) { w.type = ElementType::kInt32; }) == JobStatus::kBadOperand);
    CHECK(eltwise([](VecEltwise& w) { w.type = ElementType::kInt32; }) == JobStatus::kBadOperand);
    CHECK(softmax([](VecSoftmax& w) { w.type = static_cast<ElementType>(7); }) ==
          JobStatus::kBadOperand);
    CHECK(reduce([](VecReduce& w) { w.type = ElementType::kInt32; }) == JobStatus::kBadOperand);
}

TEST_CASE("enumerations must be in range") {
    CHECK(pool([](VecPool& w) { w.kind = static_cast<PoolKind>(2); }) == JobStatus::kBadOperand);
    CHECK(eltwise([](VecEltwise& w) { w.kind = static_cast<EltwiseKind>(2); }) ==
          JobStatus::kBadOperand);
    CHECK(unary([](VecUnary& w) { w.kind = static_cast<UnaryKind>(6); }) == JobStatus::kBadOperand);
}

TEST_CASE("pooling dimensions must be at least one") {
    CHECK(pool([](VecPool& w) { w.inputHeight = 0; }) == JobStatus::kBadOperand);
    CHECK(pool([](VecPool& w) { w.channels = 0; }) == JobStatus::kBadOperand);
    CHECK(pool([](VecPool& w) { w.outputWidth = 0; }) == JobStatus::kBadOperand);
    CHECK(pool([](VecPool& w) { w.windowHeight = 0; }) == JobStatus::kBadOperand);
    CHECK(pool([](VecPool& w) { w.strideWidth = 0; }) == JobStatus::kBadOperand);
}

// Input rows 0 to 7, windows of 2 every 2: rows 2*y - pad and the next.
TEST_CASE("each pooling window must overlap the input") {
    CHECK(pool([](VecPool& w) { w.padTop = 1; }) == JobStatus::kOk);
    CHECK(pool([](VecPool& w) { w.padTop = 2; }) == JobStatus::kBadOperand);
    CHECK(pool([](VecPool& w) { w.padLeft = -1; }) == JobStatus::kOk);
    CHECK(pool([](VecPool& w) { w.padLeft = -2; }) == JobStatus::kBadOperand);
    CHECK(pool([](VecPool& w) { w.padTop = std::numeric_limits<std::int32_t>::min(); }) ==
          JobStatus::kBadOperand);
}

// 8 * 8 * 16 = 1024 bytes in, 4 * 4 * 16 = 256 bytes out.
TEST_CASE("pooling operands must lie in SRAM") {
    CHECK(pool([](VecPool& w) { w.inputSram = 65536 - 1024; }) == JobStatus::kOk);
    CHECK(pool([](VecPool& w) { w.inputSram = 65536 - 1023; }) == JobStatus::kOutOfSram);
    CHECK(pool([](VecPool& w) { w.outputSram = 65536 - 256; }) == JobStatus::kOk);
    CHECK(pool([](VecPool& w) { w.outputSram = 65536 - 255; }) == JobStatus::kOutOfSram);
}

TEST_CASE("pooling clamps must be ordered and in stored units") {
    CHECK(pool([](VecPool& w) { w.clampMin = -1; }) == JobStatus::kBadOperand);
    CHECK(pool([](VecPool& w) { w.clampMax = 256; }) == JobStatus::kBadOperand);
}

TEST_CASE("float operands must be word aligned") {
    const auto at = [](std::uint32_t input, std::uint32_t output) {
        return pool([=](VecPool& w) {
            w.type = ElementType::kFloat32;
            w.inputSram = input;
            w.outputSram = output;
            w.clampMax = std::bit_cast<std::int32_t>(1.0F);
        });
    };
    CHECK(at(0x100, 0x4000) == JobStatus::kOk);
    CHECK(at(0x102, 0x4000) == JobStatus::kMisaligned);
    CHECK(at(0x100, 0x4001) == JobStatus::kMisaligned);
}

TEST_CASE("element-wise dimensions must be at least one") {
    for (int d = 0; d < 4; ++d) {
        CHECK(eltwise([d](VecEltwise& w) { w.dims[d] = 0; }) == JobStatus::kBadOperand);
    }
}

// 3 * 32 + 3 * 8 + 7 * 1 + 1 = 128 elements; the broadcast operand has 8; the output 128.
TEST_CASE("element-wise operands must lie in SRAM by their strides") {
    CHECK(eltwise([](VecEltwise& w) { w.inputSram[0] = 65536 - 128; }) == JobStatus::kOk);
    CHECK(eltwise([](VecEltwise& w) { w.inputSram[0] = 65536 - 127; }) == JobStatus::kOutOfSram);
    CHECK(eltwise([](VecEltwise& w) { w.inputSram[1] = 65536 - 8; }) == JobStatus::kOk);
    CHECK(eltwise([](VecEltwise& w) { w.inputSram[1] = 65536 - 7; }) == JobStatus::kOutOfSram);
    CHECK(eltwise([](VecEltwise& w) { w.outputSram = 65536 - 127; }) == JobStatus::kOutOfSram);
    CHECK(eltwise([](VecEltwise& w) { w.strides[1][1] = 0xFFFFFFFF; }) == JobStatus::kOutOfSram);
}

TEST_CASE("maximal dimensions do not wrap around to small operands") {
    CHECK(eltwise([](VecEltwise& w) {
              for (int d = 0; d < 4; ++d) {
                  w.dims[d] = 0x10000;
                  w.strides[0][d] = w.strides[1][d] = 0;
              }
          }) == JobStatus::kOutOfSram);
    CHECK(softmax([](VecSoftmax& w) { w.outer = w.axis = w.inner = 0xFFFFFFFF; }) ==
          JobStatus::kOutOfSram);
    CHECK(reduce([](VecReduce& w) { w.dims[0] = w.dims[1] = w.dims[2] = w.dims[3] = 0x10000; }) ==
          JobStatus::kOutOfSram);
    CHECK(unary([](VecUnary& w) { w.count = 0x40000001; }) == JobStatus::kOutOfSram);
}

TEST_CASE("element-wise scaling must stay within a word") {
    CHECK(eltwise([](VecEltwise& w) { w.inputZeroPoint[1] = 128; }) == JobStatus::kBadOperand);
    CHECK(eltwise([](VecEltwise& w) { w.inputShift[0] = 31; }) == JobStatus::kBadOperand);
    CHECK(eltwise([](VecEltwise& w) { w.leftShift = 24; }) == JobStatus::kBadOperand);
    CHECK(eltwise([](VecEltwise& w) { w.leftShift = -1; }) == JobStatus::kBadOperand);
    CHECK(eltwise([](VecEltwise& w) { w.outputStage.shift = -32; }) == JobStatus::kBadOperand);
    CHECK(eltwise([](VecEltwise& w) { w.outputStage.zeroPoint = -129; }) == JobStatus::kBadOperand);
}

TEST_CASE("vector output stages must have neither bias nor table") {
    CHECK(eltwise([](VecEltwise& w) { w.outputStage.flags = kOutputHasBias; }) ==
          JobStatus::kReservedNotZero);
    CHECK(unary([](VecUnary& w) { w.outputStage.flags = kOutputPerChannel; }) ==
          JobStatus::kReservedNotZero);
}

TEST_CASE("each unary function accepts only its types") {
    using T = ElementType;
    const auto of = [](UnaryKind kind, T input, T output) {
        return validate(Engine::kVector, unaryOf(kind, input, output));
    };
    CHECK(of(UnaryKind::kClamp, T::kInt8, T::kInt8) == JobStatus::kOk);
    CHECK(of(UnaryKind::kClamp, T::kFloat32, T::kFloat32) == JobStatus::kOk);
    CHECK(of(UnaryKind::kClamp, T::kInt8, T::kUint8) == JobStatus::kBadOperand);
    CHECK(of(UnaryKind::kLut, T::kInt8, T::kUint8) == JobStatus::kOk);
    CHECK(of(UnaryKind::kLut, T::kFloat32, T::kUint8) == JobStatus::kBadOperand);
    CHECK(of(UnaryKind::kLogistic, T::kFloat32, T::kFloat32) == JobStatus::kOk);
    CHECK(of(UnaryKind::kLogistic, T::kInt8, T::kInt8) == JobStatus::kBadOperand);
    CHECK(of(UnaryKind::kQuantize, T::kFloat32, T::kInt8) == JobStatus::kOk);
    CHECK(of(UnaryKind::kQuantize, T::kFloat32, T::kFloat32) == JobStatus::kBadOperand);
    CHECK(of(UnaryKind::kDequantize, T::kUint8, T::kFloat32) == JobStatus::kOk);
    CHECK(of(UnaryKind::kDequantize, T::kUint8, T::kInt32) == JobStatus::kBadOperand);
    CHECK(of(UnaryKind::kRequantize, T::kUint8, T::kInt8) == JobStatus::kOk);
    CHECK(of(UnaryKind::kRequantize, T::kInt32, T::kInt8) == JobStatus::kBadOperand);
}

TEST_CASE("a unary command needs elements, in SRAM on both sides") {
    CHECK(unary([](VecUnary& w) { w.count = 0; }) == JobStatus::kBadOperand);
    CHECK(unary([](VecUnary& w) { w.inputSram = 65536 - 256; }) == JobStatus::kOk);
    CHECK(unary([](VecUnary& w) { w.inputSram = 65536 - 252; }) == JobStatus::kOutOfSram);
    CHECK(unary([](VecUnary& w) { w.inputSram = 0x101; }) == JobStatus::kMisaligned);
    CHECK(unary([](VecUnary& w) { w.outputSram = 65536 - 64; }) == JobStatus::kOk);
    CHECK(unary([](VecUnary& w) { w.outputSram = 65536 - 63; }) == JobStatus::kOutOfSram);
}

TEST_CASE("a look-up table needs 256 bytes of SRAM") {
    VecUnary work = unaryOf(UnaryKind::kLut, ElementType::kInt8, ElementType::kInt8);
    work.tableSram = 65536 - 256;
    CHECK(validate(Engine::kVector, work) == JobStatus::kOk);
    work.tableSram = 65536 - 255;
    CHECK(validate(Engine::kVector, work) == JobStatus::kOutOfSram);
}

TEST_CASE("scales must be positive and finite") {
    CHECK(unary([](VecUnary& w) { w.scale = 0.0F; }) == JobStatus::kBadOperand);
    CHECK(unary([](VecUnary& w) { w.scale = -1.0F; }) == JobStatus::kBadOperand);
    CHECK(unary([](VecUnary& w) { w.scale = std::numeric_limits<float>::infinity(); }) ==
          JobStatus::kBadOperand);
    CHECK(unary([](VecUnary& w) { w.scale = std::numeric_limits<float>::quiet_NaN(); }) ==
          JobStatus::kBadOperand);
}

TEST_CASE("softmax parameters must be in range") {
    CHECK(softmax([](VecSoftmax& w) { w.axis = 0; }) == JobStatus::kBadOperand);
    CHECK(softmax([](VecSoftmax& w) { w.outer = 0; }) == JobStatus::kBadOperand);
    CHECK(softmax([](VecSoftmax& w) { w.inner = 0; }) == JobStatus::kBadOperand);
    CHECK(softmax([](VecSoftmax& w) { w.inputMultiplier = -1; }) == JobStatus::kBadOperand);
    CHECK(softmax([](VecSoftmax& w) { w.inputLeftShift = 32; }) == JobStatus::kBadOperand);
    CHECK(softmax([](VecSoftmax& w) { w.inputLeftShift = -1; }) == JobStatus::kBadOperand);
    CHECK(softmax([](VecSoftmax& w) { w.diffMin = 1; }) == JobStatus::kBadOperand);
}

TEST_CASE("a float softmax needs a positive beta") {
    const auto beta = [](float value) {
        return softmax([value](VecSoftmax& w) {
            w.type = ElementType::kFloat32;
            w.outputSram = 0x2000;
            w.beta = value;
        });
    };
    CHECK(beta(1.0F) == JobStatus::kOk);
    CHECK(beta(0.0F) == JobStatus::kBadOperand);
    CHECK(beta(std::numeric_limits<float>::infinity()) == JobStatus::kBadOperand);
}

TEST_CASE("softmax operands must lie in SRAM") {
    CHECK(softmax([](VecSoftmax& w) { w.inputSram = 65536 - 1000; }) == JobStatus::kOk);
    CHECK(softmax([](VecSoftmax& w) { w.inputSram = 65536 - 999; }) == JobStatus::kOutOfSram);
    CHECK(softmax([](VecSoftmax& w) { w.outputSram = 65536 - 999; }) == JobStatus::kOutOfSram);
}

TEST_CASE("a reduction needs at least one of four dimensions") {
    CHECK(reduce([](VecReduce& w) { w.reduceMask = 0; }) == JobStatus::kBadOperand);
    CHECK(reduce([](VecReduce& w) { w.reduceMask = 16; }) == JobStatus::kBadOperand);
    CHECK(reduce([](VecReduce& w) { w.dims[2] = 0; }) == JobStatus::kBadOperand);
    CHECK(reduce([](VecReduce& w) { w.inputZeroPoint = 128; }) == JobStatus::kBadOperand);
}

// 7 * 7 * 32 = 1568 bytes in; 32 are kept.
TEST_CASE("a reduction's operands must lie in SRAM") {
    CHECK(reduce([](VecReduce& w) { w.inputSram = 65536 - 1568; }) == JobStatus::kOk);
    CHECK(reduce([](VecReduce& w) { w.inputSram = 65536 - 1567; }) == JobStatus::kOutOfSram);
    CHECK(reduce([](VecReduce& w) { w.outputSram = 65536 - 32; }) == JobStatus::kOk);
    CHECK(reduce([](VecReduce& w) { w.outputSram = 65536 - 31; }) == JobStatus::kOutOfSram);
}

TEST_SUITE_END();

}  // namespace vnpu::hw::test
