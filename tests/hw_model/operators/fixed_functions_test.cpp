// SPDX-License-Identifier: Apache-2.0
// 16-bit fixed-point functions against the real ones.
#include <doctest/doctest.h>

#include <cmath>

#include "hw_model/kernels/operators/inverse_root.h"
#include "hw_model/kernels/operators/recurrent/fixed_activation16.h"
#include "hw_model/kernels/operators/recurrent/fixed_multiplier.h"
#include "hw_model/kernels/operators/recurrent/fixed_normalization16.h"
#include "tests/hw_model/kernels/tile_memory.h"

namespace {

using namespace vnpu::hw::kernels;
using vnpu::test::Random;

// Raw units without integer bits.
constexpr double kOne = 32768.0;

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("the fixed-point logistic function is close to the real one everywhere [E-8]") {
    double worst = 0;
    for (int raw = -32768; raw <= 32767; ++raw) {
        const double expected = kOne / (1 + std::exp(-raw / 4096.0));
        const double actual = fixedLogistic16(static_cast<std::int16_t>(raw));
        worst = std::max(worst, std::fabs(actual - expected));
    }
    CHECK(worst <= 8);  // a few roundings of 2^-13, which Newton's steps are computed in
    CHECK(fixedLogistic16(0) == 16384);
}

TEST_CASE("the fixed-point tanh is close to the real one for all integer bits [E-8]") {
    for (int integerBits = 0; integerBits <= 6; ++integerBits) {
        CAPTURE(integerBits);
        const double unit = std::ldexp(1.0, 15 - integerBits);
        double worst = 0;
        for (int raw = -32768; raw <= 32767; ++raw) {
            const double expected = kOne * std::tanh(raw / unit);
            const double actual = fixedTanh16(static_cast<std::int16_t>(raw), integerBits);
            worst = std::max(worst, std::fabs(actual - expected));
        }
        CHECK(worst <= 16);
        CHECK(fixedTanh16(0, integerBits) == 0);
    }
}

TEST_CASE("the fixed-point inverse root is correct to 20 bits [E-8]") {
    Random random(31);
    const auto check = [](std::int32_t value) {
        CAPTURE(value);
        const vnpu::hw::kernels::QuantizedMultiplier root = inverseRoot(value);
        const double actual = std::ldexp(root.multiplier, root.shift - 31);
        CHECK(actual == doctest::Approx(1 / std::sqrt(value)).epsilon(1e-6));
    };
    for (const std::int32_t value : {1, 2, 3, 4, 1 << 29, INT32_MAX}) {
        check(value);
    }
    for (int i = 0; i < 1000; ++i) {
        check(random.pick<std::int32_t>(1, 1 << random.between(1, 30)));
    }
    CHECK(inverseRoot(0).multiplier == INT32_MAX);
    CHECK(inverseRoot(-5).shift == 0);
}

TEST_CASE("a fixed-point factor is the nearest one with 31 bits [E-8]") {
    Random random(32);
    for (int i = 0; i < 1000; ++i) {
        const double factor =
                std::ldexp(1.0 + random.real() / 2.0, static_cast<int>(random.between(-28, 28)));
        const FixedMultiplier fixed(factor);
        CHECK(std::ldexp(fixed.multiplier, fixed.shift - 31) ==
              doctest::Approx(factor).epsilon(1e-9));
        CHECK(fixed.multiplier >= 1 << 30);
    }
    CHECK(FixedMultiplier(0.0).multiplier == 0);
    CHECK(FixedMultiplier(std::nan("")).multiplier == 0);
    CHECK(FixedMultiplier(std::ldexp(1.0, -40)).multiplier == 0);
    CHECK(FixedMultiplier(0.5)(7) == 4);  // half away from zero
}

TEST_CASE("the fixed-point layer normalization is close to the real one [E-8]") {
    Random random(33);
    for (int i = 0; i < 200; ++i) {
        CAPTURE(i);
        // A power of two: the reference divides 2^20 by the count, rounding down.
        const auto count = static_cast<std::size_t>(1) << random.between(1, 6);
        std::vector<std::int16_t> values(count), weights(count);
        std::vector<std::int32_t> biases(count);
        for (std::size_t k = 0; k < count; ++k) {
            values[k] = random.pick<std::int16_t>(-8000, 8000);
            weights[k] = random.pick<std::int16_t>(-16000, 16000);
            biases[k] = random.pick<std::int32_t>(-10'000'000, 10'000'000);
        }
        const double scale = std::ldexp(1.0, -15);
        double mean = 0, variance = 0;
        for (const std::int16_t value : values) {
            mean += value / static_cast<double>(count);
        }
        for (const std::int16_t value : values) {
            variance += (value - mean) * (value - mean) / static_cast<double>(count);
        }
        std::vector<double> expected(count);
        for (std::size_t k = 0; k < count; ++k) {
            const double normal = (values[k] - mean) / std::sqrt(variance);
            const double real = (normal * weights[k] + biases[k] / 1024.0) * scale;
            expected[k] = std::min(std::max(real * 4096, -32768.0), 32767.0);
        }
        normalize16(values, weights.data(), biases.data(), FixedMultiplier(scale));
        for (std::size_t k = 0; k < count; ++k) {
            CHECK(std::fabs(values[k] - expected[k]) <= 6);
        }
    }
}

TEST_SUITE_END();
