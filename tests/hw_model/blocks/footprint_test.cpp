// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/base/footprint.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/hw_model/blocks/job_bench.h"

namespace vnpu::test {
namespace {

using namespace hw;

const SramAccess& only(const Footprint& footprint, bool isWrite, std::size_t index) {
    for (const SramAccess& access : footprint.accesses()) {
        if (access.isWrite == isWrite && index-- == 0) {
            return access;
        }
    }
    FAIL("no such access");
    return footprint.accesses()[0];
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/footprint");

TEST_CASE("a matrix product reads both operands and writes the result [E-2]") {
    const Footprint footprint = footprintOf(MacConfig{}, gemm(10, 32, 64, 1000, 5000, 9000));
    REQUIRE(footprint.accesses().size() == 3);
    CHECK(only(footprint, false, 0).range.first() == 1000);
    CHECK(only(footprint, false, 0).range.end() == 1000 + 10 * 64);
    CHECK(only(footprint, false, 1).range.end() == 5000 + 64 * 32);
    CHECK(only(footprint, true, 0).range.first() == 9000);
    CHECK(only(footprint, true, 0).range.end() == 9000 + 10 * 32);
}

TEST_CASE("a convolution reads only the rows of its windows [E-2]") {
    MacConv work = gemm(1, 16, 8, 1000, 5000, 9000);
    work.inputHeight = 20;
    work.inputWidth = 4;
    work.inputPixelBytes = 8;
    work.inputRowBytes = 32;
    work.filterHeight = 3;
    work.padTop = -5;  // the tile starts at the sixth loaded row
    work.outputHeight = 2;
    work.outputWidth = 4;
    const Footprint footprint = footprintOf(MacConfig{}, work);
    // Output rows 0 and 1 read input rows 5..7 and 6..8.
    CHECK(only(footprint, false, 0).range.first() == 1000 + 5 * 32);
    CHECK(only(footprint, false, 0).range.end() == 1000 + 9 * 32);
}

TEST_CASE("without drain nothing is written [E-2]") {
    MacConv work = gemm(4, 4, 4, 0, 100, 200);
    work.flags = 0;
    work.outputStage.flags = kOutputHasBias;
    const Footprint footprint = footprintOf(MacConfig{}, work);
    CHECK(footprint.accesses().size() == 2);
}

TEST_CASE("bias and scales are reads of the output stage [E-2]") {
    MacConv work = gemm(4, 10, 4, 0, 100, 200);
    work.outputStage.flags = kOutputHasBias | kOutputPerChannel;
    work.outputStage.biasSram = 1000;
    work.outputStage.scaleSram = 2000;
    const Footprint footprint = footprintOf(MacConfig{}, work);
    REQUIRE(footprint.accesses().size() == 5);
    CHECK(only(footprint, false, 2).range.end() == 1000 + 10 * 4);
    CHECK(only(footprint, false, 3).range.end() == 2000 + 10 * 8);
}

TEST_CASE("a broadcast operand is read in place [E-2]") {
    VecEltwise work{};
    work.type = ElementType::kInt8;
    work.inputSram[0] = 0;
    work.inputSram[1] = 500;
    work.outputSram = 1000;
    work.dims[0] = 1;
    work.dims[1] = 2;
    work.dims[2] = 3;
    work.dims[3] = 8;
    work.strides[0][3] = 1;
    work.strides[0][2] = 8;
    work.strides[0][1] = 24;
    work.strides[1][3] = 1;  // one vector for all pixels
    const Footprint footprint = footprintOf(work);
    CHECK(only(footprint, false, 0).range.end() == 48);
    CHECK(only(footprint, false, 1).range.end() == 508);
    CHECK(only(footprint, true, 0).range.end() == 1048);
}

TEST_CASE("a reduction writes the kept dimensions, a table is 256 bytes [E-2]") {
    VecReduce reduce{};
    reduce.type = ElementType::kFloat32;
    reduce.reduceMask = 0b0110;
    reduce.outputSram = 4096;
    reduce.dims[0] = 2;
    reduce.dims[1] = 3;
    reduce.dims[2] = 5;
    reduce.dims[3] = 7;
    CHECK(only(footprintOf(reduce), false, 0).range.end() == 2 * 3 * 5 * 7 * 4);
    CHECK(only(footprintOf(reduce), true, 0).range.end() == 4096 + 2 * 7 * 4);

    VecUnary lut = clampBytes(0, 100, 10);
    lut.kind = UnaryKind::kLut;
    lut.tableSram = 5000;
    CHECK(only(footprintOf(lut), false, 1).range.first() == 5000);
    CHECK(only(footprintOf(lut), false, 1).range.end() == 5256);
}

TEST_CASE("pooling reads the rows of its windows [E-2]") {
    VecPool pool{};
    pool.type = ElementType::kInt8;
    pool.inputHeight = 9;
    pool.inputWidth = 6;
    pool.channels = 4;
    pool.outputHeight = 2;
    pool.outputWidth = 3;
    pool.windowHeight = pool.windowWidth = 2;
    pool.strideHeight = pool.strideWidth = 2;
    pool.outputSram = 1000;
    const Footprint footprint = footprintOf(pool);
    CHECK(only(footprint, false, 0).range.end() == 4 * 6 * 4);
    CHECK(only(footprint, true, 0).range.end() == 1000 + 2 * 3 * 4);
}

TEST_CASE("scrambling changes written bytes only [E-2]") {
    MacConv work = gemm(3, 2, 2, 0, 20, 40);
    work.outputRowBytes = work.outputPixelBytes = 4;
    work.accumulatorOffset = 8;
    std::vector<std::byte> sram(64);
    std::vector<std::byte> accumulators(64);
    footprintOf(MacConfig{}, work)
            .scrambleWrites(sram.data(), accumulators.data(), std::byte{0x81});
    for (std::size_t i = 0; i < sram.size(); ++i) {
        const bool isWritten = i >= 40 && i < 52 && i % 4 < 2;
        CHECK(sram[i] == (isWritten ? std::byte{0x81} : std::byte{0}));
        // Three times two results of four bytes.
        const bool isAccumulator = i >= 8 && i < 8 + 24;
        CHECK(accumulators[i] == (isAccumulator ? std::byte{0x81} : std::byte{0}));
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test
