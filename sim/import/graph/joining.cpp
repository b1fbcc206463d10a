// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/joining.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/movement.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

}  // namespace

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
        for (std::uint32_t outer = 0; outer < elementsIn(dims, 0, axis); ++outer) {
            for (const Value& part : present) {
                const std::size_t row = elementsIn(part.dims, axis, part.rank()) * size;
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
    inputs.push_back(emitter.integer(isFlat ? 1 : axis));
    Value result = emitter.emit(Type::CONCATENATION, inputs, moved,
                                isFlat ? aroundAxis(dims, axis) : dims);
    result.dims = dims;
    return fromMovable(emitter, result, form);
}

Value stack(Emitter& emitter, const std::vector<Value>& parts, std::uint32_t axis) {
    std::vector<Value> raised;
    for (const Value& part : parts) {
        Dims dims = part.dims;
        if (axis > dims.size()) {
            throw Refusal("the axis of a scan is beyond the result");
        }
        dims.insert(dims.begin() + axis, 1);
        raised.push_back(reshape(emitter, part, dims));
    }
    return raised.size() == 1 ? raised[0] : concatenate(emitter, raised, axis, raised[0].form);
}

Value pad(Emitter& emitter, const Value& value, std::span<const std::int64_t> before,
          std::span<const std::int64_t> after, double fill) {
    // Negative paddings remove elements.
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
    Value inside = slice(emitter, value, kept);
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
        std::vector<Index> inputs = {emitter.operand(moved),
                                     emitter.builder().addInt32Tensor(
                                             table, {static_cast<std::uint32_t>(value.rank()), 2})};
        if (fill == 0.0) {
            return emitter.emit(Type::PAD, inputs, moved.form, dims);
        }
        const Value element = filled(moved.form, {1}, fill);
        inputs.push_back(moved.form.isReal()
                                 ? emitter.builder().addFloat32(static_cast<float>(fill))
                                 : emitter.integer(static_cast<std::int32_t>(
                                           realsOf(element)[0] / double{moved.form.scale} +
                                           moved.form.zeroPoint)));
        return emitter.emit(Type::PAD_V2, inputs, moved.form, dims);
    });
}

namespace {

/// Repeats the value along one dimension.
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
    return emitter.emit(Type::TILE, {emitter.operand(value), emitter.integers(multiples)},
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

}  // namespace vnpu::sim::graph
