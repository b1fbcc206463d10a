// SPDX-License-Identifier: Apache-2.0
// Operators that take parts of a tensor.
#include <algorithm>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/movement.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

/// SLICE whose first elements are known only at run time.
Value sliceAtRunTime(Call& call, const Value& value, const Dims& count) {
    if (value.rank() > 4 || value.rank() == 0 || elementCount(count) == 0) {
        throw Refusal("begins where only the run time knows");
    }
    const Value moved = value.form.isTruth() ? graph::toMovable(call.emitter(), value) : value;
    const Index size = call.emitter().integers(count);
    const Value result = call.emitter().emit(
            nn::OperationType::SLICE,
            {call.emitter().operand(moved), call.emitter().operand(call.in(1)), size}, moved.form,
            count);
    return graph::fromMovable(call.emitter(), result, value.form);
}

void importSlice(Call& call) {
    call.requireInputs(3, 3);
    const Value value = call.inOutputForm();
    const std::vector<std::int64_t> size = call.ints(2, "the tensor of sizes");
    const bool isKnown = call.in(1).isConstant();
    std::vector<std::int64_t> begin(value.rank(), 0);
    if (isKnown) {
        begin = call.ints(1, "the tensor of first elements");
    }
    if (begin.size() != value.rank() || size.size() != value.rank()) {
        throw Refusal(fmt::format("has {} first elements and {} sizes for {} dimensions",
                                  begin.size(), size.size(), value.rank()));
    }
    Dims count;
    for (std::size_t i = 0; i < size.size(); ++i) {
        const std::int64_t rest = std::int64_t{value.dims[i]} - begin[i];
        if (begin[i] < 0 || rest < 0 || size[i] < -1 || size[i] > rest) {
            throw Refusal(fmt::format("takes {} from {} of dimension {}, which has {} elements",
                                      size[i], begin[i], i, value.dims[i]));
        }
        if (size[i] == -1 && !isKnown) {
            throw Refusal("the size of the result is known only at run time");
        }
        count.push_back(static_cast<std::uint32_t>(size[i] == -1 ? rest : size[i]));
    }
    call.set(0, isKnown ? graph::slice(call.emitter(), value,
                                       {begin, std::vector<std::int64_t>(begin.size(), 1), count})
                        : sliceAtRunTime(call, value, count));
}

/// The slice along one dimension, by the rules of TensorFlow for what is out of range.
void addStrided(std::int64_t begin, std::int64_t end, std::int64_t step, bool isFirst, bool isLast,
                std::int64_t extent, graph::SliceSpec& spec) {
    if (step == 0) {
        throw Refusal("a stride is 0");
    }
    const std::int64_t least = step > 0 ? 0 : -1, most = step > 0 ? extent : extent - 1;
    const auto placed = [&](std::int64_t at) {
        return std::clamp(at < 0 ? at + extent : at, least, most);
    };
    const std::int64_t from = isFirst ? (step > 0 ? least : most) : placed(begin);
    const std::int64_t to = isLast ? (step > 0 ? most : least) : placed(end);
    const std::int64_t distance = step > 0 ? to - from : from - to;
    const std::int64_t size = std::abs(step);
    const std::int64_t count = distance <= 0 ? 0 : (distance + size - 1) / size;
    spec.begin.push_back(count == 0 ? 0 : from);
    spec.step.push_back(count <= 1 ? 1 : step);
    spec.count.push_back(static_cast<std::uint32_t>(count));
}

void importStridedSlice(Call& call) {
    call.requireInputs(4, 4);
    const auto& options = call.options<schema::StridedSliceOptions>();
    const Value value = call.inOutputForm();
    const std::vector<std::int64_t> begin = call.ints(1, "the tensor of first elements");
    const std::vector<std::int64_t> end = call.ints(2, "the tensor of ends");
    const std::vector<std::int64_t> stride = call.ints(3, "the tensor of strides");
    if (begin.size() != end.size() || begin.size() != stride.size() || begin.size() > 32) {
        throw Refusal(fmt::format("has {} first elements, {} ends and {} strides", begin.size(),
                                  end.size(), stride.size()));
    }
    const auto isSet = [](std::int32_t mask, std::size_t i) {
        return (static_cast<std::uint32_t>(mask) >> i & 1U) != 0;
    };
    std::size_t taken = 0;  // dimensions of the input that the entries name
    for (std::size_t i = 0; i < begin.size(); ++i) {
        taken += isSet(options.ellipsis_mask(), i) || isSet(options.new_axis_mask(), i) ? 0 : 1;
    }
    if (taken > value.rank()) {
        throw Refusal(
                fmt::format("names {} dimensions of {}", taken, describeDimensions(value.dims)));
    }
    graph::SliceSpec spec;
    Dims dims;
    const auto keepWhole = [&](std::size_t count) {
        for (; count > 0; --count) {
            const std::uint32_t extent = value.dims[spec.begin.size()];
            addStrided(0, 0, 1, true, true, extent, spec);
            dims.push_back(extent);
        }
    };
    for (std::size_t i = 0; i < begin.size(); ++i) {
        if (isSet(options.ellipsis_mask(), i)) {
            keepWhole(value.rank() - taken);
            taken = value.rank();
        } else if (isSet(options.new_axis_mask(), i)) {
            dims.push_back(1);
        } else if (isSet(options.shrink_axis_mask(), i)) {
            const std::int64_t extent = value.dims[spec.begin.size()];
            const std::int64_t at = begin[i] < 0 ? begin[i] + extent : begin[i];
            if (at < 0 || at >= extent) {
                throw Refusal(fmt::format("takes element {} of {}", begin[i], extent));
            }
            addStrided(at, at + 1, 1, false, false, extent, spec);
        } else {
            const std::int64_t last = options.offset() ? begin[i] + end[i] : end[i];
            addStrided(begin[i], last, stride[i], isSet(options.begin_mask(), i),
                       isSet(options.end_mask(), i), value.dims[spec.begin.size()], spec);
            dims.push_back(spec.count.back());
        }
    }
    keepWhole(value.rank() - spec.begin.size());
    const Value part = graph::slice(call.emitter(), value, spec);
    call.set(0, part.dims == dims ? part : graph::reshape(call.emitter(), part, dims));
}

void importUnpack(Call& call) {
    call.requireInputs(1, 1);
    const Value& value = call.in(0);
    const std::uint32_t axis =
            graph::axisOf(call.option(&schema::UnpackOptions::axis), value.rank());
    if (call.outputCount() != value.dims[axis]) {
        throw Refusal(fmt::format("has {} outputs for {} elements", call.outputCount(),
                                  value.dims[axis]));
    }
    for (std::uint32_t i = 0; i < value.dims[axis]; ++i) {
        call.set(i, graph::partAt(call.emitter(), value, axis, i));
    }
}

/// Parts of the given sizes; all in one SPLIT where they are equal and NNAPI takes the form.
void setParts(Call& call, const Value& value, std::uint32_t axis, const Dims& sizes) {
    const bool areEqual = std::all_of(sizes.begin(), sizes.end(),
                                      [&](std::uint32_t size) { return size == sizes[0]; });
    const bool isDirect = areEqual && !value.isConstant() && value.rank() <= 4 &&
                          !value.form.isTruth() && value.count() != 0;
    if (isDirect) {
        Dims dims = value.dims;
        dims[axis] = sizes[0];
        const std::vector<Value> parts =
                call.emitter().emit(nn::OperationType::SPLIT,
                                    {call.emitter().operand(value), call.emitter().integer(axis),
                                     call.emitter().integer(std::ssize(sizes))},
                                    std::vector<Emitter::Result>(sizes.size(), {value.form, dims}));
        for (std::size_t i = 0; i < parts.size(); ++i) {
            call.set(i, parts[i]);
        }
        return;
    }
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        call.set(i, graph::sliceAxis(call.emitter(), value, axis, begin, sizes[i]));
        begin += sizes[i];
    }
}

void importSplit(Call& call) {
    call.requireInputs(2, 2);
    const Value& value = call.in(1);
    const std::uint32_t axis = graph::axisOf(call.oneInt(0, "the axis"), value.rank());
    const auto count = static_cast<std::uint32_t>(call.outputCount());
    if (count == 0 || value.dims[axis] % count != 0) {
        throw Refusal(fmt::format("splits {} elements into {} parts", value.dims[axis], count));
    }
    setParts(call, value, axis, Dims(count, value.dims[axis] / count));
}

void importSplitV(Call& call) {
    call.requireInputs(3, 3);
    const Value& value = call.in(0);
    const std::uint32_t axis = graph::axisOf(call.oneInt(2, "the axis"), value.rank());
    std::vector<std::int64_t> given = call.ints(1, "the tensor of sizes");
    std::int64_t rest = value.dims[axis];
    for (const std::int64_t size : given) {
        rest -= std::max<std::int64_t>(size, 0);
    }
    Dims sizes;
    for (std::int64_t& size : given) {
        if (size == -1) {
            size = rest;
            rest = 0;
        }
        if (size < 0 || size > value.dims[axis]) {
            throw Refusal(fmt::format("a part has {} elements", size));
        }
        sizes.push_back(static_cast<std::uint32_t>(size));
    }
    if (rest != 0 || sizes.size() != call.outputCount() || sizes.empty()) {
        throw Refusal(
                fmt::format("{} parts do not make {} elements", sizes.size(), value.dims[axis]));
    }
    setParts(call, value, axis, sizes);
}

constexpr Row kSliceRows[] = {
        {45, "STRIDED_SLICE", kImported, "STRIDED_SLICE or SLICE", importStridedSlice},
        {49, "SPLIT", kImported, "SPLIT", importSplit},
        {65, "SLICE", kImported, "SLICE", importSlice},
        {88, "UNPACK", kComposed, "SLICE, RESHAPE", importUnpack},
        {102, "SPLIT_V", kComposed, "SLICE", importSplitV},
};

}  // namespace

std::span<const Row> sliceRows() {
    return kSliceRows;
}

}  // namespace vnpu::sim::tflite
