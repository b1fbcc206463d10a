// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/half_precision.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "hw_model/regs/command_reader.h"
#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

/// Bits of a normal number that binary16 holds exactly, or of zero.
std::uint16_t halfBits(double value) {
    if (value == 0.0) {
        return 0;
    }
    int exponent = 0;
    const double mantissa = std::frexp(std::abs(value), &exponent);  // in [0.5, 1)
    const double steps = std::ldexp(mantissa, 11) - 1024.0;
    REQUIRE(steps == std::floor(steps));
    const int sign = value < 0 ? 0x8000 : 0;
    return static_cast<std::uint16_t>(sign | (exponent + 14) << 10 | static_cast<int>(steps));
}

Bytes halves(const Values& values) {
    std::vector<std::uint16_t> bits;
    for (const double value : values) {
        bits.push_back(halfBits(value));
    }
    return bytesOf(bits);
}

/// Multiples of 1/2 from -4 to 4; sums of some dozens of their products are exact in binary16.
Values rollValues(Dice& dice, std::uint64_t count) {
    Values values(count);
    for (double& value : values) {
        value = dice.pick(-8, 8) / 2.0;
    }
    return values;
}

/// FULLY_CONNECTED of float16 with the given weights and bias as constants, or all as inputs.
ModelBuilder fullyConnected(const Dimensions& weights, const Bytes& weightBytes,
                            const Bytes& biasBytes, bool isComputed) {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kHalf, {1, weights[1]}});
    const TensorSpec filter{kHalf, weights};
    const TensorSpec bias{kHalf, {static_cast<std::uint32_t>(biasBytes.size() / 2)}};
    const std::uint32_t w =
            isComputed ? builder.input(filter) : builder.pooled(filter, weightBytes);
    const std::uint32_t b = isComputed ? builder.input(bias) : builder.constant(bias, biasBytes);
    builder.operation(OperationType::FULLY_CONNECTED, {x, w, b, builder.int32(0)},
                      builder.output({kHalf, {1, weights[0]}}));
    return builder;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/base/half_precision");

TEST_CASE("binary16 numbers of every kind keep their value") {
    CHECK(fromHalf(0x3C00) == 1.0F);
    CHECK(fromHalf(0xC500) == -5.0F);
    CHECK(fromHalf(0x7BFF) == 65504.0F);
    CHECK(fromHalf(0x0400) == std::ldexp(1.0F, -14));
    CHECK(fromHalf(0x0001) == std::ldexp(1.0F, -24));
    CHECK(fromHalf(0x83FF) == -std::ldexp(1023.0F, -24));
    CHECK(fromHalf(0xFC00) == -std::numeric_limits<float>::infinity());
    CHECK(std::isnan(fromHalf(0x7E01)));
    CHECK(fromHalf(0x8000) == 0.0F);
    CHECK(std::signbit(fromHalf(0x8000)));
}

TEST_CASE("a float16 convolution runs on the array and gives exact sums [E-2]") {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const bool isComputed = dice.chance(2);
        const vnpu::test::Image in{dice.pick(3, 8), dice.pick(3, 8), dice.pick(1, 5)};
        const vnpu::test::Image out{in.height - 2, in.width - 1, dice.pick(1, 6)};
        const vnpu::test::Window window{.height = 3, .width = 2};
        const auto channels = static_cast<std::uint32_t>(out.channels);
        const auto depth = static_cast<std::uint32_t>(in.channels);
        const Values image = rollValues(dice, static_cast<std::uint64_t>(in.size()));
        const Values weights = rollValues(dice, std::uint64_t{channels} * 6 * depth);
        const Values added = rollValues(dice, channels);
        Values sums = vnpu::test::convolve(in, image, window, weights, out);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] = std::max(0.0, sums[i] + added[i % channels]);
        }

        ModelBuilder builder;
        const auto imageOf = [](const vnpu::test::Image& i) {
            return Dimensions{1, static_cast<std::uint32_t>(i.height),
                              static_cast<std::uint32_t>(i.width),
                              static_cast<std::uint32_t>(i.channels)};
        };
        const TensorSpec filter{kHalf, {channels, 3, 2, depth}};
        const TensorSpec bias{kHalf, {channels}};
        std::vector<Bytes> inputs{halves(image)};
        std::vector<std::uint32_t> operands{builder.input({kHalf, imageOf(in)})};
        if (isComputed) {
            operands.push_back(builder.input(filter));
            operands.push_back(builder.input(bias));
            inputs.push_back(halves(weights));
            inputs.push_back(halves(added));
        } else {
            operands.push_back(builder.pooled(filter, halves(weights)));
            operands.push_back(builder.constant(bias, halves(added)));
        }
        for (const std::int32_t argument : {2, 1, 1, 1}) {  // valid, strides, ReLU
            operands.push_back(builder.int32(argument));
        }
        builder.operation(OperationType::CONV_2D, operands, builder.output({kHalf, imageOf(out)}));
        CHECK(checkModel(builder, inputs, {halves(sums)}) == "");
    }
}

TEST_CASE("float16 sums are rounded once, at their end [E-2]") {
    // Above 2048 the steps are 2, so both ones would be lost.
    const Bytes ones = halves({1, 1, 1});
    const ModelBuilder builder = fullyConnected({1, 3}, ones, halves({0}), false);
    CHECK(checkModel(builder, {halves({2048, 1, 1})}, {halves({2050})}) == "");
    // 2049 lies between 2048 and 2050 and rounds to the even one.
    const ModelBuilder tie = fullyConnected({1, 3}, ones, halves({-1}), false);
    CHECK(checkModel(tie, {halves({2048, 1, 1})}, {halves({2048})}) == "");
}

TEST_CASE("an operation that turns out not to be tiled leaves no casts behind") {
    const Bytes zeros(6);
    const auto fits =
            compile(fullyConnected({1, 3}, zeros, Bytes(2), true).build(), {}, edgeDevice());
    REQUIRE(fits.has_value());
    CHECK(countCommands(*fits, hw::Opcode::kVecOperator) != 0);
    CHECK(countCommands(*fits, hw::Opcode::kMacConv) != 0);
    const auto misfit =
            compile(fullyConnected({1, 3}, zeros, Bytes(4), true).build(), {}, edgeDevice());
    REQUIRE(misfit.has_value());
    CHECK(countCommands(*misfit, hw::Opcode::kDspOperator) != 0);
    CHECK(countCommands(*misfit, hw::Opcode::kVecOperator) == 0);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
