// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/hw_model/operators/element_operands.h"

namespace vnpu::test::elements {
namespace {

using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;
using enum hw::TensorType;

struct CastType {
    TensorType type{};
    double low = 0.0;
    double high = 0.0;  // both 0 for floats
};

const CastType kCastTypes[] = {
        {kFloat32},
        {kFloat16},
        {kInt32, -2147483648.0, 2147483647.0},
        {kQuant8Asymm, 0, 255},
        {kQuant8AsymmSigned, -128, 127},
        {kQuant8Symm, -128, 127},
        {kQuant16Symm, -32768, 32767},
        {kQuant16Asymm, 0, 65535},
};

double castNumber(const CastType& to, double value) {
    if (to.low == to.high) {
        return rounded(to.type, value);
    }
    return std::isnan(value) ? 0.0 : std::min(std::max(std::trunc(value), to.low), to.high);
}

void checkCast(Random& random, const CastType& from, const CastType& to) {
    const double range = random.oneIn(2) ? 300.0 : 5e9;
    const RandomOperand input =
            randomOperand(random, {from.type}, randomDimensions(random, 5), range);
    OperatorCase call(Operator::kCast);
    input.addTo(call);
    REQUIRE(call.output({to.type}).run() == JobStatus::kOk);
    REQUIRE(call.dimensions(0) == input.dimensions);
    const std::vector<double> results = call.numbers(0);
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(hw::tensorTypeName(from.type));
        CAPTURE(hw::tensorTypeName(to.type));
        REQUIRE(results[i] == castNumber(to, input.number(i)));
    }
}

RandomOperand perChannelOperand(Random& random) {
    RandomOperand operand = randomOperand(random, {kQuant8Symm}, randomDimensions(random));
    operand.kind = {kQuant8SymmPerChannel};
    operand.kind.channelDimension =
            random.pick<std::uint32_t>(0, static_cast<std::int64_t>(operand.dimensions.rank()) - 1);
    for (std::uint32_t c = 0; c < operand.dimensions[operand.kind.channelDimension]; ++c) {
        operand.kind.channelScales.push_back(0.01F + std::abs(random.real()));
    }
    return operand;
}

float scaleOf(const RandomOperand& operand, std::size_t i) {
    if (operand.kind.type != kQuant8SymmPerChannel) {
        return operand.kind.scale;
    }
    const AxisExtents extents(operand.dimensions, operand.kind.channelDimension);
    return operand.kind.channelScales[i / extents.inner % extents.length];
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators/conversion");

TEST_CASE("casts truncate and saturate between all types [E-8]") {
    Random random(1);
    for (const CastType& from : kCastTypes) {
        for (const CastType& to : kCastTypes) {
            for (int i = 0; i < 15; ++i) {
                checkCast(random, from, to);
            }
        }
    }
}

TEST_CASE("casts of infinities and NaN stay within the range [E-8]") {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    const std::vector<float> values = {kInfinite, -kInfinite, std::nanf(""), 3e38F, -0.9F};
    for (const CastType& to : kCastTypes) {
        OperatorCase call(Operator::kCast);
        call.input<float>({kFloat32}, {5}, values).output({to.type});
        REQUIRE(call.run() == JobStatus::kOk);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double expected = castNumber(to, static_cast<double>(values[i]));
            const double actual = call.numbers(0)[i];
            CHECK((actual == expected || (std::isnan(actual) && std::isnan(expected))));
        }
    }
}

TEST_CASE("a cast to the same type keeps every bit [E-8]") {
    OperatorCase call(Operator::kCast);
    call.input<std::uint8_t>({kBool8}, {3}, {0, 1, 7}).output({kBool8});
    REQUIRE(call.run() == JobStatus::kOk);
    CHECK(call.values<std::uint8_t>(0) == std::vector<std::uint8_t>{0, 1, 7});
}

TEST_CASE("quantization rounds away from zero and saturates [E-8]") {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        Random random(seed);
        const OperandKind output =
                randomKind(random, random.oneIn(2) ? kQuant8Asymm : kQuant8AsymmSigned);
        RandomOperand input = randomOperand(random, {random.oneIn(2) ? kFloat32 : kFloat16},
                                            randomDimensions(random, 5));
        OperatorCase call(Operator::kQuantize);
        input.addTo(call);
        REQUIRE(call.output(output).run() == JobStatus::kOk);
        REQUIRE(call.dimensions(0) == input.dimensions);
        const std::vector<double> results = call.numbers(0);
        for (std::size_t i = 0; i < results.size(); ++i) {
            const auto steps =
                    static_cast<double>(static_cast<float>(input.number(i)) / output.scale);
            CAPTURE(seed);
            REQUIRE(results[i] ==
                    clampLevel(output.type, roundAwayFromZero(steps) + output.zeroPoint));
        }
    }
}

TEST_CASE("halves, values next to halves and NaNs are quantized correctly [E-8]") {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    OperatorCase call(Operator::kQuantize);
    const std::vector<float> values = {0.5F,  -0.5F, 0.49999997F, -0.49999997F, 1.5F,
                                       -2.5F, 1e30F, -kInfinite,  std::nanf("")};
    call.input<float>({kFloat32}, {9}, values).output({kQuant8Asymm, 1.0F, 10});
    REQUIRE(call.run() == JobStatus::kOk);
    CHECK(call.numbers(0) == std::vector<double>{11, 9, 10, 10, 12, 7, 255, 0, 10});
}

TEST_CASE("dequantization scales differences, also per channel [E-8]") {
    for (std::uint32_t seed = 0; seed < 500; ++seed) {
        Random random(seed);
        constexpr TensorType kTypes[] = {kQuant8Asymm, kQuant8AsymmSigned, kQuant8Symm};
        const RandomOperand input =
                random.oneIn(3)
                        ? perChannelOperand(random)
                        : randomOperand(random, randomKind(random, kTypes[random.between(0, 2)]),
                                        randomDimensions(random, 5));
        const TensorType type = random.oneIn(2) ? kFloat32 : kFloat16;
        OperatorCase call(Operator::kDequantize);
        input.addTo(call);
        REQUIRE(call.output({type}).run() == JobStatus::kOk);
        REQUIRE(call.dimensions(0) == input.dimensions);
        const std::vector<double> results = call.numbers(0);
        for (std::size_t i = 0; i < results.size(); ++i) {
            const float real = static_cast<float>(input.difference(i)) * scaleOf(input, i);
            CAPTURE(seed);
            REQUIRE(results[i] == rounded(type, static_cast<double>(real)));
        }
    }
}

TEST_CASE("invalid operands are refused with a reason [E-8]") {
    const auto refuses = [](OperatorCase& call) {
        CHECK(call.run() == JobStatus::kBadOperand);
        CHECK_FALSE(call.reason().empty());
    };
    OperatorCase scalar(Operator::kCast);
    refuses(scalar.int32(1).output({kFloat32}));
    OperatorCase toScalar(Operator::kCast);
    refuses(toScalar.int32s({1}).output({kInt32Scalar}));
    OperatorCase toPerChannel(Operator::kCast);
    refuses(toPerChannel.int32s({1}).output({kQuant8SymmPerChannel}));
    OperatorCase quantizedTwice(Operator::kQuantize);
    const OperandKind bytes{kQuant8Asymm, 1.0F, 0};
    refuses(quantizedTwice.input<std::uint8_t>(bytes, {1}, {1}).output(bytes));
    OperatorCase noScale(Operator::kQuantize);
    refuses(noScale.input<float>({kFloat32}, {1}, {1}).output({kQuant8Asymm, 0.0F, 0}));
    OperatorCase noSymmetricScale(Operator::kDequantize);
    refuses(noSymmetricScale.input<std::int8_t>({kQuant8Symm}, {1}, {1}).output({kFloat32}));
    for (const std::uint32_t dimension : {1U, 2U, 7U}) {
        OperatorCase wrongScales(Operator::kDequantize);
        const OperandKind kind{kQuant8SymmPerChannel, 0.0F, 0, {1.0F, 2.0F}, dimension};
        refuses(wrongScales.input<std::int8_t>(kind, {2, 1}, {1, 2}).output({kFloat32}));
    }
    OperatorCase zeroScale(Operator::kDequantize);
    const OperandKind kind{kQuant8SymmPerChannel, 0.0F, 0, {1.0F, 0.0F}, 0};
    refuses(zeroScale.input<std::int8_t>(kind, {2, 1}, {1, 2}).output({kFloat32}));
}

TEST_SUITE_END();

}  // namespace vnpu::test::elements
