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

struct ReductionRule {
    Operator op;
    std::vector<TensorType> types;
    double start;
    double (*fold)(double, double);
};

double add(double a, double b) {
    return a + b;
}

const ReductionRule kReductions[] = {
        {Operator::kMean, kFloatsAndBytes, 0, add},
        {Operator::kReduceSum, kFloats, 0, add},
        {Operator::kReduceProd, kFloats, 1, [](double a, double b) { return a * b; }},
        {Operator::kReduceMax, kFloatsAndBytes, -kInfinity,
         [](double a, double b) { return std::max(a, b); }},
        {Operator::kReduceMin, kFloatsAndBytes, kInfinity,
         [](double a, double b) { return std::min(a, b); }},
        {Operator::kReduceAll,
         {kBool8},
         1,
         [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }},
        {Operator::kReduceAny,
         {kBool8},
         0,
         [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }},
};

// The reduced dimensions, and those of the result.
struct Reduction {
    std::vector<std::int32_t> axes;  // as given: any order, from either end, with duplicates
    std::vector<bool> isReduced;
    bool keepsDimensions = false;
    Dimensions result;
};

Reduction randomReduction(Random& random, const Dimensions& shape) {
    Reduction reduction;
    const auto rank = static_cast<std::int32_t>(shape.rank());
    reduction.isReduced.resize(shape.rank());
    const std::int64_t count = random.between(0, rank);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto axis = random.pick<std::int32_t>(-rank, rank - 1);
        reduction.axes.push_back(axis);
        reduction.isReduced[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = true;
    }
    reduction.keepsDimensions = random.oneIn(2);
    for (std::size_t d = 0; d < shape.rank(); ++d) {
        if (!reduction.isReduced[d]) {
            reduction.result.append(shape[d]);
        } else if (reduction.keepsDimensions) {
            reduction.result.append(1);
        }
    }
    if (reduction.result.rank() == 0) {
        reduction.result.append(1);
    }
    return reduction;
}

// The output to which element `index` contributes.
std::size_t outputOf(std::size_t index, const Dimensions& shape, const Reduction& reduction) {
    std::size_t output = 0;
    std::size_t stride = 1;
    for (std::size_t d = shape.rank(); d-- > 0;) {
        if (!reduction.isReduced[d]) {
            output += index % shape[d] * stride;
            stride *= shape[d];
        }
        index /= shape[d];
    }
    return output;
}

struct Folded {
    std::vector<double> results;
    std::size_t count = 1;  // elements of each
};

Folded foldAll(const ReductionRule& rule, const RandomOperand& input, const Reduction& reduction) {
    Folded folded;
    folded.results.assign(static_cast<std::size_t>(reduction.result.elements()), rule.start);
    for (std::size_t d = 0; d < input.dimensions.rank(); ++d) {
        folded.count *= reduction.isReduced[d] ? input.dimensions[d] : 1;
    }
    const bool isMean = rule.op == Operator::kMean;
    for (std::size_t i = 0; i < input.size(); ++i) {
        const double value = isMean ? input.difference(i) : input.number(i);
        double& result = folded.results[outputOf(i, input.dimensions, reduction)];
        result = rule.fold(result, value);
    }
    return folded;
}

double expectedOf(const ReductionRule& rule, const RandomOperand& input, const Folded& folded,
                  std::size_t i) {
    const double result = folded.results[i];
    const bool isBytes = isQuantized8(input.kind.type);
    if (rule.op == Operator::kMean) {
        const double mean = folded.count == 0 ? 0.0 : result / static_cast<double>(folded.count);
        return isBytes ? roundAwayFromZero(mean) + input.kind.zeroPoint : mean;
    }
    return isBytes ? clampLevel(input.kind.type, result) : result;
}

void checkRule(const ReductionRule& rule, std::uint32_t seed) {
    Random random(seed);
    const TensorType type = rule.types[random.pick<std::size_t>(
            0, static_cast<std::int64_t>(rule.types.size()) - 1)];
    const RandomOperand input =
            randomOperand(random, randomKind(random, type), randomDimensions(random, 6), 3.0);
    const Reduction reduction = randomReduction(random, input.dimensions);
    OperatorCase call(rule.op);
    input.addTo(call);
    call.int32s(reduction.axes);
    if (rule.op == Operator::kMean) {
        call.int32(reduction.keepsDimensions ? 1 : 0);
    } else {
        call.flag(reduction.keepsDimensions);
    }
    call.output(input.kind);
    CAPTURE(hw::operatorName(rule.op));
    CAPTURE(seed);
    CAPTURE(hw::tensorTypeName(type));
    REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
    REQUIRE(call.dimensions(0) == reduction.result);
    const Folded folded = foldAll(rule, input, reduction);
    const std::vector<double> results = call.numbers(0);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const double expected = expectedOf(rule, input, folded, i);
        const bool isRight = isFloat(type) ? agrees(type, results[i], expected, 1e-9)
                             : type == kBool8
                                     // Without reduction a truth value may keep its bits.
                                     ? (results[i] != 0) == (expected != 0)
                                     : results[i] == expected;
        if (!isRight) {
            FAIL(fmt::format("element {} is {}, expected {}", i, results[i], expected));
        }
    }
}

void checkArgument(Operator op, std::uint32_t seed) {
    Random random(seed);
    constexpr TensorType kTypes[] = {kFloat32, kFloat16, kInt32, kQuant8Asymm, kQuant8AsymmSigned};
    const RandomOperand input =
            randomOperand(random, randomKind(random, kTypes[random.between(0, 4)]),
                          randomDimensions(random, 5), 3.0);
    const auto rank = static_cast<std::int32_t>(input.dimensions.rank());
    const auto given = random.pick<std::int32_t>(-rank, rank - 1);
    const auto axis = static_cast<std::size_t>(given < 0 ? given + rank : given);
    Dimensions result;
    for (std::size_t d = 0; d < input.dimensions.rank(); ++d) {
        if (d != axis) {
            result.append(input.dimensions[d]);
        }
    }
    if (result.rank() == 0) {
        result.append(1);
    }
    OperatorCase call(op);
    input.addTo(call);
    call.int32(given).output({kInt32});
    const JobStatus status = call.run();
    const AxisExtents lines(input.dimensions, axis);
    if (lines.length == 0 && result.elements() != 0) {
        CHECK(status == JobStatus::kBadOperand);
        return;
    }
    REQUIRE(status == JobStatus::kOk);
    REQUIRE(call.dimensions(0) == result);
    const auto indices = call.values<std::int32_t>(0);
    const double sign = op == Operator::kArgmax ? 1 : -1;
    for (std::size_t n = 0; n < indices.size(); ++n) {
        const std::size_t i = n / lines.inner;
        const std::size_t j = n % lines.inner;
        std::size_t best = 0;
        for (std::size_t x = 1; x < lines.length; ++x) {
            const double value = sign * input.number(lines.at(i, x, j));
            best = value > sign * input.number(lines.at(i, best, j)) ? x : best;
        }
        CAPTURE(seed);
        REQUIRE(indices[n] == static_cast<std::int32_t>(best));
    }
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators/reduction");

TEST_CASE("reductions along any axes follow the definition [E-8]") {
    for (const ReductionRule& rule : kReductions) {
        for (std::uint32_t seed = 0; seed < 400; ++seed) {
            checkRule(rule, seed);
        }
    }
}

TEST_CASE("the first maximum and minimum along any axis are found [E-8]") {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        checkArgument(Operator::kArgmax, seed);
        checkArgument(Operator::kArgmin, seed);
    }
}

TEST_CASE("large reductions have the same bits on several threads [E-4]") {
    Random random(7);
    const RandomOperand input = randomOperand(random, {kFloat32}, {40, 30, 50, 20});
    for (const std::vector<std::int32_t>& axes :
         {std::vector<std::int32_t>{1, 2}, {3}, {0}, {0, 2}}) {
        OperatorCase call(Operator::kReduceSum);
        input.addTo(call);
        REQUIRE(call.int32s(axes).flag(false).output({kFloat32}).run() == JobStatus::kOk);
        Reduction reduction;
        reduction.isReduced.resize(4);
        for (const std::int32_t axis : axes) {
            reduction.isReduced[static_cast<std::size_t>(axis)] = true;
        }
        const std::vector<float> results = call.values<float>(0);
        std::vector<double> sums(results.size());
        for (std::size_t i = 0; i < input.size(); ++i) {
            sums[outputOf(i, input.dimensions, reduction)] += input.number(i);
        }
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            wrong += results[i] == static_cast<float>(sums[i]) ? 0 : 1;
        }
        CHECK(wrong == 0);
    }
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
    for (const std::int32_t axis : {2, -3, 2147483647, -2147483647 - 1}) {
        OperatorCase wrongAxis = of(Operator::kReduceSum);
        refuses(wrongAxis.int32s({0, axis}).flag(false).output({kFloat32}));
        OperatorCase wrongArgument = of(Operator::kArgmax);
        refuses(wrongArgument.int32(axis).output({kInt32}));
    }
    OperatorCase wrongFlag = of(Operator::kMean);
    refuses(wrongFlag.int32s({0}).flag(true).output({kFloat32}));
    OperatorCase noAxes = of(Operator::kMean);
    refuses(noAxes.int32(0).output({kFloat32}));
    OperatorCase wrongOutput = of(Operator::kArgmin);
    refuses(wrongOutput.int32(0).output({kFloat32}));
    OperatorCase wrongType = of(Operator::kReduceAny);
    refuses(wrongType.int32s({0}).flag(true).output({kFloat32}));
    OperatorCase otherScale(Operator::kReduceMax);
    otherScale.input<std::uint8_t>({kQuant8Asymm, 1.0F, 0}, {1}, {1}).int32s({0}).flag(true);
    refuses(otherScale.output({kQuant8Asymm, 2.0F, 0}));
}

TEST_SUITE_END();

}  // namespace vnpu::test::elements
