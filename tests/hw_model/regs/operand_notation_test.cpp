// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/operand_notation.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "hw_model/regs/operators.h"

namespace vnpu::hw {
namespace {

using enum TensorType;
using Extents = std::vector<std::uint32_t>;

}  // namespace

TEST_SUITE_BEGIN("hw_model/regs/operand_notation");

TEST_CASE("a letter that depends on T stands for the corresponding type") {
    const TypeSet bytes = typeSet({kQuant8AsymmSigned});
    const TypeSet halves = typeSet({kFloat16});
    CHECK(typesOfLetter('F', bytes) == typeSet({kQuant8AsymmSigned, kQuant8SymmPerChannel}));
    CHECK(typesOfLetter('B', bytes) == typeSet({kInt32}));
    CHECK(typesOfLetter('R', bytes) == typeSet({kQuant16Asymm}));
    CHECK(typesOfLetter('N', bytes) == typeSet({kQuant16Symm}));
    CHECK(typesOfLetter('D', typeSet({kQuant16Asymm})) ==
          typeSet({kQuant8Asymm, kQuant8AsymmSigned}));
    CHECK(typesOfLetter('f', bytes) == typeSet({kFloat32Scalar}));
    CHECK(typesOfLetter('f', halves) == typeSet({kFloat16Scalar}));
    CHECK(typesOfLetter('p', bytes) == typeSet({kInt32Scalar}));
    for (const char letter : {'F', 'B', 'R', 'N', 'D', 'T'}) {
        CHECK(typesOfLetter(letter, halves) == halves);
    }
}

TEST_CASE("if T may be any tensor, a letter stands for all its possible types") {
    CHECK(typesOfLetter('f', kTensorTypes) == typeSet({kFloat32Scalar, kFloat16Scalar}));
    CHECK(typesOfLetter('e', kTensorTypes) ==
          typeSet({kFloat32Scalar, kFloat16Scalar, kInt32Scalar}));
    CHECK(typesOfLetter('v', kTensorTypes) == typeSet({kInt32}));
    CHECK(typesOfLetter('?', kTensorTypes) == 0);
}

TEST_CASE("a signature contains ranks, optional operands and a repeated one") {
    const auto slots = parseSignature("T4v1?T<+i");
    REQUIRE(slots.size() == 4);
    CHECK(slots[0].rank == '4');
    CHECK(slots[1].isOptional);
    CHECK(slots[2].rank == '<');
    CHECK(slots[2].repeats == '+');
    CHECK(slots[3].letter == 'i');
    CHECK(slots[3].rank == 0);
}

TEST_CASE("a call contains counts, dimensions, scales, zero points, omissions and values") {
    const auto words = parseCall("T1x16/256-128 3*T0- x2/4+10 h4/2_ f=1,-0.5");
    REQUIRE(words.size() == 5);
    CHECK(words[0].dimensions == Extents{1, 16});
    CHECK(words[0].scale == 1.0F / 256.0F);
    CHECK(words[0].zeroPoint == -128);
    CHECK_FALSE(words[0].isOmitted);
    CHECK(words[1].count == 3);
    CHECK(words[1].isOmitted);
    CHECK_FALSE(words[1].zeroPoint.has_value());
    CHECK(words[2].letter == 'x');
    CHECK(words[2].zeroPoint == 10);
    CHECK(words[3].isLowest);
    CHECK(words[4].values == std::vector<float>{1.0F, -0.5F});
}

TEST_CASE("every operator has a distinct name and a well-formed example") {
    std::set<std::string> names;
    for (const Operator op : kOperators) {
        CAPTURE(operatorName(op));
        CHECK(isOperator(static_cast<std::uint32_t>(op)));
        names.insert(std::string(operatorName(op)));
        CHECK_FALSE(parseCall(operatorExample(op).inputs).empty());
        CHECK_FALSE(parseCall(operatorExample(op).outputs).empty());
    }
    CHECK(names.size() == std::size(kOperators));
    CHECK(operatorName(Operator::kBatchToSpaceNd) == "batch-to-space-nd");
    CHECK(operatorName(Operator::kRank) == "rank");
    CHECK(isVectorOperator(Operator::kTopkV2));
    CHECK_FALSE(isVectorOperator(Operator::kConv2d));
}

TEST_CASE("the codes of control flow are not operators") {
    for (const std::uint32_t code : {96U, 97U, 102U, 0xFFFFFFFFU}) {
        CHECK_FALSE(isOperator(code));
        CHECK(operatorName(static_cast<Operator>(code)) == "?");
        CHECK(operatorExample(static_cast<Operator>(code)).inputs.empty());
    }
}

TEST_SUITE_END();

}  // namespace vnpu::hw
