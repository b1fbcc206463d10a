// SPDX-License-Identifier: Apache-2.0
// Operators that put tensors, or copies of one, side by side.
#include <algorithm>

#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

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

void importTile(Call& call) {
    call.requireInputs(2, 2);
    call.set(0, graph::tile(call.emitter(), call.inOutputForm(),
                            call.ints(1, "the tensor of multiples")));
}

void importBroadcastTo(Call& call) {
    call.requireInputs(2, 2);
    call.set(0, graph::broadcastTo(call.emitter(), call.inOutputForm(), call.shape(1)));
}

/// The value with the update in place of the part at `begin`, from dimension `axis` on.
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
    const Value value = call.inOutputForm(), update = call.inOutputForm(1);
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

constexpr Row kJoiningRows[] = {
        {2, "CONCATENATION", kImported, "CONCATENATION", importConcatenation},
        {69, "TILE", kImported, "TILE", importTile},
        {83, "PACK", kComposed, "RESHAPE, CONCATENATION", importPack},
        {130, "BROADCAST_TO", kComposed, "RESHAPE, TILE", importBroadcastTo},
        {151, "DYNAMIC_UPDATE_SLICE", kComposed, "SLICE, CONCATENATION", importDynamicUpdateSlice},
};

}  // namespace

std::span<const Row> joiningRows() {
    return kJoiningRows;
}

}  // namespace vnpu::sim::tflite
