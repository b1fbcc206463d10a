// SPDX-License-Identifier: Apache-2.0
// Element-wise operators, reductions, normalisations, pools, resizes.
#include "hw_model/timing/operator_work.h"

namespace vnpu::hw::work {
namespace {

/// Sums or lines along the axis that input `i` tells.
std::uint64_t lines(const Operands& operands, std::size_t i) {
    const std::uint64_t axis = operands.axis(i);
    return axis == 0 ? 0 : operands.n() / axis;
}

/// A function of one element: a table step for 8 bits.
OperatorWork function(const Operands& operands, std::uint64_t steps, std::uint64_t exponentials) {
    OperatorWork work;
    work.passes[0] = operands.isByte() ? LanePass{operands.m(), 1, 0}
                                       : LanePass{operands.m(), steps, exponentials};
    return work;
}

/// Elements of a window. Explicit padding: eight integers and the activation behind the input,
/// implicit padding: five.
std::uint64_t window(const Operands& operands) {
    constexpr std::size_t kExplicitInputs = 10;
    const std::size_t width = operands.count() >= kExplicitInputs ? 7 : 4;
    return times(operands.factor(width), operands.factor(width + 1));
}

OperatorWork pool(const Operands& operands, std::uint64_t exponentials) {
    OperatorWork work;
    work.passes[0] = {times(operands.m(), window(operands)), 1, 0};
    work.passes[1] = {exponentials == 0 ? 0 : operands.m(), 0, exponentials};
    return work;
}

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

OperatorWork nothing(const Operands& /*operands*/) {
    return {};
}

OperatorWork perOutput(const Operands& operands) {
    OperatorWork work;
    work.passes[0] = {operands.m(), 1, 0};
    return work;
}

OperatorWork perInput(const Operands& operands) {
    OperatorWork work;
    work.passes[0] = {operands.n(), 1, 0};
    return work;
}

OperatorWork divided(const Operands& operands) {
    OperatorWork work;
    work.passes[0] = {operands.m(), 1, 1};
    return work;
}

OperatorWork power(const Operands& operands) {
    OperatorWork work;
    work.passes[0] = {operands.m(), 1, 2};
    return work;
}

OperatorWork twoSteps(const Operands& operands) {
    OperatorWork work;
    work.passes[0] = {operands.m(), 2, 0};
    return work;
}

OperatorWork hardSwish(const Operands& operands) {
    return function(operands, 3, 0);
}

OperatorWork oneExponential(const Operands& operands) {
    return function(operands, 1, 1);
}

OperatorWork twoExponentials(const Operands& operands) {
    return function(operands, 1, 2);
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
    const std::uint64_t neighbours = plus(times(2, operands.factor(kRadius)), 1);
    work.passes[0] = {times(operands.n(), neighbours), 1, 0};
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

OperatorWork averagePool(const Operands& operands) {
    return pool(operands, 1);
}

OperatorWork maxPool(const Operands& operands) {
    return pool(operands, 0);
}

OperatorWork l2Pool(const Operands& operands) {
    return pool(operands, 2);
}

OperatorWork bilinear(const Operands& operands) {
    OperatorWork work;
    work.passes[0] = {operands.m(), 4, 0};
    return work;
}

}  // namespace vnpu::hw::work
