// SPDX-License-Identifier: Apache-2.0
// Operators that put borders around a tensor, or repeat it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "sim/import/graph/gathering.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/onnx/operator_table.h"

namespace vnpu::sim::onnx {

namespace {

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

/// Refuses to make a large constant, which would take memory of the import.
void requireModest(Context& context, double elements) {
    constexpr double kMostElements = 1 << 24;  // chosen: 64 MiB of float32
    if (context.held(0).value.isConstant() && !(elements <= kMostElements)) {
        context.refuse(fmt::format("a constant of {} elements, expected at most {}", elements,
                                   kMostElements));
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

constexpr Operator kPadding[] = {
        {"Expand", 8, Status::kImported, "TILE", importExpand},
        {"Pad", 1, Status::kImported, "PAD_V2; SLICE and CONCATENATION for edge and reflect",
         importPad},
        {"Tile", 1, Status::kImported, "TILE", importTile},
};

}  // namespace

std::span<const Operator> paddingOperators() {
    return kPadding;
}

}  // namespace vnpu::sim::onnx
