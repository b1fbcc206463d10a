// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "hw_model/kernels/kernels.h"
#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/support/quantization.h"
#include "tests/support/reference_ops.h"

namespace vnpu::test {
namespace {

using hw::ElementType;
using hw::UnaryKind;
using hw::VecUnary;

std::int32_t leastOf(ElementType type) {
    return type == ElementType::kInt8 ? -128 : 0;
}

ElementType anyByteType(Random& random) {
    return random.oneIn(2) ? ElementType::kInt8 : ElementType::kUint8;
}

VecUnary makeWork(TileMemory& memory, UnaryKind kind, ElementType input, ElementType output,
                  std::uint32_t count) {
    VecUnary w{};
    w.kind = kind;
    w.inputType = input;
    w.outputType = output;
    w.count = count;
    w.inputSram = memory.place(std::size_t{count} * hw::elementBytes(input));
    w.outputSram = memory.place(std::size_t{count} * hw::elementBytes(output));
    return w;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/vec_unary");

TEST_CASE("the clamp limits every type and writes nothing else [E-2]") {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        Random random(seed);
        TileMemory memory(random);
        const ElementType type = anyByteType(random);
        VecUnary w =
                makeWork(memory, UnaryKind::kClamp, type, type, random.pick<std::uint32_t>(1, 300));
        w.outputStage.clampMin = leastOf(type) + 40;
        w.outputStage.clampMax = leastOf(type) + 200;
        TileMemory expected = memory;
        for (std::size_t i = 0; i < w.count; ++i) {
            const std::int64_t level =
                    std::clamp<std::int64_t>(readLevel(memory, w.inputSram + i, type),
                                             w.outputStage.clampMin, w.outputStage.clampMax);
            expected.store(w.outputSram + i, static_cast<std::uint8_t>(level));
        }
        hw::kernels::vecUnary(w, memory.data());
        REQUIRE(memory.bytes() == expected.bytes());
    }
}

TEST_CASE("the float clamp limits numbers and passes NaNs [E-2]") {
    Random random(1);
    TileMemory memory(random);
    VecUnary w =
            makeWork(memory, UnaryKind::kClamp, ElementType::kFloat32, ElementType::kFloat32, 4);
    w.outputStage.clampMin = std::bit_cast<std::int32_t>(0.0F);
    w.outputStage.clampMax = std::bit_cast<std::int32_t>(6.0F);
    const float input[4] = {-1.0F, 5.5F, 7.0F, std::numeric_limits<float>::quiet_NaN()};
    for (std::size_t i = 0; i < 4; ++i) {
        memory.store(w.inputSram + 4 * i, input[i]);
    }
    hw::kernels::vecUnary(w, memory.data());
    CHECK(memory.load<float>(w.outputSram) == 0.0F);
    CHECK(memory.load<float>(w.outputSram + 4) == 5.5F);
    CHECK(memory.load<float>(w.outputSram + 8) == 6.0F);
    CHECK(std::isnan(memory.load<float>(w.outputSram + 12)));
}

TEST_CASE("a table is indexed by the stored byte [E-2]") {
    Random random(2);
    TileMemory memory(random);
    VecUnary w = makeWork(memory, UnaryKind::kLut, ElementType::kInt8, ElementType::kUint8, 777);
    w.tableSram = memory.place(256);
    TileMemory expected = memory;
    for (std::size_t i = 0; i < w.count; ++i) {
        const auto byte = memory.load<std::uint8_t>(w.inputSram + i);
        expected.store(w.outputSram + i, memory.load<std::uint8_t>(w.tableSram + byte));
    }
    hw::kernels::vecUnary(w, memory.data());
    CHECK(memory.bytes() == expected.bytes());
}

TEST_CASE("logistic follows 1/(1 + e^-x) [E-2]") {
    Random random(3);
    TileMemory memory(random);
    VecUnary w = makeWork(memory, UnaryKind::kLogistic, ElementType::kFloat32,
                          ElementType::kFloat32, 1000);
    Values exact;
    for (std::size_t i = 0; i < w.count; ++i) {
        const float x = random.real() * 12.0F;
        memory.store(w.inputSram + 4 * i, x);
        exact.push_back(1.0 / (1.0 + std::exp(-static_cast<double>(x))));
    }
    hw::kernels::vecUnary(w, memory.data());
    for (std::size_t i = 0; i < w.count; ++i) {
        const double actual = memory.load<float>(w.outputSram + 4 * i);
        REQUIRE(std::abs(actual - exact[i]) <= std::ldexp(exact[i], -23));
    }
}

TEST_CASE("quantize rounds half away from zero and limits everything else [E-2]") {
    Random random(4);
    TileMemory memory(random);
    VecUnary w =
            makeWork(memory, UnaryKind::kQuantize, ElementType::kFloat32, ElementType::kInt8, 8);
    w.scale = 0.5F;
    w.outputStage.zeroPoint = 3;
    w.outputStage.clampMin = -128;
    w.outputStage.clampMax = 127;
    const float infinity = std::numeric_limits<float>::infinity();
    const float input[8] = {0.25F, -0.25F, 0.24F,    10.0F,
                            1e30F, -1e30F, infinity, std::numeric_limits<float>::quiet_NaN()};
    const int expected[8] = {4, 2, 3, 23, 127, -128, 127, 3};
    for (std::size_t i = 0; i < 8; ++i) {
        memory.store(w.inputSram + 4 * i, input[i]);
    }
    hw::kernels::vecUnary(w, memory.data());
    for (std::size_t i = 0; i < 8; ++i) {
        CAPTURE(i);
        CHECK(memory.load<std::int8_t>(w.outputSram + i) == expected[i]);
    }
}

TEST_CASE("dequantize is the exact product rounded once [E-2]") {
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        Random random(seed);
        TileMemory memory(random);
        const ElementType type = anyByteType(random);
        VecUnary w = makeWork(memory, UnaryKind::kDequantize, type, ElementType::kFloat32, 100);
        w.scale = 0.01F + std::abs(random.real());
        w.inputZeroPoint = leastOf(type) + random.pick<std::int32_t>(0, 255);
        hw::kernels::vecUnary(w, memory.data());
        for (std::size_t i = 0; i < w.count; ++i) {
            const auto difference = static_cast<double>(readLevel(memory, w.inputSram + i, type) -
                                                        w.inputZeroPoint);
            const auto expected = static_cast<float>(difference * static_cast<double>(w.scale));
            REQUIRE(memory.load<float>(w.outputSram + 4 * i) == expected);
        }
    }
}

TEST_CASE("requantize is the output stage of the difference, between all 8-bit types [E-2]") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        Random random(seed);
        TileMemory memory(random);
        const ElementType in = anyByteType(random);
        const ElementType out = anyByteType(random);
        VecUnary w = makeWork(memory, UnaryKind::kRequantize, in, out,
                              random.pick<std::uint32_t>(1, 300));
        w.inputZeroPoint = leastOf(in) + random.pick<std::int32_t>(0, 255);
        const QuantizedMultiplier q =
                quantizeMultiplier(0.1 + 2.0 * std::abs(static_cast<double>(random.real())));
        hw::OutputStage& stage = w.outputStage;
        stage.multiplier = q.multiplier;
        stage.shift = q.shift;
        stage.zeroPoint = leastOf(out) + random.pick<std::int32_t>(0, 255);
        stage.clampMin = leastOf(out);
        stage.clampMax = leastOf(out) + 255;
        TileMemory expected = memory;
        for (std::size_t i = 0; i < w.count; ++i) {
            const std::int64_t difference =
                    readLevel(memory, w.inputSram + i, in) - w.inputZeroPoint;
            const std::int64_t level = std::clamp<std::int64_t>(
                    scaleTwiceRounded(difference, stage.multiplier, stage.shift) + stage.zeroPoint,
                    stage.clampMin, stage.clampMax);
            expected.store(w.outputSram + i, static_cast<std::uint8_t>(level));
        }
        hw::kernels::vecUnary(w, memory.data());
        CAPTURE(seed);
        REQUIRE(memory.bytes() == expected.bytes());
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test
