// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/gathering.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/movement.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

Value gatherConstant(const Value& value, const Value& indices, std::uint32_t axis, Dims dims) {
    requireFoldable(value.form, dims);
    const Dims around = aroundAxis(value.dims, axis);
    const std::size_t row = std::size_t{around[2]} * elementBytes(value.form.type);
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
    const std::uint32_t batches = elementsIn(value.dims, 0, batchDims);
    const std::uint32_t extent = value.dims[axis];
    const std::uint32_t inner = elementsIn(sorted.dims, batchDims + 1, value.rank());
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
    const std::uint32_t between = elementsIn(value.dims, batchDims, axis);
    const std::uint32_t behind = elementsIn(value.dims, axis + 1, value.rank());
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
        return emitter.emit(
                Type::GATHER,
                {emitter.operand(value), emitter.integer(axis), emitter.operand(places)},
                value.form, dims);
    }
    const Dims around = aroundAxis(value.dims, axis);
    const auto count = static_cast<std::uint32_t>(indices.count());
    const Value found = emitter.emit(Type::GATHER,
                                     {emitter.operandAs(value, around), emitter.integer(1),
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
    const std::uint32_t rows = elementsIn(value.dims, 0, depth);
    const std::uint32_t inner = elementsIn(value.dims, depth, value.rank());
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

}  // namespace vnpu::sim::graph
