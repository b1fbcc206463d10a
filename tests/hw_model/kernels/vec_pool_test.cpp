// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "hw_model/kernels/kernels.h"
#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/support/reference_ops.h"

namespace vnpu::test {
namespace {

using hw::ElementType;
using hw::VecPool;

struct PoolCase {
    VecPool work{};
    Image in, out;
    Window window;
    Values input;
    TileMemory memory;

    PoolCase(Random& random, ElementType type);
};

PoolCase::PoolCase(Random& random, ElementType type) : memory(random) {
    in = {random.between(1, 9), random.between(1, 9), random.between(1, 40)};
    window = {.height = random.between(1, 5), .width = random.between(1, 5)};
    window.strideHeight = random.between(1, 3);
    window.strideWidth = random.between(1, 3);
    window.padTop = random.between(0, window.height - 1);
    window.padLeft = random.between(0, window.width - 1);
    // Every window touches the input.
    out.height = random.between(1, (in.height - 1 + window.padTop) / window.strideHeight + 1);
    out.width = random.between(1, (in.width - 1 + window.padLeft) / window.strideWidth + 1);
    out.channels = in.channels;
    work.type = type;
    work.kind = random.oneIn(2) ? hw::PoolKind::kMax : hw::PoolKind::kAverage;
    work.inputHeight = static_cast<std::uint32_t>(in.height);
    work.inputWidth = static_cast<std::uint32_t>(in.width);
    work.channels = static_cast<std::uint32_t>(in.channels);
    work.outputHeight = static_cast<std::uint32_t>(out.height);
    work.outputWidth = static_cast<std::uint32_t>(out.width);
    work.windowHeight = static_cast<std::uint16_t>(window.height);
    work.windowWidth = static_cast<std::uint16_t>(window.width);
    work.strideHeight = static_cast<std::uint16_t>(window.strideHeight);
    work.strideWidth = static_cast<std::uint16_t>(window.strideWidth);
    work.padTop = static_cast<std::int32_t>(window.padTop);
    work.padLeft = static_cast<std::int32_t>(window.padLeft);
    const std::size_t bytes = hw::elementBytes(type);
    work.inputSram = memory.place(static_cast<std::size_t>(in.size()) * bytes);
    work.outputSram = memory.place(static_cast<std::size_t>(out.size()) * bytes);
    for (std::size_t i = 0; i < static_cast<std::size_t>(in.size()); ++i) {
        if (type == ElementType::kFloat32) {
            const float value = random.real();
            memory.store(work.inputSram + 4 * i, value);
            input.push_back(static_cast<double>(value));
        } else if (type == ElementType::kInt8) {
            input.push_back(memory.load<std::int8_t>(work.inputSram + i));
        } else {
            input.push_back(memory.load<std::uint8_t>(work.inputSram + i));
        }
    }
}

Values pooled(const PoolCase& c) {
    if (c.work.kind == hw::PoolKind::kMax) {
        return poolMax(c.in, c.input, c.window, c.out);
    }
    WindowSums sums = poolSums(c.in, c.input, c.window, c.out);
    for (std::size_t i = 0; i < sums.sums.size(); ++i) {
        sums.sums[i] /= sums.counts[i];
    }
    return sums.sums;
}

void checkEightBit(ElementType type, std::uint32_t firstSeed) {
    for (std::uint32_t seed = firstSeed; seed < firstSeed + 200; ++seed) {
        Random random(seed);
        PoolCase c(random, type);
        const std::int32_t least = type == ElementType::kInt8 ? -128 : 0;
        c.work.clampMin = least + random.pick<std::int32_t>(0, 60);
        c.work.clampMax = least + random.pick<std::int32_t>(190, 255);
        TileMemory expected = c.memory;
        const Values values = pooled(c);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double level =
                    std::clamp(roundAwayFromZero(values[i]), static_cast<double>(c.work.clampMin),
                               static_cast<double>(c.work.clampMax));
            expected.store(c.work.outputSram + i,
                           static_cast<std::uint8_t>(static_cast<int>(level)));
        }
        hw::kernels::vecPool(c.work, c.memory.data());
        CAPTURE(seed);
        REQUIRE(c.memory.bytes() == expected.bytes());
    }
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/vec_pool");

TEST_CASE("int8 pooling equals the rounded reference and writes nothing else [E-2]") {
    checkEightBit(ElementType::kInt8, 0);
}

TEST_CASE("uint8 pooling equals the rounded reference and writes nothing else [E-2]") {
    checkEightBit(ElementType::kUint8, 1000);
}

TEST_CASE("float pooling is within the rounding of its sum [E-2]") {
    for (std::uint32_t seed = 2000; seed < 2200; ++seed) {
        Random random(seed);
        PoolCase c(random, ElementType::kFloat32);
        c.work.clampMin = std::bit_cast<std::int32_t>(-0.5F);
        c.work.clampMax = std::bit_cast<std::int32_t>(0.5F);
        const Values values = pooled(c);
        hw::kernels::vecPool(c.work, c.memory.data());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double actual = c.memory.load<float>(c.work.outputSram + 4 * i);
            // At most 25 additions of magnitudes below 1 and a division, each 2^-24 of at most
            // 25, over the count.
            const double bound =
                    c.work.kind == hw::PoolKind::kMax ? 0.0 : 26 * std::ldexp(1.0, -24);
            CAPTURE(seed);
            REQUIRE(std::abs(actual - std::clamp(values[i], -0.5, 0.5)) <= bound);
        }
    }
}

TEST_CASE("8-bit averages round half away from zero [E-2]") {
    Random random(1);
    TileMemory memory(random);
    VecPool w{};
    w.type = ElementType::kInt8;
    w.kind = hw::PoolKind::kAverage;
    w.inputHeight = w.outputHeight = 1;
    w.inputWidth = 4;
    w.outputWidth = 2;
    w.channels = w.windowHeight = w.strideHeight = 1;
    w.windowWidth = w.strideWidth = 2;
    w.clampMin = -128;
    w.clampMax = 127;
    w.inputSram = memory.place(4);
    w.outputSram = memory.place(2);
    const std::int8_t input[4] = {3, 4, -3, -4};  // averages 3.5 and -3.5
    for (std::size_t i = 0; i < 4; ++i) {
        memory.store(w.inputSram + i, input[i]);
    }
    hw::kernels::vecPool(w, memory.data());
    CHECK(memory.load<std::int8_t>(w.outputSram) == 4);
    CHECK(memory.load<std::int8_t>(w.outputSram + 1) == -4);
}

TEST_SUITE_END();

}  // namespace vnpu::test
