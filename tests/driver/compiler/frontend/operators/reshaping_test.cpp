// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "driver/compiler/compiler.h"
#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

constexpr OperandType kType = OperandType::TENSOR_QUANT8_ASYMM;

/// Concatenates parts, each viewed as [outer][axis][inner], along their axis.
Bytes concatenate(const std::vector<Bytes>& parts, std::size_t outer) {
    Bytes whole;
    for (std::size_t o = 0; o < outer; ++o) {
        for (const Bytes& part : parts) {
            const std::size_t row = part.size() / outer;
            whole.insert(whole.end(), part.begin() + static_cast<std::ptrdiff_t>(o * row),
                         part.begin() + static_cast<std::ptrdiff_t>((o + 1) * row));
        }
    }
    return whole;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/operators/reshaping");

TEST_CASE("CONCATENATION along any axis rescales parts of another scale [E-2]") {
    for (std::uint32_t seed = 0; seed < 80; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Dimensions shape;
        for (std::uint32_t d = dice.size(1, 4); d > 0; --d) {
            shape.push_back(dice.size(1, 9));
        }
        const auto rank = static_cast<std::int32_t>(shape.size());
        const std::int32_t axis = dice.pick(-rank, rank - 1);
        const auto along = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
        Dimensions total = shape;
        total[along] = 0;
        ModelBuilder builder;
        std::vector<std::uint32_t> operands;
        std::vector<Bytes> inputs;
        std::vector<Bytes> stored;
        for (int part = dice.pick(1, 4); part > 0; --part) {
            shape[along] = dice.size(1, 6);
            total[along] += shape[along];
            const bool isRescaled = dice.chance(2);
            const float scale = isRescaled ? 0.7F : 0.5F;
            inputs.push_back(dice.data(kType, elementsOf(shape)));
            operands.push_back(builder.input({kType, shape, scale, isRescaled ? 30 : 10}));
            stored.push_back(isRescaled
                                     ? store(centered(inputs.back(), kType, 30),
                                             {kType, 0.5F, 10, 0}, static_cast<double>(0.7F) / 0.5)
                                     : inputs.back());
        }
        operands.push_back(builder.int32(axis));
        builder.operation(OperationType::CONCATENATION, operands,
                          builder.output({kType, total, 0.5F, 10}));
        std::size_t outer = 1;
        for (std::size_t d = 0; d < along; ++d) {
            outer *= total[d];
        }
        CHECK(checkModel(builder, inputs, {concatenate(stored, outer)}) == "");
    }
}

TEST_CASE("PAD surrounds the input with the zero point [E-2]") {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Dimensions from;
        Dimensions to;
        std::vector<std::int32_t> paddings;
        for (std::uint32_t d = dice.size(1, 4); d > 0; --d) {
            from.push_back(dice.size(1, 6));
            paddings.push_back(dice.pick(0, 3));
            paddings.push_back(dice.pick(0, 3));
            to.push_back(from.back() + static_cast<std::uint32_t>(paddings[paddings.size() - 2] +
                                                                  paddings.back()));
        }
        const auto rank = static_cast<std::uint32_t>(from.size());
        const Bytes input = dice.data(kType, elementsOf(from));
        Bytes expected(elementsOf(to), std::byte{77});
        for (std::size_t i = 0; i < input.size(); ++i) {
            std::size_t rest = i;
            std::size_t at = 0;
            std::size_t stride = 1;
            for (std::size_t d = rank; d-- > 0;) {
                at += (rest % from[d] + static_cast<std::size_t>(paddings[2 * d])) * stride;
                rest /= from[d];
                stride *= to[d];
            }
            expected[at] = input[i];
        }
        ModelBuilder builder;
        const std::uint32_t x = builder.input({kType, from, 0.5F, 77});
        const std::uint32_t y = builder.output({kType, to, 0.5F, 77});
        builder.operation(OperationType::PAD, {x, builder.int32s(paddings, {rank, 2})}, y);
        CHECK(checkModel(builder, {input}, {expected}) == "");
    }
}

TEST_CASE("RESHAPE fills in one open dimension and costs nothing between operations") {
    Dice dice(4);
    const Bytes input = dice.data(kType, 240);
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kType, {4, 60}, 0.5F, 0});
    const std::uint32_t relu = builder.temporary({kType, {4, 60}, 0.5F, 0});
    const std::uint32_t flat = builder.temporary({kType, {}, 0.5F, 0});
    const std::uint32_t y = builder.output({kType, {2, 6, 20}, 0.5F, 0});
    builder.operation(OperationType::RELU, {x}, relu);
    builder.operation(OperationType::RESHAPE, {relu, builder.int32s({2, -1, 20})}, flat);
    builder.operation(OperationType::RELU6, {flat}, y);
    Bytes expected = input;
    for (std::byte& byte : expected) {
        byte = std::min(byte, std::byte{12});
    }
    CHECK(checkModel(builder, {input}, {expected}) == "");
    const auto compiled = compile(builder.build(), {}, edgeDevice());
    REQUIRE(compiled.has_value());
    CHECK(compiled->operations[1].isFolded);
    CHECK(compiled->operations[1].commands == 0);
}

TEST_CASE("RESHAPE from an input straight to an output copies [E-2]") {
    Dice dice(5);
    const Bytes input = dice.data(kType, 24);
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kType, {24}, 0.5F, 0});
    const std::uint32_t y = builder.output({kType, {2, 12}, 0.5F, 0});
    const std::uint32_t z = builder.output({kType, {3, 8}, 0.5F, 0});
    builder.operation(OperationType::RESHAPE, {x, builder.int32s({2, 12})}, y);
    builder.operation(OperationType::RESHAPE, {y, builder.int32s({3, 8})}, z);
    CHECK(checkModel(builder, {input}, {input, input}) == "");
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
