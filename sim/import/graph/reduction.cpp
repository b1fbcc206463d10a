// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/movement.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

// chosen: the matrix of a running sum then has at most 16 MiB
constexpr std::uint32_t kLongestSum = 2048;

double startOf(Reduction op) {
    switch (op) {
        case Reduction::kProd:
            return 1.0;
        case Reduction::kMax:
            return -HUGE_VAL;
        case Reduction::kMin:
            return HUGE_VAL;
        case Reduction::kAll:
            return 1.0;
        default:
            return 0.0;
    }
}

double joined(Reduction op, double sum, double next) {
    switch (op) {
        case Reduction::kProd:
            return sum * next;
        case Reduction::kMax:
            return std::max(sum, next);
        case Reduction::kMin:
            return std::min(sum, next);
        case Reduction::kAll:
            return sum != 0.0 && next != 0.0 ? 1.0 : 0.0;
        case Reduction::kAny:
            return sum != 0.0 || next != 0.0 ? 1.0 : 0.0;
        case Reduction::kL2:
            return sum + next * next;
        default:
            return sum + next;
    }
}

Value foldedReduction(Reduction op, const Value& value, const std::vector<bool>& isReduced,
                      const Dims& kept, const Dims& dims, const Form& form) {
    std::vector<double> sums(elementCount(kept), startOf(op));
    std::vector<std::uint32_t> position(value.rank(), 0);
    for (const double number : realsOf(value)) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < value.rank(); ++i) {
            at = at * kept[i] + (isReduced[i] ? 0 : position[i]);
        }
        sums[at] = joined(op, sums[at], number);
        for (std::size_t i = value.rank(); i > 0 && ++position[i - 1] == value.dims[i - 1]; --i) {
            position[i - 1] = 0;
        }
    }
    const double count = static_cast<double>(value.count()) / static_cast<double>(sums.size());
    for (double& sum : sums) {
        sum = op == Reduction::kMean ? sum / count : op == Reduction::kL2 ? std::sqrt(sum) : sum;
        if (form.isInteger()) {
            sum = std::trunc(sum);
        }
    }
    return constantFrom(form, dims, sums);
}

Type typeOf(Reduction op) {
    switch (op) {
        case Reduction::kMean:
            return Type::MEAN;
        case Reduction::kProd:
            return Type::REDUCE_PROD;
        case Reduction::kMax:
            return Type::REDUCE_MAX;
        case Reduction::kMin:
            return Type::REDUCE_MIN;
        case Reduction::kAll:
            return Type::REDUCE_ALL;
        case Reduction::kAny:
            return Type::REDUCE_ANY;
        default:
            return Type::REDUCE_SUM;
    }
}

/// The form in which NNAPI reduces `value`.
Form reducedForm(Reduction op, const Value& value, const Form& form) {
    if (op == Reduction::kAll || op == Reduction::kAny) {
        return kTruth;
    }
    const bool takesQuantized =
            op == Reduction::kMean || op == Reduction::kMax || op == Reduction::kMin;
    return takesQuantized && form.isQuantized() && value.form == form ? form : kReal;
}

Value emitReduction(Emitter& emitter, Reduction op, const Value& value,
                    std::span<const std::uint32_t> axes, bool keepDims, const Dims& dims) {
    ModelBuilder& builder = emitter.builder();
    const Index axisOperand = emitter.integers(axes);
    const Index keep =
            op == Reduction::kMean ? builder.addInt32(keepDims ? 1 : 0) : builder.addBool(keepDims);
    return emitter.emit(typeOf(op), {emitter.operand(value), axisOperand, keep}, value.form, dims);
}

/// The value with its reduced dimensions behind the others.
Value sortedForReduction(Emitter& emitter, const Value& value, const std::vector<bool>& isReduced) {
    std::vector<std::uint32_t> order(value.rank());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_partition(order.begin(), order.end(),
                          [&](std::uint32_t axis) { return !isReduced[axis]; });
    return transpose(emitter, value, order);
}

std::vector<std::uint32_t> inverseOrder(std::span<const std::uint32_t> order) {
    std::vector<std::uint32_t> inverse(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        inverse[order[i]] = i;
    }
    return inverse;
}

}  // namespace

Value reduce(Emitter& emitter, Reduction op, const Value& value,
             std::span<const std::uint32_t> axes, bool keepDims, const Form& form) {
    std::vector<bool> isReduced(value.rank(), false);
    for (const std::uint32_t axis : axes) {
        isReduced[axis] = true;
    }
    Dims kept = value.dims, dims;
    std::vector<std::uint32_t> distinct;
    for (std::uint32_t i = 0; i < value.rank(); ++i) {
        kept[i] = isReduced[i] ? 1 : value.dims[i];
        if (!isReduced[i] || keepDims) {
            dims.push_back(kept[i]);
        }
    }
    for (const std::uint32_t axis : axes) {
        if (isReduced[axis]) {
            distinct.push_back(axis);
            isReduced[axis] = false;
        }
    }
    for (const std::uint32_t axis : axes) {
        isReduced[axis] = true;
    }
    if (value.isConstant() && elementCount(dims) != 0) {
        return foldedReduction(op, value, isReduced, kept, dims, form);
    }
    if (distinct.empty()) {
        return convert(emitter, value, form);
    }
    const Form inner = reducedForm(op, value, form);
    Value operand = convert(emitter, value, inner);
    if (op == Reduction::kL2) {
        operand = unary(emitter, Unary::kSquare, operand, kReal);
    }
    Value result;
    if (value.rank() <= kMaxRank) {
        result = emitReduction(emitter, op, operand, distinct, keepDims, dims);
    } else {
        const auto outer = static_cast<std::uint32_t>(elementCount(kept));
        const auto each = static_cast<std::uint32_t>(value.count() / outer);
        const Value rows =
                reshape(emitter, sortedForReduction(emitter, operand, isReduced), {outer, each});
        constexpr std::uint32_t kLast[] = {1};
        result = reshape(emitter, emitReduction(emitter, op, rows, kLast, false, {outer}), dims);
    }
    if (op == Reduction::kL2) {
        result = unary(emitter, Unary::kSqrt, result, kReal);
    }
    return convert(emitter, result, form);
}

Value argExtreme(Emitter& emitter, const Value& value, std::uint32_t axis, bool isMax,
                 bool keepDims) {
    Dims dims = value.dims;
    if (keepDims) {
        dims[axis] = 1;
    } else {
        dims.erase(dims.begin() + axis);
    }
    const Value operand = value.form.isTruth() ? cast(emitter, value, kInteger) : value;
    const auto part = [&](std::size_t first, std::size_t end) {
        std::uint32_t count = 1;
        for (std::size_t i = first; i < end; ++i) {
            count *= value.dims[i];
        }
        return count;
    };
    const bool isFlat = value.rank() > kMaxRank;
    const Dims seen = {part(0, axis), value.dims[axis], part(axis + 1, value.rank())};
    Dims found = value.dims;
    found.erase(found.begin() + axis);
    const Value result =
            emitter.emit(isMax ? Type::ARGMAX : Type::ARGMIN,
                         {isFlat ? emitter.operandAs(operand, seen) : emitter.operand(operand),
                          emitter.builder().addInt32(isFlat ? 1 : static_cast<std::int32_t>(axis))},
                         kInteger, isFlat ? Dims{seen[0], seen[2]} : found);
    return dims == result.dims ? result : reshape(emitter, result, dims);
}

std::vector<Value> topK(Emitter& emitter, const Value& value, std::uint32_t k) {
    if (value.rank() == 0 || k > value.dims.back() || k == 0) {
        throw Refusal(
                fmt::format("takes the {} greatest of {}", k, describeDimensions(value.dims)));
    }
    Dims dims = value.dims;
    dims.back() = k;
    const Dims rows = {static_cast<std::uint32_t>(value.count() / value.dims.back()),
                       value.dims.back()};
    const bool isFlat = value.rank() > kMaxRank;
    const Dims found = isFlat ? Dims{rows[0], k} : dims;
    std::vector<Value> results =
            emitter.emit(Type::TOPK_V2,
                         {isFlat ? emitter.operandAs(value, rows) : emitter.operand(value),
                          emitter.builder().addInt32(static_cast<std::int32_t>(k))},
                         std::vector<Emitter::Result>{{value.form, found}, {kInteger, found}});
    for (Value& result : results) {
        result.dims = dims;
    }
    return results;
}

Value cumulativeSum(Emitter& emitter, const Value& value, std::uint32_t axis, bool isExclusive,
                    bool isReversed, const Form& form) {
    const std::uint32_t length = value.dims[axis];
    if (length > kLongestSum) {
        throw Refusal(
                fmt::format("sums along {} elements, expected at most {}", length, kLongestSum));
    }
    if (value.count() == 0) {
        return convert(emitter, value, form);
    }
    // The running sum is a product with a matrix of zeros and ones.
    std::vector<float> counts(std::size_t{length} * length, 0.0F);
    for (std::uint32_t to = 0; to < length; ++to) {
        for (std::uint32_t from = 0; from < length; ++from) {
            const bool isCounted = isReversed ? from > to : from < to;
            counts[std::size_t{to} * length + from] =
                    isCounted || (from == to && !isExclusive) ? 1.0F : 0.0F;
        }
    }
    std::vector<std::uint32_t> order(value.rank());
    std::iota(order.begin(), order.end(), 0U);
    order.erase(order.begin() + axis);
    order.push_back(axis);
    const Value sorted = transpose(emitter, toReal(emitter, value), order);
    const auto rows = static_cast<std::uint32_t>(value.count() / length);
    if (sorted.isConstant()) {
        std::vector<double> sums(sorted.count(), 0.0);
        const std::vector<double> numbers = realsOf(sorted);
        for (std::size_t at = 0; at < sums.size(); ++at) {
            const std::size_t row = at / length * length;
            for (std::uint32_t from = 0; from < length; ++from) {
                sums[at] += double{counts[at % length * length + from]} * numbers[row + from];
            }
        }
        const Value folded = constantFrom(kReal, sorted.dims, sums);
        return convert(emitter, transpose(emitter, folded, inverseOrder(order)), form);
    }
    const Value weights = realConstant({length, length}, counts);
    const Value bias = filled(kReal, {length}, 0.0);
    Value sums = emitter.emit(Type::FULLY_CONNECTED,
                              {emitter.operandAs(sorted, {rows, length}), emitter.operand(weights),
                               emitter.operand(bias), emitter.builder().addInt32(0)},
                              kReal, {rows, length});
    sums = reshape(emitter, sums, sorted.dims);
    return convert(emitter, transpose(emitter, sums, inverseOrder(order)), form);
}

}  // namespace vnpu::sim::graph
