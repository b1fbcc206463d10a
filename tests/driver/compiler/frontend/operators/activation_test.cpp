// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

TensorSpec unsignedTensor(const Dimensions& dimensions, float scale, std::int32_t zeroPoint) {
    return {OperandType::TENSOR_QUANT8_ASYMM, dimensions, scale, zeroPoint};
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/operators/activation");

TEST_CASE("RELU1 clamps stored values about the zero point [E-2]") {
    Dice dice(1);
    const Dimensions shape{3, 700};
    const Bytes input = dice.data(OperandType::TENSOR_QUANT8_ASYMM, elementsOf(shape));
    ModelBuilder builder;
    const std::uint32_t x = builder.input(unsignedTensor(shape, 0.02F, 100));
    const std::uint32_t y = builder.output(unsignedTensor(shape, 0.02F, 100));
    builder.operation(OperationType::RELU1, {x}, y);
    Bytes expected = input;
    for (std::byte& byte : expected) {  // 100 - 50 and 100 + 50
        byte = static_cast<std::byte>(std::clamp(static_cast<int>(byte), 50, 150));
    }
    CHECK(checkModel(builder, {input}, {expected}) == "");
}

TEST_CASE("RELU with another output scale rescales [E-2]") {
    Dice dice(2);
    const Dimensions shape{500};
    const Bytes input = dice.data(OperandType::TENSOR_QUANT8_ASYMM, elementsOf(shape));
    ModelBuilder builder;
    const std::uint32_t x = builder.input(unsignedTensor(shape, 0.5F, 100));
    const std::uint32_t y = builder.output(unsignedTensor(shape, 0.4F, 3));
    builder.operation(OperationType::RELU, {x}, y);
    const Bytes expected = store(centered(input, OperandType::TENSOR_QUANT8_ASYMM, 100),
                                 {OperandType::TENSOR_QUANT8_ASYMM, 0.4F, 3, 1},
                                 static_cast<double>(0.5F) / static_cast<double>(0.4F));
    CHECK(checkModel(builder, {input}, {expected}) == "");
}

TEST_CASE("LOGISTIC is exact to the nearest of 256 steps [E-2]") {
    Bytes input;
    for (int i = 0; i < 1024; ++i) {
        input.push_back(static_cast<std::byte>(i % 256));
    }
    ModelBuilder builder;
    const std::uint32_t x =
            builder.input({OperandType::TENSOR_QUANT8_ASYMM_SIGNED, {1024}, 0.08F, -10});
    const std::uint32_t y =
            builder.output({OperandType::TENSOR_QUANT8_ASYMM_SIGNED, {1024}, 1.0F / 256, -128});
    builder.operation(OperationType::LOGISTIC, {x}, y);
    Bytes expected;
    for (const double steps : centered(input, OperandType::TENSOR_QUANT8_ASYMM_SIGNED, -10)) {
        const double real = 1.0 / (1.0 + std::exp(-steps * static_cast<double>(0.08F)));
        const int stored = std::min(static_cast<int>(std::floor(real * 256 + 0.5)), 255) - 128;
        expected.push_back(static_cast<std::byte>(stored));
    }
    CHECK(checkModel(builder, {input}, {expected}) == "");
}

TEST_CASE("float LOGISTIC and RELU6 run in tiles [E-2]") {
    Dice dice(3);
    const Dimensions shape{7, 5, 31};
    const Bytes input = dice.data(OperandType::TENSOR_FLOAT32, elementsOf(shape));
    for (const bool isRelu : {false, true}) {
        ModelBuilder builder;
        const std::uint32_t x = builder.input({OperandType::TENSOR_FLOAT32, shape});
        const std::uint32_t y = builder.output({OperandType::TENSOR_FLOAT32, shape});
        builder.operation(isRelu ? OperationType::RELU6 : OperationType::LOGISTIC, {x}, y);
        Values values;
        for (const double v : centered(input, OperandType::TENSOR_FLOAT32, 0)) {
            values.push_back(isRelu ? std::clamp(v, 0.0, 6.0) : 1.0 / (1.0 + std::exp(-v)));
        }
        const Bytes expected = store(values, {OperandType::TENSOR_FLOAT32}, 1.0);
        CHECK(checkModel(builder, {input}, {expected}) == "");
    }
}

TEST_CASE("SOFTMAX works along any axis, whole along it however small the tiles [E-2]") {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const bool isFloat = dice.chance(2);
        const OperandType type =
                isFloat ? OperandType::TENSOR_FLOAT32 : OperandType::TENSOR_QUANT8_ASYMM;
        Dimensions shape;
        for (std::uint32_t d = dice.size(1, 4); d > 0; --d) {
            shape.push_back(dice.size(1, 12));
        }
        const auto rank = static_cast<std::int32_t>(shape.size());
        const std::int32_t axis = dice.pick(-rank, rank - 1);
        const float beta = static_cast<float>(dice.pick(1, 12)) / 4.0F;
        const float scale = 0.03F;
        const Bytes input = dice.data(type, elementsOf(shape));
        ModelBuilder builder;
        const std::uint32_t x = builder.input({type, shape, isFloat ? 0 : scale, 12});
        const std::uint32_t y = builder.output({type, shape, isFloat ? 0 : 1.0F / 256, 0});
        builder.operation(OperationType::SOFTMAX, {x, builder.float32(beta), builder.int32(axis)},
                          y);

        const auto along = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
        std::size_t outer = 1;
        std::size_t inner = 1;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            (d < along ? outer : inner) *= d == along ? 1 : shape[d];
        }
        Values reals = centered(input, type, 12);
        for (double& real : reals) {
            real *= isFloat ? 1.0 : static_cast<double>(scale);
        }
        const Values softmax =
                vnpu::test::softmax(reals, outer, shape[along], inner, static_cast<double>(beta));
        Bytes expected;
        if (isFloat) {
            expected = store(softmax, {type}, 1.0);
        } else {
            for (const double p : softmax) {
                expected.push_back(
                        static_cast<std::byte>(std::min(std::floor(p * 256 + 0.5), 255.0)));
            }
        }
        CHECK(checkModel(builder, {input}, {expected}, {.tolerance = 1}) == "");
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
