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

/// Axes of batch, row, column and channel in either layout.
struct Axes {
    std::size_t batch, row, column, channel;
};
constexpr Axes kNhwc = {0, 1, 2, 3};
constexpr Axes kNchw = {0, 2, 3, 1};

Dimensions shapeOf(const Axes& axes, std::uint32_t batches, std::uint32_t rows,
                   std::uint32_t columns, std::uint32_t channels) {
    Dimensions shape{0, 0, 0, 0};
    shape[axes.batch] = batches;
    shape[axes.row] = rows;
    shape[axes.column] = columns;
    shape[axes.channel] = channels;
    return shape;
}

/// One random case: sizes of the image with fewer pixels, of the block, and the layout.
struct Sizes {
    bool isNchw, hasLayout;
    std::uint32_t batches, rows, columns, channels, blockRows, blockColumns;

    explicit Sizes(Random& random)
        : isNchw(random.oneIn(2)),
          hasLayout(isNchw || random.oneIn(2)),
          batches(random.oneIn(20) ? 0 : random.pick<std::uint32_t>(1, 3)),
          rows(random.pick<std::uint32_t>(1, 4)),
          columns(random.pick<std::uint32_t>(1, 4)),
          channels(random.pick<std::uint32_t>(1, 4)),
          blockRows(random.pick<std::uint32_t>(1, 3)),
          blockColumns(random.pick<std::uint32_t>(1, 3)) {}

    const Axes& axes() const { return isNchw ? kNchw : kNhwc; }
    void addLayout(OperatorCase& call) const {
        if (hasLayout) {
            call.flag(isNchw);
        }
    }
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("DEPTH_TO_SPACE and SPACE_TO_DEPTH move pixels between space and channels [E-8]") {
    Random random(1);
    for (int i = 0; i < kCases; ++i) {
        const Sizes s(random);
        const Axes& axes = s.axes();
        const std::uint32_t b = s.blockRows;
        const Dimensions small = shapeOf(axes, s.batches, s.rows, s.columns, s.channels * b * b);
        const Dimensions large = shapeOf(axes, s.batches, s.rows * b, s.columns * b, s.channels);
        // The place in the small image of the element at an index of the large one.
        const auto inSmall = [&](const Index& index) {
            Index from = index;
            from[axes.row] = index[axes.row] / b;
            from[axes.column] = index[axes.column] / b;
            const std::uint32_t place = index[axes.row] % b * b + index[axes.column] % b;
            from[axes.channel] = place * s.channels + index[axes.channel];
            return from;
        };
        const MovedTensor deep(random, small);
        OperatorCase spread(Operator::kDepthToSpace);
        deep.addTo(spread);
        s.addLayout(spread.int32(static_cast<std::int32_t>(b)));
        REQUIRE(spread.output(deep.kind).run() == JobStatus::kOk);
        CHECK(compareMoved(spread, 0, large,
                           [&](const Index& index) { return deep.at(inSmall(index)); }) == "");

        const MovedTensor wide(random, large);
        OperatorCase gathered(Operator::kSpaceToDepth);
        wide.addTo(gathered);
        s.addLayout(gathered.int32(static_cast<std::int32_t>(b)));
        REQUIRE(gathered.output(wide.kind).run() == JobStatus::kOk);
        CHECK(compareMoved(gathered, 0, small, [&](const Index& index) {
                  Index from = index;
                  const std::uint32_t place = index[axes.channel] / s.channels;
                  from[axes.channel] = index[axes.channel] % s.channels;
                  from[axes.row] = index[axes.row] * b + place / b;
                  from[axes.column] = index[axes.column] * b + place % b;
                  return wide.at(from);
              }) == "");
    }
}

TEST_CASE("BATCH_TO_SPACE_ND joins batches into images [E-8]") {
    Random random(2);
    for (int i = 0; i < kCases; ++i) {
        const Sizes s(random);
        const Axes& axes = s.axes();
        const MovedTensor input(random, shapeOf(axes, s.batches * s.blockRows * s.blockColumns,
                                                s.rows, s.columns, s.channels));
        OperatorCase call(Operator::kBatchToSpaceNd);
        input.addTo(call);
        s.addLayout(call.int32s({static_cast<std::int32_t>(s.blockRows),
                                 static_cast<std::int32_t>(s.blockColumns)}));
        REQUIRE(call.output(input.kind).run() == JobStatus::kOk);
        const Dimensions to = shapeOf(axes, s.batches, s.rows * s.blockRows,
                                      s.columns * s.blockColumns, s.channels);
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  Index from = index;
                  const std::uint32_t place = index[axes.row] % s.blockRows * s.blockColumns +
                                              index[axes.column] % s.blockColumns;
                  from[axes.batch] = place * s.batches + index[axes.batch];
                  from[axes.row] = index[axes.row] / s.blockRows;
                  from[axes.column] = index[axes.column] / s.blockColumns;
                  return input.at(from);
              }) == "");
    }
}

TEST_CASE("SPACE_TO_BATCH_ND splits padded images into batches [E-8]") {
    Random random(3);
    for (int i = 0; i < 2 * kCases; ++i) {
        const Sizes s(random);
        const Axes& axes = s.axes();
        // Paddings up to the size of the padded image, so that some blocks have no pixel at a
        // position.
        const std::uint32_t rows = s.rows * s.blockRows;
        const std::uint32_t columns = s.columns * s.blockColumns;
        const auto top = random.pick<std::uint32_t>(0, rows - 1);
        const auto bottom = random.pick<std::uint32_t>(0, rows - 1 - top);
        const auto left = random.pick<std::uint32_t>(0, columns - 1);
        const auto right = random.pick<std::uint32_t>(0, columns - 1 - left);
        const MovedTensor input(random, shapeOf(axes, s.batches, rows - top - bottom,
                                                columns - left - right, s.channels));
        OperatorCase call(Operator::kSpaceToBatchNd);
        input.addTo(call);
        call.int32s({static_cast<std::int32_t>(s.blockRows),
                     static_cast<std::int32_t>(s.blockColumns)});
        call.input({TensorType::kInt32}, {2, 2}, std::vector{top, bottom, left, right});
        s.addLayout(call);
        REQUIRE(call.output(input.kind).run() == JobStatus::kOk);
        const bool hasZeroPoint = input.kind.type == TensorType::kQuant8Asymm ||
                                  input.kind.type == TensorType::kQuant8AsymmSigned ||
                                  input.kind.type == TensorType::kQuant16Asymm;
        const auto outside = input.stored(hasZeroPoint ? input.kind.zeroPoint : 0);
        const Dimensions to = shapeOf(axes, s.batches * s.blockRows * s.blockColumns, s.rows,
                                      s.columns, s.channels);
        CHECK(compareMoved(call, 0, to, [&](const Index& index) {
                  Index from = index;
                  const std::uint32_t place = index[axes.batch] / s.batches;
                  from[axes.batch] = index[axes.batch] % s.batches;
                  from[axes.row] = index[axes.row] * s.blockRows + place / s.blockColumns - top;
                  from[axes.column] =
                          index[axes.column] * s.blockColumns + place % s.blockColumns - left;
                  const bool isInside = from[axes.row] < input.dimensions[axes.row] &&
                                        from[axes.column] < input.dimensions[axes.column];
                  return isInside ? input.at(from) : outside;
              }) == "");
    }
}

TEST_CASE("blocks that do not divide the image are refused [E-8]") {
    const OperandKind real{TensorType::kFloat32};
    const auto of = [&](Operator op) {
        OperatorCase call(op);
        call.input(real, {3, 2, 3, 5}, std::vector<float>(90));
        return call;
    };
    const OperandKind integers{TensorType::kInt32};
    CHECK(refusalOf(of(Operator::kDepthToSpace).int32(2).output(real)) ==
          "blocks of 2 rows and 2 columns do not go into [3, 2, 3, 5]");
    CHECK(refusalOf(of(Operator::kSpaceToDepth).int32(2).output(real)) ==
          "blocks of 2 rows and 2 columns do not go into [3, 2, 3, 5]");
    CHECK(refusalOf(of(Operator::kDepthToSpace).int32(0).output(real)) ==
          "the block has 0 rows, expected 1 or more");
    CHECK(refusalOf(of(Operator::kSpaceToDepth).int32(INT32_MAX).output(real)) ==
          "blocks of 2147483647 rows and 2147483647 columns do not go into [3, 2, 3, 5]");
    CHECK(refusalOf(of(Operator::kBatchToSpaceNd).int32s({2, 1}).output(real)) ==
          "blocks of 2 rows and 1 columns do not go into [3, 2, 3, 5]");
    CHECK(refusalOf(of(Operator::kBatchToSpaceNd).int32s({1, -1}).output(real)) ==
          "the block has 1 rows and -1 columns, expected 1 or more");
    CHECK(refusalOf(of(Operator::kSpaceToBatchNd)
                            .int32s({2, 2})
                            .input(integers, {2, 2}, std::vector<int>(4))
                            .output(real)) ==
          "blocks of 2 rows and 2 columns do not go into [3, 2, 3, 5]");
    CHECK(refusalOf(of(Operator::kSpaceToBatchNd)
                            .int32s({1, 1})
                            .input(integers, {2, 2}, std::vector<int>{-1, 1, 0, 0})
                            .output(real)) ==
          "blocks of 1 rows and 1 columns do not go into [3, 2, 3, 5]");
    CHECK(refusalOf(OperatorCase(Operator::kDepthToSpace)
                            .input(real, {4}, std::vector<float>(4))
                            .int32(2)
                            .output(real)) == "input 0 has rank 1, expected 4");
    CHECK(refusalOf(of(Operator::kDepthToSpace).int32(1).int32(1).output(real)) ==
          "input 2 is int32-scalar, expected bool-scalar");
}

TEST_SUITE_END();
