// SPDX-License-Identifier: Apache-2.0
// Operators that take parts of a tensor.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/movement.h"
#include "sim/import/onnx/operator_table.h"

namespace vnpu::sim::onnx {

namespace {

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

constexpr Operator kSlice[] = {
        {"Slice", 1, Status::kImported, "SLICE, STRIDED_SLICE", importSlice},
        {"Split", 1, Status::kImported, "SLICE", importSplit},
};

}  // namespace

std::span<const Operator> sliceOperators() {
    return kSlice;
}

}  // namespace vnpu::sim::onnx
