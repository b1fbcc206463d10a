// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/fusion.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "driver/compiler/compiler.h"
#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

using vnpu::test::Image;
using vnpu::test::Window;

TensorSpec floatSpec(const Dimensions& dimensions) {
    return {kFloat, dimensions};
}

/// Concatenates images of the same height and width along their channels.
Values joinChannels(const std::vector<Values>& images, const std::vector<std::size_t>& channels,
                    std::size_t pixels) {
    Values joined;
    for (std::size_t p = 0; p < pixels; ++p) {
        for (std::size_t i = 0; i < images.size(); ++i) {
            for (std::size_t c = 0; c < channels[i]; ++c) {
                joined.push_back(images[i][p * channels[i] + c]);
            }
        }
    }
    return joined;
}

/// A 1 x 1 convolution of `image` to `channels`, as an operand; its values are stored in `result`.
std::uint32_t addPointwise(ModelBuilder& builder, Dice& dice, std::uint32_t image, const Image& in,
                           const Values& values, std::uint32_t channels, Values& result) {
    const auto depth = static_cast<std::uint32_t>(in.channels);
    const Bytes weights = dice.data(kFloat, std::uint64_t{channels} * depth);
    const std::uint32_t filter = builder.pooled(floatSpec({channels, 1, 1, depth}), weights);
    const std::uint32_t bias =
            builder.constant(floatSpec({channels}), Bytes(std::size_t{channels} * 4));
    const std::uint32_t output =
            builder.temporary(floatSpec({1, static_cast<std::uint32_t>(in.height),
                                         static_cast<std::uint32_t>(in.width), channels}));
    builder.operation(OperationType::CONV_2D,
                      {image, filter, bias, builder.int32(1), builder.int32(1), builder.int32(1),
                       builder.int32(0)},
                      output);
    result = vnpu::test::convolve(in, values, Window{}, centered(weights, kFloat, 0),
                                  {in.height, in.width, channels});
    return output;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/rewrite/fusion");

TEST_CASE("convolutions and pools write their parts of a concatenation in place [E-2]") {
    Dice dice(21);
    const Image in{6, 7, 5};
    const Bytes input = dice.data(kFloat, static_cast<std::uint64_t>(in.size()));
    const Values values = centered(input, kFloat, 0);
    ModelBuilder builder;
    const std::uint32_t x = builder.input(floatSpec({1, 6, 7, 5}));
    std::vector<Values> parts(3);
    const std::uint32_t a = addPointwise(builder, dice, x, in, values, 9, parts[0]);
    const std::uint32_t b = addPointwise(builder, dice, x, in, values, 20, parts[1]);
    const std::uint32_t pooled = builder.temporary(floatSpec({1, 6, 7, 5}));
    builder.operation(OperationType::MAX_POOL_2D,
                      {x, builder.int32(1), builder.int32(1), builder.int32(1), builder.int32(3),
                       builder.int32(3), builder.int32(0)},
                      pooled);
    Window window;
    window.height = window.width = 3;
    window.padTop = window.padLeft = 1;
    parts[2] = vnpu::test::poolMax(in, values, window, in);
    const std::uint32_t y = builder.output(floatSpec({1, 6, 7, 34}));
    builder.operation(OperationType::CONCATENATION, {a, b, pooled, builder.int32(3)}, y);
    const Bytes expected = store(joinChannels(parts, {9, 20, 5}, 42), {kFloat}, 1.0);
    CHECK(checkModel(builder, {input}, {expected}) == "");
    const auto compiled = compile(builder.build(), builder.pools(), edgeDevice());
    REQUIRE(compiled.has_value());
    CHECK(compiled->operations[3].isFolded);
}

TEST_CASE("a concatenation that stays on chip takes parts in place too [E-2]") {
    Dice dice(22);
    const Image in{5, 4, 6};
    const Bytes input = dice.data(kFloat, static_cast<std::uint64_t>(in.size()));
    const Values values = centered(input, kFloat, 0);
    ModelBuilder builder;
    const std::uint32_t x = builder.input(floatSpec({1, 5, 4, 6}));
    std::vector<Values> parts(2);
    const std::uint32_t a = addPointwise(builder, dice, x, in, values, 4, parts[0]);
    const std::uint32_t pooled = builder.temporary(floatSpec({1, 5, 4, 6}));
    builder.operation(OperationType::MAX_POOL_2D,
                      {x, builder.int32(1), builder.int32(1), builder.int32(1), builder.int32(1),
                       builder.int32(1), builder.int32(0)},
                      pooled);
    parts[1] = values;
    const std::uint32_t joined = builder.temporary(floatSpec({1, 5, 4, 10}));
    builder.operation(OperationType::CONCATENATION, {a, pooled, builder.int32(-1)}, joined);
    Values result;
    const Values whole = joinChannels(parts, {4, 6}, 20);
    const std::uint32_t last = addPointwise(builder, dice, joined, {5, 4, 10}, whole, 3, result);
    const std::uint32_t y = builder.output(floatSpec({60}));
    builder.operation(OperationType::RESHAPE, {last, builder.int32s({60})}, y);
    const Bytes expected = store(result, {kFloat}, 1.0);
    CHECK(checkModel(builder, {input}, {expected}, {.relative = 1e-4}) == "");
}

TEST_CASE("a concatenation along the outermost dimension is a sequence of slices [E-2]") {
    Dice dice(23);
    const Bytes input = dice.data(kFloat, 150);
    ModelBuilder builder;
    const std::uint32_t x = builder.input(floatSpec({3, 50}));
    const std::uint32_t a = builder.temporary(floatSpec({3, 50}));
    const std::uint32_t b = builder.temporary(floatSpec({3, 50}));
    builder.operation(OperationType::ADD, {x, x, builder.int32(0)}, a);
    builder.operation(OperationType::LOGISTIC, {x}, b);
    const std::uint32_t y = builder.output(floatSpec({6, 50}));
    builder.operation(OperationType::CONCATENATION, {a, b, builder.int32(0)}, y);
    Values values;
    for (const double v : centered(input, kFloat, 0)) {
        values.push_back(2 * v);
    }
    for (const double v : centered(input, kFloat, 0)) {
        values.push_back(1.0 / (1.0 + std::exp(-v)));
    }
    CHECK(checkModel(builder, {input}, {store(values, {kFloat}, 1.0)}) == "");
}

TEST_CASE("a part with another reader is copied [E-2]") {
    Dice dice(24);
    const Bytes input = dice.data(kFloat, 40);
    ModelBuilder builder;
    const std::uint32_t x = builder.input(floatSpec({1, 40}));
    const std::uint32_t a = builder.temporary(floatSpec({1, 40}));
    builder.operation(OperationType::RELU, {x}, a);
    const std::uint32_t twice = builder.output(floatSpec({2, 40}));
    const std::uint32_t sum = builder.output(floatSpec({1, 40}));
    builder.operation(OperationType::CONCATENATION, {a, a, builder.int32(0)}, twice);
    builder.operation(OperationType::ADD, {a, a, builder.int32(0)}, sum);
    Values relu;
    for (const double v : centered(input, kFloat, 0)) {
        relu.push_back(std::max(v, 0.0));
    }
    Values both = relu;
    both.insert(both.end(), relu.begin(), relu.end());
    for (double& v : relu) {
        v *= 2;
    }
    CHECK(checkModel(builder, {input}, {store(both, {kFloat}, 1.0), store(relu, {kFloat}, 1.0)}) ==
          "");
}

TEST_CASE("PAD in front of a convolution becomes its padding [E-2]") {
    Dice dice(25);
    constexpr OperandType kQuant = OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    const Image in{9, 8, 3};
    const Image out{5, 5, 4};
    const Bytes input = dice.data(kQuant, static_cast<std::uint64_t>(in.size()));
    const Bytes weights = dice.data(kQuant, std::uint64_t{4} * 9 * 3);
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kQuant, {1, 9, 8, 3}, 0.5F, 17});
    const std::uint32_t padded = builder.temporary({kQuant, {1, 11, 11, 3}, 0.5F, 17});
    builder.operation(OperationType::PAD, {x, builder.int32s({0, 0, 1, 1, 2, 1, 0, 0}, {4, 2})},
                      padded);
    const std::uint32_t filter = builder.pooled({kQuant, {4, 3, 3, 3}, 0.25F, -4}, weights);
    const std::uint32_t bias = builder.pooled({OperandType::TENSOR_INT32, {4}}, Bytes(16));
    const std::uint32_t y = builder.output({kQuant, {1, 5, 5, 4}, 90.0F, 5});
    builder.operation(OperationType::CONV_2D,
                      {padded, filter, bias, builder.int32(2), builder.int32(2), builder.int32(2),
                       builder.int32(1)},
                      y);
    Window window;
    window.height = window.width = 3;
    window.strideHeight = window.strideWidth = 2;
    window.padTop = 1;
    window.padLeft = 2;
    const Values sums = vnpu::test::convolve(in, centered(input, kQuant, 17), window,
                                             centered(weights, kQuant, -4), out);
    const Bytes expected = store(sums, {kQuant, 90.0F, 5, 1}, 0.125 / 90.0);
    CHECK(checkModel(builder, {input}, {expected}) == "");
    const auto compiled = compile(builder.build(), builder.pools(), edgeDevice());
    REQUIRE(compiled.has_value());
    CHECK(compiled->operations[0].isFolded);
}

TEST_CASE("grouped and transposed convolutions fold activations and nothing else [E-2]") {
    Dice dice(26);
    const Image in{4, 5, 6};
    const Image middle{8, 10, 6};
    const Image out{7, 9, 9};
    const Bytes input = dice.data(kFloat, static_cast<std::uint64_t>(in.size()));
    const Bytes spread = dice.data(kFloat, std::uint64_t{6} * 4 * 6);
    const Bytes grouped = dice.data(kFloat, std::uint64_t{9} * 4 * 2);
    ModelBuilder builder;
    const auto int32s = [&](std::vector<std::uint32_t> operands,
                            const std::vector<std::int32_t>& values) {
        for (const std::int32_t value : values) {
            operands.push_back(builder.int32(value));
        }
        operands.push_back(builder.boolean(false));
        return operands;
    };
    const std::uint32_t x = builder.input(floatSpec({1, 4, 5, 6}));
    const std::uint32_t a = builder.temporary(floatSpec({1, 8, 10, 6}));
    const std::uint32_t b = builder.temporary(floatSpec({1, 7, 9, 9}));
    builder.operation(OperationType::TRANSPOSE_CONV_2D,
                      int32s({x, builder.pooled(floatSpec({6, 2, 2, 6}), spread),
                              builder.constant(floatSpec({6}), Bytes(24))},
                             {0, 0, 0, 0, 2, 2, 0}),
                      a);
    builder.operation(OperationType::GROUPED_CONV_2D,
                      int32s({a, builder.pooled(floatSpec({9, 2, 2, 2}), grouped),
                              builder.constant(floatSpec({9}), Bytes(36))},
                             {2, 1, 1, 3, 0}),
                      b);
    builder.operation(OperationType::RELU, {b}, builder.output(floatSpec({1, 7, 9, 9})));

    const Window twice{.height = 2, .width = 2, .strideHeight = 2, .strideWidth = 2};
    const Values image = vnpu::test::convolveTransposed(in, centered(input, kFloat, 0), twice,
                                                        centered(spread, kFloat, 0), middle);
    const Values sums = vnpu::test::convolveGroups(middle, image, {.height = 2, .width = 2},
                                                   centered(grouped, kFloat, 0), out, 3);
    CHECK(checkModel(builder, {input}, {store(sums, {kFloat, 0, 0, 1}, 1.0)}) == "");
    const auto compiled = compile(builder.build(), builder.pools(), edgeDevice());
    REQUIRE(compiled.has_value());
    CHECK(!compiled->operations[0].isFolded);
    CHECK(!compiled->operations[1].isFolded);
    CHECK(compiled->operations[2].isFolded);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
