// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/hw_model/operators/moved_elements.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

/// A call whose first input is a tensor of random bytes of these dimensions.
OperatorCase callOn(const MovedTensor& input, Operator op) {
    OperatorCase call(op);
    input.addTo(call);
    return call;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("RESHAPE keeps the elements and infers the open dimension [E-8]") {
    struct Case {
        Dimensions from;
        std::vector<std::int32_t> shape;
        Dimensions to;
    };
    const Case cases[] = {{{2, 3, 4}, {4, 6}, {4, 6}},
                          {{2, 3, 4}, {-1}, {24}},
                          {{2, 3, 4}, {3, -1, 2}, {3, 4, 2}},
                          {{1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}},
                          {{0, 3, 4}, {-1, 12}, {0, 12}},
                          {{0, 3}, {0, 7}, {0, 7}},
                          {{6}, {6, -1}, {6, 1}}};
    Random random(1);
    for (const TensorType type : kTensorTypes) {
        for (const Case& c : cases) {
            const MovedTensor input(random, type, c.from);
            OperatorCase call = callOn(input, Operator::kReshape);
            REQUIRE(call.int32s(c.shape).output(input.kind).run() == JobStatus::kOk);
            CHECK(call.dimensions(0) == c.to);
            CHECK(call.values<std::byte>(0) == input.bytes);
        }
    }
}

TEST_CASE("SQUEEZE drops axes of one element, given or all [E-8]") {
    struct Case {
        Dimensions from;
        std::optional<std::vector<std::int32_t>> axes;
        Dimensions to;
    };
    const Case cases[] = {{{1, 3, 1, 2}, {}, {3, 2}},
                          {{1, 3, 1, 2}, std::vector{2}, {1, 3, 2}},
                          {{1, 3, 1, 2}, std::vector{-4, 2, -2}, {3, 2}},
                          {{1, 3}, std::vector<std::int32_t>{}, {1, 3}},
                          {{1, 1}, {}, {1}},
                          {{0, 1, 4}, {}, {0, 4}}};
    Random random(2);
    for (const TensorType type : kTensorTypes) {
        for (const Case& c : cases) {
            const MovedTensor input(random, type, c.from);
            OperatorCase call = callOn(input, Operator::kSqueeze);
            c.axes ? call.int32s(*c.axes) : call.omitted({TensorType::kInt32});
            REQUIRE(call.output(input.kind).run() == JobStatus::kOk);
            CHECK(call.dimensions(0) == c.to);
            CHECK(call.values<std::byte>(0) == input.bytes);
        }
    }
    const MovedTensor input(random, {1, 5});
    OperatorCase call = callOn(input, Operator::kSqueeze);
    CHECK(makes(call.output(input.kind), {5}));  // the operand is not even there
}

TEST_CASE("EXPAND_DIMS adds an axis of one element anywhere [E-8]") {
    struct Case {
        std::int32_t axis = 0;
        Dimensions to;
    };
    const Case cases[] = {{0, {1, 2, 3}},  {1, {2, 1, 3}},  {2, {2, 3, 1}},
                          {-1, {2, 3, 1}}, {-2, {2, 1, 3}}, {-3, {1, 2, 3}}};
    Random random(3);
    for (const TensorType type : kTensorTypes) {
        for (const Case& c : cases) {
            const MovedTensor input(random, type, {2, 3});
            OperatorCase call = callOn(input, Operator::kExpandDims);
            REQUIRE(call.int32(c.axis).output(input.kind).run() == JobStatus::kOk);
            CHECK(call.dimensions(0) == c.to);
            CHECK(call.values<std::byte>(0) == input.bytes);
        }
    }
}

TEST_CASE("FILL repeats its value, RANK counts axes [E-8]") {
    OperatorCase real(Operator::kFill);
    REQUIRE(makes(real.int32s({2, 3}).real(1.5F).output({TensorType::kFloat32}), {2, 3}));
    CHECK(real.values<float>(0) == std::vector<float>(6, 1.5F));
    OperatorCase half(Operator::kFill);
    REQUIRE(makes(half.int32s({5}).half(-2.0F).output({TensorType::kFloat16}), {5}));
    CHECK(half.numbers(0) == std::vector<double>(5, -2.0));
    OperatorCase integer(Operator::kFill);
    REQUIRE(makes(integer.int32s({1, 1, 7}).int32(-9).output({TensorType::kInt32}), {1, 1, 7}));
    CHECK(integer.values<std::int32_t>(0) == std::vector<std::int32_t>(7, -9));
    OperatorCase none(Operator::kFill);
    CHECK(makes(none.int32s({4, 0}).int32(1).output({TensorType::kInt32}), {4, 0}));
    OperatorCase large(Operator::kFill);
    REQUIRE(makes(large.int32s({1 << 22}).int32(7).output({TensorType::kInt32}), {1 << 22}));
    CHECK(large.values<std::int32_t>(0) == std::vector<std::int32_t>(1 << 22, 7));

    Random random(4);
    for (const TensorType type : kTensorTypes) {
        const MovedTensor input(random, type, randomDimensions(random, 1, 8, 2));
        OperatorCase call = callOn(input, Operator::kRank);
        REQUIRE(makes(call.output({TensorType::kInt32Scalar}), {}));
        CHECK(call.values<std::int32_t>(0)[0] ==
              static_cast<std::int32_t>(input.dimensions.rank()));
    }
}

TEST_CASE("shape operators refuse invalid operands [E-8]") {
    Random random(5);
    const MovedTensor input(random, TensorType::kFloat32, {2, 3});
    const OperandKind real{TensorType::kFloat32};
    const OperandKind integers{TensorType::kInt32};
    const auto of = [&](Operator op) { return callOn(input, op); };
    CHECK(refusalOf(of(Operator::kReshape).int32s({4}).output(real)) ==
          "shape [4] does not hold 6 elements");
    CHECK(refusalOf(of(Operator::kReshape).int32s({4, -1}).output(real)) ==
          "shape [4, 0] does not hold 6 elements");
    CHECK(refusalOf(of(Operator::kReshape).int32s({-1, -1}).output(real)) ==
          "dimension 1 is -1, expected 0 or more, or -1 once");
    CHECK(refusalOf(of(Operator::kReshape).int32s({-2, 3}).output(real)) ==
          "dimension 0 is -2, expected 0 or more, or -1 once");
    CHECK(refusalOf(of(Operator::kReshape).int32s({0, -1}).output(real)) ==
          "shape [0, 0] does not hold 6 elements");
    CHECK(refusalOf(of(Operator::kReshape).int32s(std::vector<int>(9, 1)).output(real)) ==
          "rank is 9, expected at most 8");
    CHECK(refusalOf(
                  of(Operator::kReshape).int32s({INT32_MAX, INT32_MAX, INT32_MAX}).output(real)) ==
          "shape [2147483647, 2147483647, 2147483647] does not hold 6 elements");
    CHECK(refusalOf(of(Operator::kSqueeze).int32s({0}).output(real)) ==
          "axis 0 has 2 elements, expected 1");
    CHECK(refusalOf(of(Operator::kSqueeze).int32s({2}).output(real)) ==
          "axis is 2, expected -2 to 1");
    CHECK(refusalOf(of(Operator::kExpandDims).int32(3).output(real)) ==
          "axis is 3, expected -3 to 2");
    CHECK(refusalOf(of(Operator::kExpandDims).output(real)) == "input 1 is left out");
    CHECK(refusalOf(OperatorCase(Operator::kFill).int32s({-1}).int32(1).output(integers)) ==
          "a dimension is -1, expected 0 or more");
    CHECK(refusalOf(OperatorCase(Operator::kFill).int32s({1}).real(1).output(integers)) ==
          "the value is float32-scalar, expected a scalar of int32");
    CHECK(refusalOf(OperatorCase(Operator::kFill)
                            .int32s({INT32_MAX, INT32_MAX, INT32_MAX})
                            .int32(1)
                            .output(integers)) ==
          "output 0 has 18446744073709551615 elements of 4 bytes, expected at most 2147483647 "
          "bytes");
    CHECK(refusalOf(of(Operator::kRank).output(real)) == "output 0 is float32, expected int32");
    CHECK(refusalOf(OperatorCase(Operator::kRank).output(integers)) == "input 0 is left out");
}

TEST_SUITE_END();
