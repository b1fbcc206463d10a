// SPDX-License-Identifier: Apache-2.0
// Operations that take a part of their input.
#include <algorithm>

#include "driver/compiler/frontend/base/movement.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

Checked<std::vector<std::int32_t>> readPerAxis(const OperationReader& operation, std::size_t i,
                                               std::size_t rank) {
    auto values = operation.int32s(i);
    if (values && values->size() != rank) {
        return untiled();
    }
    return values;
}

/// One axis of STRIDED_SLICE.
struct AxisRange {
    std::int64_t begin = 0, end = 0, stride = 1;
    bool isBeginOpen = false, isEndOpen = false;
};

/// Appends an axis with the elements of a range; only forward, as DMA strides are unsigned.
Checked<void> appendRange(CopyNode& part, const AxisRange& range, std::uint32_t extent,
                          std::uint64_t inputStride) {
    const auto clamped = [extent](std::int64_t index) {
        return std::clamp<std::int64_t>(index < 0 ? index + extent : index, 0, extent);
    };
    const std::int64_t begin = range.isBeginOpen ? 0 : clamped(range.begin);
    const std::int64_t end = range.isEndOpen ? extent : clamped(range.end);
    if (range.stride < 1 || end <= begin) {
        return untiled();
    }
    part.axes.push_back(
            {static_cast<std::uint64_t>((end - begin + range.stride - 1) / range.stride),
             inputStride * static_cast<std::uint64_t>(range.stride)});
    part.inputOffset += inputStride * static_cast<std::uint64_t>(begin);
    return {};
}

/// Moves the part into the output, which has the given shape.
Checked<void> addPart(GraphBuilder& builder, const OperationReader& operation, CopyNode part,
                      const Shape& shape) {
    VNPU_TRY_ASSIGN(part.output, builder.output(operation, shape));
    packOutput(part);
    return addMovements(builder, operation, {part});
}

/// Rows of `input` along `axis` in the order of `indexes`; consecutive ones move together.
Checked<void> addRows(GraphBuilder& builder, const OperationReader& operation, TensorId input,
                      TensorId output, std::uint32_t axis,
                      const std::vector<std::int32_t>& indexes) {
    const AxisSplit from = splitAt(builder.tensor(input).shape, axis);
    const std::uint64_t inner = from.inner;
    std::vector<CopyNode> movements;
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
    VNPU_TRY_ASSIGN(auto indexes, operation.int32s(i));
    for (const std::int32_t index : indexes) {
        if (index < 0 || static_cast<std::uint32_t>(index) >= extent) {
            return untiled();
        }
    }
    return indexes;
}

Checked<void> lowerSlice(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const Shape& from = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto begins, readPerAxis(operation, 1, from.size()));
    VNPU_TRY_ASSIGN(const auto sizes, readPerAxis(operation, 2, from.size()));
    const std::vector<std::uint64_t> inputStrides = stridesOf(from);
    CopyNode part{input};
    Shape shape;
    for (std::size_t d = 0; d < from.size(); ++d) {
        const std::int64_t begin = begins[d];
        const std::int64_t size = sizes[d] == -1 ? from[d] - begin : sizes[d];
        if (begin < 0 || size < 1 || begin + size > from[d]) {
            return untiled();
        }
        VNPU_TRY(appendRange(part, {begin, begin + size}, from[d], inputStrides[d]));
        shape.push_back(static_cast<std::uint32_t>(size));
    }
    return addPart(builder, operation, part, shape);
}

Checked<void> lowerStridedSlice(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const Shape& from = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto begins, readPerAxis(operation, 1, from.size()));
    VNPU_TRY_ASSIGN(const auto ends, readPerAxis(operation, 2, from.size()));
    VNPU_TRY_ASSIGN(const auto strides, readPerAxis(operation, 3, from.size()));
    VNPU_TRY_ASSIGN(const auto beginMask, operation.int32(4));  // bit d: dimension d
    VNPU_TRY_ASSIGN(const auto endMask, operation.int32(5));
    VNPU_TRY_ASSIGN(const auto shrinkMask, operation.int32(6));
    const std::vector<std::uint64_t> inputStrides = stridesOf(from);
    CopyNode part{input};
    Shape shape;
    for (std::size_t d = 0; d < from.size(); ++d) {
        VNPU_TRY(appendRange(part,
                             {begins[d], ends[d], strides[d], (beginMask >> d & 1) != 0,
                              (endMask >> d & 1) != 0},
                             from[d], inputStrides[d]));
        const std::uint64_t extent = part.axes.back().extent;
        if ((shrinkMask >> d & 1) == 0) {
            shape.push_back(static_cast<std::uint32_t>(extent));
        } else if (extent != 1) {
            return untiled();
        }
    }
    return addPart(builder, operation, part, atLeastRankOne(shape));
}

Checked<void> lowerSplit(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    Shape shape = builder.tensor(input).shape;
    const std::vector<std::uint64_t> inputStrides = stridesOf(shape);
    VNPU_TRY_ASSIGN(const auto axis, operation.axis(1, shape.size()));
    VNPU_TRY_ASSIGN(const auto count, operation.int32(2));
    const std::size_t parts = operation.outputCount();
    if (count < 1 || static_cast<std::uint32_t>(count) != parts || shape[axis] % parts != 0) {
        return untiled();
    }
    shape[axis] /= static_cast<std::uint32_t>(parts);
    CopyNode part{input};
    for (std::size_t d = 0; d < shape.size(); ++d) {
        part.axes.push_back({shape[d], inputStrides[d]});
    }
    packOutput(part);
    std::vector<CopyNode> movements;
    for (std::size_t o = 0; o < parts; ++o) {
        VNPU_TRY_ASSIGN(part.output, builder.output(operation, shape, o));
        movements.push_back(part);
        part.inputOffset += inputStrides[axis] * shape[axis];
    }
    return addMovements(builder, operation, std::move(movements));
}

Checked<void> lowerGather(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0));
    const Shape from = builder.tensor(input).shape;
    VNPU_TRY_ASSIGN(const auto axis, operation.axis(1, from.size()));
    VNPU_TRY_ASSIGN(const auto indexes, readIndexes(operation, 2, from[axis]));
    const auto& wanted = operation.model().operand(operation.inputOperand(2)).dimensions;
    const auto place = from.begin() + static_cast<std::ptrdiff_t>(axis);
    Shape shape(from.begin(), place);
    shape.insert(shape.end(), wanted.begin(), wanted.end());
    shape.insert(shape.end(), place + 1, from.end());
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    return addRows(builder, operation, input, output, axis, indexes);
}

Checked<void> lowerEmbeddingLookup(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto values, builder.input(operation, 1));
    Shape shape = builder.tensor(values).shape;
    VNPU_TRY_ASSIGN(const auto rows, readIndexes(operation, 0, shape.front()));
    shape.front() = static_cast<std::uint32_t>(rows.size());
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    return addRows(builder, operation, values, output, 0, rows);
}

}  // namespace

LoweringRows slicingRows() {
    return {{OperationType::SLICE, lowerSlice},
            {OperationType::STRIDED_SLICE, lowerStridedSlice},
            {OperationType::SPLIT, lowerSplit},
            {OperationType::GATHER, lowerGather},
            {OperationType::EMBEDDING_LOOKUP, lowerEmbeddingLookup}};
}

}  // namespace vnpu::driver
