// SPDX-License-Identifier: Apache-2.0
// Operators that put parts side by side.
#include <fmt/format.h>

#include <algorithm>

#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/gathering.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

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

/// Reverses each sequence up to its length, which must be a constant.
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

/// Keeps the elements on one side of a diagonal; the others become zero.
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

constexpr Operator kJoining[] = {
        {"Concat", 1, Status::kImported, "CONCATENATION", importConcat},
        {"ReverseSequence", 10, Status::kComposed, "SLICE, STRIDED_SLICE, CONCATENATION",
         importReverseSequence},
        {"Trilu", 14, Status::kImported, "SELECT", importTrilu},
};

}  // namespace

std::span<const Operator> joiningOperators() {
    return kJoining;
}

}  // namespace vnpu::sim::onnx
