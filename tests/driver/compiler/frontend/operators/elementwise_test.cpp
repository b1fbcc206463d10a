// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/driver/compiler/model_check.h"

namespace vnpu::driver::test {
namespace {

struct ElementwiseOperand {
    Dimensions dimensions;
    float scale = 0.0F;
    std::int32_t zeroPoint = 0;
    Bytes data;
};

struct ElementwiseCase {
    OperandType type = OperandType::TENSOR_FLOAT32;
    bool isMul = false;
    int activation = 0;
    ElementwiseOperand a, b, out;
};

ElementwiseCase rollElementwise(std::uint32_t seed) {
    Dice dice(seed);
    ElementwiseCase c;
    constexpr OperandType kTypes[] = {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_QUANT8_ASYMM,
                                      OperandType::TENSOR_QUANT8_ASYMM_SIGNED};
    c.type = kTypes[dice.pick(0, 2)];
    c.isMul = dice.chance(2);
    c.activation = dice.pick(0, 3);
    const std::uint32_t rank = dice.size(1, 4);
    for (std::uint32_t d = 0; d < rank; ++d) {
        const std::uint32_t extent = dice.size(1, 11);
        const int broadcast = dice.pick(0, 3);
        c.out.dimensions.push_back(extent);
        c.a.dimensions.push_back(broadcast == 1 ? 1 : extent);
        c.b.dimensions.push_back(broadcast == 2 ? 1 : extent);
    }
    if (dice.chance(3)) {  // a shorter shape is aligned at the last dimension
        c.b.dimensions.erase(c.b.dimensions.begin(),
                             c.b.dimensions.begin() + dice.pick(0, static_cast<int>(rank) - 1));
    }
    for (std::size_t d = 0; d < rank; ++d) {  // an extent may be one in both shapes
        const std::size_t missing = rank - c.b.dimensions.size();
        const std::uint32_t fromB = d < missing ? 1 : c.b.dimensions[d - missing];
        c.out.dimensions[d] = std::max(c.a.dimensions[d], fromB);
    }
    if (c.type != OperandType::TENSOR_FLOAT32) {
        for (ElementwiseOperand* operand : {&c.a, &c.b, &c.out}) {
            operand->scale = static_cast<float>(dice.pick(1, 200)) / 77.0F;
            operand->zeroPoint = dice.pick(0, 100);
        }
    }
    c.a.data = dice.data(c.type, elementsOf(c.a.dimensions));
    c.b.data = dice.data(c.type, elementsOf(c.b.dimensions));
    return c;
}

/// Index into an operand of output element `index` under broadcasting.
std::size_t operandIndex(std::size_t index, const Dimensions& out, const Dimensions& operand) {
    std::size_t result = 0;
    std::size_t stride = 1;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t d = out.size() - 1 - i;
        const std::size_t coordinate = index % out[d];
        index /= out[d];
        if (i < operand.size()) {
            const std::size_t extent = operand[operand.size() - 1 - i];
            result += extent == 1 ? 0 : coordinate * stride;
            stride *= extent;
        }
    }
    return result;
}

/// The reference's 8-bit ADD of two values, whose zero points are subtracted.
std::int64_t addFixedPoint(double a, double b, const ElementwiseCase& c) {
    const double twiceMax =
            2.0 * std::max(static_cast<double>(c.a.scale), static_cast<double>(c.b.scale));
    const auto scaled = [&](double value, float scale) {
        const auto m = vnpu::test::quantizeMultiplier(static_cast<double>(scale) / twiceMax);
        return vnpu::test::scaleTwiceRounded(static_cast<std::int64_t>(value) * (1 << 20),
                                             m.multiplier, m.shift);
    };
    return scaled(a, c.a.scale) + scaled(b, c.b.scale);
}

Bytes expectedOutput(const ElementwiseCase& c) {
    const Values a = centered(c.a.data, c.type, c.a.zeroPoint);
    const Values b = centered(c.b.data, c.type, c.b.zeroPoint);
    const bool isFloat = c.type == OperandType::TENSOR_FLOAT32;
    Values values;
    for (std::size_t i = 0; i < elementsOf(c.out.dimensions); ++i) {
        const double x = a[operandIndex(i, c.out.dimensions, c.a.dimensions)];
        const double y = b[operandIndex(i, c.out.dimensions, c.b.dimensions)];
        if (c.isMul) {
            values.push_back(x * y);
        } else {
            values.push_back(isFloat ? x + y : static_cast<double>(addFixedPoint(x, y, c)));
        }
    }
    double factor = 1.0;
    if (!isFloat && c.isMul) {
        factor = static_cast<double>(c.a.scale) * static_cast<double>(c.b.scale) /
                 static_cast<double>(c.out.scale);
    } else if (!isFloat) {
        const double most =
                std::max(static_cast<double>(c.a.scale), static_cast<double>(c.b.scale));
        factor = 2.0 * most / (1048576.0 * static_cast<double>(c.out.scale));
    }
    return store(values, {c.type, c.out.scale, c.out.zeroPoint, c.activation}, factor);
}

std::string run(const ElementwiseCase& c) {
    ModelBuilder builder;
    const auto spec = [&](const ElementwiseOperand& operand) {
        return TensorSpec{c.type, operand.dimensions, operand.scale, operand.zeroPoint};
    };
    const std::uint32_t a = builder.input(spec(c.a));
    const std::uint32_t b = builder.input(spec(c.b));
    const std::uint32_t out = builder.output(spec(c.out));
    builder.operation(c.isMul ? OperationType::MUL : OperationType::ADD,
                      {a, b, builder.int32(c.activation)}, out);
    return checkModel(builder, {c.a.data, c.b.data}, {expectedOutput(c)});
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/frontend/operators/elementwise");

TEST_CASE("ADD and MUL of random shapes broadcast as the reference does [E-2]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        CHECK(run(rollElementwise(seed)) == "");
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
