// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>

#include "tests/hw_model/operators/element_operands.h"

namespace vnpu::test::elements {
namespace {

using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;
using enum hw::TensorType;

using Line = std::vector<double>;

// A normalization along an axis: its scalar operands, and its function of a line.
struct Normalization {
    Operator op;
    std::vector<TensorType> types;
    bool needsAxis;
    float outputScale;      // 8 bits
    double zeroPointAbove;  // the type's lowest level
    Line (*make)(const Line& line, const std::vector<float>& scalars);
    std::vector<float> (*scalars)(Random& random);
    double relative;
    double levels;  // tolerance of 8-bit results
};

Line softmaxLine(const Line& line, const std::vector<float>& scalars) {
    const double most = *std::max_element(line.begin(), line.end());
    double sum = 0;
    for (const double x : line) {
        sum += std::exp((x - most) * double{scalars[0]});
    }
    Line result;
    for (const double x : line) {
        result.push_back(std::exp((x - most) * double{scalars[0]}) / sum);
    }
    return result;
}

Line logSoftmaxLine(const Line& line, const std::vector<float>& scalars) {
    Line result = softmaxLine(line, scalars);
    for (double& x : result) {
        x = std::log(x);
    }
    return result;
}

Line l2Line(const Line& line, const std::vector<float>&) {
    double sum = 0;
    for (const double x : line) {
        sum += x * x;
    }
    Line result;
    for (const double x : line) {
        result.push_back(sum == 0 ? 0 : x / std::sqrt(sum));
    }
    return result;
}

// Scalars: radius, bias, alpha, beta.
Line localResponseLine(const Line& line, const std::vector<float>& scalars) {
    const auto radius = static_cast<std::int64_t>(scalars[0]);
    const auto length = static_cast<std::int64_t>(line.size());
    Line result;
    for (std::int64_t x = 0; x < length; ++x) {
        double sum = 0;
        for (std::int64_t i = std::max<std::int64_t>(0, x - radius);
             i < std::min(length, x + radius + 1); ++i) {
            sum += line[static_cast<std::size_t>(i)] * line[static_cast<std::size_t>(i)];
        }
        result.push_back(
                line[static_cast<std::size_t>(x)] /
                std::pow(double{scalars[1]} + double{scalars[2]} * sum, double{scalars[3]}));
    }
    return result;
}

std::vector<float> someBeta(Random& random) {
    return {0.25F * random.pick<float>(1, 8)};
}
std::vector<float> nothing(Random&) {
    return {};
}
std::vector<float> someResponse(Random& random) {
    return {random.oneIn(10) ? 2147483520.0F : random.pick<float>(0, 9),
            0.25F * random.pick<float>(1, 8), 0.25F * random.pick<float>(0, 8),
            0.25F * random.pick<float>(0, 8)};
}

// In single precision, a softmax rounds differences times beta before it takes their exponential.
const Normalization kNormalizations[] = {
        {Operator::kSoftmax, kFloatsAndBytes, false, 1.0F / 256, 0, softmaxLine, someBeta, 3e-6,
         1.0},
        {Operator::kLogSoftmax, kFloats, true, 0, 0, logSoftmaxLine, someBeta, 1e-7, 0},
        {Operator::kL2Normalization, kFloatsAndBytes, false, 1.0F / 128, 128, l2Line, nothing, 1e-9,
         1.0},
        {Operator::kLocalResponseNormalization, kFloats, false, 0, 0, localResponseLine,
         someResponse, 1e-8, 0},
};

void addScalars(OperatorCase& call, const Normalization& rule, TensorType type,
                const std::vector<float>& scalars) {
    for (std::size_t i = 0; i < scalars.size(); ++i) {
        if (rule.op == Operator::kLocalResponseNormalization && i == 0) {
            call.int32(static_cast<std::int32_t>(scalars[i]));
        } else if (type == kFloat16) {
            call.half(scalars[i]);
        } else {
            call.real(scalars[i]);
        }
    }
}

OperandKind outputKind(const Normalization& rule, const OperandKind& input) {
    OperandKind output{input.type};
    if (isQuantized8(input.type)) {
        output.scale = rule.outputScale;
        output.zeroPoint = static_cast<std::int32_t>(lowestLevel(input.type) + rule.zeroPointAbove);
    }
    return output;
}

void compareLines(const Normalization& rule, const RandomOperand& input, const OperandKind& output,
                  const AxisExtents& lines, const std::vector<float>& scalars,
                  const std::vector<double>& results) {
    const bool isBytes = isQuantized8(input.kind.type);
    for (std::size_t n = 0; n < lines.outer * lines.inner && lines.length != 0; ++n) {
        const std::size_t i = n / lines.inner;
        const std::size_t j = n % lines.inner;
        Line line;
        for (std::size_t x = 0; x < lines.length; ++x) {
            const std::size_t at = lines.at(i, x, j);
            line.push_back(isBytes ? input.difference(at) * double{input.kind.scale}
                                   : input.number(at));
        }
        const Line expected = rule.make(line, scalars);
        for (std::size_t x = 0; x < lines.length; ++x) {
            const double actual = results[lines.at(i, x, j)];
            const double level = clampLevel(
                    output.type,
                    output.zeroPoint + roundAwayFromZero(expected[x] / double{output.scale}));
            const bool isRight =
                    isBytes ? std::abs(actual - level) <= rule.levels
                            : std::abs(actual - expected[x]) <= 1e-7 * rule.relative ||
                                      agrees(output.type, actual, expected[x], rule.relative);
            if (!isRight) {
                FAIL(fmt::format("element {} of line {} is {}, expected {}", x, n, actual,
                                 isBytes ? level : expected[x]));
            }
        }
    }
}

void checkRule(const Normalization& rule, std::uint32_t seed) {
    Random random(seed);
    const TensorType type = rule.types[random.pick<std::size_t>(
            0, static_cast<std::int64_t>(rule.types.size()) - 1)];
    const RandomOperand input =
            randomOperand(random, randomKind(random, type), randomDimensions(random, 5), 4.0);
    const auto rank = static_cast<std::int32_t>(input.dimensions.rank());
    std::optional<std::int32_t> axis;
    if (rule.needsAxis || random.oneIn(2)) {
        axis = random.pick<std::int32_t>(-rank, rank - 1);
    }
    const std::vector<float> scalars = rule.scalars(random);
    const OperandKind output = outputKind(rule, input.kind);
    OperatorCase call(rule.op);
    input.addTo(call);
    addScalars(call, rule, type, scalars);
    if (axis) {
        call.int32(*axis);
    } else if (random.oneIn(2)) {
        call.omitted({kInt32Scalar});
    }
    call.output(output);
    CAPTURE(hw::operatorName(rule.op));
    CAPTURE(seed);
    CAPTURE(hw::tensorTypeName(type));
    REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
    REQUIRE(call.dimensions(0) == input.dimensions);
    const std::int32_t given = axis.value_or(-1);
    const AxisExtents lines(input.dimensions,
                            static_cast<std::size_t>(given < 0 ? given + rank : given));
    compareLines(rule, input, output, lines, scalars, call.numbers(0));
}

void checkInstance(std::uint32_t seed) {
    Random random(seed);
    const TensorType type = random.oneIn(2) ? kFloat32 : kFloat16;
    Dimensions shape;
    for (int d = 0; d < 4; ++d) {
        shape.append(random.pick<std::uint32_t>(random.oneIn(40) ? 0 : 1, 6));
    }
    const RandomOperand input = randomOperand(random, {type}, shape, 4.0);
    const float gamma = 0.5F * random.pick<float>(-4, 4);
    const float beta = 0.5F * random.pick<float>(-4, 4);
    const float epsilon = 0.125F;
    const bool isChannelsFirst = random.oneIn(2);
    OperatorCase call(Operator::kInstanceNormalization);
    input.addTo(call);
    for (const float scalar : {gamma, beta, epsilon}) {
        type == kFloat16 ? call.half(scalar) : call.real(scalar);
    }
    REQUIRE(call.flag(isChannelsFirst).output({type}).run() == JobStatus::kOk);
    REQUIRE(call.dimensions(0) == shape);
    const std::vector<double> results = call.numbers(0);
    const std::size_t channels = shape[isChannelsFirst ? 1 : 3];
    const std::size_t pixels =
            isChannelsFirst ? std::size_t{shape[2]} * shape[3] : std::size_t{shape[1]} * shape[2];
    const auto at = [&](std::size_t n, std::size_t c, std::size_t p) {
        return isChannelsFirst ? (n * channels + c) * pixels + p : (n * pixels + p) * channels + c;
    };
    for (std::size_t n = 0; n < shape[0]; ++n) {
        for (std::size_t c = 0; c < channels; ++c) {
            double sum = 0;
            double squares = 0;
            for (std::size_t p = 0; p < pixels; ++p) {
                sum += input.number(at(n, c, p));
                squares += input.number(at(n, c, p)) * input.number(at(n, c, p));
            }
            const auto count = static_cast<double>(pixels);
            const double mean = sum / count;
            const double variance = squares / count - mean * mean;
            for (std::size_t p = 0; p < pixels; ++p) {
                const double expected = (input.number(at(n, c, p)) - mean) * double{gamma} /
                                                std::sqrt(variance + double{epsilon}) +
                                        double{beta};
                CAPTURE(seed);
                const double actual = results[at(n, c, p)];
                const bool isRight =
                        std::abs(actual - expected) < 1e-12 || agrees(type, actual, expected, 1e-9);
                REQUIRE(isRight);
            }
        }
    }
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators/normalization");

TEST_CASE("normalizations along any axis follow the definition [E-8]") {
    for (const Normalization& rule : kNormalizations) {
        for (std::uint32_t seed = 0; seed < 400; ++seed) {
            checkRule(rule, seed);
        }
    }
}

TEST_CASE("instance normalization in both layouts follows the definition [E-8]") {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        checkInstance(seed);
    }
}

TEST_CASE("zeros stay zeros under L2 normalization [E-8]") {
    OperatorCase floats(Operator::kL2Normalization);
    floats.input<float>({kFloat32}, {1, 3}, {0, 0, 0}).output({kFloat32});
    REQUIRE(floats.run() == JobStatus::kOk);
    CHECK(floats.numbers(0) == std::vector<double>{0, 0, 0});
    OperatorCase bytes(Operator::kL2Normalization);
    bytes.input<std::uint8_t>({kQuant8Asymm, 0.5F, 7}, {1, 2}, {7, 7});
    REQUIRE(bytes.output({kQuant8Asymm, 1.0F / 128, 128}).run() == JobStatus::kOk);
    CHECK(bytes.numbers(0) == std::vector<double>{128, 128});
}

TEST_CASE("L2 normalization of bytes rounds like the reference's fixed point [E-2]") {
    // The squares add up to 184, whose inverse root is 316629191 / 2^31 / 2. Of 3, 28.309 is
    // exact: unsigned, 3 * 128 * 316629191 / 2^31 rounds to 57, half of that to 29; signed, the
    // product of 3 * 2^6 alone rounds to 28.
    const std::vector<double> nearest = {28, 113, -47, 19, 9, 9};
    OperatorCase signedBytes(Operator::kL2Normalization);
    signedBytes.input<std::int8_t>({kQuant8AsymmSigned, 0.5F, 1}, {6}, {4, 13, -4, 3, 2, 2});
    REQUIRE(signedBytes.output({kQuant8AsymmSigned, 1.0F / 128, 0}).run() == JobStatus::kOk);
    CHECK(signedBytes.numbers(0) == nearest);
    OperatorCase unsignedBytes(Operator::kL2Normalization);
    unsignedBytes.input<std::uint8_t>({kQuant8Asymm, 0.5F, 9}, {6}, {12, 21, 4, 11, 10, 10});
    REQUIRE(unsignedBytes.output({kQuant8Asymm, 1.0F / 128, 128}).run() == JobStatus::kOk);
    CHECK(unsignedBytes.numbers(0) == std::vector<double>{157, 241, 81, 147, 138, 138});
}

TEST_CASE("a softmax of more elements than its sum can hold gives zeros [E-8]") {
    const std::uint32_t length = 20'000;
    OperatorCase call(Operator::kSoftmax);
    call.add({kQuant8Asymm, 0.1F, 0}, {1, length}, std::vector<std::byte>(length).data(), length);
    REQUIRE(call.real(1).output({kQuant8Asymm, 1.0F / 256, 0}).run() == JobStatus::kOk);
    CHECK(call.numbers(0) == std::vector<double>(length, 0.0));
}

TEST_CASE("invalid operands are refused with a reason [E-8]") {
    const auto refuses = [](OperatorCase& call) {
        CHECK(call.run() == JobStatus::kBadOperand);
        CHECK_FALSE(call.reason().empty());
    };
    const auto of = [](Operator op) {
        OperatorCase call(op);
        call.input<float>({kFloat32}, {1, 2}, {1, 2});
        return call;
    };
    for (const float beta : {0.0F, -1.0F, std::nanf(""), std::numeric_limits<float>::infinity()}) {
        OperatorCase wrongBeta = of(Operator::kSoftmax);
        refuses(wrongBeta.real(beta).output({kFloat32}));
    }
    for (const std::int32_t axis : {2, -3, 2147483647, -2147483647 - 1}) {
        OperatorCase softmax = of(Operator::kSoftmax);
        refuses(softmax.real(1).int32(axis).output({kFloat32}));
        OperatorCase norm = of(Operator::kL2Normalization);
        refuses(norm.int32(axis).output({kFloat32}));
    }
    OperatorCase noAxis = of(Operator::kLogSoftmax);
    refuses(noAxis.real(1).output({kFloat32}));
    OperatorCase wrongScale(Operator::kSoftmax);
    wrongScale.input<std::uint8_t>({kQuant8Asymm, 1.0F, 0}, {1, 1}, {1}).real(1);
    refuses(wrongScale.output({kQuant8Asymm, 1.0F, 0}));
    OperatorCase wrongRange(Operator::kL2Normalization);
    wrongRange.input<std::uint8_t>({kQuant8Asymm, 1.0F, 0}, {1, 1}, {1});
    refuses(wrongRange.output({kQuant8Asymm, 1.0F / 128, 0}));
    OperatorCase wrongRadius = of(Operator::kLocalResponseNormalization);
    refuses(wrongRadius.int32(-1).real(1).real(1).real(1).output({kFloat32}));
    OperatorCase wrongRank = of(Operator::kInstanceNormalization);
    refuses(wrongRank.real(1).real(1).real(1).flag(false).output({kFloat32}));
}

TEST_SUITE_END();

}  // namespace vnpu::test::elements
