// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/hw_model/operators/moved_elements.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

std::vector<std::int32_t> randomPermutation(Random& random, std::size_t rank) {
    std::vector<std::int32_t> permutation(rank);
    std::iota(permutation.begin(), permutation.end(), 0);
    for (std::size_t i = rank; i > 1; --i) {
        std::swap(permutation[i - 1],
                  permutation[random.pick<std::size_t>(0, static_cast<std::int64_t>(i) - 1)]);
    }
    return permutation;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("TRANSPOSE orders axes by the permutation, or reverses them without one [E-8]") {
    Random random(1);
    for (int i = 0; i < kCases; ++i) {
        const MovedTensor input(random, randomDimensions(random, 1, 6, i % 10 == 0 ? 9 : 5));
        const std::size_t rank = input.dimensions.rank();
        auto permutation = randomPermutation(random, rank);
        OperatorCase call(Operator::kTranspose);
        input.addTo(call);
        if (random.oneIn(4)) {
            call.omitted({TensorType::kInt32});
            std::iota(permutation.rbegin(), permutation.rend(), 0);
        } else {
            call.int32s(permutation);
        }
        Dimensions to;
        for (const std::int32_t axis : permutation) {
            to.append(input.dimensions[static_cast<std::size_t>(axis)]);
        }
        REQUIRE(call.output(input.kind).run() == JobStatus::kOk);
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  Index from(rank);
                  for (std::size_t axis = 0; axis < rank; ++axis) {
                      from[static_cast<std::size_t>(permutation[axis])] = index[axis];
                  }
                  return input.at(from);
              }) == "");
    }
}

TEST_CASE("TRANSPOSE of large tensors works in blocks and on several threads [E-8]") {
    Random random(2);
    const std::pair<Dimensions, std::vector<std::int32_t>> cases[] = {
            {{130, 70}, {1, 0}},
            {{3, 65, 33}, {2, 0, 1}},
            {{2, 40, 35, 20}, {0, 3, 1, 2}},
            {{1500, 1100}, {1, 0}},
            {{1000, 3000, 2}, {1, 0, 2}}};
    for (const auto& [dimensions, permutation] : cases) {
        const auto type = dimensions[0] == 1500 ? TensorType::kFloat32 : TensorType::kQuant8Asymm;
        const MovedTensor input(random, type, dimensions);
        OperatorCase call(Operator::kTranspose);
        input.addTo(call);
        REQUIRE(call.int32s(permutation).output(input.kind).run() == JobStatus::kOk);
        const auto moved = call.values<std::byte>(0);
        const std::size_t size = hw::elementBytes(type);
        for (int sample = 0; sample < 5000; ++sample) {
            Index from;
            Index to;
            for (const std::uint32_t extent : dimensions) {
                from.push_back(random.pick<std::uint32_t>(0, std::int64_t{extent} - 1));
            }
            for (const std::int32_t axis : permutation) {
                to.push_back(from[static_cast<std::size_t>(axis)]);
            }
            const auto place =
                    static_cast<std::ptrdiff_t>(flatIndex(call.dimensions(0), to) * size);
            const auto element = input.at(from);
            REQUIRE(std::equal(element.begin(), element.end(), moved.begin() + place));
        }
    }
}

TEST_CASE("CHANNEL_SHUFFLE interleaves the channels of groups [E-8]") {
    Random random(3);
    for (int i = 0; i < kCases; ++i) {
        Dimensions dimensions = randomDimensions(random, 1, 4, 5);
        const std::size_t rank = dimensions.rank();
        const auto axis = random.pick<std::size_t>(0, static_cast<std::int64_t>(rank) - 1);
        const auto groups = random.pick<std::uint32_t>(1, 4);
        const auto perGroup = random.pick<std::uint32_t>(1, 4);
        dimensions[axis] = groups * perGroup;
        const MovedTensor input(random, dimensions);
        OperatorCase call(Operator::kChannelShuffle);
        input.addTo(call);
        call.int32(static_cast<std::int32_t>(groups)).int32(axisName(random, axis, rank));
        REQUIRE(call.output(input.kind).run() == JobStatus::kOk);
        CHECK(compareMoved(call, 0, dimensions, [&](const Index& index) {
                  Index from = index;
                  from[axis] = index[axis] % groups * perGroup + index[axis] / groups;
                  return input.at(from);
              }) == "");
    }
}

TEST_CASE("TILE repeats along every axis [E-8]") {
    Random random(4);
    for (int i = 0; i < kCases; ++i) {
        const MovedTensor input(random, randomDimensions(random, 1, 5, 4));
        std::vector<std::int32_t> multiples;
        Dimensions to;
        for (const std::uint32_t extent : input.dimensions) {
            multiples.push_back(random.pick<std::int32_t>(random.oneIn(20) ? 0 : 1, 4));
            to.append(extent * static_cast<std::uint32_t>(multiples.back()));
        }
        OperatorCase call(Operator::kTile);
        input.addTo(call);
        REQUIRE(call.int32s(multiples).output(input.kind).run() == JobStatus::kOk);
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  Index from = index;
                  for (std::size_t axis = 0; axis < from.size(); ++axis) {
                      from[axis] %= input.dimensions[axis];
                  }
                  return input.at(from);
              }) == "");
    }
}

TEST_CASE("CONCATENATION joins parts of any size, including empty ones [E-8]") {
    Random random(5);
    for (int i = 0; i < kCases; ++i) {
        const Dimensions like = randomDimensions(random, 1, 4, 5);
        const std::size_t rank = like.rank();
        const auto axis = random.pick<std::size_t>(0, static_cast<std::int64_t>(rank) - 1);
        const MovedTensor model(random, like);
        std::vector<MovedTensor> parts;
        Dimensions to = like;
        to[axis] = 0;
        OperatorCase call(Operator::kConcatenation);
        const std::int64_t count = random.between(1, 5);
        for (std::int64_t p = 0; p < count; ++p) {
            Dimensions part = like;
            part[axis] = random.pick<std::uint32_t>(0, 4);
            to[axis] += part[axis];
            parts.emplace_back(random, model.kind.type, part);
            parts.back().kind = model.kind;
            parts.back().addTo(call);
        }
        call.int32(static_cast<std::int32_t>(axis)).output(model.kind);
        REQUIRE(call.run() == JobStatus::kOk);
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  Index from = index;
                  std::size_t part = 0;
                  while (from[axis] >= parts[part].dimensions[axis]) {
                      from[axis] -= parts[part++].dimensions[axis];
                  }
                  return parts[part].at(from);
              }) == "");
    }
}

TEST_CASE("CONCATENATION converts parts to the output's quantization [E-8]") {
    Random random(6);
    for (int i = 0; i < kCases; ++i) {
        const bool isSigned = random.oneIn(2);
        const auto type = isSigned ? TensorType::kQuant8AsymmSigned : TensorType::kQuant8Asymm;
        const int low = isSigned ? -128 : 0;
        // Steps of powers of two and of 3 / 4: exact in single precision, with ties.
        const float scales[] = {0.25F, 0.5F, 0.75F, 1.0F, 1.5F, 2.0F};
        const OperandKind output{type, scales[random.pick<std::size_t>(0, 5)],
                                 low + random.pick<std::int32_t>(0, 255)};
        OperatorCase call(Operator::kConcatenation);
        std::vector<double> expected;
        for (int p = 0; p < 2; ++p) {
            const OperandKind part{type, scales[random.pick<std::size_t>(0, 5)],
                                   low + random.pick<std::int32_t>(0, 255)};
            std::vector<std::uint8_t> bytes;
            for (int k = 0; k < 16; ++k) {
                bytes.push_back(random.pick<std::uint8_t>(0, 255));
                const int stored = isSigned ? static_cast<std::int8_t>(bytes.back()) : bytes.back();
                const double real = (stored - part.zeroPoint) * static_cast<double>(part.scale);
                const double steps = std::round(real / static_cast<double>(output.scale));
                expected.push_back(std::clamp(steps + output.zeroPoint, low + 0.0, low + 255.0));
            }
            call.input(part, {16}, bytes);
        }
        REQUIRE(call.int32(0).output(output).run() == JobStatus::kOk);
        const auto actual = call.numbers(0);
        REQUIRE(actual.size() == expected.size());
        for (std::size_t k = 0; k < actual.size(); ++k) {
            // 1 / 0.75 and 1 / 1.5 are not binary fractions, so ties may round to either side.
            const bool isExact = output.scale != 0.75F && output.scale != 1.5F;
            CHECK(std::abs(actual[k] - expected[k]) <= (isExact ? 0.0 : 1.0));
        }
    }
}

TEST_CASE("PAD surrounds with zeros, PAD_V2 with a given value [E-8]") {
    Random random(7);
    for (int i = 0; i < 2 * kCases; ++i) {
        const MovedTensor input(random, randomDimensions(random, 1, 5, 4));
        const std::size_t rank = input.dimensions.rank();
        std::vector<std::int32_t> paddings;
        Dimensions to;
        for (const std::uint32_t extent : input.dimensions) {
            const auto before = random.pick<std::int32_t>(0, 3);
            const auto after = random.pick<std::int32_t>(0, 3);
            paddings.insert(paddings.end(), {before, after});
            to.append(extent + static_cast<std::uint32_t>(before + after));
        }
        const TensorType type = input.kind.type;
        const bool isFloat = type == TensorType::kFloat32 || type == TensorType::kFloat16;
        const bool hasZeroPoint = type == TensorType::kQuant8Asymm ||
                                  type == TensorType::kQuant8AsymmSigned ||
                                  type == TensorType::kQuant16Asymm;
        const bool hasValue = i % 2 == 1;
        OperatorCase call(hasValue ? Operator::kPadV2 : Operator::kPad);
        input.addTo(call);
        call.input({TensorType::kInt32}, {static_cast<std::uint32_t>(rank), 2}, paddings);
        auto outside = input.stored(hasZeroPoint ? input.kind.zeroPoint : 0);
        if (hasValue && isFloat) {
            type == TensorType::kFloat32 ? call.real(1.5F) : call.half(1.5F);
            outside = floatBytes(type, {1.5});
        } else if (hasValue && type == TensorType::kBool8) {
            call.flag(true);
            outside = input.stored(1);
        } else if (hasValue) {
            const auto value = random.pick<std::int32_t>(0, 127);
            call.int32(value);
            outside = input.stored(value);
        }
        REQUIRE(call.output(input.kind).run() == JobStatus::kOk);
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  Index from = index;
                  for (std::size_t axis = 0; axis < rank; ++axis) {
                      from[axis] -= static_cast<std::uint32_t>(paddings[2 * axis]);
                      if (from[axis] >= input.dimensions[axis]) {
                          return outside;
                      }
                  }
                  return input.at(from);
              }) == "");
    }
}

TEST_CASE("rearrangements refuse invalid operands [E-8]") {
    const OperandKind real{TensorType::kFloat32};
    const OperandKind byte{TensorType::kQuant8Asymm, 0.5F, 3};
    const std::vector<float> six(6);
    const auto of = [&](Operator op) {
        OperatorCase call(op);
        call.input(real, {2, 3}, six);
        return call;
    };
    CHECK(refusalOf(of(Operator::kTranspose).int32s({0, 0}).output(real)) ==
          "axis 1 of the permutation is 0, expected each of 0 to 1 once");
    CHECK(refusalOf(of(Operator::kTranspose).int32s({0, -1}).output(real)) ==
          "axis 1 of the permutation is -1, expected each of 0 to 1 once");
    CHECK(refusalOf(of(Operator::kTranspose).int32s({1}).output(real)) ==
          "input 1 has 1 elements of int32, expected 2 of int32");
    CHECK(refusalOf(of(Operator::kTranspose).int32s({1, 0}).output(byte)) ==
          "output 0 is quant8-asymm, expected float32");
    CHECK(refusalOf(of(Operator::kTranspose).real(1).output(real)) ==
          "input 1 is float32-scalar, expected int32");
    CHECK(refusalOf(of(Operator::kChannelShuffle).int32(2).int32(1).output(real)) ==
          "there are 2 groups, expected a divisor of 3");
    CHECK(refusalOf(of(Operator::kChannelShuffle).int32(0).int32(1).output(real)) ==
          "there are 0 groups, expected a divisor of 3");
    CHECK(refusalOf(of(Operator::kChannelShuffle).int32(1).int32(2).output(real)) ==
          "axis is 2, expected -2 to 1");
    CHECK(refusalOf(of(Operator::kChannelShuffle).int32(1).output(real)) == "input 2 is left out");
    CHECK(refusalOf(of(Operator::kTile).int32s({1, -1}).output(real)) ==
          "axis 1 of 3 elements is wanted -1 times");
    CHECK(refusalOf(of(Operator::kTile).int32s({1, INT32_MAX}).output(real)) ==
          "axis 1 of 3 elements is wanted 2147483647 times");
    CHECK(refusalOf(of(Operator::kTile).int32s({1 << 29, 1 << 29}).output(real)) ==
          "output 0 has 1729382256910270464 elements of 4 bytes, expected at most 2147483647 "
          "bytes");
    CHECK(refusalOf(of(Operator::kConcatenation).int32(-3).output(real)) ==
          "axis is -3, expected -2 to 1");
    CHECK(refusalOf(of(Operator::kConcatenation).real(0).output(real)) ==
          "input 1 is float32-scalar, expected int32-scalar");
    CHECK(refusalOf(of(Operator::kConcatenation).output(real)) == "input 1 is left out");
    CHECK(refusalOf(of(Operator::kConcatenation).input(real, {3, 2}, six).int32(0).output(real)) ==
          "input 1 of [3, 2] does not go with input 0 of [2, 3] along axis 0");
    CHECK(refusalOf(of(Operator::kConcatenation).input(real, {6}, six).int32(0).output(real)) ==
          "input 1 of [6] does not go with input 0 of [2, 3] along axis 0");
    CHECK(refusalOf(of(Operator::kConcatenation).int32(0).output(byte)) ==
          "output 0 is quant8-asymm, expected float32");
    CHECK(refusalOf(OperatorCase(Operator::kConcatenation)
                            .input(byte, {1}, std::vector<std::uint8_t>{1})
                            .int32(0)
                            .output({TensorType::kQuant8Asymm, 0.0F, 0})) ==
          "input 0 has scale 0.5, the output 0");
    CHECK(refusalOf(of(Operator::kPad)
                            .input({TensorType::kInt32}, {2, 2}, std::vector<int>{0, 0, -1, 0})
                            .output(real)) == "axis 1 of 3 elements is padded by -1 and 0");
    CHECK(refusalOf(of(Operator::kPad)
                            .input({TensorType::kInt32}, {2, 2},
                                   std::vector<int>{INT32_MAX, INT32_MAX, 0, 0})
                            .output(real)) ==
          "axis 0 of 2 elements is padded by 2147483647 and 2147483647");
    CHECK(refusalOf(OperatorCase(Operator::kPadV2)
                            .input(byte, {1}, std::vector<std::uint8_t>{1})
                            .input({TensorType::kInt32}, {1, 2}, std::vector<int>{1, 1})
                            .int32(256)
                            .output(byte)) == "the padding is 256, expected 0 to 255");
    CHECK(refusalOf(of(Operator::kPadV2)
                            .input({TensorType::kInt32}, {2, 2}, std::vector<int>(4))
                            .half(0)
                            .output(real)) ==
          "the padding of float32 is float16-scalar, expected float32-scalar");
}

TEST_SUITE_END();
