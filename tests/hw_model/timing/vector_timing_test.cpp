// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/vector_timing.h"

#include <doctest/doctest.h>

namespace vnpu::test {
namespace {

using hw::ElementType;
using hw::vectorCycles;

// 16 cycles of start-up, 32 and 8 lanes, 4 cycles per exponential.
const hw::VectorConfig kUnit{
        .lanes8 = 32, .lanes32 = 8, .startupCycles = 16, .exponentialCycles = 4};

}  // namespace

TEST_SUITE_BEGIN("hw_model/timing/vector_timing");

TEST_CASE("pooling costs its window elements, an average also a division per output [E-3]") {
    hw::VecPool work{};
    work.type = ElementType::kInt8;
    work.kind = hw::PoolKind::kMax;
    work.outputHeight = 10;
    work.outputWidth = 8;
    work.channels = 16;
    work.windowHeight = 3;
    work.windowWidth = 2;
    CHECK(vectorCycles(kUnit, work) == 16 + 240);  // 1280 outputs * 6 / 32
    work.kind = hw::PoolKind::kAverage;
    CHECK(vectorCycles(kUnit, work) == 16 + 240 + 160);  // + 1280 / 32 * 4
    work.type = ElementType::kFloat32;
    CHECK(vectorCycles(kUnit, work) == 16 + 960 + 640);
}

TEST_CASE("an element-wise operation costs its output elements [E-3]") {
    hw::VecEltwise work{};
    work.type = ElementType::kUint8;
    work.dims[0] = 1;
    work.dims[1] = 2;
    work.dims[2] = 5;
    work.dims[3] = 33;
    CHECK(vectorCycles(kUnit, work) == 16 + 11);  // 330 / 32
    work.type = ElementType::kFloat32;
    CHECK(vectorCycles(kUnit, work) == 16 + 42);  // 330 / 8
}

TEST_CASE("a unary operation uses the lanes of its wider type [E-3]") {
    hw::VecUnary work{};
    work.kind = hw::UnaryKind::kLut;
    work.inputType = work.outputType = ElementType::kInt8;
    work.count = 320;
    CHECK(vectorCycles(kUnit, work) == 16 + 10);
    work.kind = hw::UnaryKind::kDequantize;
    work.outputType = ElementType::kFloat32;
    CHECK(vectorCycles(kUnit, work) == 16 + 40);
    work.kind = hw::UnaryKind::kQuantize;
    work.inputType = ElementType::kFloat32;
    work.outputType = ElementType::kInt8;
    CHECK(vectorCycles(kUnit, work) == 16 + 40);
    work.kind = hw::UnaryKind::kLogistic;
    work.outputType = ElementType::kFloat32;
    CHECK(vectorCycles(kUnit, work) == 16 + 40 + 320);  // an exponential and a division each
}

TEST_CASE("softmax costs three passes, an exponential per element and a division per sum [E-3]") {
    hw::VecSoftmax work{};
    work.type = ElementType::kInt8;
    work.outer = 4;
    work.axis = 80;
    work.inner = 2;
    CHECK(vectorCycles(kUnit, work) == 16 + 20 * 7 + 4);  // 640 / 32 elements, 8 sums
    work.type = ElementType::kFloat32;
    CHECK(vectorCycles(kUnit, work) == 16 + 80 * 7 + 4);
}

TEST_CASE("a mean costs its elements and a division per output [E-3]") {
    hw::VecReduce work{};
    work.type = ElementType::kInt8;
    work.dims[0] = 1;
    work.dims[1] = 7;
    work.dims[2] = 7;
    work.dims[3] = 1024;
    work.reduceMask = 0b0110;
    CHECK(vectorCycles(kUnit, work) == 16 + 1568 + 128);  // 50176 / 32, 1024 / 32 * 4
    work.reduceMask = 0b1111;
    CHECK(vectorCycles(kUnit, work) == 16 + 1568 + 4);
}

TEST_SUITE_END();

}  // namespace vnpu::test
