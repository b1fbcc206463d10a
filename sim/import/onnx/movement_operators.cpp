// SPDX-License-Identifier: Apache-2.0
// Operators that move elements to other places.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/movement.h"
#include "sim/import/graph/windows.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

void outShaped(Context& context, const Dims& dims) {
    context.out(0, graph::reshape(context.emitter(), context.in(0), dims), context.type(0));
}

void importReshape(Context& context) {
    const Dims from = context.dims(0);
    std::vector<std::int64_t> shape =
            context.has(1) ? context.integers(1, "the shape") : context.list("shape");
    const bool keepsZeros = context.integer("allowzero", 0) != 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0 && !keepsZeros) {
            if (i >= from.size()) {
                context.refuse(fmt::format("dimension {} of the shape is 0, the input has {}", i,
                                           from.size()));
            }
            shape[i] = from[i];
        }
    }
    outShaped(context, graph::resolveShape(from, shape));
}

void importFlatten(Context& context) {
    const Dims from = context.dims(0);
    const std::int64_t axis = context.integer("axis", 1);
    const std::size_t split = axis == static_cast<std::int64_t>(from.size())
                                      ? from.size()
                                      : graph::axisOf(axis, from.size());
    const auto product = [&](std::size_t begin, std::size_t end) {
        return std::accumulate(from.begin() + static_cast<std::ptrdiff_t>(begin),
                               from.begin() + static_cast<std::ptrdiff_t>(end), std::uint32_t{1},
                               std::multiplies<>());
    };
    outShaped(context, {product(0, split), product(split, from.size())});
}

void importSqueeze(Context& context) {
    const Dims from = context.dims(0);
    const std::vector<std::uint32_t> axes = context.axes(1, from.size());
    const bool isAll = !context.has(1) && !context.hasAttribute("axes");
    Dims dims;
    for (std::uint32_t i = 0; i < from.size(); ++i) {
        const bool isNamed = std::count(axes.begin(), axes.end(), i) != 0;
        if (isNamed && from[i] != 1) {
            context.refuse(fmt::format("dimension {} is {}, expected 1", i, from[i]));
        }
        if (isAll ? from[i] != 1 : !isNamed) {
            dims.push_back(from[i]);
        }
    }
    outShaped(context, dims);
}

void importUnsqueeze(Context& context) {
    const Dims from = context.dims(0);
    const std::size_t added =
            context.has(1) ? context.held(1).value.count() : context.list("axes").size();
    constexpr std::size_t kMostRank = 16;  // chosen: beyond any model
    if (from.size() + added > kMostRank) {
        context.refuse(fmt::format("a tensor of {} dimensions, expected up to {}",
                                   from.size() + added, kMostRank));
    }
    const std::vector<std::uint32_t> axes = context.axes(1, from.size() + added);
    Dims dims;
    for (std::uint32_t i = 0, at = 0; i < from.size() + added; ++i) {
        const bool isNew = std::count(axes.begin(), axes.end(), i) != 0;
        dims.push_back(isNew ? 1 : from[at++]);
    }
    outShaped(context, dims);
}

void importTranspose(Context& context) {
    const std::size_t rank = context.rank(0);
    std::vector<std::uint32_t> order;
    for (const std::int64_t axis : context.list("perm")) {
        order.push_back(graph::axisOf(axis, rank));
    }
    if (order.empty()) {
        order.resize(rank);
        std::iota(order.rbegin(), order.rend(), 0U);
    }
    const Held& held = context.held(0);
    if (rank >= 3 && order == toLastOrder(rank) && held.isChannelsLast) {
        context.out(0, held.value, held.type);  // the order in which it is held already
    } else if (rank >= 3 && order == fromLastOrder(rank) && !held.isChannelsLast) {
        context.outLast(0, held.value, held.type);
    } else {
        context.out(0, graph::transpose(context.emitter(), context.in(0), order), held.type);
    }
}

/// All parts in one form and order.
void importConcat(Context& context) {
    const std::size_t rank = context.rank(0);
    std::uint32_t axis = context.axis(1, rank);
    const ElementType type = context.type(0);
    bool areLast = rank >= 3, areAlike = true;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        if (context.rank(i) != rank) {
            context.refuse("the parts differ in their number of dimensions");
        }
        areLast = areLast && (context.held(i).isChannelsLast || context.held(i).value.isConstant());
        areAlike = areAlike && context.held(i).value.form == context.held(0).value.form;
    }
    std::vector<Value> parts;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        parts.push_back(areLast                        ? context.last(i)
                        : isRealType(type) || areAlike ? context.in(i)
                                                       : context.plain(i));
    }
    areLast = areLast && (isRealType(type) || areAlike);
    if (areLast) {
        axis = axis == 0 ? 0 : axis == 1 ? static_cast<std::uint32_t>(rank - 1) : axis - 1;
    }
    Target target = context.target();
    if (!isRealType(type) || (target.form.isReal() && areAlike)) {
        target.form = parts[0].form;
    }
    context.outTo(target, graph::concatenate(context.emitter(), parts, axis, target.form), type,
                  areLast);
}

/// The part between two ends with a step, as Python counts.
struct Range {
    std::int64_t begin = 0, count = 0;
};

Range rangeOf(std::int64_t begin, std::int64_t end, std::int64_t step, std::int64_t extent) {
    const auto place = [&](std::int64_t at) {
        at = at < 0 ? at + extent : at;
        return step > 0 ? std::clamp<std::int64_t>(at, 0, extent)
                        : std::clamp<std::int64_t>(at, -1, extent - 1);
    };
    const std::int64_t from = place(begin), to = place(end);
    const std::int64_t span = step > 0 ? to - from : from - to;
    const std::int64_t size = std::abs(step);
    return {from, span <= 0 ? 0 : (span - 1) / size + 1};
}

/// Bounds are attributes up to version 9, then inputs.
void importSlice(Context& context) {
    const Dims from = context.dims(0);
    const bool hasInputs = context.opset() >= 10 || context.inputCount() > 1;
    const auto starts = hasInputs ? context.integers(1, "starts") : context.list("starts");
    const auto ends = hasInputs ? context.integers(2, "ends") : context.list("ends");
    std::vector<std::int64_t> axes =
            hasInputs ? (context.has(3) ? context.integers(3, "axes") : std::vector<std::int64_t>())
                      : context.list("axes");
    std::vector<std::int64_t> steps = hasInputs && context.has(4) ? context.integers(4, "steps")
                                                                  : std::vector<std::int64_t>();
    if (axes.empty()) {
        axes.resize(starts.size());
        std::iota(axes.begin(), axes.end(), 0);
    }
    steps.resize(steps.empty() ? starts.size() : steps.size(), 1);
    if (ends.size() != starts.size() || axes.size() != starts.size() ||
        steps.size() != starts.size()) {
        context.refuse("starts, ends, axes and steps differ in length");
    }
    graph::SliceSpec spec{std::vector<std::int64_t>(from.size(), 0),
                          std::vector<std::int64_t>(from.size(), 1), from};
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const std::uint32_t axis = graph::axisOf(axes[i], from.size());
        if (steps[i] == 0) {
            context.refuse("a step of 0");
        }
        const Range range = rangeOf(starts[i], ends[i], steps[i], from[axis]);
        spec.begin[axis] = range.begin;
        spec.step[axis] = steps[i];
        spec.count[axis] = static_cast<std::uint32_t>(range.count);
    }
    context.out(0, graph::slice(context.emitter(), context.in(0), spec), context.type(0));
}

void importSplit(Context& context) {
    const Dims from = context.dims(0);
    const std::uint32_t axis = context.axis(0, from.size());
    std::vector<std::int64_t> sizes =
            context.has(1) ? context.integers(1, "split") : context.list("split");
    const std::size_t count = context.node().outputs.size();
    if (sizes.empty()) {
        const std::uint32_t part = (from[axis] + static_cast<std::uint32_t>(count) - 1) /
                                   static_cast<std::uint32_t>(count);
        sizes.assign(count, part);
        sizes.back() = std::int64_t{from[axis]} - part * static_cast<std::int64_t>(count - 1);
    }
    if (sizes.size() != count ||
        std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) != from[axis] ||
        *std::min_element(sizes.begin(), sizes.end()) < 0) {
        context.refuse(fmt::format("{} parts that do not add up to {}", sizes.size(), from[axis]));
    }
    const Held held = context.held(0);
    std::uint32_t place = axis;
    if (held.isChannelsLast && axis > 0) {
        place = axis == 1 ? static_cast<std::uint32_t>(from.size() - 1) : axis - 1;
    }
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto size = static_cast<std::uint32_t>(sizes[i]);
        context.outLike(i, graph::sliceAxis(context.emitter(), held.value, place, begin, size),
                        held);
        begin += size;
    }
}

/// Nearest-value padding: the first and the last element of each dimension repeat.
Value padWithEdges(Context& context, Value value, const std::vector<std::int64_t>& before,
                   const std::vector<std::int64_t>& after) {
    graph::Emitter& emitter = context.emitter();
    for (std::uint32_t axis = 0; axis < value.rank(); ++axis) {
        if (before[axis] == 0 && after[axis] == 0) {
            continue;
        }
        std::vector<Value> parts;
        const auto repeat = [&](std::uint32_t at, std::int64_t times) {
            if (times > 0) {
                std::vector<std::int64_t> multiples(value.rank(), 1);
                multiples[axis] = times;
                parts.push_back(graph::tile(emitter, graph::sliceAxis(emitter, value, axis, at, 1),
                                            multiples));
            }
        };
        repeat(0, before[axis]);
        parts.push_back(value);
        repeat(value.dims[axis] - 1, after[axis]);
        value = graph::concatenate(emitter, parts, axis, value.form);
    }
    return value;
}

/// A constant that grows takes the import's memory, not the device's.
void requireModest(Context& context, double elements) {
    constexpr double kMostElements = 1 << 24;  // chosen: 64 MiB of float32
    if (context.held(0).value.isConstant() && !(elements <= kMostElements)) {
        context.refuse(fmt::format("a constant of {} elements, expected at most {}", elements, kMostElements));
    }
}

/// Pads are attributes up to version 10, then inputs; negative ones cut.
void importPad(Context& context) {
    const Dims from = context.dims(0);
    const bool hasInputs = context.opset() >= 11;
    const std::string mode = context.text("mode", "constant");
    const auto given = hasInputs ? context.integers(1, "pads")
                                 : context.list(context.hasAttribute("pads") ? "pads" : "paddings");
    std::vector<std::int64_t> axes =
            context.has(3) ? context.integers(3, "axes") : std::vector<std::int64_t>();
    if (axes.empty()) {
        axes.resize(from.size());
        std::iota(axes.begin(), axes.end(), 0);
    }
    if (given.size() != axes.size() * 2) {
        context.refuse(fmt::format("{} pads, expected {}", given.size(), axes.size() * 2));
    }
    std::vector<std::int64_t> before(from.size(), 0), after(from.size(), 0);
    graph::SliceSpec cut{std::vector<std::int64_t>(from.size(), 0),
                         std::vector<std::int64_t>(from.size(), 1), from};
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::uint32_t axis = graph::axisOf(axes[i], from.size());
        constexpr std::int64_t kMostPad = 1 << 24;  // chosen: beyond any picture
        if (std::abs(given[i]) > kMostPad || std::abs(given[i + axes.size()]) > kMostPad) {
            context.refuse(fmt::format("a pad of more than {}", kMostPad));
        }
        before[axis] = std::max<std::int64_t>(given[i], 0);
        after[axis] = std::max<std::int64_t>(given[i + axes.size()], 0);
        cut.begin[axis] = std::max<std::int64_t>(-given[i], 0);
        const std::int64_t rest = std::int64_t{from[axis]} - cut.begin[axis] -
                                  std::max<std::int64_t>(-given[i + axes.size()], 0);
        cut.count[axis] = static_cast<std::uint32_t>(std::max<std::int64_t>(rest, 0));
    }
    double elements = 1.0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        elements *= static_cast<double>(before[i] + after[i]) + cut.count[i];
    }
    requireModest(context, elements);
    const ElementType type = context.type(0);
    const Value value = graph::slice(context.emitter(), context.plain(0), cut);
    if (mode == "edge") {
        context.out(0, padWithEdges(context, value, before, after), type);
    } else if (mode == "reflect") {
        context.out(0, graph::mirrorPad(context.emitter(), value, before, after, false), type);
    } else if (mode == "constant") {
        const double fill =
                hasInputs ? (context.has(2) ? context.scalar(2, "the padding's value") : 0.0)
                          : double{context.numberOf("value", 0.0F)};
        context.out(0, graph::pad(context.emitter(), value, before, after, fill), type);
    } else {
        context.refuse(fmt::format("mode {}, expected constant, edge or reflect", mode));
    }
}

void importTile(Context& context) {
    const Dims from = context.dims(0);
    std::vector<std::int64_t> repeats;
    if (context.opset() < 6 && context.inputCount() == 3) {
        repeats.assign(from.size(), 1);
        const auto axis = graph::axisOf(context.integers(2, "axis").at(0), from.size());
        repeats[axis] = context.integers(1, "tiles").at(0);
    } else {
        repeats = context.integers(1, "repeats");
    }
    if (repeats.size() != from.size()) {
        context.refuse(fmt::format("{} repeats, expected {}", repeats.size(), from.size()));
    }
    double elements = static_cast<double>(elementCount(from));
    for (const std::int64_t repeat : repeats) {
        elements *= static_cast<double>(repeat);
    }
    requireModest(context, elements);
    context.out(0, graph::tile(context.emitter(), context.in(0), repeats), context.type(0));
}

void importExpand(Context& context) {
    Dims shape;
    for (const std::int64_t extent : context.integers(1, "the shape")) {
        if (extent < 0 || extent > INT32_MAX) {
            context.refuse(fmt::format("a dimension of {}", extent));
        }
        shape.push_back(static_cast<std::uint32_t>(extent));
    }
    const Dims dims = graph::broadcastDims(context.dims(0), shape);
    requireModest(context, static_cast<double>(elementCount(dims)));
    context.out(0, graph::broadcastTo(context.emitter(), context.in(0), dims), context.type(0));
}

/// Splits dimensions, moves the parts, and joins others.
Value rearrange(Context& context, const Value& value, const Dims& split,
                std::initializer_list<std::uint32_t> order, const Dims& joined) {
    graph::Emitter& emitter = context.emitter();
    const Value moved = graph::transpose(emitter, graph::reshape(emitter, value, split),
                                         std::vector<std::uint32_t>(order));
    return graph::reshape(emitter, moved, joined);
}

std::uint32_t blockSizeOf(Context& context, std::size_t rank) {
    const std::int64_t block = context.integer("blocksize", 0);
    if (rank != 4 || block < 1 || block > 4096) {
        context.refuse(fmt::format("{} dimensions in blocks of {}, expected 4 and 1 or more", rank,
                                   block));
    }
    return static_cast<std::uint32_t>(block);
}

void importSpaceToDepth(Context& context) {
    const Dims dims = context.dims(0);
    const std::uint32_t block = blockSizeOf(context, dims.size());
    if (dims[2] % block != 0 || dims[3] % block != 0) {
        context.refuse("the extents are no multiples of the block");
    }
    if (isRealType(context.type(0))) {
        context.outLast(0, graph::spaceToDepth(context.emitter(), context.last(0), block),
                        context.type(0));
        return;
    }
    const std::uint32_t height = dims[2] / block, width = dims[3] / block;
    context.out(0,
                rearrange(context, context.in(0), {dims[0], dims[1], height, block, width, block},
                          {0, 3, 5, 1, 2, 4}, {dims[0], dims[1] * block * block, height, width}),
                context.type(0));
}

/// DCR has the block before the channels, as NNAPI has; CRD the channels before the block.
void importDepthToSpace(Context& context) {
    const Dims dims = context.dims(0);
    const std::uint32_t block = blockSizeOf(context, dims.size());
    if (dims[1] % (block * block) != 0) {
        context.refuse("the channels are no multiple of the block");
    }
    const bool isCrd = context.text("mode", "DCR") == "CRD";
    if (!isCrd && isRealType(context.type(0))) {
        context.outLast(0, graph::depthToSpace(context.emitter(), context.last(0), block),
                        context.type(0));
        return;
    }
    const std::uint32_t channels = dims[1] / (block * block);
    const Dims joined = {dims[0], channels, dims[2] * block, dims[3] * block};
    context.out(0,
                isCrd ? rearrange(context, context.in(0),
                                  {dims[0], channels, block, block, dims[2], dims[3]},
                                  {0, 1, 4, 2, 5, 3}, joined)
                      : rearrange(context, context.in(0),
                                  {dims[0], block, block, channels, dims[2], dims[3]},
                                  {0, 3, 4, 1, 5, 2}, joined),
                context.type(0));
}

/// Each sequence is turned around up to its own length, which must be known.
void importReverseSequence(Context& context) {
    const Dims dims = context.dims(0);
    const std::uint32_t time = graph::axisOf(context.integer("time_axis", 0), dims.size());
    const std::uint32_t batch = graph::axisOf(context.integer("batch_axis", 1), dims.size());
    const auto lengths = context.integers(1, "the lengths of sequences");
    if (time == batch || lengths.size() != dims[batch]) {
        context.refuse("one length per sequence is needed, and two axes");
    }
    graph::Emitter& emitter = context.emitter();
    const Value value = context.in(0);
    std::vector<Value> sequences;
    for (std::uint32_t i = 0; i < dims[batch]; ++i) {
        const Value sequence = graph::sliceAxis(emitter, value, batch, i, 1);
        const auto length =
                static_cast<std::uint32_t>(std::clamp<std::int64_t>(lengths[i], 0, dims[time]));
        const std::uint32_t axes[] = {time};
        std::vector<Value> parts;
        if (length > 0) {
            parts.push_back(graph::reverse(
                    emitter, graph::sliceAxis(emitter, sequence, time, 0, length), axes));
        }
        if (length < dims[time]) {
            parts.push_back(graph::sliceAxis(emitter, sequence, time, length, dims[time] - length));
        }
        sequences.push_back(parts.size() == 1
                                    ? parts[0]
                                    : graph::concatenate(emitter, parts, time, value.form));
    }
    context.out(0, graph::concatenate(emitter, sequences, batch, value.form), context.type(0));
}

/// Above or below a diagonal; the rest is zero.
void importTrilu(Context& context) {
    const Dims dims = context.dims(0);
    const std::int64_t diagonal = context.has(1) ? context.integers(1, "the diagonal").at(0) : 0;
    if (dims.size() < 2) {
        context.refuse("no matrix");
    }
    const bool isUpper = context.integer("upper", 1) != 0;
    const std::uint32_t rows = dims[dims.size() - 2], columns = dims.back();
    std::vector<std::uint8_t> keeps;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
            keeps.push_back((isUpper ? column >= row + diagonal : column <= row + diagonal) ? 1
                                                                                            : 0);
        }
    }
    const Value value = context.plain(0);
    if (value.count() == 0) {
        context.out(0, value, context.type(0));
        return;
    }
    context.out(0,
                graph::select(context.emitter(), graph::truthConstant({rows, columns}, keeps),
                              value, graph::filled(value.form, {}, 0.0), value.form),
                context.type(0));
}

constexpr Operator kMovement[] = {
        {"Concat", 1, Status::kImported, "CONCATENATION", importConcat},
        {"DepthToSpace", 1, Status::kImported, "DEPTH_TO_SPACE, or RESHAPE and TRANSPOSE",
         importDepthToSpace},
        {"Expand", 8, Status::kImported, "TILE", importExpand},
        {"Flatten", 1, Status::kImported, "RESHAPE", importFlatten},
        {"Pad", 1, Status::kImported, "PAD_V2; SLICE and CONCATENATION for edge and reflect",
         importPad},
        {"Reshape", 1, Status::kImported, "RESHAPE", importReshape},
        {"ReverseSequence", 10, Status::kComposed, "SLICE, STRIDED_SLICE, CONCATENATION",
         importReverseSequence},
        {"Slice", 1, Status::kImported, "SLICE, STRIDED_SLICE", importSlice},
        {"SpaceToDepth", 1, Status::kImported, "SPACE_TO_DEPTH", importSpaceToDepth},
        {"Split", 1, Status::kImported, "SLICE", importSplit},
        {"Squeeze", 1, Status::kImported, "RESHAPE", importSqueeze},
        {"Tile", 1, Status::kImported, "TILE", importTile},
        {"Transpose", 1, Status::kImported, "TRANSPOSE", importTranspose},
        {"Trilu", 14, Status::kImported, "SELECT", importTrilu},
        {"Unsqueeze", 1, Status::kImported, "RESHAPE", importUnsqueeze},
};

}  // namespace

std::span<const Operator> movementOperators() {
    return kMovement;
}

}  // namespace vnpu::sim::onnx
