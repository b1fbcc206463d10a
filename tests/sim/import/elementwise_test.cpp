// SPDX-License-Identifier: Apache-2.0
// Every operator that works element by element, against the formula of its definition.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "tests/sim/import/run_cases.h"

namespace {

using namespace vnpu::sim::test;
using schema::BuiltinOptions;
using schema::FusedActivation;
using Builder = flatbuffers::FlatBufferBuilder;

struct UnaryRow {
    const char* name;
    std::int32_t code;
    std::function<double(double)> function;
    double factor = 4.0, offset = 0.0;  // of the inputs, which are noise in [-1, 1)
    double tolerance = 2e-6;
};

double roundEven(double x) {
    const double down = std::floor(x), rest = x - down;
    if (rest == 0.5) {
        return std::fmod(down, 2.0) == 0.0 ? down : down + 1.0;
    }
    return rest > 0.5 ? down + 1.0 : down;
}

double logistic(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}

const std::vector<UnaryRow> kUnaryRows = {
        {"ABS", 101, [](double x) { return std::abs(x); }},
        {"CEIL", 104, [](double x) { return std::ceil(x); }},
        {"COS", 108, [](double x) { return std::cos(x); }},
        {"ELU", 111, [](double x) { return x < 0 ? std::exp(x) - 1 : x; }},
        {"EXP", 47, [](double x) { return std::exp(x); }},
        {"FLOOR", 8, [](double x) { return std::floor(x); }},
        {"GELU", 150, [](double x) { return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)); }},
        {"HARD_SWISH", 117, [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }},
        {"LOG", 73, [](double x) { return std::log(x); }, 2.0, 2.5},
        {"LOGISTIC", 14, logistic},
        {"NEG", 59, [](double x) { return -x; }},
        {"RELU", 19, [](double x) { return std::max(x, 0.0); }},
        {"RELU6", 21, [](double x) { return std::clamp(x, 0.0, 6.0); }, 8.0},
        {"RELU_0_TO_1", 152, [](double x) { return std::clamp(x, 0.0, 1.0); }},
        {"RELU_N1_TO_1", 20, [](double x) { return std::clamp(x, -1.0, 1.0); }},
        {"ROUND", 116, roundEven},
        {"RSQRT", 76, [](double x) { return 1 / std::sqrt(x); }, 2.0, 2.5},
        {"SIGN", 158, [](double x) { return x > 0   ? 1.0
                                            : x < 0 ? -1.0
                                                    : 0.0; }},
        {"SIN", 66, [](double x) { return std::sin(x); }},
        {"SQRT", 75, [](double x) { return std::sqrt(x); }, 2.0, 2.5},
        {"SQUARE", 92, [](double x) { return x * x; }},
        {"TANH", 28, [](double x) { return std::tanh(x); }},
        {"STABLEHLO_ABS", 175, [](double x) { return std::abs(x); }},
        {"STABLEHLO_CBRT", 208, [](double x) { return std::cbrt(x); }},
        {"STABLEHLO_COSINE", 177, [](double x) { return std::cos(x); }},
        {"STABLEHLO_EXPONENTIAL", 178, [](double x) { return std::exp(x); }},
        {"STABLEHLO_FLOOR", 179, [](double x) { return std::floor(x); }},
        {"STABLEHLO_LOG", 180, [](double x) { return std::log(x); }, 2.0, 2.5},
        {"STABLEHLO_LOGISTIC", 162, logistic},
        {"STABLEHLO_NEGATE", 182, [](double x) { return -x; }},
        {"STABLEHLO_RSQRT", 186, [](double x) { return 1 / std::sqrt(x); }, 2.0, 2.5},
        {"STABLEHLO_TANH", 189, [](double x) { return std::tanh(x); }},
};

Case unaryCase(const UnaryRow& row, const CaseTensor& in, const CaseTensor& out, double steps) {
    CaseTensor input = in, output = out;
    input.values = scaled(noise(24), row.factor, row.offset);
    input.values[3] = row.offset;        // 0 where the domain has it
    input.values[4] = row.offset + 0.5;  // ties of ROUND
    input.values[5] = row.offset + 1.5;
    output.values = mapped(rounded(input), row.function);
    return caseOf({.name = row.name,
                   .code = row.code,
                   .inputs = {input},
                   .isConstant = {},
                   .outputs = {output},
                   .tolerance = row.tolerance,
                   .steps = steps});
}

using BinaryFunction = std::function<double(double, double)>;

/// Over shapes 2x3x4 and 3x1.
Reals broadcast(const Reals& a, const Reals& b, const BinaryFunction& function) {
    Reals result;
    for (std::size_t i = 0; i < 24; ++i) {
        result.push_back(function(a[i], b[i / 4 % 3]));
    }
    return result;
}

struct BinaryRow {
    const char* name;
    std::int32_t code;
    BinaryFunction function;
    bool takesIntegers = true;
};

double floorMod(double a, double b) {
    return a - std::floor(a / b) * b;
}

const std::vector<BinaryRow> kBinaryRows = {
        {"ADD", 0, [](double a, double b) { return a + b; }},
        {"SUB", 41, [](double a, double b) { return a - b; }},
        {"MUL", 18, [](double a, double b) { return a * b; }},
        {"DIV", 42, [](double a, double b) { return a / b; }, false},
        {"MAXIMUM", 55, [](double a, double b) { return std::max(a, b); }},
        {"MINIMUM", 57, [](double a, double b) { return std::min(a, b); }},
        {"FLOOR_DIV", 90, [](double a, double b) { return std::floor(a / b); }},
        {"FLOOR_MOD", 95, floorMod},
        {"SQUARED_DIFFERENCE", 99, [](double a, double b) { return (a - b) * (a - b); }},
        {"ATAN2", 156, [](double a, double b) { return std::atan2(a, b); }, false},
        {"STABLEHLO_ADD", 163, [](double a, double b) { return a + b; }},
        {"STABLEHLO_SUBTRACT", 188, [](double a, double b) { return a - b; }},
        {"STABLEHLO_MULTIPLY", 165, [](double a, double b) { return a * b; }},
        {"STABLEHLO_DIVIDE", 164, [](double a, double b) { return a / b; }, false},
        {"STABLEHLO_MAXIMUM", 166, [](double a, double b) { return std::max(a, b); }},
        {"STABLEHLO_MINIMUM", 181, [](double a, double b) { return std::min(a, b); }},
        {"STABLEHLO_REMAINDER", 185, [](double a, double b) { return std::fmod(a, b); }},
};

Case binaryCase(const char* name, std::int32_t code, CaseTensor a, CaseTensor b, CaseTensor out,
                const BinaryFunction& function, double steps = 0) {
    out.values = broadcast(rounded(a), rounded(b), function);
    return caseOf({.name = name,
                   .code = code,
                   .inputs = {std::move(a), std::move(b)},
                   .isConstant = {},
                   .outputs = {std::move(out)},
                   .tolerance = 2e-6,
                   .steps = steps});
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/elementwise");

TEST_CASE("operators of one real operand follow their formulas") {
    std::vector<Case> cases;
    for (const UnaryRow& row : kUnaryRows) {
        cases.push_back(unaryCase(row, real({2, 3, 4}), real({2, 3, 4}), 0));
        // Six dimensions, which NNAPI does not have.
        cases.push_back(unaryCase(row, real({1, 2, 1, 3, 2, 2}), real({1, 2, 1, 3, 2, 2}), 0));
    }
    runCases(cases);
}

TEST_CASE("operators of one 8-bit operand are within a step of their formulas") {
    std::vector<Case> cases;
    for (const UnaryRow& row : kUnaryRows) {
        const bool isSmall = row.offset == 0.0;
        const CaseTensor in = signed8({2, 12}, 0.05F, isSmall ? 10 : -100);
        cases.push_back(unaryCase(row, in, signed8({2, 12}, 0.25F, -20), 1.0));
        const CaseTensor in2 = unsigned8({2, 12}, 0.05F, isSmall ? 120 : 10);
        cases.push_back(unaryCase(row, in2, unsigned8({2, 12}, 0.25F, 100), 1.0));
    }
    runCases(cases);
}

TEST_CASE("integers keep their exact values") {
    const Reals values = {-7, -1, 0, 1, 5, 100000};
    std::vector<Case> cases;
    const auto add = [&](const char* name, std::int32_t code, const auto& function) {
        cases.push_back(caseOf({.name = name,
                                .code = code,
                                .inputs = {integer({6}, values)},
                                .isConstant = {},
                                .outputs = {integer({6}, mapped(values, function))}}));
    };
    add("ABS", 101, [](double x) { return std::abs(x); });
    add("NEG", 59, [](double x) { return -x; });
    add("SIGN", 158, [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; });
    add("RELU", 19, [](double x) { return std::max(x, 0.0); });
    runCases(cases);
}

TEST_CASE("GELU has an approximate form") {
    const Reals values = scaled(noise(12), 3.0);
    runCases({caseOf({.name = "GELU approximate",
                      .code = 150,
                      .inputs = {real({12}, values)},
                      .isConstant = {},
                      .outputs = {real({12}, mapped(values,
                                                    [](double x) {
                                                        const double inner =
                                                                std::sqrt(2 / std::numbers::pi) *
                                                                (x + 0.044715 * x * x * x);
                                                        return 0.5 * x * (1 + std::tanh(inner));
                                                    }))},
                      .optionsType = BuiltinOptions::GeluOptions,
                      .options = [](Builder& builder) {
                          return schema::CreateGeluOptions(builder, true).Union();
                      }})});
}

TEST_CASE("operators of two operands broadcast, in reals, integers and 8 bits") {
    std::vector<Case> cases;
    const Reals a = scaled(noise(24), 5.0), b = {1.5, -2.25, 0.75};
    for (const BinaryRow& row : kBinaryRows) {
        cases.push_back(binaryCase(row.name, row.code, real({2, 3, 4}, a), real({3, 1}, b),
                                   real({2, 3, 4}), row.function));
        if (row.takesIntegers) {
            cases.push_back(binaryCase(row.name, row.code, integer({2, 3, 4}, counting(24, -11)),
                                       integer({3, 1}, {3, -2, 5}), integer({2, 3, 4}),
                                       row.function));
        }
        const bool hasJumps = std::string(row.name).find("MOD") != std::string::npos ||
                              std::string(row.name).find("REMAINDER") != std::string::npos ||
                              std::string(row.name).find("FLOOR") != std::string::npos;
        if (!hasJumps) {
            cases.push_back(binaryCase(row.name, row.code, signed8({2, 3, 4}, 0.05F, 3, a),
                                       signed8({3, 1}, 0.02F, -4, b), signed8({2, 3, 4}, 0.3F, 5),
                                       row.function, 1.0));
        }
    }
    runCases(cases);
}

TEST_CASE("integer DIV cuts off the fraction, and POW of integers is exact") {
    std::vector<Case> cases;
    cases.push_back(binaryCase("DIV", 42, integer({2, 3, 4}, counting(24, -11)),
                               integer({3, 1}, {3, -2, 5}), integer({2, 3, 4}),
                               [](double a, double b) { return std::trunc(a / b); }));
    cases.push_back(binaryCase("POW", 78, integer({2, 3, 4}, counting(24, -11)),
                               integer({3, 1}, {0, 2, 3}), integer({2, 3, 4}),
                               [](double a, double b) { return std::pow(a, b); }));
    cases.push_back(binaryCase("POW", 78, real({2, 3, 4}, scaled(noise(24), 2.0, 2.5)),
                               real({3, 1}, {0.5, -1.5, 2.0}), real({2, 3, 4}),
                               [](double a, double b) { return std::pow(a, b); }));
    runCases(cases);
}

TEST_CASE("fused activations limit the result, TANH too") {
    std::vector<Case> cases;
    const Reals a = scaled(noise(24), 8.0), b = {1.5, -2.25, 0.75};
    struct Fused {
        FusedActivation activation;
        std::function<double(double)> limit;
    };
    for (const Fused& fused :
         {Fused{FusedActivation::RELU, [](double x) { return std::max(x, 0.0); }},
          Fused{FusedActivation::RELU_N1_TO_1, [](double x) { return std::clamp(x, -1.0, 1.0); }},
          Fused{FusedActivation::RELU6, [](double x) { return std::clamp(x, 0.0, 6.0); }},
          Fused{FusedActivation::TANH, [](double x) { return std::tanh(x); }}}) {
        for (const BinaryRow& row : kBinaryRows) {
            BuiltinOptions type = BuiltinOptions::NONE;
            OptionsMaker options;
            const FusedActivation activation = fused.activation;
            if (row.code == 0) {
                type = BuiltinOptions::AddOptions;
                options = [=](Builder& f) {
                    return schema::CreateAddOptions(f, activation).Union();
                };
            } else if (row.code == 41) {
                type = BuiltinOptions::SubOptions;
                options = [=](Builder& f) {
                    return schema::CreateSubOptions(f, activation).Union();
                };
            } else if (row.code == 18) {
                type = BuiltinOptions::MulOptions;
                options = [=](Builder& f) {
                    return schema::CreateMulOptions(f, activation).Union();
                };
            } else if (row.code == 42) {
                type = BuiltinOptions::DivOptions;
                options = [=](Builder& f) {
                    return schema::CreateDivOptions(f, activation).Union();
                };
            } else {
                continue;
            }
            const auto limited = [&](double x, double y) {
                return fused.limit(row.function(x, y));
            };
            Case test = binaryCase(row.name, row.code, real({2, 3, 4}, a), real({3, 1}, b),
                                   real({2, 3, 4}), limited);
            test.file.operators[0].optionsType = type;
            test.file.operators[0].options = options;
            cases.push_back(test);
        }
    }
    runCases(cases);
}

TEST_CASE("comparisons and logical operators give truths") {
    std::vector<Case> cases;
    const Reals a = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const Reals b = {2, 5, 9};
    const std::vector<BinaryRow> rows = {
            {"EQUAL", 71, [](double x, double y) { return x == y ? 1.0 : 0.0; }},
            {"NOT_EQUAL", 72, [](double x, double y) { return x != y ? 1.0 : 0.0; }},
            {"LESS", 58, [](double x, double y) { return x < y ? 1.0 : 0.0; }},
            {"LESS_EQUAL", 63, [](double x, double y) { return x <= y ? 1.0 : 0.0; }},
            {"GREATER", 61, [](double x, double y) { return x > y ? 1.0 : 0.0; }},
            {"GREATER_EQUAL", 62, [](double x, double y) { return x >= y ? 1.0 : 0.0; }}};
    for (const BinaryRow& row : rows) {
        cases.push_back(binaryCase(row.name, row.code, real({2, 3, 4}, a), real({3, 1}, b),
                                   truth({2, 3, 4}), row.function));
        cases.push_back(binaryCase(row.name, row.code, integer({2, 3, 4}, a), integer({3, 1}, b),
                                   truth({2, 3, 4}), row.function));
        cases.push_back(binaryCase(row.name, row.code, unsigned8({2, 3, 4}, 0.5F, 4, a),
                                   unsigned8({3, 1}, 0.25F, 0, b), truth({2, 3, 4}), row.function));
    }
    const Reals left = mapped(a, [](double x) { return std::fmod(x, 2.0); }), right = {0, 1, 1};
    const std::vector<BinaryRow> logical = {
            {"LOGICAL_AND", 86, [](double x, double y) { return x * y; }},
            {"LOGICAL_OR", 84, [](double x, double y) { return std::max(x, y); }},
            {"BITWISE_XOR", 160, [](double x, double y) { return x != y ? 1.0 : 0.0; }},
            {"STABLEHLO_AND", 176, [](double x, double y) { return x * y; }},
            {"STABLEHLO_OR", 183, [](double x, double y) { return std::max(x, y); }}};
    for (const BinaryRow& row : logical) {
        cases.push_back(binaryCase(row.name, row.code, truth({2, 3, 4}, left), truth({3, 1}, right),
                                   truth({2, 3, 4}), row.function));
    }
    cases.push_back(caseOf({.name = "LOGICAL_NOT",
                            .code = 87,
                            .inputs = {truth({4}, {0, 1, 1, 0})},
                            .isConstant = {},
                            .outputs = {truth({4}, {1, 0, 0, 1})}}));
    // source: the file format's numbers of the directions
    using Direction = schema::StablehloComparisonDirection;
    const Direction directions[] = {Direction::EQ, Direction::NE, Direction::LT,
                                    Direction::LE, Direction::GT, Direction::GE};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Case test = binaryCase("STABLEHLO_COMPARE", 191, real({2, 3, 4}, a), real({3, 1}, b),
                               truth({2, 3, 4}), rows[i].function);
        const Direction direction = directions[i];
        test.file.operators[0].options2Type = schema::BuiltinOptions2::StablehloCompareOptions;
        test.file.operators[0].options2 = [=](Builder& builder) {
            return schema::CreateStablehloCompareOptions(builder, direction).Union();
        };
        cases.push_back(test);
    }
    runCases(cases);
}

TEST_CASE("SELECT takes whole rows or elements, SELECT_V2 broadcasts") {
    const Reals a = counting(12), b = scaled(counting(12), -1.0);
    const auto chosen = [&](const auto& isFirst) {
        Reals result;
        for (std::size_t i = 0; i < 12; ++i) {
            result.push_back(isFirst(i) ? a[i] : b[i]);
        }
        return result;
    };
    const Reals truths = {1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0};
    const auto byElement = [&](std::size_t i) { return truths[i] != 0; };
    std::vector<Case> cases;
    cases.push_back(caseOf({.name = "SELECT",
                            .code = 64,
                            .inputs = {truth({3, 4}, truths), real({3, 4}, a), real({3, 4}, b)},
                            .isConstant = {},
                            .outputs = {real({3, 4}, chosen(byElement))}}));
    cases.push_back(
            caseOf({.name = "SELECT rows",
                    .code = 64,
                    .inputs = {truth({3}, {1, 0, 1}), real({3, 4}, a), real({3, 4}, b)},
                    .isConstant = {},
                    .outputs = {real({3, 4}, chosen([](std::size_t i) { return i / 4 != 1; }))}}));
    cases.push_back(caseOf(
            {.name = "SELECT_V2",
             .code = 123,
             .inputs = {truth({1, 4}, {1, 0, 1, 0}), integer({3, 4}, a), integer({3, 4}, b)},
             .isConstant = {},
             .outputs = {integer({3, 4}, chosen([](std::size_t i) { return i % 2 == 0; }))}}));
    cases.push_back(caseOf({.name = "STABLEHLO_SELECT",
                            .code = 187,
                            .inputs = {truth({3, 4}, truths), real({3, 4}, a), real({3, 4}, b)},
                            .isConstant = {},
                            .outputs = {real({3, 4}, chosen(byElement))}}));
    runCases(cases);
}

TEST_CASE("PRELU and LEAKY_RELU scale what is below 0") {
    const Reals values = scaled(noise(24), 4.0), slopes = {0.25, -0.5, 2.0, 0.1};
    Reals expected, leaky;
    for (std::size_t i = 0; i < 24; ++i) {
        const double slope = static_cast<float>(slopes[i % 4]);
        expected.push_back(values[i] < 0 ? values[i] * slope : values[i]);
        leaky.push_back(values[i] < 0 ? values[i] * 0.125 : values[i]);
    }
    const OptionsMaker alpha = [](Builder& builder) {
        return schema::CreateLeakyReluOptions(builder, 0.125F).Union();
    };
    runCases({caseOf({.name = "PRELU",
                      .code = 54,
                      .inputs = {real({1, 2, 3, 4}, values), real({1, 1, 4}, slopes)},
                      .isConstant = {false, true},
                      .outputs = {real({1, 2, 3, 4}, expected)}}),
              caseOf({.name = "PRELU int8",
                      .code = 54,
                      .inputs = {signed8({1, 2, 3, 4}, 0.04F, 2, values),
                                 signed8({1, 1, 4}, 0.02F, 0, slopes)},
                      .isConstant = {false, true},
                      .outputs = {signed8({1, 2, 3, 4}, 0.08F, 0, expected)},
                      .steps = 1.5}),
              caseOf({.name = "LEAKY_RELU",
                      .code = 98,
                      .inputs = {real({2, 12}, values)},
                      .isConstant = {},
                      .outputs = {real({2, 12}, leaky)},
                      .optionsType = BuiltinOptions::LeakyReluOptions,
                      .options = alpha}),
              caseOf({.name = "LEAKY_RELU int8",
                      .code = 98,
                      .inputs = {signed8({2, 12}, 0.04F, 2, values)},
                      .isConstant = {},
                      .outputs = {signed8({2, 12}, 0.04F, 2, leaky)},
                      .optionsType = BuiltinOptions::LeakyReluOptions,
                      .options = alpha,
                      .steps = 1.5})});
}

TEST_CASE("ADD_N, BUCKETIZE, FAKE_QUANT and RIGHT_SHIFT") {
    const Reals a = scaled(noise(6, 1), 3.0), b = scaled(noise(6, 2), 3.0),
                c = scaled(noise(6, 3), 3.0);
    Reals sum;
    for (std::size_t i = 0; i < 6; ++i) {
        sum.push_back(a[i] + b[i] + c[i]);
    }
    std::vector<Case> cases;
    cases.push_back(caseOf({.name = "ADD_N",
                            .code = 106,
                            .inputs = {real({6}, a), real({6}, b), real({6}, c)},
                            .isConstant = {},
                            .outputs = {real({6}, sum)}}));
    cases.push_back(caseOf({.name = "BUCKETIZE",
                            .code = 147,
                            .inputs = {real({5}, {-3, 0, 1.5, 10, 99})},
                            .isConstant = {},
                            .outputs = {integer({5}, {0, 1, 1, 2, 2})},
                            .optionsType = BuiltinOptions::BucketizeOptions,
                            .options = [](Builder& builder) {
                                return schema::CreateBucketizeOptions(
                                               builder, builder.CreateVector(
                                                                std::vector<float>{0.0F, 10.0F}))
                                        .Union();
                            }}));
    // 8 bits over -1 to 1: steps of 2/255, and 0 is one of them.
    const double scale = 2.0 / 255.0, zero = std::round(127.5);
    const Reals values = scaled(noise(24), 1.4);
    cases.push_back(caseOf(
            {.name = "FAKE_QUANT",
             .code = 80,
             .inputs = {real({24}, values)},
             .isConstant = {},
             .outputs = {real({24}, mapped(values,
                                           [&](double x) {
                                               const double least = -zero * scale;
                                               const double clipped =
                                                       std::clamp(x, least, (255 - zero) * scale);
                                               return std::floor((clipped - least) / scale + 0.5) *
                                                              scale +
                                                      least;
                                           }))},
             .optionsType = BuiltinOptions::FakeQuantOptions,
             .options = [](Builder& builder) {
                 return schema::CreateFakeQuantOptions(builder, -1.0F, 1.0F, 8, false).Union();
             }}));
    Case shift = caseOf({.name = "RIGHT_SHIFT and ADD",
                         .code = 161,
                         .inputs = {integer({3}, {17, -9, 64}), integer({3}, {1, 2, 3})},
                         .isConstant = {true, true},
                         .outputs = {integer({3}, {8, -3, 8})}});
    shift.file.tensors.push_back(integer({3}).tensor);
    shift.file.tensors.push_back(integer({3}).tensor);
    shift.file.operators.push_back({0, {2, 3}, {4}});
    shift.file.inputs = {3};
    shift.file.outputs = {4};
    shift.inputs = {{1, 1, 1}};
    shift.expected = {{9, -2, 9}};
    cases.push_back(shift);
    runCases(cases);
}

TEST_CASE("CAST takes the stored numbers, QUANTIZE and DEQUANTIZE the real ones") {
    using schema::TensorType;
    const Reals reals = {-2.75, -0.5, 0.0, 0.5, 1.0, 100.9};
    const auto cast = [](const char* name, const CaseTensor& in, CaseTensor out) {
        return caseOf(
                {.name = name, .code = 53, .inputs = {in}, .isConstant = {}, .outputs = {out}});
    };
    std::vector<Case> cases;
    cases.push_back(
            cast("CAST real to int", real({6}, reals), integer({6}, {-2, 0, 0, 0, 1, 100})));
    cases.push_back(cast("CAST int to real", integer({3}, {-5, 0, 7}), real({3}, {-5, 0, 7})));
    cases.push_back(cast("CAST int64 to real", typed(TensorType::INT64, {3}, {-5, 0, 7}),
                         real({3}, {-5, 0, 7})));
    cases.push_back(cast("CAST real to int64", real({3}, {-5, 0, 7}),
                         typed(TensorType::INT64, {3}, {-5, 0, 7})));
    cases.push_back(cast("CAST bool to real", truth({4}, {1, 0, 0, 1}), real({4}, {1, 0, 0, 1})));
    cases.push_back(cast("CAST real to bool", real({6}, reals), truth({6}, {1, 1, 0, 1, 1, 1})));
    cases.push_back(cast("CAST int to bool", integer({3}, {-5, 0, 7}), truth({3}, {1, 0, 1})));
    cases.push_back(cast("CAST uint8 to real", typed(TensorType::UINT8, {3}, {0, 7, 255}),
                         real({3}, {0, 7, 255})));
    cases.push_back(cast("CAST int8 to int", typed(TensorType::INT8, {3}, {-128, 7, 127}),
                         integer({3}, {-128, 7, 127})));
    cases.push_back(cast("CAST int to int8", integer({3}, {-128, 7, 127}),
                         typed(TensorType::INT8, {3}, {-128, 7, 127})));
    // Of a quantized tensor, the numbers that are stored.
    cases.push_back(cast("CAST quantized to int", signed8({3}, 0.5F, 3, {-2, 0, 10}),
                         integer({3}, {-1, 3, 23})));
    cases.push_back(caseOf({.name = "QUANTIZE",
                            .code = 114,
                            .inputs = {real({6}, reals)},
                            .isConstant = {},
                            .outputs = {signed8({6}, 0.5F, 3, {-3, -0.5, 0, 0.5, 1, 62})},
                            .steps = 1.0}));
    cases.push_back(caseOf({.name = "QUANTIZE again",
                            .code = 114,
                            .inputs = {signed8({4}, 0.5F, 3, {-2, 0, 1.5, 10})},
                            .isConstant = {},
                            .outputs = {unsigned8({4}, 0.25F, 100, {-2, 0, 1.5, 10})},
                            .steps = 0.01}));
    cases.push_back(caseOf({.name = "DEQUANTIZE",
                            .code = 6,
                            .inputs = {unsigned8({4}, 0.25F, 100, {-2, 0, 1.5, 10})},
                            .isConstant = {},
                            .outputs = {real({4}, {-2, 0, 1.5, 10})}}));
    cases.push_back(caseOf({.name = "DEQUANTIZE int16",
                            .code = 6,
                            .inputs = {typed(TensorType::INT16, {3}, {-2, 0, 1.5}, {0.0005F})},
                            .isConstant = {},
                            .outputs = {real({3}, {-2, 0, 1.5})}}));
    cases.push_back(caseOf({.name = "STABLEHLO_CONVERT",
                            .code = 192,
                            .inputs = {real({6}, reals)},
                            .isConstant = {},
                            .outputs = {integer({6}, {-2, 0, 0, 0, 1, 100})}}));
    cases.push_back(caseOf({.name = "STABLEHLO_CLAMP",
                            .code = 168,
                            .inputs = {real({}, {-1}), real({6}, reals), real({}, {1})},
                            .isConstant = {true, false, true},
                            .outputs = {real({6}, {-1, -0.5, 0, 0.5, 1, 1})}}));
    cases.push_back(caseOf({.name = "STABLEHLO_POWER",
                            .code = 184,
                            .inputs = {real({3}, {1, 2, 3}), real({3}, {2, 0.5, -1})},
                            .isConstant = {},
                            .outputs = {real({3}, {1, std::sqrt(2.0), 1.0 / 3.0})}}));
    runCases(cases);
}

TEST_SUITE_END();
