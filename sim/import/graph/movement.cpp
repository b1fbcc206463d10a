// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/movement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

Value withDims(Value value, Dims dims) {
    value.dims = std::move(dims);
    return value;
}

std::vector<std::uint64_t> stridesOf(const Dims& dims) {
    std::vector<std::uint64_t> strides(dims.size(), 1);
    for (std::size_t i = dims.size(); i > 1; --i) {
        strides[i - 2] = strides[i - 1] * dims[i - 1];
    }
    return strides;
}

/// A constant of shape `dims` whose element at a position is the element of `value` at
/// start + position * step, in elements.
Value pick(const Value& value, const Dims& dims, std::int64_t start,
           const std::vector<std::int64_t>& step) {
    const std::size_t size = elementBytes(value.form.type);
    Bytes bytes(elementCount(dims) * size);
    std::vector<std::uint32_t> position(dims.size(), 0);
    std::int64_t from = start;
    for (std::size_t to = 0; to < bytes.size(); to += size) {
        std::memcpy(bytes.data() + to, value.bytes->data() + static_cast<std::size_t>(from) * size,
                    size);
        for (std::size_t i = dims.size(); i > 0; --i) {
            from += step[i - 1];
            if (++position[i - 1] < dims[i - 1]) {
                break;
            }
            from -= step[i - 1] * dims[i - 1];
            position[i - 1] = 0;
        }
    }
    Value result = constantOf(value.form, dims, std::move(bytes));
    result.name = value.name;
    return result;
}

}  // namespace

std::uint32_t elementsIn(const Dims& dims, std::size_t first, std::size_t end) {
    return std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(first),
                           dims.begin() + static_cast<std::ptrdiff_t>(end), std::uint32_t{1},
                           std::multiplies<>());
}

Dims aroundAxis(const Dims& dims, std::size_t axis) {
    return {elementsIn(dims, 0, axis), dims[axis], elementsIn(dims, axis + 1, dims.size())};
}

Dims resolveShape(const Dims& from, std::span<const std::int64_t> shape) {
    const std::uint64_t count = elementCount(from);
    Dims dims;
    std::optional<std::size_t> open;
    std::uint64_t known = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == -1 && !open) {
            open = i;
            dims.push_back(1);
            continue;
        }
        if (shape[i] < 0 || shape[i] > INT32_MAX) {
            throw Refusal(fmt::format("dimension {} of the shape is {}, expected 0 or more", i,
                                      shape[i]));
        }
        dims.push_back(static_cast<std::uint32_t>(shape[i]));
        known = elementCount(dims);
    }
    if (open && known != 0 && count % known == 0) {
        dims[*open] = static_cast<std::uint32_t>(count / known);
    }
    if (elementCount(dims) != count) {
        throw Refusal(fmt::format("shape {} has another number of elements than {}",
                                  fmt::format("{}", describeDimensions(dims)),
                                  describeDimensions(from)));
    }
    return dims;
}

Value reshape(Emitter& emitter, const Value& value, const Dims& dims) {
    Value result = withDims(value, dims);
    if (!value.isConstant() && dims.size() <= kMaxRank) {
        result.operand = emitter.operand(result);
        result.name = emitter.resultName();
    }
    if (!value.channelScales.empty()) {
        result = withDims(toReal(emitter, value), dims);
    }
    return result;
}

Value transpose(Emitter& emitter, const Value& value, std::span<const std::uint32_t> order) {
    const std::size_t rank = value.rank();
    std::vector<bool> isUsed(rank, false);
    for (const std::uint32_t axis : order) {
        if (axis >= rank || isUsed[axis]) {
            throw Refusal("the permutation does not name every dimension once");
        }
        isUsed[axis] = true;
    }
    if (order.size() != rank) {
        throw Refusal(
                fmt::format("the permutation has {} entries, expected {}", order.size(), rank));
    }
    Dims dims(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        dims[i] = value.dims[order[i]];
    }
    if (std::is_sorted(order.begin(), order.end())) {
        return value;
    }
    if (value.isConstant()) {
        const auto strides = stridesOf(value.dims);
        std::vector<std::int64_t> step(rank);
        for (std::size_t i = 0; i < rank; ++i) {
            step[i] = static_cast<std::int64_t>(strides[order[i]]);
        }
        return pick(value, dims, 0, step);
    }
    return moveAs(emitter, value, [&](const Value& moved) {
        if (rank <= kMaxRank) {
            return emitter.emit(Type::TRANSPOSE, {emitter.operand(moved), emitter.integers(order)},
                                moved.form, dims);
        }
        // One dimension after the other moves to its place, past those before it.
        std::vector<std::uint32_t> present(rank);
        std::iota(present.begin(), present.end(), 0U);
        Value result = moved;
        constexpr std::uint32_t kSwapMiddle[] = {0, 2, 1, 3};
        for (std::size_t i = 0; i < rank; ++i) {
            const auto at = std::find(present.begin(), present.end(), order[i]);
            const auto from = static_cast<std::size_t>(at - present.begin());
            const Dims& now = result.dims;
            const Dims folded = {elementsIn(now, 0, i), elementsIn(now, i, from), now[from],
                                 elementsIn(now, from + 1, rank)};
            Dims next = now;
            std::rotate(next.begin() + static_cast<std::ptrdiff_t>(i),
                        next.begin() + static_cast<std::ptrdiff_t>(from),
                        next.begin() + static_cast<std::ptrdiff_t>(from) + 1);
            if (folded[1] != 1 && folded[2] != 1) {
                result = emitter.emit(
                        Type::TRANSPOSE,
                        {emitter.operandAs(result, folded), emitter.integers(kSwapMiddle)},
                        result.form, {folded[0], folded[2], folded[1], folded[3]});
            }
            result.dims = next;
            std::rotate(present.begin() + static_cast<std::ptrdiff_t>(i), at, at + 1);
        }
        return result;
    });
}

namespace {

bool isWhole(const Value& value, const SliceSpec& spec, std::size_t i) {
    return spec.begin[i] == 0 && spec.step[i] == 1 && spec.count[i] == value.dims[i];
}

Value sliceForward(Emitter& emitter, const Value& value, const SliceSpec& spec) {
    if (value.form.isTruth()) {
        return moveAs(emitter, value,
                      [&](const Value& moved) { return sliceForward(emitter, moved, spec); });
    }
    return emitter.emit(
            Type::SLICE,
            {emitter.operand(value), emitter.integers(spec.begin), emitter.integers(spec.count)},
            value.form, spec.count);
}

Value sliceStrided(Emitter& emitter, const Value& value, const SliceSpec& spec) {
    std::vector<std::int64_t> end(spec.begin.size());
    std::int32_t endMask = 0;
    for (std::size_t i = 0; i < end.size(); ++i) {
        end[i] = spec.begin[i] + spec.step[i] * std::int64_t{spec.count[i]};
        if (end[i] < 0 || end[i] > value.dims[i]) {
            endMask |= 1 << i;  // NNAPI counts negative ends from the back
            end[i] = 0;
        }
    }
    return moveAs(emitter, value, [&](const Value& moved) {
        return emitter.emit(Type::STRIDED_SLICE,
                            {emitter.operand(moved), emitter.integers(spec.begin),
                             emitter.integers(end), emitter.integers(spec.step), emitter.integer(0),
                             emitter.integer(endMask), emitter.integer(0)},
                            moved.form, spec.count);
    });
}

}  // namespace

Value slice(Emitter& emitter, const Value& value, const SliceSpec& spec) {
    const std::size_t rank = value.rank();
    bool isAll = true;
    bool isForward = true;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t last = spec.begin[i] + spec.step[i] * (std::int64_t{spec.count[i]} - 1);
        const auto isInside = [&](std::int64_t at) { return at >= 0 && at < value.dims[i]; };
        if (spec.count[i] != 0 && (!isInside(spec.begin[i]) || !isInside(last))) {
            throw Refusal(fmt::format("slices {} to {} of dimension {}, which has {} elements",
                                      spec.begin[i], last, i, value.dims[i]));
        }
        isAll = isAll && isWhole(value, spec, i);
        isForward = isForward && spec.step[i] == 1;
    }
    if (isAll) {
        return value;
    }
    if (value.isConstant()) {
        const auto strides = stridesOf(value.dims);
        std::int64_t start = 0;
        std::vector<std::int64_t> step(rank);
        for (std::size_t i = 0; i < rank; ++i) {
            start += spec.begin[i] * static_cast<std::int64_t>(strides[i]);
            step[i] = spec.step[i] * static_cast<std::int64_t>(strides[i]);
        }
        return pick(value, spec.count, start, step);
    }
    if (elementCount(spec.count) == 0) {
        return constantOf(value.form, spec.count, {});
    }
    if (rank <= kMaxRank) {
        return isForward ? sliceForward(emitter, value, spec) : sliceStrided(emitter, value, spec);
    }
    Value result = value;  // one dimension after the other, seen as three
    for (std::size_t i = 0; i < rank; ++i) {
        if (isWhole(value, spec, i)) {
            continue;
        }
        Dims next = result.dims;
        next[i] = spec.count[i];
        const Dims around = aroundAxis(result.dims, i);
        const Value seen = reshape(emitter, result, around);
        result = slice(emitter, seen,
                       {{0, spec.begin[i], 0},
                        {1, spec.step[i], 1},
                        {around[0], spec.count[i], around[2]}});
        result.dims = next;
    }
    return result;
}

Value sliceAxis(Emitter& emitter, const Value& value, std::uint32_t axis, std::uint32_t begin,
                std::uint32_t count) {
    SliceSpec spec{std::vector<std::int64_t>(value.rank(), 0),
                   std::vector<std::int64_t>(value.rank(), 1), value.dims};
    spec.begin[axis] = begin;
    spec.count[axis] = count;
    return slice(emitter, value, spec);
}

Value partAt(Emitter& emitter, const Value& value, std::uint32_t axis, std::uint32_t place) {
    Dims dims = value.dims;
    dims.erase(dims.begin() + axis);
    return reshape(emitter, sliceAxis(emitter, value, axis, place, 1), dims);
}

}  // namespace vnpu::sim::graph
