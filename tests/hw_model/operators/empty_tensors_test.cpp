// SPDX-License-Identifier: Apache-2.0
// Tensors without elements whose other dimensions are as large as possible: products of dimensions
// must neither overflow in kernels nor exceed memory.
#include <doctest/doctest.h>

#include "tests/hw_model/operators/moved_elements.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::Operator;
using hw::TensorType;

constexpr std::uint32_t kMostExtent = 0xFFFFFFFF;

const OperandKind kByte{TensorType::kQuant8Asymm, 0.5F, 3};

OperatorCase callOn(Operator op, const Dimensions& dimensions) {
    OperatorCase call(op);
    call.input(kByte, dimensions, std::vector<std::uint8_t>());
    return call;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE(
        "movement operators accept tensors without elements but with huge other dimensions [E-8]") {
    const Dimensions wide{0, kMostExtent, kMostExtent, kMostExtent};
    CHECK(makes(callOn(Operator::kTranspose, wide).int32s({1, 0, 3, 2}).output(kByte),
                {kMostExtent, 0, kMostExtent, kMostExtent}));
    CHECK(makes(callOn(Operator::kTile, wide).int32s({7, 1, 1, 1}).output(kByte), wide));
    CHECK(makes(callOn(Operator::kChannelShuffle, wide).int32(3).int32(2).output(kByte), wide));
    CHECK(makes(callOn(Operator::kReshape, wide).int32s({0}).output(kByte), {0}));
    CHECK(makes(callOn(Operator::kExpandDims, wide).int32(1).output(kByte),
                {0, 1, kMostExtent, kMostExtent, kMostExtent}));
    CHECK(makes(callOn(Operator::kConcatenation, wide)
                        .input(kByte, wide, std::vector<std::uint8_t>())
                        .int32(0)
                        .output(kByte),
                wide));
    CHECK(makes(callOn(Operator::kPad, {0, kMostExtent, kMostExtent})
                        .input(kInteger, {3, 2}, std::vector<int>(6))
                        .output(kByte),
                {0, kMostExtent, kMostExtent}));
    CHECK(makes(callOn(Operator::kSlice, wide)
                        .int32s({0, 5, 5, 5})
                        .int32s({0, -1, 1, INT32_MAX})
                        .output(kByte),
                {0, kMostExtent - 5, 1, INT32_MAX}));
    CHECK(makes(callOn(Operator::kStridedSlice, wide)
                        .int32s({0, 5, 5, -1})
                        .int32s({0, INT32_MAX, 6, INT32_MIN})
                        .int32s({1, 1, 1, -1})
                        .int32(0)
                        .int32(0)
                        .int32(4)
                        .output(kByte),
                {0, INT32_MAX - 5, INT32_MAX}));
    CHECK(makes(callOn(Operator::kSplit, wide).int32(1).int32(1).output(kByte), wide));
    CHECK(makes(callOn(Operator::kGather, wide).int32(2).int32s({0, 7}).output(kByte),
                {0, kMostExtent, 2, kMostExtent}));
    CHECK(makes(callOn(Operator::kTopkV2, wide).int32(9).output(kByte).output(kInteger),
                {0, kMostExtent, kMostExtent, 9}));
    CHECK(makes(OperatorCase(Operator::kEmbeddingLookup)
                        .int32s({})
                        .input(kByte, wide, std::vector<std::uint8_t>())
                        .output(kByte),
                wide));
}

TEST_CASE("a tensor that is repeated beyond all memory is refused without overflow [E-8]") {
    OperatorCase call(Operator::kTile);
    call.input(kByte, {3, 1, 1}, std::vector<std::uint8_t>{1, 2, 3});
    call.int32s({1, INT32_MAX, INT32_MAX});
    CHECK(refusalOf(call.output(kByte)).find("output 0 has ") == 0);
}

TEST_CASE("images without elements are processed or refused without overflow [E-8]") {
    const Dimensions wide{0, kMostExtent, kMostExtent, kMostExtent};
    for (const bool isNchw : {false, true}) {
        CHECK(makes(callOn(Operator::kDepthToSpace, wide).int32(1).flag(isNchw).output(kByte),
                    wide));
        CHECK(makes(callOn(Operator::kSpaceToDepth, wide).int32(1).flag(isNchw).output(kByte),
                    wide));
        CHECK(makes(
                callOn(Operator::kBatchToSpaceNd, wide).int32s({1, 1}).flag(isNchw).output(kByte),
                wide));
        CHECK(makes(callOn(Operator::kSpaceToBatchNd, wide)
                            .int32s({1, 1})
                            .input(kInteger, {2, 2}, std::vector<int>(4))
                            .flag(isNchw)
                            .output(kByte),
                    wide));
        const auto resized =
                isNchw ? Dimensions{0, kMostExtent, 9, 8} : Dimensions{0, 9, 8, kMostExtent};
        for (const Operator op : {Operator::kResizeBilinear, Operator::kResizeNearestNeighbor}) {
            CHECK(makes(callOn(op, wide).int32(8).int32(9).flag(isNchw).output(kByte), resized));
        }
        OperatorCase pooled = callOn(Operator::kRoiPooling, wide);
        pooled.input({TensorType::kQuant16Asymm, 0.125F, 0}, {0, 4}, std::vector<std::uint16_t>());
        pooled.int32s({}).int32(9).int32(8).real(1).real(1).flag(isNchw);
        CHECK(makes(pooled.output(kByte), resized));
    }
    CHECK(refusalOf(callOn(Operator::kDepthToSpace, wide).int32(5).output(kByte)) ==
          "blocks of 5 rows and 5 columns do not go into [0, 4294967295, 4294967295, 4294967295]");
}

TEST_SUITE_END();
