// SPDX-License-Identifier: Apache-2.0
// Operators that move elements.
#include <algorithm>
#include <numeric>

#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

std::vector<std::uint32_t> axesOf(const Call& call, std::size_t input, std::size_t rank) {
    std::vector<std::uint32_t> axes;
    for (const std::int64_t axis : call.ints(input, "the tensor of axes")) {
        axes.push_back(graph::axisOf(axis, rank));
    }
    return axes;
}

/// The value in the form of the output: NNAPI moves elements between equal scales only.
Value inOutputForm(Call& call, std::size_t input = 0) {
    return graph::convert(call.emitter(), call.in(input), call.form());
}

/// The shape in the second input, in the options, or in the output's declaration.
Dims shapeOfReshape(Call& call) {
    const Dims& from = call.in(0).dims;
    if (call.has(1) && call.in(1).isConstant()) {
        return graph::resolveShape(from, call.ints(1, "the shape"));
    }
    const auto& op = *call.op().table;
    const auto* options = op.builtin_options_as<schema::ReshapeOptions>();
    if (options != nullptr && options->new_shape() != nullptr) {
        const std::vector<std::int64_t> shape(options->new_shape()->begin(),
                                              options->new_shape()->end());
        return graph::resolveShape(from, shape);
    }
    const TensorView output = call.outputTensor(0);
    if (output.isOpen || elementCount(output.dimensions) != elementCount(from)) {
        throw Refusal("the shape is known only at run time");
    }
    return output.dimensions;
}

void importReshape(Call& call) {
    call.requireInputs(1, 2);
    call.set(0, graph::reshape(call.emitter(), inOutputForm(call), shapeOfReshape(call)));
}

void importSqueeze(Call& call) {
    call.requireInputs(1, 1);
    const Dims& from = call.in(0).dims;
    std::vector<bool> isDropped(from.size(), false);
    const auto* options = call.op().table->builtin_options_as<schema::SqueezeOptions>();
    const TensorView output = call.outputTensor(0);
    if (options == nullptr && !output.isOpen &&
        elementCount(output.dimensions) == elementCount(from)) {
        call.set(0, graph::reshape(call.emitter(), inOutputForm(call), output.dimensions));
        return;
    }
    if (options != nullptr && options->squeeze_dims() != nullptr &&
        options->squeeze_dims()->size() != 0) {
        for (const std::int32_t axis : *options->squeeze_dims()) {
            isDropped[graph::axisOf(axis, from.size())] = true;
        }
    } else {
        std::transform(from.begin(), from.end(), isDropped.begin(),
                       [](std::uint32_t size) { return size == 1; });
    }
    Dims dims;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (!isDropped[i]) {
            dims.push_back(from[i]);
        } else if (from[i] != 1) {
            throw Refusal(fmt::format("drops dimension {} of {}", i, describeDimensions(from)));
        }
    }
    call.set(0, graph::reshape(call.emitter(), inOutputForm(call), dims));
}

void importExpandDims(Call& call) {
    call.requireInputs(2, 2);
    Dims dims = call.in(0).dims;
    const std::uint32_t axis = graph::axisOf(call.oneInt(1, "the axis"), dims.size() + 1);
    dims.insert(dims.begin() + axis, 1);
    call.set(0, graph::reshape(call.emitter(), inOutputForm(call), dims));
}

void importTranspose(Call& call) {
    call.requireInputs(2, 2);
    const Value value = inOutputForm(call);
    call.set(0, graph::transpose(call.emitter(), value, axesOf(call, 1, value.rank())));
}

/// SLICE whose first elements are known only at run time.
Value sliceAtRunTime(Call& call, const Value& value, const Dims& count) {
    if (value.rank() > 4 || value.rank() == 0 || elementCount(count) == 0) {
        throw Refusal("begins where only the run time knows");
    }
    const Value moved = value.form.isTruth() ? graph::toMovable(call.emitter(), value) : value;
    const Index size = call.emitter().builder().addInt32Tensor({count.begin(), count.end()});
    const Value result = call.emitter().emit(
            nn::OperationType::SLICE,
            {call.emitter().operand(moved), call.emitter().operand(call.in(1)), size}, moved.form,
            count);
    return graph::fromMovable(call.emitter(), result, value.form);
}

void importSlice(Call& call) {
    call.requireInputs(3, 3);
    const Value value = inOutputForm(call);
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
    const Value value = inOutputForm(call);
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

void importConcatenation(Call& call) {
    call.requireInputs(1, call.inputCount());
    const auto& options = call.options<schema::ConcatenationOptions>();
    const std::uint32_t axis = graph::axisOf(options.axis(), call.in(0).rank());
    const Value joined = graph::concatenate(call.emitter(), call.inputs(), axis, call.form());
    call.set(0, graph::clamp(call.emitter(), joined, clampOf(options.fused_activation())));
}

void importPack(Call& call) {
    call.requireInputs(1, call.inputCount());
    const std::uint32_t axis =
            graph::axisOf(call.option(&schema::PackOptions::axis), call.in(0).rank() + 1);
    std::vector<Value> parts;
    for (const Value& input : call.inputs()) {
        Dims dims = input.dims;
        dims.insert(dims.begin() + std::min<std::ptrdiff_t>(axis, std::ssize(dims)), 1);
        parts.push_back(graph::reshape(call.emitter(), input, dims));
    }
    call.set(0, graph::concatenate(call.emitter(), parts, axis, call.form()));
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
    Dims dims = value.dims;
    dims.erase(dims.begin() + axis);
    for (std::uint32_t i = 0; i < value.dims[axis]; ++i) {
        const Value part = graph::sliceAxis(call.emitter(), value, axis, i, 1);
        call.set(i, graph::reshape(call.emitter(), part, dims));
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
        ModelBuilder& builder = call.emitter().builder();
        const std::vector<Value> parts = call.emitter().emit(
                nn::OperationType::SPLIT,
                {call.emitter().operand(value), builder.addInt32(static_cast<std::int32_t>(axis)),
                 builder.addInt32(static_cast<std::int32_t>(sizes.size()))},
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

struct Paddings {
    std::vector<std::int64_t> before, after;
};

/// A table of two columns.
Paddings paddingsOf(Call& call, std::size_t input, std::size_t rows) {
    const std::vector<std::int64_t> table = call.ints(input, "the table of paddings");
    if (table.size() != 2 * rows) {
        throw Refusal(fmt::format("has {} paddings, expected {}", table.size(), 2 * rows));
    }
    Paddings paddings;
    for (std::size_t i = 0; i < table.size(); i += 2) {
        if (table[i] < 0 || table[i + 1] < 0) {
            throw Refusal(fmt::format("paddings of dimension {} are {} and {}, expected 0 or more",
                                      i / 2, table[i], table[i + 1]));
        }
        paddings.before.push_back(table[i]);
        paddings.after.push_back(table[i + 1]);
    }
    return paddings;
}

void importPad(Call& call) {
    call.requireInputs(2, 2);
    const Value value = inOutputForm(call);
    const Paddings paddings = paddingsOf(call, 1, value.rank());
    call.set(0, graph::pad(call.emitter(), value, paddings.before, paddings.after, 0.0));
}

void importPadV2(Call& call) {
    call.requireInputs(3, 3);
    const Value value = inOutputForm(call);
    const Paddings paddings = paddingsOf(call, 1, value.rank());
    if (!call.in(2).isConstant() || call.in(2).count() != 1) {
        throw Refusal("the value of the padding is known only at run time");
    }
    call.set(0, graph::pad(call.emitter(), value, paddings.before, paddings.after,
                           graph::realsOf(call.in(2))[0]));
}

void importMirrorPad(Call& call) {
    call.requireInputs(2, 2);
    const Value value = inOutputForm(call);
    const Paddings paddings = paddingsOf(call, 1, value.rank());
    const bool withBorder =
            call.option(&schema::MirrorPadOptions::mode) == schema::MirrorPadMode::SYMMETRIC;
    call.set(0,
             graph::mirrorPad(call.emitter(), value, paddings.before, paddings.after, withBorder));
}

void importTile(Call& call) {
    call.requireInputs(2, 2);
    call.set(0, graph::tile(call.emitter(), inOutputForm(call),
                            call.ints(1, "the tensor of multiples")));
}

Dims dimsFrom(const Call& call, std::size_t input) {
    Dims dims;
    for (const std::int64_t size : call.ints(input, "the shape")) {
        if (size < 0 || size > INT32_MAX) {
            throw Refusal(fmt::format("a dimension is {}", size));
        }
        dims.push_back(static_cast<std::uint32_t>(size));
    }
    return dims;
}

void importBroadcastTo(Call& call) {
    call.requireInputs(2, 2);
    call.set(0, graph::broadcastTo(call.emitter(), inOutputForm(call), dimsFrom(call, 1)));
}

void importGather(Call& call) {
    call.requireInputs(2, 2);
    const Value value = inOutputForm(call);
    const std::uint32_t axis =
            graph::axisOf(call.option(&schema::GatherOptions::axis), value.rank());
    const std::int32_t batchDims = call.option(&schema::GatherOptions::batch_dims);
    const std::int64_t batches =
            batchDims < 0 ? batchDims + std::ssize(call.in(1).dims) : std::int64_t{batchDims};
    if (batches < 0 || batches > 8) {
        throw Refusal(fmt::format("has {} batch dimensions", batchDims));
    }
    call.set(0, graph::gather(call.emitter(), value, call.in(1), axis,
                              static_cast<std::uint32_t>(batches)));
}

void importGatherNd(Call& call) {
    call.requireInputs(2, 2);
    call.set(0, graph::gatherNd(call.emitter(), inOutputForm(call), call.in(1)));
}

void importReverse(Call& call) {
    call.requireInputs(2, 2);
    const Value value = inOutputForm(call);
    call.set(0, graph::reverse(call.emitter(), value, axesOf(call, 1, value.rank())));
}

/// The first elements of each row in reverse, by an index for every element.
void importReverseSequence(Call& call) {
    call.requireInputs(2, 2);
    const auto& options = call.options<schema::ReverseSequenceOptions>();
    const Value value = inOutputForm(call);
    const std::uint32_t axis = graph::axisOf(options.seq_dim(), value.rank());
    const std::uint32_t batch = graph::axisOf(options.batch_dim(), value.rank());
    const std::vector<std::int64_t> lengths = call.ints(1, "the tensor of lengths");
    if (axis == batch || lengths.size() != value.dims[batch]) {
        throw Refusal(fmt::format("has {} lengths for {} rows", lengths.size(), value.dims[batch]));
    }
    std::vector<Value> rows;
    for (std::uint32_t i = 0; i < lengths.size(); ++i) {
        const Value row = graph::sliceAxis(call.emitter(), value, batch, i, 1);
        std::vector<std::int32_t> places(value.dims[axis]);
        std::iota(places.begin(), places.end(), 0);
        if (lengths[i] < 0 || lengths[i] > std::ssize(places)) {
            throw Refusal(fmt::format("reverses {} of {} elements", lengths[i], places.size()));
        }
        std::reverse(places.begin(), places.begin() + lengths[i]);
        rows.push_back(graph::gather(call.emitter(), row,
                                     graph::integerConstant({value.dims[axis]}, places), axis));
    }
    call.set(0, graph::concatenate(call.emitter(), rows, batch, value.form));
}

void importSpaceToDepth(Call& call) {
    call.requireInputs(1, 1);
    const auto block = call.options<schema::SpaceToDepthOptions>().block_size();
    call.set(0, graph::spaceToDepth(call.emitter(), inOutputForm(call),
                                    static_cast<std::uint32_t>(std::max(block, 0))));
}

void importDepthToSpace(Call& call) {
    call.requireInputs(1, 1);
    const auto block = call.options<schema::DepthToSpaceOptions>().block_size();
    call.set(0, graph::depthToSpace(call.emitter(), inOutputForm(call),
                                    static_cast<std::uint32_t>(std::max(block, 0))));
}

template <bool kToBatch>
void importBatches(Call& call) {
    call.requireInputs(3, 3);
    const std::vector<std::int64_t> blocks = call.ints(1, "the tensor of block sizes");
    const Paddings paddings = paddingsOf(call, 2, blocks.size());
    const Value value = inOutputForm(call);
    call.set(0, (kToBatch ? graph::spaceToBatch : graph::batchToSpace)(
                        call.emitter(), value, blocks, paddings.before, paddings.after));
}

/// What is before, in and behind the updated part, one dimension after the other.
Value replaced(Emitter& emitter, const Value& value, const Value& update,
               const std::vector<std::int64_t>& begin, std::uint32_t axis) {
    if (axis == value.rank()) {
        return update;
    }
    const auto first = static_cast<std::uint32_t>(begin[axis]);
    const std::uint32_t size = update.dims[axis];
    if (first == 0 && size == value.dims[axis]) {
        return replaced(emitter, value, update, begin, axis + 1);
    }
    const Value middle = graph::sliceAxis(emitter, value, axis, first, size);
    return graph::concatenate(
            emitter,
            {graph::sliceAxis(emitter, value, axis, 0, first),
             replaced(emitter, middle, update, begin, axis + 1),
             graph::sliceAxis(emitter, value, axis, first + size, value.dims[axis] - first - size)},
            axis, value.form);
}

void importDynamicUpdateSlice(Call& call) {
    call.requireInputs(3, 3);
    const Value value = inOutputForm(call), update = inOutputForm(call, 1);
    std::vector<std::int64_t> begin = call.ints(2, "the tensor of first elements");
    if (begin.size() != value.rank() || update.rank() != value.rank()) {
        throw Refusal("operand, update and first elements have different ranks");
    }
    for (std::size_t i = 0; i < begin.size(); ++i) {
        if (update.dims[i] > value.dims[i]) {
            throw Refusal("the update is larger than the operand");
        }
        begin[i] = std::clamp<std::int64_t>(begin[i], 0, value.dims[i] - update.dims[i]);
    }
    call.set(0, replaced(call.emitter(), value, update, begin, 0));
}

/// Rows at constant places of a tensor of zeros; rows for one place are added up.
void importScatterNd(Call& call) {
    call.requireInputs(3, 3);
    const std::vector<std::int64_t> indices = call.ints(0, "the tensor of indices");
    const Dims dims = dimsFrom(call, 2);
    const Dims& indexDims = call.in(0).dims;
    const std::uint32_t depth = indexDims.empty() ? 0 : indexDims.back();
    if (depth == 0 || depth > dims.size()) {
        throw Refusal(fmt::format("indices are {} for {}", describeDimensions(indexDims),
                                  describeDimensions(dims)));
    }
    graph::requireSize(call.form(), dims);
    std::uint32_t places = 1, inner = 1;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        (i < depth ? places : inner) *= dims[i];
    }
    const auto count = static_cast<std::uint32_t>(indices.size() / depth);
    const Value update = inOutputForm(call, 1);
    if (update.count() != std::uint64_t{count} * inner) {
        throw Refusal(fmt::format("updates are {}, expected {} rows of {}",
                                  describeDimensions(update.dims), count, inner));
    }
    // Row 0 is zeros; a gather puts it wherever no update goes.
    std::vector<std::int32_t> source(places, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::int64_t place = 0;
        for (std::uint32_t k = 0; k < depth; ++k) {
            const std::int64_t index = indices[std::size_t{i} * depth + k];
            if (index < 0 || index >= dims[k]) {
                throw Refusal(fmt::format("index {} of {} elements", index, dims[k]));
            }
            place = place * dims[k] + index;
        }
        if (source[static_cast<std::size_t>(place)] != 0) {
            throw Refusal("adds several updates to one place");
        }
        source[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(i + 1);
    }
    const Value rows = graph::concatenate(call.emitter(),
                                          {graph::filled(update.form, {1, inner}, 0.0),
                                           graph::reshape(call.emitter(), update, {count, inner})},
                                          0, update.form);
    const Value result =
            graph::gather(call.emitter(), rows, graph::integerConstant({places}, source), 0);
    call.set(0, graph::reshape(call.emitter(), result, dims));
}

/// Compares an index with each of the positions.
void importOneHot(Call& call) {
    call.requireInputs(4, 4);
    Emitter& emitter = call.emitter();
    const std::int64_t depth = call.oneInt(1, "the depth");
    if (depth < 1 || depth > 1 << 20) {
        throw Refusal(fmt::format("the depth is {}", depth));
    }
    const std::int32_t given = call.option(&schema::OneHotOptions::axis, -1);
    const std::uint32_t axis = graph::axisOf(given, call.in(0).rank() + 1);
    Dims indexDims = call.in(0).dims, positionDims(call.in(0).rank() + 1, 1);
    indexDims.insert(indexDims.begin() + axis, 1);
    positionDims[axis] = static_cast<std::uint32_t>(depth);
    std::vector<std::int32_t> positions(static_cast<std::size_t>(depth));
    std::iota(positions.begin(), positions.end(), 0);
    const Value isHot =
            graph::binary(emitter, Binary::kEqual, graph::reshape(emitter, call.in(0), indexDims),
                          graph::integerConstant(positionDims, positions), graph::kTruth);
    call.set(0, graph::select(emitter, isHot, call.in(2), call.in(3), call.form()));
}

/// The vectors of the last dimension on diagonals: a product with the unit matrix.
void importMatrixDiag(Call& call) {
    call.requireInputs(1, 1);
    const Value& value = call.in(0);
    if (value.rank() == 0) {
        throw Refusal("a scalar has no diagonal");
    }
    const std::uint32_t size = value.dims.back();
    std::vector<std::uint8_t> unit(std::size_t{size} * size, 0);
    for (std::size_t i = 0; i < size; ++i) {
        unit[i * size + i] = 1;
    }
    Dims dims = value.dims;
    dims.push_back(1);
    call.set(0, graph::select(call.emitter(), graph::truthConstant({size, size}, unit),
                              graph::reshape(call.emitter(), value, dims),
                              graph::filled(value.form, {}, 0.0), call.form()));
}

void importMatrixSetDiag(Call& call) {
    call.requireInputs(2, 2);
    const Value &value = call.in(0), &diagonal = call.in(1);
    if (value.rank() < 2 || diagonal.rank() + 1 != value.rank()) {
        throw Refusal("the diagonal does not fit the matrix");
    }
    const std::uint32_t rows = value.dims[value.rank() - 2], columns = value.dims.back();
    if (diagonal.dims.back() != std::min(rows, columns)) {
        throw Refusal("the diagonal does not fit the matrix");
    }
    std::vector<std::uint8_t> isDiagonal(std::size_t{rows} * columns, 0);
    for (std::size_t i = 0; i < std::min(rows, columns); ++i) {
        isDiagonal[i * columns + i] = 1;
    }
    // Row i takes element i, whatever the column; rows without one take nothing.
    std::vector<std::int64_t> before(diagonal.rank(), 0), after(diagonal.rank(), 0);
    after.back() = std::int64_t{rows} - diagonal.dims.back();
    Value perRow = graph::pad(call.emitter(), diagonal, before, after, 0.0);
    Dims dims = perRow.dims;
    dims.push_back(1);
    perRow = graph::reshape(call.emitter(), perRow, dims);
    call.set(0, graph::select(call.emitter(), graph::truthConstant({rows, columns}, isDiagonal),
                              perRow, value, call.form()));
}

void importEmbeddingLookup(Call& call) {
    call.requireInputs(2, 2);
    const Value table = inOutputForm(call, 1);
    if (table.rank() == 0) {
        throw Refusal("the table is a scalar");
    }
    call.set(0, graph::gather(call.emitter(), table, call.in(0), 0));
}

void importHashtableLookup(Call& call) {
    call.requireInputs(3, 3);
    Emitter& emitter = call.emitter();
    const Value table = inOutputForm(call, 2);
    if (table.rank() < 2 || call.in(0).rank() != 1) {
        throw Refusal("the table has one dimension, which NNAPI does not have");
    }
    Dims dims = table.dims;
    dims[0] = call.in(0).dims[0];
    const Form hits = {nn::OperandType::TENSOR_QUANT8_ASYMM, 1.0F, 0};
    const std::vector<Value> results = emitter.emit(
            nn::OperationType::HASHTABLE_LOOKUP,
            {emitter.operand(call.in(0)), emitter.operand(call.in(1)), emitter.operand(table)},
            std::vector<Emitter::Result>{{table.form, dims}, {hits, {dims[0]}}});
    call.set(0, results[0]);
    if (call.hasOutput(1)) {
        call.set(1, results[1]);
    }
}

/// Zeros between the elements: padding behind each, then all in one row.
void importDilate(Call& call) {
    call.requireInputs(3, 3);
    const std::vector<std::int64_t> factors = call.ints(1, "the tensor of dilations");
    Value value = inOutputForm(call);
    if (factors.size() != value.rank() || !call.in(2).isConstant() || call.in(2).count() != 1) {
        throw Refusal("dilations do not fit the operand");
    }
    const double fill = graph::realsOf(call.in(2))[0];
    for (std::uint32_t i = 0; i < value.rank(); ++i) {
        if (factors[i] < 1 || factors[i] > INT16_MAX) {
            throw Refusal(fmt::format("a dilation is {}", factors[i]));
        }
        if (factors[i] == 1 || value.dims[i] == 0) {
            continue;
        }
        const Dims dims = value.dims;
        Dims around = {1, dims[i], 1, 1};
        for (std::uint32_t k = 0; k < dims.size(); ++k) {
            around[0] *= k < i ? dims[k] : 1;
            around[3] *= k > i ? dims[k] : 1;
        }
        const std::int64_t before[] = {0, 0, 0, 0}, after[] = {0, 0, factors[i] - 1, 0};
        value = graph::pad(call.emitter(), graph::reshape(call.emitter(), value, around), before,
                           after, fill);
        Dims wide = dims;
        wide[i] = dims[i] * static_cast<std::uint32_t>(factors[i]);
        value = graph::reshape(call.emitter(), value, wide);
        value = graph::sliceAxis(call.emitter(), value, i, 0,
                                 wide[i] - static_cast<std::uint32_t>(factors[i]) + 1);
    }
    call.set(0, value);
}

constexpr Row kMovementRows[] = {
        {2, "CONCATENATION", kImported, "CONCATENATION", importConcatenation},
        {5, "DEPTH_TO_SPACE", kImported, "DEPTH_TO_SPACE", importDepthToSpace},
        {7, "EMBEDDING_LOOKUP", kImported, "GATHER", importEmbeddingLookup},
        {10, "HASHTABLE_LOOKUP", kImported, "HASHTABLE_LOOKUP", importHashtableLookup},
        {22, "RESHAPE", kImported, "RESHAPE", importReshape},
        {26, "SPACE_TO_DEPTH", kImported, "SPACE_TO_DEPTH", importSpaceToDepth},
        {34, "PAD", kImported, "PAD", importPad},
        {36, "GATHER", kImported, "GATHER", importGather},
        {37, "BATCH_TO_SPACE_ND", kImported, "BATCH_TO_SPACE_ND, SLICE", importBatches<false>},
        {38, "SPACE_TO_BATCH_ND", kImported, "SPACE_TO_BATCH_ND", importBatches<true>},
        {39, "TRANSPOSE", kImported, "TRANSPOSE", importTranspose},
        {43, "SQUEEZE", kImported, "RESHAPE", importSqueeze},
        {45, "STRIDED_SLICE", kImported, "STRIDED_SLICE or SLICE", importStridedSlice},
        {49, "SPLIT", kImported, "SPLIT", importSplit},
        {60, "PADV2", kImported, "PAD_V2", importPadV2},
        {65, "SLICE", kImported, "SLICE", importSlice},
        {69, "TILE", kImported, "TILE", importTile},
        {70, "EXPAND_DIMS", kImported, "RESHAPE", importExpandDims},
        {83, "PACK", kComposed, "RESHAPE, CONCATENATION", importPack},
        {85, "ONE_HOT", kComposed, "EQUAL, TILE, SELECT", importOneHot},
        {88, "UNPACK", kComposed, "SLICE, RESHAPE", importUnpack},
        {100, "MIRROR_PAD", kComposed, "GATHER", importMirrorPad},
        {102, "SPLIT_V", kComposed, "SLICE", importSplitV},
        {105, "REVERSE_V2", kComposed, "GATHER", importReverse},
        {107, "GATHER_ND", kComposed, "MUL, ADD, GATHER", importGatherNd},
        {112, "REVERSE_SEQUENCE", kComposed, "SLICE, GATHER, CONCATENATION", importReverseSequence},
        {113, "MATRIX_DIAG", kComposed, "TILE, SELECT", importMatrixDiag},
        {115, "MATRIX_SET_DIAG", kComposed, "PAD, TILE, SELECT", importMatrixSetDiag},
        {122, "SCATTER_ND", kComposed, "CONCATENATION, GATHER", importScatterNd},
        {130, "BROADCAST_TO", kComposed, "RESHAPE, TILE", importBroadcastTo},
        {151, "DYNAMIC_UPDATE_SLICE", kComposed, "SLICE, CONCATENATION", importDynamicUpdateSlice},
        {203, "DILATE", kComposed, "RESHAPE, PAD, SLICE", importDilate},
};

}  // namespace

std::span<const Row> movementRows() {
    return kMovementRows;
}

}  // namespace vnpu::sim::tflite
