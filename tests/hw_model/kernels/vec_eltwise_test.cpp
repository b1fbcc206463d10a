// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "hw_model/kernels/kernels.h"
#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/support/quantization.h"

namespace vnpu::test {
namespace {

using hw::ElementType;
using hw::VecEltwise;

// Chooses shape, strides and operands; each dimension of each operand may be broadcast.
void placeOperands(Random& random, TileMemory& memory, VecEltwise& w) {
    const std::size_t bytes = hw::elementBytes(w.type);
    std::size_t outputs = 1;
    for (std::uint32_t& dim : w.dims) {
        dim = random.pick<std::uint32_t>(1, 6);
    }
    if (random.oneIn(3)) {
        w.dims[3] = random.pick<std::uint32_t>(20, 70);
    }
    for (int operand = 0; operand < 2; ++operand) {
        std::uint32_t elements = 1;
        for (int d = 3; d >= 0; --d) {
            const bool isBroadcast = random.oneIn(4);
            w.strides[operand][d] = isBroadcast ? 0 : elements;
            elements *= isBroadcast ? 1 : w.dims[d];
        }
        w.inputSram[operand] = memory.place(elements * bytes);
        if (w.type == ElementType::kFloat32) {
            for (std::size_t i = 0; i < elements; ++i) {
                memory.store(w.inputSram[operand] + 4 * i, random.real());
            }
        }
    }
    for (const std::uint32_t dim : w.dims) {
        outputs *= dim;
    }
    w.outputSram = memory.place(outputs * bytes);
}

// Calls check(first operand's offset, second's, output's) in bytes for every output element.
template <typename Check>
void forEachElement(const VecEltwise& w, Check&& check) {
    const std::size_t bytes = hw::elementBytes(w.type);
    std::size_t output = 0;
    for (std::size_t i = 0; i < w.dims[0]; ++i) {
        for (std::size_t j = 0; j < w.dims[1]; ++j) {
            for (std::size_t k = 0; k < w.dims[2]; ++k) {
                for (std::size_t l = 0; l < w.dims[3]; ++l) {
                    const auto at = [&](int operand) {
                        const auto& s = w.strides[operand];
                        return w.inputSram[operand] +
                               (i * s[0] + j * s[1] + k * s[2] + l * s[3]) * bytes;
                    };
                    check(at(0), at(1), w.outputSram + output++ * bytes);
                }
            }
        }
    }
}

void chooseScales(Random& random, VecEltwise& w) {
    const std::int32_t least = w.type == ElementType::kInt8 ? -128 : 0;
    const auto zeroPoint = [&] { return least + random.pick<std::int32_t>(0, 255); };
    w.leftShift = w.kind == hw::EltwiseKind::kAdd ? 20 : 0;
    for (int operand = 0; operand < 2; ++operand) {
        w.inputZeroPoint[operand] = zeroPoint();
        const QuantizedMultiplier q =
                quantizeMultiplier(0.5 - 0.4 * std::abs(static_cast<double>(random.real())));
        w.inputMultiplier[operand] = q.multiplier;
        w.inputShift[operand] = q.shift;
    }
    const double factor = 0.3 + std::abs(static_cast<double>(random.real()));
    const QuantizedMultiplier q = quantizeMultiplier(
            w.kind == hw::EltwiseKind::kAdd ? std::ldexp(factor, -19) : std::ldexp(factor, -7));
    w.outputStage.multiplier = q.multiplier;
    w.outputStage.shift = q.shift;
    w.outputStage.zeroPoint = zeroPoint();
    w.outputStage.clampMin = least + random.pick<std::int32_t>(0, 40);
    w.outputStage.clampMax = least + random.pick<std::int32_t>(215, 255);
}

std::int64_t expectedLevel(const VecEltwise& w, std::int64_t a, std::int64_t b) {
    const std::int64_t first = a - w.inputZeroPoint[0];
    const std::int64_t second = b - w.inputZeroPoint[1];
    std::int64_t wide = first * second;
    if (w.kind == hw::EltwiseKind::kAdd) {
        const std::int64_t unit = std::int64_t{1} << w.leftShift;
        wide = scaleTwiceRounded(first * unit, w.inputMultiplier[0], w.inputShift[0]) +
               scaleTwiceRounded(second * unit, w.inputMultiplier[1], w.inputShift[1]);
    }
    const hw::OutputStage& stage = w.outputStage;
    return std::clamp<std::int64_t>(
            scaleTwiceRounded(wide, stage.multiplier, stage.shift) + stage.zeroPoint,
            stage.clampMin, stage.clampMax);
}

void checkEightBit(ElementType type, hw::EltwiseKind kind, std::uint32_t firstSeed) {
    for (std::uint32_t seed = firstSeed; seed < firstSeed + 150; ++seed) {
        Random random(seed);
        TileMemory memory(random);
        VecEltwise w{};
        w.type = type;
        w.kind = kind;
        chooseScales(random, w);
        placeOperands(random, memory, w);
        TileMemory expected = memory;
        forEachElement(w, [&](std::size_t a, std::size_t b, std::size_t output) {
            expected.store(output,
                           static_cast<std::uint8_t>(expectedLevel(w, readLevel(memory, a, type),
                                                                   readLevel(memory, b, type))));
        });
        hw::kernels::vecEltwise(w, memory.data());
        CAPTURE(seed);
        REQUIRE(memory.bytes() == expected.bytes());
    }
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/vec_eltwise");

TEST_CASE("8-bit addition equals the wide-integer reference under every broadcast [E-2]") {
    checkEightBit(ElementType::kInt8, hw::EltwiseKind::kAdd, 0);
    checkEightBit(ElementType::kUint8, hw::EltwiseKind::kAdd, 1000);
}

TEST_CASE("8-bit multiplication equals the wide-integer reference under every broadcast [E-2]") {
    checkEightBit(ElementType::kInt8, hw::EltwiseKind::kMul, 2000);
    checkEightBit(ElementType::kUint8, hw::EltwiseKind::kMul, 3000);
}

TEST_CASE("float operations equal the rounded exact results, clamped [E-2]") {
    for (std::uint32_t seed = 4000; seed < 4150; ++seed) {
        Random random(seed);
        TileMemory memory(random);
        VecEltwise w{};
        w.type = ElementType::kFloat32;
        w.kind = random.oneIn(2) ? hw::EltwiseKind::kAdd : hw::EltwiseKind::kMul;
        w.outputStage.clampMin = std::bit_cast<std::int32_t>(-0.75F);
        w.outputStage.clampMax = std::bit_cast<std::int32_t>(0.5F);
        placeOperands(random, memory, w);
        TileMemory expected = memory;
        forEachElement(w, [&](std::size_t a, std::size_t b, std::size_t output) {
            // Sum and product of floats are exact in double, so one rounding to float is the
            // IEEE result.
            const auto first = static_cast<double>(memory.load<float>(a));
            const auto second = static_cast<double>(memory.load<float>(b));
            const double exact = w.kind == hw::EltwiseKind::kAdd ? first + second : first * second;
            expected.store(output, std::clamp(static_cast<float>(exact), -0.75F, 0.5F));
        });
        hw::kernels::vecEltwise(w, memory.data());
        CAPTURE(seed);
        REQUIRE(memory.bytes() == expected.bytes());
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test
