// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

#include "tests/hw_model/operators/element_operands.h"
#include "tests/support/quantization.h"

namespace vnpu::test::elements {
namespace {

using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;
using enum hw::TensorType;

// Two shapes that broadcast, and the shape of the result: in each dimension an operand may have one
// element, and leading dimensions may be missing.
struct Shapes {
    Dimensions a, b, result;
};

Dimensions shrink(Random& random, const Dimensions& whole, const std::vector<bool>& isOne) {
    std::size_t first = 0;
    while (first + 1 < whole.rank() && isOne[first] && random.oneIn(2)) {
        ++first;
    }
    Dimensions dimensions;
    for (std::size_t d = first; d < whole.rank(); ++d) {
        dimensions.append(isOne[d] ? 1 : whole[d]);
    }
    return dimensions;
}

Shapes randomShapes(Random& random) {
    const Dimensions whole = randomDimensions(random, 6);
    std::vector<bool> aIsOne(whole.rank());
    std::vector<bool> bIsOne(whole.rank());
    Shapes shapes;
    for (std::size_t d = 0; d < whole.rank(); ++d) {
        aIsOne[d] = random.oneIn(4);
        bIsOne[d] = !aIsOne[d] && random.oneIn(3);
    }
    shapes.a = shrink(random, whole, aIsOne);
    shapes.b = shrink(random, whole, bIsOne);
    const std::size_t rank = std::max(shapes.a.rank(), shapes.b.rank());
    for (std::size_t d = whole.rank() - rank; d < whole.rank(); ++d) {
        shapes.result.append(whole[d]);
    }
    return shapes;
}

std::size_t broadcastIndex(std::size_t index, const Dimensions& result, const Dimensions& operand) {
    std::size_t at = 0;
    std::size_t stride = 1;
    for (std::size_t back = 1; back <= result.rank(); ++back) {
        const std::size_t coordinate = index % result[result.rank() - back];
        index /= result[result.rank() - back];
        if (back <= operand.rank()) {
            const std::size_t extent = operand[operand.rank() - back];
            at += extent == 1 ? 0 : coordinate * stride;
            stride *= extent;
        }
    }
    return at;
}

struct Activation {
    double low;
    double high;
};
constexpr Activation kActivations[] = {{-kInfinity, kInfinity}, {0, kInfinity}, {-1, 1}, {0, 6}};

double clampLevels(const OperandKind& output, const Activation& activation, double level) {
    const double low = output.zeroPoint + roundAwayFromZero(activation.low / double{output.scale});
    const double high =
            output.zeroPoint + roundAwayFromZero(activation.high / double{output.scale});
    return clampLevel(output.type, std::min(std::max(level, clampLevel(output.type, low)),
                                            clampLevel(output.type, high)));
}

double scale(double value, double factor) {
    const QuantizedMultiplier q = quantizeMultiplier(factor);
    return static_cast<double>(
            scaleTwiceRounded(static_cast<std::int64_t>(value), q.multiplier, q.shift));
}

// Level of a result from the operands' levels, unclamped.
using LevelRule = double (*)(const RandomOperand& a, std::size_t i, const RandomOperand& b,
                             std::size_t j, const OperandKind& output);

double sumLevel(const RandomOperand& a, std::size_t i, const RandomOperand& b, std::size_t j,
                const OperandKind& output, double sign) {
    const double twice = 2 * double{std::max(a.kind.scale, b.kind.scale)};
    const double sum = scale(a.difference(i) * 1048576, double{a.kind.scale} / twice) +
                       sign * scale(b.difference(j) * 1048576, double{b.kind.scale} / twice);
    return output.zeroPoint + scale(sum, twice / (1048576.0 * double{output.scale}));
}

double productFactor(const RandomOperand& a, const RandomOperand& b, const OperandKind& output) {
    return double{a.kind.scale} * double{b.kind.scale} / double{output.scale};
}

// Level of an operand in the output's quantization.
double asLevelOf(const OperandKind& output, double real) {
    return clampLevel(output.type,
                      roundAwayFromZero(real / double{output.scale} + output.zeroPoint));
}

double wrapped(double value) {
    return static_cast<double>(wrapTo32(static_cast<std::int64_t>(value)));
}

double floorQuotient(double a, double b) {
    return b == 0 ? 0 : wrapped(std::floor(a / b));
}

double wrappedProduct(double a, double b) {
    return static_cast<double>(
            wrapTo32(static_cast<std::int64_t>(a) * static_cast<std::int64_t>(b)));
}

struct ElementwiseRule {
    Operator op;
    std::vector<TensorType> types;
    double (*real)(double, double);
    double (*integer)(double, double) = nullptr;
    LevelRule level = nullptr;
    bool hasActivation = false;
    bool givesTruth = false;
    double relative = 0.0;  // allowed error in addition to exact rounding
};

const std::vector<TensorType> kArrays = {kFloat32, kFloat16, kInt32, kQuant8Asymm,
                                         kQuant8AsymmSigned};
const std::vector<TensorType> kCompared = {kFloat32,     kFloat16, kInt32,
                                           kQuant8Asymm, kBool8,   kQuant8AsymmSigned};

const ElementwiseRule kArithmetic[] = {
        {Operator::kAdd, kArrays, [](double a, double b) { return a + b; },
         [](double a, double b) { return wrapped(a + b); },
         [](const RandomOperand& a, std::size_t i, const RandomOperand& b, std::size_t j,
            const OperandKind& o) { return sumLevel(a, i, b, j, o, 1); },
         true},
        {Operator::kSub, kArrays, [](double a, double b) { return a - b; },
         [](double a, double b) { return wrapped(a - b); },
         [](const RandomOperand& a, std::size_t i, const RandomOperand& b, std::size_t j,
            const OperandKind& o) { return sumLevel(a, i, b, j, o, -1); },
         true},
        {Operator::kMul, kArrays, [](double a, double b) { return a * b; }, wrappedProduct,
         [](const RandomOperand& a, std::size_t i, const RandomOperand& b, std::size_t j,
            const OperandKind& o) {
             return o.zeroPoint + scale(a.difference(i) * b.difference(j), productFactor(a, b, o));
         },
         true},
        {Operator::kDiv,
         {kFloat32, kFloat16, kInt32},
         [](double a, double b) { return a / b; },
         floorQuotient,
         nullptr,
         true},
        {Operator::kMaximum, kArrays, [](double a, double b) { return std::max(a, b); },
         [](double a, double b) { return std::max(a, b); },
         [](const RandomOperand& a, std::size_t i, const RandomOperand& b, std::size_t j,
            const OperandKind& o) {
             return std::max(asLevelOf(o, a.real(i)), asLevelOf(o, b.real(j)));
         }},
        {Operator::kMinimum, kArrays, [](double a, double b) { return std::min(a, b); },
         [](double a, double b) { return std::min(a, b); },
         [](const RandomOperand& a, std::size_t i, const RandomOperand& b, std::size_t j,
            const OperandKind& o) {
             return std::min(asLevelOf(o, a.real(i)), asLevelOf(o, b.real(j)));
         }},
        {.op = Operator::kPow,
         .types = kFloats,
         .real = [](double a, double b) { return std::pow(a, b); },
         .relative = 1e-9},
        {Operator::kPrelu, kFloatsAndBytes, [](double a, double b) { return a >= 0 ? a : a * b; },
         nullptr,
         [](const RandomOperand& a, std::size_t i, const RandomOperand& b, std::size_t j,
            const OperandKind& o) {
             const double d = a.difference(i);
             return o.zeroPoint + (d >= 0 ? scale(d, double{a.kind.scale} / double{o.scale})
                                          : scale(d * b.difference(j), productFactor(a, b, o)));
         }},
};

template <typename Compare>
double truthOf(double a, double b) {
    return Compare()(a, b) ? 1.0 : 0.0;
}

double both(double a, double b) {
    return a != 0 && b != 0 ? 1.0 : 0.0;
}
double either(double a, double b) {
    return a != 0 || b != 0 ? 1.0 : 0.0;
}

ElementwiseRule truthRule(Operator op, const std::vector<TensorType>& types,
                          double (*rule)(double, double)) {
    return {.op = op, .types = types, .real = rule, .integer = rule, .givesTruth = true};
}

const ElementwiseRule kTruths[] = {
        truthRule(Operator::kEqual, kCompared, truthOf<std::equal_to<>>),
        truthRule(Operator::kNotEqual, kCompared, truthOf<std::not_equal_to<>>),
        truthRule(Operator::kLess, kCompared, truthOf<std::less<>>),
        truthRule(Operator::kLessEqual, kCompared, truthOf<std::less_equal<>>),
        truthRule(Operator::kGreater, kCompared, truthOf<std::greater<>>),
        truthRule(Operator::kGreaterEqual, kCompared, truthOf<std::greater_equal<>>),
        truthRule(Operator::kLogicalAnd, {kBool8}, both),
        truthRule(Operator::kLogicalOr, {kBool8}, either),
};

double numberOf(const RandomOperand& operand, std::size_t i) {
    return operand.kind.type == kBool8 ? (operand.number(i) != 0 ? 1.0 : 0.0) : operand.real(i);
}

bool isRight(const ElementwiseRule& rule, const OperandKind& output, const RandomOperand& a,
             std::size_t i, const RandomOperand& b, std::size_t j, std::size_t activation,
             double actual) {
    const TensorType type = a.kind.type;
    if (rule.givesTruth) {
        return actual == rule.real(numberOf(a, i), numberOf(b, j));
    }
    const Activation& range = kActivations[activation];
    if (isFloat(type)) {
        // Single precision rounds before it clamps, and half precision once more.
        const double result = rounded(kFloat32, rule.real(a.number(i), b.number(j)));
        const double clamped = std::min(std::max(result, range.low), range.high);
        return agrees(type, actual, clamped, rule.relative);
    }
    if (type == kInt32) {
        return actual == rule.integer(a.number(i), b.number(j));
    }
    return actual == clampLevels(output, range, rule.level(a, i, b, j, output));
}

void checkRule(const ElementwiseRule& rule, std::uint32_t seed) {
    Random random(seed);
    const TensorType type = rule.types[random.pick<std::size_t>(
            0, static_cast<std::int64_t>(rule.types.size()) - 1)];
    const Shapes shapes = randomShapes(random);
    OperandKind kindA = randomKind(random, type);
    OperandKind kindB = random.oneIn(3) ? kindA : randomKind(random, type);
    const RandomOperand a = randomOperand(random, kindA, shapes.a);
    const RandomOperand b = randomOperand(random, kindB, shapes.b);
    const OperandKind output = rule.givesTruth
                                       ? OperandKind{kBool8}
                                       : (random.oneIn(3) ? kindA : randomKind(random, type));
    const std::size_t activation =
            rule.hasActivation && type != kInt32 ? random.pick<std::size_t>(0, 3) : 0;
    OperatorCase call(rule.op);
    a.addTo(call);
    b.addTo(call);
    if (rule.hasActivation) {
        call.int32(static_cast<std::int32_t>(activation));
    }
    call.output(output);
    CAPTURE(hw::operatorName(rule.op));
    CAPTURE(seed);
    CAPTURE(hw::tensorTypeName(type));
    REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
    REQUIRE(call.dimensions(0) == shapes.result);
    const std::vector<double> results = call.numbers(0);
    for (std::size_t n = 0; n < results.size(); ++n) {
        const std::size_t i = broadcastIndex(n, shapes.result, shapes.a);
        const std::size_t j = broadcastIndex(n, shapes.result, shapes.b);
        if (!isRight(rule, output, a, i, b, j, activation, results[n])) {
            FAIL(fmt::format("element {} is {} from {} and {}", n, results[n], a.number(i),
                             b.number(j)));
        }
    }
}

OperatorCase binaryCase(Operator op, TensorType type, const Dimensions& a, const Dimensions& b) {
    Random random(1);
    OperandKind kind{type, 0.5F, 3};
    OperatorCase call(op);
    randomOperand(random, kind, a).addTo(call);
    randomOperand(random, kind, b).addTo(call);
    call.output(kind);
    return call;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators/elementwise");

TEST_CASE("arithmetic of every type and shape follows the definition [E-8]") {
    for (const ElementwiseRule& rule : kArithmetic) {
        for (std::uint32_t seed = 0; seed < 400; ++seed) {
            checkRule(rule, seed);
        }
    }
}

TEST_CASE("comparisons and logic of every type and shape give truth values [E-8]") {
    for (const ElementwiseRule& rule : kTruths) {
        for (std::uint32_t seed = 0; seed < 300; ++seed) {
            checkRule(rule, seed);
        }
    }
}

TEST_CASE("a large sum has the same bits on several threads [E-4]") {
    Random random(5);
    const Dimensions shape = {3, 500, 700};
    const RandomOperand a = randomOperand(random, {kFloat32}, shape);
    const RandomOperand b = randomOperand(random, {kFloat32}, {500, 1});
    OperatorCase call(Operator::kAdd);
    a.addTo(call);
    b.addTo(call);
    call.int32(0).output({kFloat32});
    REQUIRE(call.run() == JobStatus::kOk);
    const auto sums = call.values<float>(0);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const double sum = a.number(i) + b.number(i / 700 % 500);
        wrong += sums[i] == static_cast<float>(sum) ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("SELECT takes each element from the operand that the mask selects [E-8]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const TensorType type = kArrays[random.pick<std::size_t>(0, 4)];
        const Dimensions shape = randomDimensions(random, 5);
        const RandomOperand mask = randomOperand(random, {kBool8}, shape);
        const RandomOperand a = randomOperand(random, randomKind(random, type), shape);
        const RandomOperand b = randomOperand(random, randomKind(random, type), shape);
        const OperandKind output = randomKind(random, type);
        OperatorCase call(Operator::kSelect);
        mask.addTo(call);
        a.addTo(call);
        b.addTo(call);
        REQUIRE(call.output(output).run() == JobStatus::kOk);
        REQUIRE(call.dimensions(0) == shape);
        const std::vector<double> results = call.numbers(0);
        for (std::size_t i = 0; i < results.size(); ++i) {
            const RandomOperand& chosen = mask.number(i) != 0 ? a : b;
            CAPTURE(seed);
            REQUIRE(results[i] ==
                    (isQuantized8(type) ? asLevelOf(output, chosen.real(i)) : chosen.number(i)));
        }
    }
}

TEST_CASE("logical not inverts truth values of any bits [E-8]") {
    OperatorCase call(Operator::kLogicalNot);
    call.input<std::uint8_t>({kBool8}, {5}, {0, 1, 2, 255, 0}).output({kBool8});
    REQUIRE(call.run() == JobStatus::kOk);
    CHECK(call.values<std::uint8_t>(0) == std::vector<std::uint8_t>{1, 0, 0, 0, 1});
}

TEST_CASE("power has IEEE 754's special cases [E-8]") {
    const double specials[] = {0.0, -0.0, 1.0, -1.0,   2.0,        -2.0, 0.5,         kInfinity,
                               3.0, -3.0, 2.5, -1e-30, -kInfinity, 1e30, std::nan("")};
    for (const double base : specials) {
        for (const double exponent : specials) {
            OperatorCase call(Operator::kPow);
            call.input<float>({kFloat32}, {1}, {static_cast<float>(base)});
            call.input<float>({kFloat32}, {1}, {static_cast<float>(exponent)});
            REQUIRE(call.output({kFloat32}).run() == JobStatus::kOk);
            const double expected = std::pow(static_cast<double>(static_cast<float>(base)),
                                             static_cast<double>(static_cast<float>(exponent)));
            CAPTURE(base);
            CAPTURE(exponent);
            CHECK(agrees(kFloat32, call.numbers(0)[0], expected, 1e-9));
        }
    }
}

TEST_CASE("invalid operands are refused with a reason [E-8]") {
    const auto refuses = [](OperatorCase call) {
        const bool isRefused = call.run() == JobStatus::kBadOperand;
        CHECK(isRefused);
        CHECK_FALSE(call.reason().empty());
    };
    refuses(binaryCase(Operator::kMaximum, kFloat32, {2, 3}, {2}));
    refuses(binaryCase(Operator::kMaximum, kFloat32, {0}, {2}));
    refuses(binaryCase(Operator::kMaximum, kFloat32, {}, {2}));
    refuses(binaryCase(Operator::kMaximum, kBool8, {2}, {2}));
    refuses(binaryCase(Operator::kPow, kInt32, {2}, {2}));
    refuses(binaryCase(Operator::kAdd, kFloat32, {2}, {2}));  // no activation
    refuses(std::move(binaryCase(Operator::kAdd, kFloat32, {2}, {2}).int32(4)));
    refuses(std::move(binaryCase(Operator::kAdd, kFloat32, {2}, {2}).int32(-1)));
    refuses(std::move(binaryCase(Operator::kAdd, kInt32, {2}, {2}).int32(1)));
    refuses(std::move(binaryCase(Operator::kDiv, kQuant8Asymm, {2}, {2}).int32(0)));
    refuses(std::move(binaryCase(Operator::kAdd, kFloat32, {2}, {2}).real(0)));
    refuses(binaryCase(Operator::kSelect, kFloat32, {2}, {2}));
}

TEST_SUITE_END();

}  // namespace vnpu::test::elements
