// SPDX-License-Identifier: Apache-2.0
// Operations that take a part of their input.
#include <fmt/format.h>

#include <algorithm>

#include "driver/compiler/frontend/base/movement.h"
#include "driver/compiler/frontend/operators/data_movement.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// A part of a tensor: extent, first element and step along each dimension.
struct Cutout {
    Shape shape;
    std::vector<std::uint64_t> begins, steps;
};

Checked<std::vector<std::int32_t>> readPerAxis(const OperationReader& operation, std::size_t i,
                                               std::string_view what, std::size_t rank) {
    auto values = operation.int32s(i, what);
    if (values && values->size() != rank) {
        return unsupported(
                fmt::format("{} has {} values, expected {}", what, values->size(), rank));
    }
    return values;
}

/// Moves `part` of the input into `output`, dense.
Movement takePart(const GraphBuilder& builder, TensorId input, TensorId output,
                  const Cutout& part) {
    const std::vector<std::uint64_t> from = stridesOf(builder.tensor(input).shape);
    const std::vector<std::uint64_t> to = stridesOf(part.shape);
    Movement movement{input, output, {}, 0, 0};
    for (std::size_t d = 0; d < part.shape.size(); ++d) {
        movement.axes.push_back({part.shape[d], from[d] * part.steps[d], to[d]});
        movement.inputOffset += from[d] * part.begins[d];
    }
    return movement;
}

Checked<void> addPart(GraphBuilder& builder, const OperationReader& operation, TensorId input,
                      const Shape& shape, const Cutout& part) {
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    return addMovements(builder, operation, {takePart(builder, input, output, part)});
}

/// One axis of STRIDED_SLICE.
struct AxisRange {
    std::int64_t begin = 0, end = 0, stride = 1;
    bool isBeginOpen = false, isEndOpen = false;
};

/// Appends the elements of one axis to the part; only forward, as DMA strides are unsigned.
Checked<void> appendRange(Cutout& part, const AxisRange& range, std::uint32_t extent) {
    if (range.stride < 1) {
        return unsupported(fmt::format("stride is {}, expected 1 or more", range.stride));
    }
    const auto clamped = [extent](std::int64_t index) {
        return std::clamp<std::int64_t>(index < 0 ? index + extent : index, 0, extent);
    };
    const std::int64_t begin = range.isBeginOpen ? 0 : clamped(range.begin);
    const std::int64_t end = range.isEndOpen ? extent : clamped(range.end);
    if (end <= begin) {
        return unsupported(fmt::format("slice from {} to {} has no elements", begin, end));
    }
    part.shape.push_back(
            static_cast<std::uint32_t>((end - begin + range.stride - 1) / range.stride));
    part.begins.push_back(static_cast<std::uint64_t>(begin));
    part.steps.push_back(static_cast<std::uint64_t>(range.stride));
    return {};
}

struct StridedSliceArguments {
    std::vector<std::int32_t> begins, ends, strides;
    std::int32_t beginMask = 0, endMask = 0, shrinkMask = 0;  // bit d: axis d
};

Checked<StridedSliceArguments> readStridedSlice(const OperationReader& operation,
                                                std::size_t rank) {
    StridedSliceArguments arguments;
    VNPU_TRY_ASSIGN(arguments.begins, readPerAxis(operation, 1, "begins", rank));
    VNPU_TRY_ASSIGN(arguments.ends, readPerAxis(operation, 2, "ends", rank));
    VNPU_TRY_ASSIGN(arguments.strides, readPerAxis(operation, 3, "strides", rank));
    VNPU_TRY_ASSIGN(arguments.beginMask, operation.int32(4, "begin mask"));
    VNPU_TRY_ASSIGN(arguments.endMask, operation.int32(5, "end mask"));
    VNPU_TRY_ASSIGN(arguments.shrinkMask, operation.int32(6, "shrink axis mask"));
    return arguments;
}

/// Rows of `input` along `axis` in the order of `indexes`; consecutive ones move together.
Checked<void> addRows(GraphBuilder& builder, const OperationReader& operation, TensorId input,
                      TensorId output, std::uint32_t axis,
                      const std::vector<std::int32_t>& indexes) {
    const AxisSplit from = splitAt(builder.tensor(input).shape, axis);
    const std::uint64_t inner = from.inner;
    std::vector<Movement> movements;
    for (std::size_t i = 0; i < indexes.size();) {
        std::size_t end = i + 1;
        while (end < indexes.size() && indexes[end] == indexes[end - 1] + 1) {
            ++end;
        }
        movements.push_back({input,
                             output,
                             {{from.outer, inner * from.extent, inner * indexes.size()},
                              {inner * (end - i), 1, 1}},
                             inner * static_cast<std::uint32_t>(indexes[i]),
                             inner * i});
        i = end;
    }
    return addMovements(builder, operation, std::move(movements));
}

Checked<std::vector<std::int32_t>> readIndexes(const OperationReader& operation, std::size_t i,
                                               std::uint32_t extent) {
    VNPU_TRY_ASSIGN(auto indexes, operation.int32s(i, "indices"));
    for (const std::int32_t index : indexes) {
        if (index < 0 || static_cast<std::uint32_t>(index) >= extent) {
            return unsupported(fmt::format("index is {}, expected 0 to {}", index, extent - 1));
        }
    }
    return indexes;
}

Checked<void> lowerSlice(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    const Shape& from = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto begins, readPerAxis(operation, 1, "begins", from.size()));
    VNPU_TRY_ASSIGN(const auto sizes, readPerAxis(operation, 2, "sizes", from.size()));
    Cutout part;
    for (std::size_t d = 0; d < from.size(); ++d) {
        const std::int64_t begin = begins[d];
        const std::int64_t size = sizes[d] == -1 ? from[d] - begin : sizes[d];
        if (begin < 0 || size < 1 || begin + size > from[d]) {
            return unsupported(fmt::format("dimension {} of {} elements is sliced from {}, size {}",
                                           d, from[d], begin, size));
        }
        VNPU_TRY(appendRange(part, {begin, begin + size, 1, false, false}, from[d]));
    }
    return addPart(builder, operation, input, part.shape, part);
}

Checked<void> lowerStridedSlice(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(7, 7));
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    const Shape& from = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto arguments, readStridedSlice(operation, from.size()));
    Cutout part;
    Shape shape;
    for (std::size_t d = 0; d < from.size(); ++d) {
        VNPU_TRY(appendRange(
                part,
                {arguments.begins[d], arguments.ends[d], arguments.strides[d],
                 (arguments.beginMask >> d & 1) != 0, (arguments.endMask >> d & 1) != 0},
                from[d]));
        if ((arguments.shrinkMask >> d & 1) == 0) {
            shape.push_back(part.shape[d]);
        } else if (part.shape[d] != 1) {
            return unsupported(
                    fmt::format("dimension {} is dropped, but has {} elements", d, part.shape[d]));
        }
    }
    return addPart(builder, operation, input, atLeastRankOne(shape), part);
}

Checked<void> lowerSplit(GraphBuilder& builder, const OperationReader& operation) {
    if (operation.inputCount() != 3 || operation.outputCount() == 0) {
        return unsupported(fmt::format("{} inputs and {} outputs", operation.inputCount(),
                                       operation.outputCount()));
    }
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    VNPU_TRY_ASSIGN(const auto argument, operation.int32(1, "axis"));
    VNPU_TRY_ASSIGN(const auto count, operation.int32(2, "number of parts"));
    const Shape from = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto axis, resolveAxis(argument, from.size()));
    const std::size_t parts = operation.outputCount();
    if (count < 1 || static_cast<std::uint32_t>(count) != parts || from[axis] % parts != 0) {
        return unsupported(
                fmt::format("{} elements in {} parts for {} outputs", from[axis], count, parts));
    }
    Cutout part{from, std::vector<std::uint64_t>(from.size()),
                std::vector<std::uint64_t>(from.size(), 1)};
    part.shape[axis] = static_cast<std::uint32_t>(from[axis] / parts);
    std::vector<Movement> movements;
    for (std::size_t o = 0; o < parts; ++o) {
        VNPU_TRY_ASSIGN(const auto output, builder.output(operation, part.shape, o));
        part.begins[axis] = o * part.shape[axis];
        movements.push_back(takePart(builder, input, output, part));
    }
    return addMovements(builder, operation, std::move(movements));
}

Checked<void> lowerGather(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    VNPU_TRY_ASSIGN(const auto argument, operation.int32(1, "axis"));
    const Shape from = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto axis, resolveAxis(argument, from.size()));
    VNPU_TRY_ASSIGN(const auto indexes, readIndexes(operation, 2, from[axis]));
    const auto& wanted = operation.model().operand(operation.inputOperand(2)).dimensions;
    const auto place = from.begin() + static_cast<std::ptrdiff_t>(axis);
    Shape shape(from.begin(), place);
    shape.insert(shape.end(), wanted.begin(), wanted.end());
    shape.insert(shape.end(), place + 1, from.end());
    if (elementCount(wanted) != indexes.size() || shape.empty()) {
        return unsupported(fmt::format("{} indices", indexes.size()));
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    return addRows(builder, operation, input, output, axis, indexes);
}

Checked<void> lowerEmbeddingLookup(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 2));
    VNPU_TRY_ASSIGN(const auto values, movedInput(builder, operation, 1));
    Shape shape = builder.tensor(values).shape;
    VNPU_TRY_ASSIGN(const auto rows, readIndexes(operation, 0, shape.front()));
    shape.front() = static_cast<std::uint32_t>(rows.size());
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    return addRows(builder, operation, values, output, 0, rows);
}

}  // namespace

LoweringRows slicingRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::SLICE, {lowerSlice}},
            {OperationType::STRIDED_SLICE, {lowerStridedSlice}},
            {OperationType::SPLIT, {lowerSplit}},
            {OperationType::GATHER, {lowerGather}},
            {OperationType::EMBEDDING_LOOKUP, {lowerEmbeddingLookup}},
    };
    return kRows;
}

}  // namespace vnpu::driver
