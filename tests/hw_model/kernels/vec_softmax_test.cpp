// SPDX-License-Identifier: Apache-2.0
// golden_layers_test.cpp checks every bit of the 8-bit algorithm with recorded layers; this file
// tests its properties and accuracy.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "hw_model/kernels/kernels.h"
#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/support/quantization.h"
#include "tests/support/reference_ops.h"

namespace vnpu::test {
namespace {

using hw::ElementType;
using hw::VecSoftmax;

void chooseShape(Random& random, TileMemory& memory, VecSoftmax& w) {
    w.outer = random.pick<std::uint32_t>(1, 5);
    w.axis = random.pick<std::uint32_t>(1, 40);
    w.inner = random.oneIn(2) ? 1 : random.pick<std::uint32_t>(2, 5);
    const std::size_t bytes = std::size_t{w.outer} * w.axis * w.inner * hw::elementBytes(w.type);
    w.inputSram = memory.place(bytes);
    w.outputSram = memory.place(bytes);
}

void setScale(VecSoftmax& w, double betaTimesScale) {
    const QuantizedMultiplier q = quantizeMultiplier(std::ldexp(betaTimesScale, 26));
    w.inputMultiplier = q.multiplier;
    w.inputLeftShift = q.shift;
    w.diffMin = -static_cast<std::int32_t>(std::floor(31.0 * std::ldexp(1.0, 26 - q.shift)));
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/vec_softmax");

TEST_CASE("8-bit softmax is within one level of the exact one along any axis [E-2]") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        Random random(seed);
        TileMemory memory(random);
        VecSoftmax w{};
        w.type = random.oneIn(2) ? ElementType::kInt8 : ElementType::kUint8;
        chooseShape(random, memory, w);
        const double scale = 0.01 + 0.2 * std::abs(static_cast<double>(random.real()));
        setScale(w, scale);
        const bool isSigned = w.type == ElementType::kInt8;
        const std::size_t count = std::size_t{w.outer} * w.axis * w.inner;
        Values input;
        for (std::size_t i = 0; i < count; ++i) {
            input.push_back(isSigned ? memory.load<std::int8_t>(w.inputSram + i)
                                     : memory.load<std::uint8_t>(w.inputSram + i));
        }
        const Values exact = softmax(input, w.outer, w.axis, w.inner, scale);
        hw::kernels::vecSoftmax(w, memory.data());
        for (std::size_t i = 0; i < count; ++i) {
            const double least = isSigned ? -128.0 : 0.0;
            const double expected = std::clamp(256.0 * exact[i] + least, least, least + 255.0);
            const double actual = isSigned ? memory.load<std::int8_t>(w.outputSram + i)
                                           : memory.load<std::uint8_t>(w.outputSram + i);
            CAPTURE(seed);
            // Half a level of rounding and the algorithm's own error, far below the other half.
            REQUIRE(std::abs(actual - expected) < 1.0);
        }
    }
}

TEST_CASE("signed and unsigned bytes of the same levels give the same probabilities [E-2]") {
    Random random(9);
    TileMemory memory(random);
    VecSoftmax w{};
    w.type = ElementType::kUint8;
    w.outer = w.inner = 1;
    w.axis = 200;
    w.inputSram = memory.place(200);
    w.outputSram = memory.place(200);
    setScale(w, 0.05);
    TileMemory flipped = memory;
    for (std::size_t i = 0; i < 200; ++i) {
        flipped.store(w.inputSram + i,
                      static_cast<std::uint8_t>(memory.load<std::uint8_t>(w.inputSram + i) ^ 0x80));
    }
    hw::kernels::vecSoftmax(w, memory.data());
    w.type = ElementType::kInt8;
    hw::kernels::vecSoftmax(w, flipped.data());
    for (std::size_t i = 0; i < 200; ++i) {
        REQUIRE(memory.load<std::uint8_t>(w.outputSram + i) ==
                flipped.load<std::int8_t>(w.outputSram + i) + 128);
    }
}

TEST_CASE("differences below the least one count as zero [E-2]") {
    Random random(10);
    TileMemory memory(random);
    VecSoftmax w{};
    w.type = ElementType::kUint8;
    w.outer = w.inner = 1;
    w.axis = 2;
    w.inputSram = memory.place(2);
    w.outputSram = memory.place(2);
    memory.store<std::uint8_t>(w.inputSram, 100);
    memory.store<std::uint8_t>(w.inputSram + 1, 99);
    setScale(w, 0.001);  // nearly equal: half each
    hw::kernels::vecSoftmax(w, memory.data());
    CHECK(memory.load<std::uint8_t>(w.outputSram) == 128);
    CHECK(memory.load<std::uint8_t>(w.outputSram + 1) == 128);
    w.diffMin = 0;  // now the smaller one is omitted
    hw::kernels::vecSoftmax(w, memory.data());
    CHECK(memory.load<std::uint8_t>(w.outputSram) == 255);
    CHECK(memory.load<std::uint8_t>(w.outputSram + 1) == 0);
}

TEST_CASE("float softmax is within three units of the last place [E-2]") {
    for (std::uint32_t seed = 1000; seed < 1200; ++seed) {
        Random random(seed);
        TileMemory memory(random);
        VecSoftmax w{};
        w.type = ElementType::kFloat32;
        w.beta = 1.0F;
        chooseShape(random, memory, w);
        const std::size_t count = std::size_t{w.outer} * w.axis * w.inner;
        Values input;
        for (std::size_t i = 0; i < count; ++i) {
            // Multiples of 1/8: the differences to the greatest are exact floats.
            const float value = static_cast<float>(random.between(-80, 80)) / 8.0F;
            memory.store(w.inputSram + 4 * i, value);
            input.push_back(static_cast<double>(value));
        }
        const Values exact = softmax(input, w.outer, w.axis, w.inner, 1.0);
        hw::kernels::vecSoftmax(w, memory.data());
        for (std::size_t i = 0; i < count; ++i) {
            const double actual = memory.load<float>(w.outputSram + 4 * i);
            CAPTURE(seed);
            REQUIRE(std::abs(actual - exact[i]) <= 3 * std::ldexp(exact[i], -23));
        }
    }
}

TEST_CASE("float softmax accepts large inputs without overflow [E-2]") {
    Random random(11);
    TileMemory memory(random);
    VecSoftmax w{};
    w.type = ElementType::kFloat32;
    w.beta = 2.0F;
    w.outer = w.inner = 1;
    w.axis = 2;
    w.inputSram = memory.place(8);
    w.outputSram = memory.place(8);
    memory.store(w.inputSram, 1e30F);
    memory.store(w.inputSram + 4, -1e30F);
    hw::kernels::vecSoftmax(w, memory.data());
    CHECK(memory.load<float>(w.outputSram) == 1.0F);
    CHECK(memory.load<float>(w.outputSram + 4) == 0.0F);
}

TEST_SUITE_END();

}  // namespace vnpu::test
