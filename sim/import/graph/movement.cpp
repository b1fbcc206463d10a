// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/movement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

std::uint32_t product(const Dims& dims, std::size_t first, std::size_t end) {
    return std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(first),
                           dims.begin() + static_cast<std::ptrdiff_t>(end), std::uint32_t{1},
                           std::multiplies<>());
}

/// A value seen as what is before an axis, the axis, and what is behind it.
Dims aroundAxis(const Dims& dims, std::size_t axis) {
    return {product(dims, 0, axis), dims[axis], product(dims, axis + 1, dims.size())};
}

Index axesOperand(Emitter& emitter, std::span<const std::uint32_t> values) {
    return emitter.builder().addInt32Tensor({values.begin(), values.end()});
}

Index numbersOperand(Emitter& emitter, std::span<const std::int64_t> values) {
    return emitter.builder().addInt32Tensor({values.begin(), values.end()});
}

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

/// Applies `move` to the value in a form that NNAPI moves.
template <typename Move>
Value moveAs(Emitter& emitter, const Value& value, const Move& move) {
    return fromMovable(emitter, move(toMovable(emitter, value)), value.form);
}

}  // namespace

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
            return emitter.emit(Type::TRANSPOSE,
                                {emitter.operand(moved), axesOperand(emitter, order)}, moved.form,
                                dims);
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
            const Dims folded = {product(now, 0, i), product(now, i, from), now[from],
                                 product(now, from + 1, rank)};
            Dims next = now;
            std::rotate(next.begin() + static_cast<std::ptrdiff_t>(i),
                        next.begin() + static_cast<std::ptrdiff_t>(from),
                        next.begin() + static_cast<std::ptrdiff_t>(from) + 1);
            if (folded[1] != 1 && folded[2] != 1) {
                result = emitter.emit(
                        Type::TRANSPOSE,
                        {emitter.operandAs(result, folded), axesOperand(emitter, kSwapMiddle)},
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
    return emitter.emit(Type::SLICE,
                        {emitter.operand(value), numbersOperand(emitter, spec.begin),
                         axesOperand(emitter, spec.count)},
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
    ModelBuilder& builder = emitter.builder();
    return moveAs(emitter, value, [&](const Value& moved) {
        return emitter.emit(Type::STRIDED_SLICE,
                            {emitter.operand(moved), numbersOperand(emitter, spec.begin),
                             numbersOperand(emitter, end), numbersOperand(emitter, spec.step),
                             builder.addInt32(0), builder.addInt32(endMask), builder.addInt32(0)},
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

Value concatenate(Emitter& emitter, const std::vector<Value>& parts, std::uint32_t axis,
                  const Form& form) {
    std::vector<Value> present;
    Dims dims;
    bool areConstant = true;
    for (const Value& part : parts) {
        Dims fitted = part.dims;
        if (part.rank() <= axis) {
            throw Refusal(fmt::format("a part is {}, which has no axis {}",
                                      describeDimensions(part.dims), axis));
        }
        if (!dims.empty()) {
            fitted[axis] = dims[axis];
            if (fitted != dims) {
                throw Refusal(fmt::format("a part is {}, which does not fit {} along axis {}",
                                          describeDimensions(part.dims), describeDimensions(dims),
                                          axis));
            }
            dims[axis] += part.dims[axis];
        } else {
            dims = part.dims;
        }
        if (part.count() != 0) {
            areConstant = areConstant && part.isConstant();
            present.push_back(part);
        }
    }
    requireSize(form, dims);
    if (present.empty()) {
        return constantOf(form, dims, {});
    }
    const std::size_t size = elementBytes(form.type);
    if (areConstant) {
        requireFoldable(form, dims);
        Bytes bytes;
        bytes.reserve(elementCount(dims) * size);
        for (Value& part : present) {
            part = convert(emitter, part, form);
        }
        for (std::uint32_t outer = 0; outer < product(dims, 0, axis); ++outer) {
            for (const Value& part : present) {
                const std::size_t row = product(part.dims, axis, part.rank()) * size;
                const auto begin = part.bytes->begin() + static_cast<std::ptrdiff_t>(outer * row);
                bytes.insert(bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
            }
        }
        return constantOf(form, dims, std::move(bytes));
    }
    if (present.size() == 1) {
        return convert(emitter, present[0], form);
    }
    const bool isFlat = dims.size() > kMaxRank;
    std::vector<Index> inputs;
    Form moved = form;
    for (const Value& part : present) {
        // CONCATENATION takes parts of other scales, but of one type.
        Value given = part.form.type == form.type ? part : convert(emitter, part, form);
        given = toMovable(emitter, given);
        moved = form.isQuantized() ? form : given.form;
        inputs.push_back(isFlat ? emitter.operandAs(given, aroundAxis(given.dims, axis))
                                : emitter.operand(given));
    }
    inputs.push_back(emitter.builder().addInt32(isFlat ? 1 : static_cast<std::int32_t>(axis)));
    Value result = emitter.emit(Type::CONCATENATION, inputs, moved,
                                isFlat ? aroundAxis(dims, axis) : dims);
    result.dims = dims;
    return fromMovable(emitter, result, form);
}

Value pad(Emitter& emitter, const Value& value, std::span<const std::int64_t> before,
          std::span<const std::int64_t> after, double fill) {
    // Negative paddings cut off.
    SliceSpec kept{std::vector<std::int64_t>(value.rank(), 0),
                   std::vector<std::int64_t>(value.rank(), 1), value.dims};
    Dims dims(value.rank());
    std::vector<std::int32_t> table;
    for (std::size_t i = 0; i < value.rank(); ++i) {
        const std::int64_t extent = std::int64_t{value.dims[i]} + before[i] + after[i];
        if (extent < 0 || extent > INT32_MAX || before[i] > INT32_MAX || after[i] > INT32_MAX) {
            throw Refusal(fmt::format("paddings {} and {} of dimension {} with {} elements",
                                      before[i], after[i], i, value.dims[i]));
        }
        dims[i] = static_cast<std::uint32_t>(extent);
        kept.begin[i] = std::max<std::int64_t>(0, -before[i]);
        kept.count[i] = static_cast<std::uint32_t>(std::max<std::int64_t>(
                0, std::int64_t{value.dims[i]} + std::min<std::int64_t>(0, before[i]) +
                           std::min<std::int64_t>(0, after[i])));
        table.push_back(static_cast<std::int32_t>(std::max<std::int64_t>(0, before[i])));
        table.push_back(static_cast<std::int32_t>(std::max<std::int64_t>(0, after[i])));
    }
    if (elementCount(dims) == 0) {
        return constantOf(value.form, dims, {});
    }
    requireSize(value.form, dims);
    const Value inside = slice(emitter, value, kept);
    if (std::all_of(table.begin(), table.end(), [](std::int32_t size) { return size == 0; })) {
        return inside;
    }
    if (inside.count() == 0) {
        return filled(value.form, dims, fill);
    }
    if (inside.isConstant() || value.rank() > kMaxRank) {
        Value result = inside;  // by concatenation, one dimension after the other
        for (std::uint32_t i = 0; i < value.rank(); ++i) {
            std::vector<Value> parts;
            const auto addBorder = [&](std::int32_t size) {
                Dims border = result.dims;
                border[i] = static_cast<std::uint32_t>(size);
                parts.push_back(filled(value.form, border, fill));
            };
            addBorder(table[2 * i]);
            parts.push_back(result);
            addBorder(table[2 * i + 1]);
            result = concatenate(emitter, parts, i, value.form);
        }
        return result;
    }
    return moveAs(emitter, inside, [&](const Value& moved) {
        ModelBuilder& builder = emitter.builder();
        std::vector<Index> inputs = {
                emitter.operand(moved),
                builder.addInt32Tensor(table, {static_cast<std::uint32_t>(value.rank()), 2})};
        if (fill == 0.0) {
            return emitter.emit(Type::PAD, inputs, moved.form, dims);
        }
        const Value element = filled(moved.form, {1}, fill);
        inputs.push_back(moved.form.isReal()
                                 ? builder.addFloat32(static_cast<float>(fill))
                                 : builder.addInt32(static_cast<std::int32_t>(
                                           realsOf(element)[0] / double{moved.form.scale} +
                                           moved.form.zeroPoint)));
        return emitter.emit(Type::PAD_V2, inputs, moved.form, dims);
    });
}

Value mirrorPad(Emitter& emitter, const Value& value, std::span<const std::int64_t> before,
                std::span<const std::int64_t> after, bool withBorder) {
    Value result = value;
    for (std::uint32_t i = 0; i < value.rank(); ++i) {
        if (before[i] == 0 && after[i] == 0) {
            continue;
        }
        const std::int64_t size = value.dims[i];
        const std::int64_t most = withBorder ? size : size - 1;
        if (before[i] < 0 || after[i] < 0 || before[i] > most || after[i] > most) {
            throw Refusal(
                    fmt::format("mirrored paddings {} and {} of dimension {} with {} elements",
                                before[i], after[i], i, size));
        }
        std::vector<std::int32_t> places;
        for (std::int64_t at = -before[i]; at < size + after[i]; ++at) {
            const std::int64_t shift = withBorder ? 1 : 0;
            const std::int64_t from = at < 0       ? -at - shift
                                      : at >= size ? 2 * (size - 1) + shift - at
                                                   : at;
            places.push_back(static_cast<std::int32_t>(from));
        }
        const auto count = static_cast<std::uint32_t>(places.size());
        result = gather(emitter, result, integerConstant({count}, places), i);
    }
    return result;
}

namespace {

/// The value `times` times along one dimension, seen as three.
Value repeated(Emitter& emitter, const Value& value, std::uint32_t axis, std::int64_t times) {
    if (times == 1) {
        return value;
    }
    Dims dims = value.dims;
    dims[axis] *= static_cast<std::uint32_t>(times);
    const Dims around = aroundAxis(value.dims, axis);
    if (!value.isConstant()) {
        const std::int64_t multiples[] = {1, times, 1};
        return reshape(emitter, tile(emitter, reshape(emitter, value, around), multiples), dims);
    }
    const std::size_t row = std::size_t{around[1]} * around[2] * elementBytes(value.form.type);
    Bytes bytes;
    bytes.reserve(row * around[0] * static_cast<std::size_t>(times));
    for (std::uint32_t outer = 0; outer < around[0]; ++outer) {
        const auto begin = value.bytes->begin() + static_cast<std::ptrdiff_t>(outer * row);
        for (std::int64_t i = 0; i < times; ++i) {
            bytes.insert(bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
        }
    }
    return constantOf(value.form, dims, std::move(bytes));
}

}  // namespace

Value tile(Emitter& emitter, const Value& value, std::span<const std::int64_t> multiples) {
    if (multiples.size() != value.rank()) {
        throw Refusal(fmt::format("has {} multiples, expected {}", multiples.size(), value.rank()));
    }
    Dims dims(value.rank());
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const std::int64_t extent = std::int64_t{value.dims[i]} * multiples[i];
        if (multiples[i] < 0 || multiples[i] > INT32_MAX || extent > INT32_MAX) {
            throw Refusal(fmt::format("multiple {} is {}", i, multiples[i]));
        }
        dims[i] = static_cast<std::uint32_t>(extent);
    }
    requireSize(value.form, dims);
    if (dims == value.dims) {
        return value;
    }
    if (elementCount(dims) == 0) {
        return constantOf(value.form, dims, {});
    }
    if (value.isConstant()) {
        requireFoldable(value.form, dims);
    }
    if (value.isConstant() || value.rank() > kMaxRank) {
        Value result = value;
        for (std::uint32_t i = 0; i < value.rank(); ++i) {
            result = repeated(emitter, result, i, multiples[i]);
        }
        return result;
    }
    if (value.form.isTruth()) {
        return moveAs(emitter, value,
                      [&](const Value& moved) { return tile(emitter, moved, multiples); });
    }
    return emitter.emit(Type::TILE, {emitter.operand(value), numbersOperand(emitter, multiples)},
                        value.form, dims);
}

Value broadcastTo(Emitter& emitter, const Value& value, const Dims& dims) {
    if (value.dims == dims) {
        return value;
    }
    if (broadcastDims(value.dims, dims) != dims) {
        throw Refusal(fmt::format("{} does not broadcast to {}", describeDimensions(value.dims),
                                  describeDimensions(dims)));
    }
    if (elementCount(dims) == 0) {
        return constantOf(value.form, dims, {});
    }
    Dims aligned(dims.size() - value.rank(), 1);
    aligned.insert(aligned.end(), value.dims.begin(), value.dims.end());
    std::vector<std::int64_t> multiples;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        multiples.push_back(aligned[i] == dims[i] ? 1 : dims[i]);
    }
    return tile(emitter, reshape(emitter, value, aligned), multiples);
}

namespace {

Value gatherConstant(const Value& value, const Value& indices, std::uint32_t axis, Dims dims) {
    requireFoldable(value.form, dims);
    const Dims around = aroundAxis(value.dims, axis);
    const std::size_t row = around[2] * elementBytes(value.form.type);
    Bytes bytes;
    for (std::uint32_t outer = 0; outer < around[0]; ++outer) {
        for (const std::int64_t index : integersOf(indices, "indices")) {
            const auto begin = value.bytes->begin() +
                               static_cast<std::ptrdiff_t>((outer * std::uint64_t{around[1]} +
                                                            static_cast<std::uint64_t>(index)) *
                                                           row);
            bytes.insert(bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
        }
    }
    return constantOf(value.form, std::move(dims), std::move(bytes));
}

/// Constant indices counted from the front; refuses those out of range.
Value checkedIndices(const Value& indices, std::uint32_t extent) {
    if (!indices.isConstant()) {
        return indices;
    }
    std::vector<std::int32_t> places;
    for (const std::int64_t index : integersOf(indices, "indices")) {
        if (index < -std::int64_t{extent} || index >= extent) {
            throw Refusal(fmt::format("index {} of {} elements", index, extent));
        }
        places.push_back(static_cast<std::int32_t>(index < 0 ? index + extent : index));
    }
    return integerConstant(indices.dims, places);
}

/// Moves `axis` to `place` past the dimensions between them.
Value moveAxis(Emitter& emitter, const Value& value, std::size_t axis, std::size_t place) {
    std::vector<std::uint32_t> order(value.rank());
    std::iota(order.begin(), order.end(), 0U);
    const std::uint32_t moved = order[axis];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(axis));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), moved);
    return transpose(emitter, value, order);
}

Value gatherBatches(Emitter& emitter, const Value& value, const Value& indices, std::uint32_t axis,
                    std::uint32_t batchDims) {
    if (batchDims > axis || batchDims > indices.rank() ||
        !std::equal(value.dims.begin(), value.dims.begin() + batchDims, indices.dims.begin())) {
        throw Refusal(fmt::format("{} batch dimensions with {} and indices {}", batchDims,
                                  describeDimensions(value.dims),
                                  describeDimensions(indices.dims)));
    }
    const Value sorted = moveAxis(emitter, value, axis, batchDims);
    const std::uint32_t batches = product(value.dims, 0, batchDims);
    const std::uint32_t extent = value.dims[axis];
    const std::uint32_t inner = product(sorted.dims, batchDims + 1, value.rank());
    const auto each = static_cast<std::uint32_t>(indices.count() / std::max(batches, 1U));
    std::vector<std::int32_t> offsets(batches);
    for (std::uint32_t i = 0; i < batches; ++i) {
        offsets[i] = static_cast<std::int32_t>(i * extent);
    }
    const Value places = binary(emitter, Binary::kAdd,
                                reshape(emitter, checkedIndices(indices, extent), {batches, each}),
                                integerConstant({batches, 1}, offsets), kInteger);
    const Value rows = reshape(emitter, sorted, {batches * extent, inner});
    const Value found = gather(emitter, rows, reshape(emitter, places, {batches * each}), 0);
    // Batches, indices, and the dimensions between batches and axis, then those behind it.
    const std::uint32_t between = product(value.dims, batchDims, axis);
    const std::uint32_t behind = product(value.dims, axis + 1, value.rank());
    Dims dims(value.dims.begin(), value.dims.begin() + axis);
    dims.insert(dims.end(), indices.dims.begin() + batchDims, indices.dims.end());
    dims.insert(dims.end(), value.dims.begin() + axis + 1, value.dims.end());
    constexpr std::uint32_t kSwapMiddle[] = {0, 2, 1, 3};
    const Value seen = reshape(emitter, found, {batches, each, between, behind});
    return reshape(emitter, transpose(emitter, seen, kSwapMiddle), dims);
}

}  // namespace

Value gather(Emitter& emitter, const Value& value, const Value& indices, std::uint32_t axis,
             std::uint32_t batchDims) {
    if (batchDims != 0) {
        return gatherBatches(emitter, value, indices, axis, batchDims);
    }
    Dims dims(value.dims.begin(), value.dims.begin() + axis);
    dims.insert(dims.end(), indices.dims.begin(), indices.dims.end());
    dims.insert(dims.end(), value.dims.begin() + axis + 1, value.dims.end());
    requireSize(value.form, dims);
    const Value places = checkedIndices(indices, value.dims[axis]);
    if (elementCount(dims) == 0) {
        return constantOf(value.form, dims, {});
    }
    if (value.isConstant() && places.isConstant()) {
        return gatherConstant(value, places, axis, dims);
    }
    if (value.form.isTruth()) {
        return moveAs(emitter, value,
                      [&](const Value& moved) { return gather(emitter, moved, places, axis); });
    }
    if (!places.form.isInteger()) {
        return gather(emitter, value, cast(emitter, places, kInteger), axis);
    }
    if (dims.size() <= kMaxRank && value.rank() <= kMaxRank && indices.rank() > 0) {
        return emitter.emit(Type::GATHER,
                            {emitter.operand(value),
                             emitter.builder().addInt32(static_cast<std::int32_t>(axis)),
                             emitter.operand(places)},
                            value.form, dims);
    }
    const Dims around = aroundAxis(value.dims, axis);
    const auto count = static_cast<std::uint32_t>(indices.count());
    const Value found =
            emitter.emit(Type::GATHER,
                         {emitter.operandAs(value, around), emitter.builder().addInt32(1),
                          emitter.operandAs(places, {count})},
                         value.form, {around[0], count, around[2]});
    return reshape(emitter, found, dims);
}

Value gatherNd(Emitter& emitter, const Value& value, const Value& indices) {
    const std::uint32_t depth = indices.rank() == 0 ? 0 : indices.dims.back();
    if (depth == 0 || depth > value.rank()) {
        throw Refusal(fmt::format("indices are {} for {}", describeDimensions(indices.dims),
                                  describeDimensions(value.dims)));
    }
    Dims dims(indices.dims.begin(), indices.dims.end() - 1);
    dims.insert(dims.end(), value.dims.begin() + depth, value.dims.end());
    const std::uint32_t rows = product(value.dims, 0, depth);
    const std::uint32_t inner = product(value.dims, depth, value.rank());
    const auto count = static_cast<std::uint32_t>(indices.count() / depth);
    const Value table = reshape(emitter, indices, {count, depth});
    Value places = integerConstant({count, 1}, std::vector<std::int32_t>(count, 0));
    std::uint32_t step = rows;
    for (std::uint32_t i = 0; i < depth; ++i) {
        step /= value.dims[i];
        const Value column = sliceAxis(emitter, table, 1, i, 1);
        const Value part =
                step == 1
                        ? column
                        : binary(emitter, Binary::kMul, column,
                                 integerConstant({1}, {static_cast<std::int32_t>(step)}), kInteger);
        places = i == 0 ? part : binary(emitter, Binary::kAdd, places, part, kInteger);
    }
    const Value found = gather(emitter, reshape(emitter, value, {rows, inner}),
                               reshape(emitter, places, {count}), 0);
    return reshape(emitter, found, dims);
}

Value reverse(Emitter& emitter, const Value& value, std::span<const std::uint32_t> axes) {
    Value result = value;
    for (const std::uint32_t axis : axes) {
        std::vector<std::int32_t> places(value.dims[axis]);
        std::iota(places.rbegin(), places.rend(), 0);
        result = gather(emitter, result, integerConstant({value.dims[axis]}, places), axis);
    }
    return result;
}

}  // namespace vnpu::sim::graph
