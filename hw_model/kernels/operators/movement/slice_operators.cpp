// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/kernels/operators/movement/strided_copy.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::uint64_t kSliceBytesPerOperation = 8;  // chosen: bytes that a copy moves per step

JobStatus slice(OperatorCall& call) {
    const Tensor& input = call.input(0);
    const std::size_t rank = input.dimensions.rank();
    VNPU_TRY_ASSIGN(const auto begins, int32List(call, 1, rank));
    VNPU_TRY_ASSIGN(const auto sizes, int32List(call, 2, rank));
    Dimensions to;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t extent = input.dimensions[i];
        const std::int64_t begin = begins[i];
        const std::int64_t size = sizes[i] == -1 ? extent - begin : sizes[i];
        if (begin < 0 || size < 0 || begin + size > extent) {
            return call.refuse(fmt::format("axis {} of {} elements is sliced from {}, size {}", i,
                                           extent, begin, sizes[i]));
        }
        to.append(static_cast<std::uint32_t>(size));
    }
    const Strides fromStrides = denseStrides(input.dimensions);
    const Strides toStrides = denseStrides(to);
    CopyAxes axes;
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < rank; ++i) {
        axes.add(to[i], fromStrides[i], toStrides[i]);
        offset += begins[i] * fromStrides[i];
    }
    return copyInto(call, to, axes, offset);
}

/// The slice that STRIDED_SLICE takes along one axis.
struct AxisSlice {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t stride;
    bool isBeginOpen;
    bool isEndOpen;
};

/// The same in indices of the axis.
struct AxisRange {
    std::int64_t begin = 0;
    std::int64_t count = 0;
};

AxisRange rangeOf(const AxisSlice& slice, std::int64_t extent) {
    const bool isForward = slice.stride > 0;
    const std::int64_t least =
            isForward ? 0 : -1;  // one before the first index when going backwards
    const std::int64_t most = isForward ? extent : extent - 1;
    const auto clamped = [&](std::int64_t index) {
        return std::clamp(index < 0 ? index + extent : index, least, std::max(most, least));
    };
    const std::int64_t begin =
            slice.isBeginOpen ? (isForward ? 0 : extent - 1) : clamped(slice.begin);
    const std::int64_t end = slice.isEndOpen ? (isForward ? extent : -1) : clamped(slice.end);
    const std::int64_t way = isForward ? end - begin : begin - end;
    const std::int64_t step = isForward ? slice.stride : -slice.stride;
    return {begin, way > 0 ? (way + step - 1) / step : 0};
}

JobStatus stridedSlice(OperatorCall& call) {
    const Tensor& input = call.input(0);
    const std::size_t rank = input.dimensions.rank();
    VNPU_TRY_ASSIGN(const auto begins, int32List(call, 1, rank));
    VNPU_TRY_ASSIGN(const auto ends, int32List(call, 2, rank));
    VNPU_TRY_ASSIGN(const auto strides, int32List(call, 3, rank));
    const auto isSet = [&](std::size_t mask, std::size_t axis) {
        return (static_cast<std::uint32_t>(call.int32(mask)) >> axis & 1) != 0;
    };
    const Strides fromStrides = denseStrides(input.dimensions);
    std::array<AxisRange, kMaxTensorRank> ranges{};
    Dimensions to;  // including the axes that are dropped
    Dimensions shrunk;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int32_t stride = strides[i];
        if (stride == 0) {
            return call.refuse(fmt::format("the stride of axis {} is 0", i));
        }
        ranges[i] = rangeOf({begins[i], ends[i], stride, isSet(4, i), isSet(5, i)},
                            input.dimensions[i]);
        to.append(static_cast<std::uint32_t>(ranges[i].count));
        if (!isSet(6, i)) {
            shrunk.append(to[i]);
        } else if (ranges[i].count != 1 || stride < 0) {
            return call.refuse(
                    fmt::format("axis {} is dropped, but has {} elements at stride {}, "
                                "expected 1 and a positive stride",
                                i, ranges[i].count, stride));
        }
    }
    if (shrunk.rank() == 0) {
        shrunk.append(1);  // NNAPI has no tensors of rank 0
    }
    const Strides toStrides = denseStrides(to);
    CopyAxes axes;
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < rank; ++i) {
        axes.add(to[i], to[i] <= 1 ? 0 : fromStrides[i] * strides[i], toStrides[i]);
        offset += ranges[i].begin * fromStrides[i];
    }
    return copyInto(call, shrunk, axes, offset);
}

JobStatus split(OperatorCall& call) {
    const Tensor& input = call.input(0);
    const std::int32_t parts = call.int32(2);
    VNPU_TRY_ASSIGN(const auto axis, resolveAxis(call, call.int32(1), input.dimensions.rank()));
    if (parts < 1 || static_cast<std::size_t>(parts) != call.outputCount()) {
        return call.refuse(fmt::format("{} parts for {} outputs", parts, call.outputCount()));
    }
    const std::uint32_t extent = input.dimensions[axis];
    if (extent % static_cast<std::uint32_t>(parts) != 0) {
        return call.refuse(fmt::format("axis {} of {} elements does not split into {} parts", axis,
                                       extent, parts));
    }
    Dimensions to = input.dimensions;
    to[axis] = extent / static_cast<std::uint32_t>(parts);
    VNPU_TRY(call.settleAll(std::vector(call.outputCount(), to)));
    const std::uint64_t run = to.elements(axis, to.rank());
    const std::uint32_t size = elementBytes(input.type);
    for (std::size_t o = 0; o < call.outputCount() && to.elements() != 0; ++o) {
        CopyAxes axes;
        axes.add(to.elements(0, axis), static_cast<std::int64_t>(run) * parts,
                 static_cast<std::int64_t>(run));
        axes.add(run, 1, 1);
        copyStrided(axes, input.data + o * run * size, call.write<std::byte>(o), size);
    }
    return JobStatus::kOk;
}

JobStatus gather(OperatorCall& call) {
    const Tensor& input = call.input(0);
    const Dimensions& from = input.dimensions;
    const Tensor& indexes = call.input(2);
    VNPU_TRY_ASSIGN(const auto axis, resolveAxis(call, call.int32(1), from.rank()));
    const std::size_t rank = from.rank() - 1 + indexes.dimensions.rank();
    if (rank > kMaxTensorRank) {
        return call.refuse(fmt::format("rank is {}, expected at most {}", rank, kMaxTensorRank));
    }
    Dimensions to;
    std::for_each(from.begin(), from.begin() + axis, [&](auto extent) { to.append(extent); });
    for (const std::uint32_t extent : indexes.dimensions) {
        to.append(extent);
    }
    std::for_each(from.begin() + axis + 1, from.end(), [&](auto extent) { to.append(extent); });
    VNPU_TRY(call.settle(0, to));
    const std::span<const std::int32_t> wanted = indexes.values<std::int32_t>();
    for (const std::int32_t index : wanted) {
        if (index < 0 || static_cast<std::uint32_t>(index) >= from[axis]) {
            return call.refuse(
                    fmt::format("index is {}, expected 0 to {}", index, from[axis] - 1LL));
        }
    }
    if (to.elements() == 0) {
        return JobStatus::kOk;
    }
    const std::uint64_t run = from.elements(axis + 1, from.rank()) * elementBytes(input.type);
    const std::uint64_t outer = from.elements(0, axis);
    std::byte* out = call.write<std::byte>(0);
    const std::uint64_t work = outer * wanted.size() * (1 + run / kSliceBytesPerOperation);
    forEachTask(outer, work, [&](std::size_t row) {
        const std::byte* source = input.data + row * run * from[axis];
        std::byte* target = out + row * run * wanted.size();
        for (const std::int32_t index : wanted) {
            std::memcpy(target, source + static_cast<std::uint64_t>(index) * run, run);
            target += run;
        }
    });
    return JobStatus::kOk;
}

constexpr OperatorEntry kSliceEntries[] = {
        {Operator::kSlice, {"Tv1v1", "T"}, slice},
        {Operator::kStridedSlice, {"Tv1v1v1iii", "T"}, stridedSlice},
        {Operator::kSplit, {"Tii", "T+"}, split},
        {Operator::kGather, {"Tiv", "T"}, gather}};

}  // namespace

std::span<const OperatorEntry> sliceOperators() {
    return kSliceEntries;
}

}  // namespace vnpu::hw::kernels
