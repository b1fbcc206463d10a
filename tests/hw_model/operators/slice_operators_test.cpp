// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "tests/hw_model/operators/moved_elements.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

std::size_t randomAxis(Random& random, std::size_t rank) {
    return random.pick<std::size_t>(0, static_cast<std::int64_t>(rank) - 1);
}

/// The indices that begin:end:stride selects from an axis, like Python's slices; an empty bound
/// means the limit.
std::vector<std::uint32_t> sliced(std::int64_t extent, std::optional<std::int64_t> begin,
                                  std::optional<std::int64_t> end, std::int64_t stride) {
    const auto place = [&](std::optional<std::int64_t> index, std::int64_t utmost) {
        if (!index) {
            return utmost;
        }
        return *index < 0 ? *index + extent : *index;
    };
    std::vector<std::uint32_t> picked;
    if (stride > 0) {
        const std::int64_t first = std::max<std::int64_t>(place(begin, 0), 0);
        const std::int64_t last = std::min(place(end, extent), extent);
        for (std::int64_t i = first; i < last; i += stride) {
            picked.push_back(static_cast<std::uint32_t>(i));
        }
    } else {
        const std::int64_t first = std::min(place(begin, extent - 1), extent - 1);
        const std::int64_t last = std::max<std::int64_t>(place(end, -1), -1);
        for (std::int64_t i = first; i > last; i += stride) {
            picked.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return picked;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("SLICE copies a box; -1 selects the rest of an axis [E-8]") {
    Random random(1);
    for (int i = 0; i < kCases; ++i) {
        const MovedTensor input(random, randomDimensions(random, 1, 6, 4));
        std::vector<std::int32_t> begins;
        std::vector<std::int32_t> sizes;
        Dimensions to;
        for (const std::uint32_t extent : input.dimensions) {
            begins.push_back(random.pick<std::int32_t>(0, extent));
            const std::int64_t rest = std::int64_t{extent} - begins.back();
            const bool isOpen = random.oneIn(3);
            sizes.push_back(isOpen ? -1 : random.pick<std::int32_t>(rest == 0 ? 0 : 1, rest));
            to.append(static_cast<std::uint32_t>(isOpen ? rest : sizes.back()));
        }
        OperatorCase call(Operator::kSlice);
        input.addTo(call);
        REQUIRE(call.int32s(begins).int32s(sizes).output(input.kind).run() == JobStatus::kOk);
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  Index from = index;
                  for (std::size_t axis = 0; axis < from.size(); ++axis) {
                      from[axis] += static_cast<std::uint32_t>(begins[axis]);
                  }
                  return input.at(from);
              }) == "");
    }
}

TEST_CASE("STRIDED_SLICE supports strides in both directions, masks and dropped axes [E-8]") {
    Random random(2);
    for (int i = 0; i < 4 * kCases; ++i) {
        const MovedTensor input(random, randomDimensions(random, 1, 5, 5));
        const std::size_t rank = input.dimensions.rank();
        const auto beginMask = random.pick<std::int32_t>(0, 31);
        const auto endMask = random.pick<std::int32_t>(0, 31);
        std::int32_t shrinkMask = 0;
        std::vector<std::int32_t> begins;
        std::vector<std::int32_t> ends;
        std::vector<std::int32_t> strides;
        std::vector<std::vector<std::uint32_t>> picked;
        Dimensions to;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            const std::int64_t extent = input.dimensions[axis];
            const auto isSet = [&](std::int32_t mask) { return (mask >> axis & 1) != 0; };
            begins.push_back(random.pick<std::int32_t>(-extent - 2, extent + 2));
            ends.push_back(random.pick<std::int32_t>(-extent - 2, extent + 2));
            strides.push_back(random.pick<std::int32_t>(1, 3) * (random.oneIn(3) ? -1 : 1));
            if (random.oneIn(50)) {
                strides.back() = strides.back() > 0 ? INT32_MAX : INT32_MIN;
            }
            picked.push_back(sliced(
                    extent, isSet(beginMask) ? std::nullopt : std::optional(begins.back()),
                    isSet(endMask) ? std::nullopt : std::optional(ends.back()), strides.back()));
            if (picked.back().size() == 1 && strides.back() > 0 && random.oneIn(2)) {
                shrinkMask |= 1 << axis;
            } else {
                to.append(static_cast<std::uint32_t>(picked.back().size()));
            }
        }
        if (to.rank() == 0) {
            to.append(1);
        }
        OperatorCase call(Operator::kStridedSlice);
        input.addTo(call);
        call.int32s(begins).int32s(ends).int32s(strides);
        call.int32(beginMask).int32(endMask).int32(shrinkMask).output(input.kind);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  Index from;
                  std::size_t next = 0;
                  for (std::size_t axis = 0; axis < rank; ++axis) {
                      const bool isDropped = (shrinkMask >> axis & 1) != 0;
                      from.push_back(picked[axis][isDropped ? 0 : index[next++]]);
                  }
                  return input.at(from);
              }) == "");
    }
}

TEST_CASE("SPLIT divides an axis into equal parts [E-8]") {
    Random random(3);
    for (int i = 0; i < kCases; ++i) {
        Dimensions part = randomDimensions(random, 1, 5, 4);
        const std::size_t axis = randomAxis(random, part.rank());
        const auto parts = random.pick<std::uint32_t>(1, 5);
        Dimensions whole = part;
        whole[axis] *= parts;
        const MovedTensor input(random, whole);
        OperatorCase call(Operator::kSplit);
        input.addTo(call);
        call.int32(axisName(random, axis, whole.rank())).int32(static_cast<std::int32_t>(parts));
        for (std::uint32_t p = 0; p < parts; ++p) {
            call.output(input.kind);
        }
        REQUIRE(call.run() == JobStatus::kOk);
        for (std::uint32_t p = 0; p < parts; ++p) {
            CHECK(compareMoved(call, p, part, [&](const Index& index) {
                      Index from = index;
                      from[axis] += p * part[axis];
                      return input.at(from);
                  }) == "");
        }
    }
}

TEST_CASE("GATHER replaces an axis by the indexed elements [E-8]") {
    Random random(4);
    for (int i = 0; i < kCases; ++i) {
        Dimensions dimensions = randomDimensions(random, 1, 4, 4);
        const std::size_t axis = randomAxis(random, dimensions.rank());
        dimensions[axis] = random.pick<std::uint32_t>(1, 6);
        const MovedTensor input(random, dimensions);
        const Dimensions shape = randomDimensions(random, 0, 3, 3);
        std::vector<std::int32_t> indexes(shape.elements());
        for (std::int32_t& index : indexes) {
            index = random.pick<std::int32_t>(0, dimensions[axis] - 1);
        }
        OperatorCase call(Operator::kGather);
        input.addTo(call);
        call.int32(axisName(random, axis, dimensions.rank()));
        call.input({TensorType::kInt32}, shape, indexes).output(input.kind);
        REQUIRE(call.run() == JobStatus::kOk);
        Dimensions to;
        for (std::size_t k = 0; k < dimensions.rank(); ++k) {
            if (k != axis) {
                to.append(dimensions[k]);
                continue;
            }
            std::for_each(shape.begin(), shape.end(), [&](auto extent) { to.append(extent); });
        }
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  const auto first = index.begin() + static_cast<std::ptrdiff_t>(axis);
                  const auto last = first + static_cast<std::ptrdiff_t>(shape.rank());
                  Index from(index.begin(), first);
                  from.push_back(static_cast<std::uint32_t>(
                          indexes[flatIndex(shape, Index(first, last))]));
                  from.insert(from.end(), last, index.end());
                  return input.at(from);
              }) == "");
    }
}

TEST_CASE("TOPK_V2 returns the largest in order, the earlier one of equals first [E-8]") {
    Random random(5);
    for (int i = 0; i < kCases; ++i) {
        Dimensions dimensions = randomDimensions(random, 1, 4, 5);
        const std::size_t last = dimensions.rank() - 1;
        dimensions[last] = random.pick<std::uint32_t>(1, 30);
        MovedTensor input(random, dimensions);
        if (hw::elementBytes(input.kind.type) == 4) {
            for (std::size_t k = 3; k < input.bytes.size(); k += 4) {
                // Moderate numbers without NaNs, some of them equal.
                input.bytes[k] = input.bytes[k] & std::byte{0x83};
                input.bytes[k - 1] = input.bytes[k - 2] = input.bytes[k - 3] = {};
            }
        } else if (input.kind.type == TensorType::kFloat16) {
            for (std::size_t k = 1; k < input.bytes.size(); k += 2) {
                input.bytes[k] = input.bytes[k] & std::byte{0xB3};
            }
        }
        const auto k = random.pick<std::uint32_t>(1, dimensions[last]);
        OperatorCase call(Operator::kTopkV2);
        input.addTo(call);
        call.int32(static_cast<std::int32_t>(k)).output(input.kind).output({TensorType::kInt32});
        REQUIRE(call.run() == JobStatus::kOk);
        Dimensions to = dimensions;
        to[last] = k;
        CHECK(call.dimensions(1) == to);
        const auto indexes = call.values<std::int32_t>(1);
        const std::uint32_t columns = dimensions[last];
        std::vector<std::int32_t> expected;
        for (std::size_t row = 0; row < input.dimensions.elements() / columns; ++row) {
            std::vector<std::pair<double, std::int32_t>> order;
            for (std::uint32_t c = 0; c < columns; ++c) {
                order.emplace_back(
                        -storedNumber(input.kind.type, input.bytes.data(), row * columns + c), c);
            }
            std::sort(order.begin(), order.end());
            for (std::uint32_t c = 0; c < k; ++c) {
                expected.push_back(order[c].second);
            }
        }
        CHECK(indexes == expected);
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  Index from = index;
                  from[last] = static_cast<std::uint32_t>(indexes[flatIndex(to, index)]);
                  return input.at(from);
              }) == "");
    }
}

TEST_CASE("TOPK_V2 puts NaNs last and accepts k = 0 [E-8]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const OperandKind real{TensorType::kFloat32};
    OperatorCase call(Operator::kTopkV2);
    call.input(real, {6}, std::vector<float>{nan, 1.0F, nan, 3.0F, -2.0F, 3.0F}).int32(6);
    REQUIRE(call.output(real).output({TensorType::kInt32}).run() == JobStatus::kOk);
    CHECK(call.values<std::int32_t>(1) == std::vector<std::int32_t>{3, 5, 1, 4, 0, 2});
    OperatorCase none(Operator::kTopkV2);
    none.input(real, {2, 3}, std::vector<float>(6)).int32(0);
    CHECK(makes(none.output(real).output({TensorType::kInt32}), {2, 0}));
}

TEST_CASE("slices refuse invalid operands [E-8]") {
    const OperandKind real{TensorType::kFloat32};
    const OperandKind integers{TensorType::kInt32};
    const auto of = [&](Operator op) {
        OperatorCase call(op);
        call.input(real, {2, 3}, std::vector<float>(6));
        return call;
    };
    CHECK(refusalOf(of(Operator::kSlice).int32s({0, 2}).int32s({1, 2}).output(real)) ==
          "axis 1 of 3 elements is sliced from 2, size 2");
    CHECK(refusalOf(of(Operator::kSlice).int32s({-1, 0}).int32s({1, 1}).output(real)) ==
          "axis 0 of 2 elements is sliced from -1, size 1");
    CHECK(refusalOf(of(Operator::kSlice).int32s({3, 0}).int32s({-1, 1}).output(real)) ==
          "axis 0 of 2 elements is sliced from 3, size -1");
    CHECK(refusalOf(of(Operator::kSlice).int32s({0, 0}).int32s({INT32_MIN, 1}).output(real)) ==
          "axis 0 of 2 elements is sliced from 0, size -2147483648");
    CHECK(refusalOf(of(Operator::kSlice).int32s({0}).int32s({1}).output(real)) ==
          "input 1 has 1 elements of int32, expected 2 of int32");
    const auto strided = [&](const std::vector<std::int32_t>& strides, std::int32_t shrinkMask) {
        OperatorCase call = of(Operator::kStridedSlice);
        call.int32s({0, 0}).int32s({2, 3}).int32s(strides).int32(0).int32(0).int32(shrinkMask);
        return refusalOf(call.output(real));
    };
    CHECK(strided({1, 0}, 0) == "the stride of axis 1 is 0");
    CHECK(strided({1, 1}, 2) ==
          "axis 1 is dropped, but has 3 elements at stride 1, expected 1 and a positive stride");
    CHECK(strided({1}, 0) == "input 3 has 1 elements of int32, expected 2 of int32");
    CHECK(refusalOf(of(Operator::kSplit).int32(1).int32(2).output(real).output(real)) ==
          "axis 1 of 3 elements does not split into 2 parts");
    CHECK(refusalOf(of(Operator::kSplit).int32(0).int32(2).output(real)) ==
          "2 parts for 1 outputs");
    CHECK(refusalOf(of(Operator::kSplit).int32(0).int32(0)) == "output 0 is missing");
    CHECK(refusalOf(of(Operator::kSplit).int32(2).int32(1).output(real)) ==
          "axis is 2, expected -2 to 1");
    CHECK(refusalOf(of(Operator::kGather).int32(1).int32s({0, 3}).output(real)) ==
          "index is 3, expected 0 to 2");
    CHECK(refusalOf(of(Operator::kGather).int32(1).int32s({-1}).output(real)) ==
          "index is -1, expected 0 to 2");
    CHECK(refusalOf(of(Operator::kGather).int32(-3).int32s({0}).output(real)) ==
          "axis is -3, expected -2 to 1");
    CHECK(refusalOf(of(Operator::kTopkV2).int32(4).output(real).output(integers)) ==
          "k is 4, expected 0 to 3");
    CHECK(refusalOf(of(Operator::kTopkV2).int32(-1).output(real).output(integers)) ==
          "k is -1, expected 0 to 3");
    CHECK(refusalOf(of(Operator::kTopkV2).int32(1).output(real)) == "output 1 is missing");
}

TEST_SUITE_END();
