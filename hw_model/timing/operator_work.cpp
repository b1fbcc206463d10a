// SPDX-License-Identifier: Apache-2.0
// Operators on elements, lines and windows: element by element, reductions, normalizations, pools,
// resizes, and all operators that only move elements.
#include "hw_model/timing/operator_work.h"

#include <algorithm>

namespace vnpu::hw::work {
namespace {

/// The number of lines along the axis in scalar input `i`.
std::uint64_t lines(const Operands& operands, std::size_t i) {
    const std::uint64_t axis = operands.axis(i);
    return axis == 0 ? 0 : operands.n() / axis;
}

OperatorWork gather(const Operands& operands) {
    constexpr std::size_t kIndexes = 2;
    return perRowRead(operands, kIndexes);
}

OperatorWork nothing(const Operands& /*operands*/) {
    return {};
}

/// One step per element of the data input.
OperatorWork perInput(const Operands& operands) {
    OperatorWork work;
    work.passes[0] = {operands.n(), 1, 0};
    return work;
}

/// A function of one element; one step for 8 bits.
template <std::uint64_t steps, std::uint64_t exponentials>
OperatorWork function(const Operands& operands) {
    return operands.isByte() ? perOutput<>(operands) : perOutput<steps, exponentials>(operands);
}

/// The number of elements in a window. Explicit padding has eight integers and the activation after
/// the input, implicit padding has five.
std::uint64_t window(const Operands& operands) {
    constexpr std::size_t kExplicitInputs = 10;
    const std::size_t width = operands.count() >= kExplicitInputs ? 7 : 4;
    return times(operands.factor(width), operands.factor(width + 1));
}

template <std::uint64_t exponentials>
OperatorWork pool(const Operands& operands) {
    OperatorWork work;
    work.passes[0] = {times(operands.m(), window(operands)), 1, 0};
    work.passes[1] = {exponentials == 0 ? 0 : operands.m(), 0, exponentials};
    return work;
}

OperatorWork mean(const Operands& operands) {
    OperatorWork work;
    work.passes[0] = {operands.n(), 1, 0};
    work.passes[1] = {operands.m(), 0, 1};
    return work;
}

OperatorWork softmax(const Operands& operands) {
    OperatorWork work;
    constexpr std::size_t kAxis = 2;
    work.passes[0] = {operands.n(), 3, 1};  // greatest, exponentials and their sum, scaling
    work.passes[1] = {lines(operands, kAxis), 0, 1};
    return work;
}

OperatorWork l2Normalization(const Operands& operands) {
    OperatorWork work;
    constexpr std::size_t kAxis = 1;
    work.passes[0] = {operands.n(), 2, 0};            // squares and their sum, scaling
    work.passes[1] = {lines(operands, kAxis), 0, 2};  // root, reciprocal
    return work;
}

OperatorWork localResponse(const Operands& operands) {
    OperatorWork work;
    constexpr std::size_t kRadius = 1;
    const std::uint64_t neighbors = plus(times(2, operands.factor(kRadius)), 1);
    work.passes[0] = {times(operands.n(), neighbors), 1, 0};
    work.passes[1] = {operands.n(), 1, 2};  // a power, scaling
    return work;
}

OperatorWork instanceNormalization(const Operands& operands) {
    OperatorWork work;
    constexpr std::size_t kIsChannelsFirst = 4;
    const std::uint64_t channels = operands.n(operands.value(kIsChannelsFirst, 0) != 0 ? 1 : 3);
    work.passes[0] = {operands.n(), 4, 0};  // sum, squares and their sum, product, addition
    work.passes[1] = {times(operands.n(0), channels), 0, 2};
    return work;
}

constexpr std::string_view kTable = "m/L*(1 + E); 8 bit: m/L";
constexpr std::string_view kLongTable = "m/L*(1 + 2E); 8 bit: m/L";

using enum Operator;

constexpr OperatorCost kElementCosts[] = {
        // One step per element of the outputs.
        {kAdd},
        {kConcatenation},
        {kDepthToSpace},
        {kDequantize},
        {kFloor},
        {kMul},
        {kRelu},
        {kRelu1},
        {kRelu6},
        {kReshape},
        {kSpaceToDepth},
        {kBatchToSpaceNd},
        {kPad},
        {kSpaceToBatchNd},
        {kSqueeze},
        {kStridedSlice},
        {kSub},
        {kTranspose},
        {kAbs},
        {kCast},
        {kChannelShuffle},
        {kEqual},
        {kExpandDims},
        {kGather, gather},
        {kGreater},
        {kGreaterEqual},
        {kLess},
        {kLessEqual},
        {kLogicalAnd},
        {kLogicalNot},
        {kLogicalOr},
        {kMaximum},
        {kMinimum},
        {kNeg},
        {kNotEqual},
        {kPadV2},
        {kQuantize},
        {.op = kSelect, .data = 1},
        {kSlice},
        {kSplit},
        {kTile},
        {kResizeNearestNeighbor},
        {kFill},

        {kAveragePool2d, pool<1>, "m*window/L + m/L*E"},
        {kL2Normalization, l2Normalization, "n/L*2 + n/axis/L*2E"},
        {kL2Pool2d, pool<2>, "m*window/L + m/L*2E"},
        {kLocalResponseNormalization, localResponse, "n*(2*radius + 1)/L + n/L*(1 + 2E)"},
        {kLogistic, function<1, 2>, kLongTable},
        {kMaxPool2d, pool<0>, "m*window/L"},
        {kResizeBilinear, perOutput<4>, "m/L*4"},
        {kSoftmax, softmax, "n/L*(3 + E) + n/axis/L*E"},
        {kTanh, function<1, 2>, kLongTable},
        {kDiv, perOutput<1, 1>, "m/L*(1 + E)"},
        {kMean, mean, "n/L + m/L*E"},
        {kArgmax, perInput, "n/L"},
        {kArgmin, perInput, "n/L"},
        {kExp, function<1, 1>, kTable},
        {kInstanceNormalization, instanceNormalization, "n/L*4 + batches*channels/L*2E"},
        {kLog, function<1, 1>, kTable},
        {kLogSoftmax, softmax, "n/L*(3 + E) + n/axis/L*E"},
        {kPow, perOutput<1, 2>, "m/L*(1 + 2E)"},
        {kPrelu, perOutput<2>, "m/L*2"},
        {kReduceAll, perInput, "n/L"},
        {kReduceAny, perInput, "n/L"},
        {kReduceMax, perInput, "n/L"},
        {kReduceMin, perInput, "n/L"},
        {kReduceProd, perInput, "n/L"},
        {kReduceSum, perInput, "n/L"},
        {kRsqrt, function<1, 2>, kLongTable},
        {kSin, function<1, 1>, kTable},
        {kSqrt, function<1, 1>, kTable},
        {kElu, function<1, 1>, kTable},
        {kHardSwish, function<3, 0>, "m/L*3; 8 bit: m/L"},
        {kRank, nothing, "0"},
};

}  // namespace

std::uint64_t Operands::axis(std::size_t i) const {
    if (!isThere(data_) || inputs_[data_].dimensions.rank() == 0) {
        return 1;
    }
    const auto rank = static_cast<std::int64_t>(inputs_[data_].dimensions.rank());
    std::int64_t axis = value(i, -1);
    axis = axis < 0 ? axis + rank : axis;
    return n(static_cast<std::size_t>(axis >= 0 && axis < rank ? axis : rank - 1));
}

std::uint64_t Operands::m() const {
    std::uint64_t sum = 0;
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
        sum = plus(sum, m(o));
    }
    return sum;
}

OperatorWork perRowRead(const Operands& operands, std::size_t indexes) {
    OperatorWork work = perOutput<>(operands);
    const std::uint64_t read = std::min(operands.n(), operands.m(0));
    work.rowsRead = operands.elements(indexes);
    work.unreadBytes = times(operands.n() - read, elementBytes(operands.type(operands.data())));
    return work;
}

std::span<const OperatorCost> elementCosts() {
    return kElementCosts;
}

}  // namespace vnpu::hw::work
