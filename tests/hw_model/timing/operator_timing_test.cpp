// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/operator_timing.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw_model/regs/operators.h"

namespace vnpu::hw {
namespace {

using Shapes = std::vector<OperandShape>;

// 200 cycles of start-up, 16, 8 and 4 lanes, 16 8-bit and 4 float products, 8 cycles per
// exponential, 4 per serial step.
constexpr DspConfig kDsp;

OperandShape floats(std::initializer_list<std::uint32_t> dimensions) {
    return {.type = TensorType::kFloat32, .dimensions = dimensions};
}

OperandShape bytes(std::initializer_list<std::uint32_t> dimensions) {
    return {.type = TensorType::kQuant8Asymm, .dimensions = dimensions};
}

OperandShape ints(std::initializer_list<std::uint32_t> dimensions) {
    return {.type = TensorType::kInt32, .dimensions = dimensions};
}

OperandShape number(std::int32_t value) {
    return {.type = TensorType::kInt32Scalar,
            .dimensions = {},
            .isValueKnown = true,
            .value = value};
}

OperandShape none() {
    return {.isOmitted = true};
}

std::uint64_t cycles(Operator op, const Shapes& inputs, const Shapes& outputs) {
    return dspCycles(kDsp, operatorWork(op, inputs, outputs));
}

/// The four gates' weights of a cell of 3 units and 2 inputs, without projection or peepholes.
Shapes smallLstm(const OperandShape& input, std::size_t inputs) {
    Shapes shapes(inputs, none());
    shapes[0] = input;
    for (std::size_t gate = 1; gate <= 4; ++gate) {
        shapes[gate] = floats({3, 2});
        shapes[gate + 4] = floats({3, 3});
    }
    return shapes;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/timing/operator_timing");

TEST_CASE("only operators have a formula [E-3]") {
    for (std::uint32_t code = 0; code < 300; ++code) {
        const auto op = static_cast<Operator>(code);
        CHECK_MESSAGE((operatorCostFormula(op) != "?") == isOperator(code), operatorName(op));
    }
}

TEST_CASE("every operator costs at least the start-up, whatever its operands [E-7]") {
    const Shapes operands[] = {{},
                               {none(), none()},
                               {floats({})},
                               {floats({0, 0, 0, 0}), floats({0, 0, 0, 0})},
                               Shapes(61, floats({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF})),
                               Shapes(61, number(-5)),
                               Shapes(61, bytes({7}))};
    for (std::uint32_t code = 0; code < kOperatorCount; ++code) {
        for (const Shapes& inputs : operands) {
            for (const Shapes& outputs : operands) {
                CHECK(cycles(static_cast<Operator>(code), inputs, outputs) >= 200);
            }
        }
    }
}

TEST_CASE("a sum that exceeds a counter saturates") {
    const Shapes huge(3, floats({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}));
    CHECK(cycles(Operator::kPow, huge, huge) == UINT64_MAX);
}

TEST_CASE("lanes and products follow the type [E-3]") {
    const auto add = [](TensorType type) {
        const OperandShape shape{.type = type, .dimensions = {5, 13}};  // 65 elements
        return cycles(Operator::kAdd, {shape, shape}, {shape});
    };
    CHECK(add(TensorType::kQuant8Asymm) == 200 + 5);
    CHECK(add(TensorType::kFloat16) == 200 + 9);
    CHECK(add(TensorType::kQuant16Symm) == 200 + 9);
    CHECK(add(TensorType::kFloat32) == 200 + 17);
    CHECK(add(TensorType::kInt32) == 200 + 17);
    OperatorWork work;
    work.macs = 100;
    const auto products = [&](TensorType type) {
        work.type = type;
        return dspCycles(kDsp, work) - 200;
    };
    CHECK(products(TensorType::kQuant8Symm) == 7);
    CHECK(products(TensorType::kQuant16Symm) == 13);
    CHECK(products(TensorType::kInt32) == 25);
    CHECK(products(TensorType::kFloat16) == 25);
    CHECK(products(TensorType::kFloat32) == 25);
}

TEST_CASE("a conversion uses the lanes of the wider type") {
    CHECK(cycles(Operator::kCast, {bytes({64})}, {floats({64})}) == 200 + 16);
    CHECK(cycles(Operator::kCast, {floats({64})}, {bytes({64})}) == 200 + 16);
    CHECK(cycles(Operator::kEqual, {floats({64}), floats({64})},
                 {{.type = TensorType::kBool8, .dimensions = {64}}}) == 200 + 16);
    CHECK(cycles(Operator::kSelect,
                 {{.type = TensorType::kBool8, .dimensions = {64}}, floats({64}), floats({64})},
                 {floats({64})}) == 200 + 16);
}

TEST_CASE("convolutions count the products of their definition [E-3]") {
    // 2*4*4 pixels of 8 channels, each of 3*3*5 products: 11520 / 4; 256 outputs / 4.
    CHECK(cycles(Operator::kConv2d, {floats({2, 6, 6, 5}), floats({8, 3, 3, 5}), floats({8})},
                 {floats({2, 4, 4, 8})}) == 200 + 2880 + 64);
    // 8 bit: 11520 / 16, 256 / 16.
    CHECK(cycles(Operator::kConv2d, {bytes({2, 6, 6, 5}), bytes({8, 3, 3, 5}), ints({8})},
                 {bytes({2, 4, 4, 8})}) == 200 + 720 + 16);
    // Two groups of 3 channels: 32 outputs of 2*2*3 products.
    CHECK(cycles(Operator::kGroupedConv2d,
                 {floats({1, 3, 3, 6}), floats({8, 2, 2, 3}), floats({8})},
                 {floats({1, 2, 2, 8})}) == 200 + 96 + 8);
    // 36 outputs of 9 products.
    CHECK(cycles(Operator::kDepthwiseConv2d,
                 {floats({1, 5, 5, 2}), floats({1, 3, 3, 4}), floats({4})},
                 {floats({1, 3, 3, 4})}) == 200 + 81 + 9);
    // 12 inputs into 5 channels of 2*2 taps.
    CHECK(cycles(Operator::kTransposeConv2d,
                 {floats({1, 2, 2, 3}), floats({5, 2, 2, 3}), floats({5})},
                 {floats({1, 4, 4, 5})}) == 200 + 60 + 20);
    CHECK(cycles(Operator::kFullyConnected, {floats({2, 10}), floats({6, 10}), floats({6})},
                 {floats({2, 6})}) == 200 + 30 + 3);
}

TEST_CASE("recurrent cells use every weight once per step and batch [E-3]") {
    // 4 * (6 + 9) weights; 3 units of 8 + 80 cycles, in one group of lanes.
    const Shapes cell = smallLstm(floats({1, 2}), 23);
    CHECK(cycles(Operator::kLstm, cell, {}) == 200 + 15 + 88);
    // Five steps of two batches: ten times the weights, 30 units in 8 groups.
    CHECK(cycles(Operator::kUnidirectionalSequenceLstm, smallLstm(floats({5, 2, 2}), 24), {}) ==
          200 + 150 + 8 * 88);
    // Coupled gates leave out a quarter of the weights.
    Shapes coupled = cell;
    coupled[1] = coupled[5] = none();
    CHECK(cycles(Operator::kLstm, coupled, {}) == 200 + 12 + 88);
    // Projection of 3 units to 2, and four normalized gates.
    Shapes rich = smallLstm(floats({1, 2}), 27);
    rich[16] = floats({2, 3});
    rich[23] = rich[24] = rich[25] = rich[26] = floats({3});
    CHECK(cycles(Operator::kLstm, rich, {}) == 200 + 17 + 88 + 16);
    // RNN of 4 units: 2 * (4*3 + 4*4) products; 8 units of 1 + 16 cycles.
    CHECK(cycles(Operator::kRnn, {floats({2, 3}), floats({4, 3}), floats({4, 4})}, {}) ==
          200 + 14 + 34);
    // SVDF: 3 batches of 4 filters of 5 inputs and 6 steps of memory.
    CHECK(cycles(Operator::kSvdf, {floats({3, 5}), floats({4, 5}), floats({4, 6})},
                 {floats({3, 8}), floats({3, 2})}) == 200 + 33 + 8);
}

TEST_CASE("both directions of a sequence count, with their additional work [E-3]") {
    Shapes two = smallLstm(floats({1, 1, 2}), 61);
    for (std::size_t i = 1; i <= 8; ++i) {
        two[17 + i] = two[i];
    }
    CHECK(cycles(Operator::kBidirectionalSequenceLstm, two, {}) == 200 + 30 + 2 * 88);
    for (std::size_t i = 40; i < 48; ++i) {
        two[i] = floats({3, 2});
    }
    CHECK(cycles(Operator::kBidirectionalSequenceLstm, two, {}) == 200 + 42 + 2 * 88);
    Shapes plain(15, none());
    plain[0] = floats({2, 1, 3});
    plain[1] = plain[5] = floats({4, 3});
    plain[2] = plain[6] = floats({4, 4});
    CHECK(cycles(Operator::kBidirectionalSequenceRnn, plain, {}) == 200 + 28 + 68);
}

TEST_CASE("look-ups and sorts count serial steps [E-3]") {
    CHECK(cycles(Operator::kTopkV2, {floats({3, 100}), number(5)},
                 {floats({3, 5}), ints({3, 5})}) == 200 + 4 * 3 * 100 * 7);
    CHECK(cycles(Operator::kEmbeddingLookup, {ints({6}), floats({50, 8})}, {floats({6, 8})}) ==
          200 + 12 + 6 * 4);
    CHECK(cycles(Operator::kHashtableLookup, {ints({6}), ints({64}), floats({64, 8})},
                 {floats({6, 8}), bytes({6})}) == 200 + 14 + 6 * 6 * 4);
    CHECK(cycles(Operator::kLshProjection, {floats({4, 2}), ints({3, 2})}, {ints({8})}) ==
          200 + 8 * 6 * 4);
    CHECK(cycles(Operator::kRandomMultinomial, {floats({2, 16}), number(5)}, {ints({2, 5})}) ==
          200 + 8 * 9 + 10 * 14 * 4);
}

TEST_CASE("of a table only the rows that are looked up are read [E-3]") {
    // Rows that are read, and the bytes of the others.
    using Read = std::pair<std::uint64_t, std::uint64_t>;
    const auto read = [](Operator op, const Shapes& inputs, const Shapes& outputs) {
        const OperatorWork work = operatorWork(op, inputs, outputs);
        return Read(work.rowsRead, work.unreadBytes);
    };
    CHECK(read(Operator::kEmbeddingLookup, {ints({6}), floats({50, 8})}, {floats({6, 8})}) ==
          Read(6, 44 * 8 * 4));
    CHECK(read(Operator::kEmbeddingLookup, {ints({6}), bytes({50, 8})}, {bytes({6, 8})}) ==
          Read(6, 44 * 8));
    // Rows that are read several times count each time, up to the whole table.
    CHECK(read(Operator::kEmbeddingLookup, {ints({60}), floats({50, 8})}, {floats({60, 8})}) ==
          Read(60, 0));
    CHECK(read(Operator::kHashtableLookup, {ints({6}), ints({64}), floats({64, 8})},
               {floats({6, 8}), bytes({6})}) == Read(6, 58 * 8 * 4));
    CHECK(read(Operator::kGather, {floats({7, 5}), number(0), ints({3})}, {floats({3, 5})}) ==
          Read(3, 4 * 5 * 4));
    CHECK(read(Operator::kTopkV2, {floats({3, 100}), number(5)}, {floats({3, 5}), ints({3, 5})}) ==
          Read(0, 0));
}

TEST_CASE("in the worst case every box is compared with every other [E-3]") {
    // 8 boxes, 2 classes: 16 thresholds, 128 pairs of 8 + 8 cycles, sorts of 8*3.
    CHECK(cycles(Operator::kBoxWithNmsLimit, {floats({8, 2}), floats({8, 8}), ints({8})}, {}) ==
          200 + 4 + 32 * 16 + 2 * 24 * 4);
    const Shapes detections = {floats({1, 8, 3}), floats({1, 8, 4}), floats({8, 4})};
    // Regular: a list per class.
    CHECK(cycles(Operator::kDetectionPostprocessing, detections, {}) ==
          200 + 8 * 12 + 6 + 48 * 16 + 3 * 24 * 4);
    Shapes fast = detections;
    fast.resize(7, none());
    fast.push_back({.type = TensorType::kBoolScalar, .isValueKnown = true, .value = 0});
    CHECK(cycles(Operator::kDetectionPostprocessing, fast, {}) ==
          200 + 8 * 12 + 6 + 16 * 16 + 24 * 4);
    // 2*2 places of 2 anchors, 4 of which go into the suppression.
    CHECK(cycles(Operator::kGenerateProposals,
                 {floats({1, 2, 2, 2}), floats({1, 2, 2, 8}), floats({2, 4}), floats({1, 2}),
                  none(), none(), number(4)},
                 {}) == 200 + 8 * 12 + 4 * 16 + 24 * 4);
    CHECK(cycles(Operator::kAxisAlignedBboxTransform, {floats({2, 4}), floats({2, 8})},
                 {floats({2, 8})}) == 200 + 4 * 12);
}

TEST_CASE("regions count their samples [E-3]") {
    const Shapes given = {floats({1, 8, 8, 2}),
                          floats({3, 4}),
                          ints({3}),
                          number(2),
                          number(2),
                          none(),
                          none(),
                          number(2),
                          number(3)};
    CHECK(cycles(Operator::kRoiAlign, given, {floats({3, 2, 2, 2})}) == 200 + 36 * 4 + 6 * 8);
    Shapes adaptive = given;
    adaptive[7] = adaptive[8] = number(0);  // 8 / 2 pixels each way
    CHECK(cycles(Operator::kRoiAlign, adaptive, {floats({3, 2, 2, 2})}) == 200 + 96 * 4 + 6 * 8);
    CHECK(cycles(Operator::kRoiPooling, given, {floats({3, 2, 2, 2})}) == 200 + 96);
    CHECK(cycles(Operator::kHeatmapMaxKeypoint, {floats({2, 4, 4, 3}), floats({2, 4})},
                 {floats({2, 3}), floats({2, 3, 2})}) == 200 + 24 + 2 * 56);
}

TEST_CASE("normalizations count their passes [E-3]") {
    CHECK(cycles(Operator::kL2Normalization, {floats({4, 8})}, {floats({4, 8})}) ==
          200 + 8 * 2 + 16);
    CHECK(cycles(Operator::kL2Normalization, {floats({4, 8}), number(0)}, {floats({4, 8})}) ==
          200 + 8 * 2 + 2 * 16);
    CHECK(cycles(Operator::kLocalResponseNormalization, {floats({1, 1, 1, 8}), number(2)},
                 {floats({1, 1, 1, 8})}) == 200 + 10 + 2 * 17);
    CHECK(cycles(Operator::kInstanceNormalization, {floats({2, 3, 3, 4})},
                 {floats({2, 3, 3, 4})}) == 200 + 18 * 4 + 2 * 16);
    CHECK(cycles(Operator::kRank, {floats({2, 3, 3, 4})}, {number(4)}) == 200);
    CHECK(cycles(Operator::kFill, {ints({2})}, {floats({40})}) == 200 + 10);
}

TEST_SUITE_END();

}  // namespace vnpu::hw
