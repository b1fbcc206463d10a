// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/hw_model/operators/element_operands.h"
#include "tests/support/quantization.h"

namespace vnpu::test::elements {
namespace {

using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;
using enum hw::TensorType;

double relu(double x) {
    return std::max(x, 0.0);
}
double relu1(double x) {
    return std::min(std::max(x, -1.0), 1.0);
}
double relu6(double x) {
    return std::min(std::max(x, 0.0), 6.0);
}
double logisticOf(double x) {
    return 1 / (1 + std::exp(-x));
}
double hardSwishOf(double x) {
    return x * relu6(x + 3) / 6;
}
double eluOf(double x) {
    return x < 0 ? 0.75 * std::expm1(x) : x;
}

enum class Bytes : std::uint8_t { kNone, kNearest, kScaled, kWithinOne };

struct ActivationRule {
    Operator op{};
    double (*real)(double) = nullptr;
    double relative = 0.0;  // allowed error in addition to exact rounding
    Bytes bytes = Bytes::kNone;
    double (*integer)(double) = nullptr;
    double outputScale = 0.0;       // of an 8-bit output; any if 0
    double lowestLevelAbove = 0.0;  // of the zero point, above the type's lowest level
    double range = 8.0;
};

const ActivationRule kActivationRules[] = {
        {Operator::kRelu, relu, 0.0, Bytes::kScaled},
        {Operator::kRelu1, relu1, 0.0, Bytes::kScaled},
        {Operator::kRelu6, relu6, 0.0, Bytes::kScaled},
        {Operator::kLogistic, logisticOf, 1e-9, Bytes::kNearest, nullptr, 1.0 / 256, 0, 30},
        {Operator::kTanh, [](double x) { return std::tanh(x); }, 1e-9, Bytes::kNearest, nullptr,
         1.0 / 128, 128},
        {Operator::kHardSwish, hardSwishOf, 4e-7, Bytes::kWithinOne},
        {Operator::kElu, eluOf, 1e-9},
        {Operator::kAbs, [](double x) { return std::abs(x); }, 0.0, Bytes::kNone,
         [](double x) {
             return static_cast<double>(wrapTo32(std::abs(static_cast<std::int64_t>(x))));
         }},
        {Operator::kNeg, [](double x) { return -x; }, 0.0, Bytes::kNone,
         [](double x) { return static_cast<double>(wrapTo32(-static_cast<std::int64_t>(x))); }},
        {Operator::kExp, [](double x) { return std::exp(x); }, 1e-9, Bytes::kNone, nullptr, 0, 0,
         100},
        {Operator::kFloor, [](double x) { return std::floor(x); }},
        {Operator::kLog, [](double x) { return std::log(x); }, 1e-9},
        {Operator::kRsqrt, [](double x) { return 1 / std::sqrt(x); }},
        {Operator::kSin, [](double x) { return std::sin(x); }, 1e-9, Bytes::kNone, nullptr, 0, 0,
         1000},
        {Operator::kSqrt, [](double x) { return std::sqrt(x); }},
};

double levelFor(const OperandKind& kind, double real) {
    return clampLevel(kind.type, kind.zeroPoint + roundAwayFromZero(real / double{kind.scale}));
}

// RELU and related functions: clamped as levels, scaled in fixed point if the quantizations differ.
double scaledLevel(const ActivationRule& rule, const RandomOperand& input, std::size_t i,
                   const OperandKind& output) {
    const bool isSame =
            input.kind.scale == output.scale && input.kind.zeroPoint == output.zeroPoint;
    double level = input.number(i);
    if (!isSame) {
        const QuantizedMultiplier q =
                quantizeMultiplier(double{input.kind.scale} / double{output.scale});
        level = output.zeroPoint +
                static_cast<double>(scaleTwiceRounded(
                        static_cast<std::int64_t>(input.difference(i)), q.multiplier, q.shift));
    }
    const double low = levelFor(output, rule.real(-1e9));
    const double high = levelFor(output, rule.real(1e9));
    return std::min(std::max(level, low), high);
}

bool isRight(const ActivationRule& rule, const RandomOperand& input, std::size_t i,
             const OperandKind& output, double actual) {
    if (isFloat(input.kind.type)) {
        return agrees(output.type, actual, rule.real(input.number(i)), rule.relative);
    }
    if (input.kind.type == kInt32) {
        return actual == rule.integer(input.number(i));
    }
    if (rule.bytes == Bytes::kScaled) {
        return actual == scaledLevel(rule, input, i, output);
    }
    const double real = rule.real(input.difference(i) * double{input.kind.scale});
    const double tolerance = rule.bytes == Bytes::kWithinOne ? 1.0 : 0.0;
    return std::abs(actual - levelFor(output, real)) <= tolerance;
}

OperandKind outputKind(Random& random, const ActivationRule& rule, const OperandKind& input) {
    OperandKind output = random.oneIn(2) ? input : randomKind(random, input.type);
    if (rule.outputScale != 0.0 && isQuantized8(input.type)) {
        output.scale = static_cast<float>(rule.outputScale);
        output.zeroPoint =
                static_cast<std::int32_t>(lowestLevel(input.type) + rule.lowestLevelAbove);
    }
    return output;
}

void checkRule(const ActivationRule& rule, std::uint32_t seed) {
    Random random(seed);
    std::vector<TensorType> types = {kFloat32, kFloat16};
    if (rule.bytes != Bytes::kNone) {
        types.insert(types.end(), {kQuant8Asymm, kQuant8AsymmSigned});
    }
    if (rule.integer != nullptr) {
        types.push_back(kInt32);
    }
    const TensorType type =
            types[random.pick<std::size_t>(0, static_cast<std::int64_t>(types.size()) - 1)];
    const RandomOperand input = randomOperand(random, randomKind(random, type),
                                              randomDimensions(random, 5), rule.range);
    const OperandKind output = outputKind(random, rule, input.kind);
    OperatorCase call(rule.op);
    input.addTo(call);
    if (rule.op == Operator::kElu) {
        type == kFloat16 ? call.half(0.75F) : call.real(0.75F);
    }
    call.output(output);
    CAPTURE(hw::operatorName(rule.op));
    CAPTURE(seed);
    REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
    REQUIRE(call.dimensions(0) == input.dimensions);
    const std::vector<double> results = call.numbers(0);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!isRight(rule, input, i, output, results[i])) {
            FAIL(fmt::format("{} element {} is {} from {}", hw::tensorTypeName(type), i, results[i],
                             input.number(i)));
        }
    }
}

std::vector<double> run(Operator op, const std::vector<float>& values) {
    OperatorCase call(op);
    call.input<float>({kFloat32}, {static_cast<std::uint32_t>(values.size())}, values);
    CHECK(call.output({kFloat32}).run() == JobStatus::kOk);
    return call.numbers(0);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators/activation");

TEST_CASE("functions of one element follow their definition [E-8]") {
    for (const ActivationRule& rule : kActivationRules) {
        for (std::uint32_t seed = 0; seed < 300; ++seed) {
            checkRule(rule, seed);
        }
    }
}

TEST_CASE("functions of floats are correct over the whole range and at its limits [E-8]") {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    std::vector<float> values = {0.0F,      -0.0F,         1.0F,       -1.0F,    1e-45F, -1e-45F,
                                 kInfinite, -kInfinite,    3.4e38F,    -3.4e38F, 1e-38F, 88.7F,
                                 -103.9F,   std::nanf(""), 0.7853982F, 0.35F,    710.0F, 1e22F};
    Random random(3);
    for (int i = 0; i < 100'000; ++i) {
        const auto bits = static_cast<std::uint32_t>(random.between(0, 0xFFFFFFFF));
        values.push_back(std::bit_cast<float>(bits));
    }
    for (const ActivationRule& rule : kActivationRules) {
        if (rule.op == Operator::kElu || rule.op == Operator::kHardSwish) {
            continue;  // one has a second operand, one overflows in an intermediate step
        }
        CAPTURE(hw::operatorName(rule.op));
        const std::vector<double> results = run(rule.op, values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double expected = rule.real(static_cast<double>(values[i]));
            if (!agrees(kFloat32, results[i], expected, rule.relative)) {
                FAIL_CHECK(fmt::format("{} of {}, expected {}", results[i], values[i], expected));
                break;
            }
        }
    }
}

TEST_CASE("hard swish is exact where the reference's 16-bit arithmetic is [E-8]") {
    // By hand: scale 1/16, so that 3 is 48 levels. x >= 3 passes; x = 0 gives 0; x <= -3 gives
    // 0; x = 1.5 gives 1.5 * 4.5 / 6 = 1.125, 18 levels.
    OperatorCase call(Operator::kHardSwish);
    const OperandKind kind{kQuant8AsymmSigned, 1.0F / 16, 0};
    call.input<std::int8_t>(kind, {6}, {127, 48, 0, -48, -128, 24}).output(kind);
    REQUIRE(call.run() == JobStatus::kOk);
    CHECK(call.numbers(0) == std::vector<double>{127, 48, 0, 0, 0, 18});
}

TEST_CASE("invalid operands are refused with a reason [E-8]") {
    const auto refuses = [](OperatorCase& call) {
        CHECK(call.run() == JobStatus::kBadOperand);
        CHECK_FALSE(call.reason().empty());
    };
    OperatorCase wrongType(Operator::kExp);
    refuses(wrongType.int32s({1}).output({kInt32}));
    OperatorCase wrongOutput(Operator::kExp);
    refuses(wrongOutput.input<float>({kFloat32}, {1}, {1}).output({kFloat16}));
    OperatorCase scalar(Operator::kExp);
    refuses(scalar.real(1).output({kFloat32}));
    OperatorCase noScale(Operator::kRelu);
    refuses(noScale.input<std::uint8_t>({kQuant8Asymm}, {1}, {1}).output({kQuant8Asymm}));
    OperatorCase noNumber(Operator::kLogistic);
    const OperandKind bad{kQuant8Asymm, std::nanf(""), 0};
    refuses(noNumber.input<std::uint8_t>(bad, {1}, {1}).output(bad));
    OperatorCase farZeroPoint(Operator::kTanh);
    const OperandKind far{kQuant8Asymm, 1.0F, 256};
    refuses(farZeroPoint.input<std::uint8_t>(far, {1}, {1}).output(far));
    OperatorCase noAlpha(Operator::kElu);
    refuses(noAlpha.input<float>({kFloat32}, {1}, {1}).output({kFloat32}));
    OperatorCase omitted(Operator::kSin);
    refuses(omitted.omitted().output({kFloat32}));
    OperatorCase noOutput(Operator::kSin);
    refuses(noOutput.input<float>({kFloat32}, {1}, {1}));
}

TEST_SUITE_END();

}  // namespace vnpu::test::elements
