// SPDX-License-Identifier: Apache-2.0
// Sequences of tensors and optional values, which exist only during import.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/onnx/graph_import.h"
#include "sim/import/onnx/operator_table.h"

namespace vnpu::sim::onnx {

namespace {

Held sequenceOf(std::vector<Held> items) {
    return {graph::integerConstant({}, {0}), ElementType::kNone, false, true, std::move(items)};
}

const std::vector<Held>& itemsOf(Context& context, std::size_t i) {
    const Held& held = context.heldOrSequence(i);
    if (!held.isSequence) {
        context.refuse(fmt::format("input {} is no sequence", i));
    }
    return held.items;
}

/// A position counted from the front. A new tensor may be put behind the last one.
std::size_t positionOf(Context& context, std::size_t i, std::size_t count, bool isNew = false) {
    const std::int64_t at = context.integers(i, "the position").at(0);
    const auto size = static_cast<std::int64_t>(count);
    if (at < -size || at >= std::max<std::int64_t>(isNew ? size + 1 : size, 1)) {
        context.refuse(fmt::format("position {} of {} tensors", at, size));
    }
    return static_cast<std::size_t>(at < 0 ? at + size : at);
}

Held tensorHeld(Context& context, std::size_t i) {
    return {context.in(i), context.type(i), false, false, {}, context.held(i).origins};
}

void importSequenceConstruct(Context& context) {
    std::vector<Held> items;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        items.push_back(tensorHeld(context, i));
    }
    context.outHeld(0, sequenceOf(items));
}

void importSequenceEmpty(Context& context) {
    context.outHeld(0, sequenceOf({}));
}

void importSequenceInsert(Context& context) {
    std::vector<Held> items = itemsOf(context, 0);
    const std::size_t at =
            context.has(2) ? positionOf(context, 2, items.size(), true) : items.size();
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), tensorHeld(context, 1));
    context.outHeld(0, sequenceOf(items));
}

void importSequenceErase(Context& context) {
    std::vector<Held> items = itemsOf(context, 0);
    if (items.empty()) {
        context.refuse("an empty sequence");
    }
    const std::size_t at = context.has(1) ? positionOf(context, 1, items.size()) : items.size() - 1;
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
    context.outHeld(0, sequenceOf(items));
}

void importSequenceAt(Context& context) {
    const std::vector<Held>& items = itemsOf(context, 0);
    const std::size_t at = positionOf(context, 1, items.size());
    if (at >= items.size()) {
        context.refuse("an empty sequence");
    }
    context.outHeld(0, items[at]);
}

void importSequenceLength(Context& context) {
    context.outHeld(0, heldNumber(static_cast<std::int32_t>(itemsOf(context, 0).size())));
}

void importConcatFromSequence(Context& context) {
    std::vector<Value> parts;
    const std::vector<Held> items = itemsOf(context, 0);
    if (items.empty()) {
        context.refuse("an empty sequence");
    }
    for (const Held& item : items) {
        parts.push_back(item.value);
    }
    const bool isNew = context.integer("new_axis", 0) != 0;
    const std::uint32_t axis = context.axis(0, parts[0].rank() + (isNew ? 1 : 0));
    context.out(0,
                isNew ? graph::stack(context.emitter(), parts, axis)
                      : graph::concatenate(context.emitter(), parts, axis, parts[0].form),
                items[0].type);
}

void importSplitToSequence(Context& context) {
    const Dims dims = context.dims(0);
    const std::uint32_t axis = context.axis(0, dims.size());
    std::vector<std::int64_t> sizes;
    const bool hasSizes = context.has(1);
    if (hasSizes && context.rank(1) == 1) {
        sizes = context.integers(1, "split");
    } else {
        const std::int64_t size = hasSizes ? context.integers(1, "split").at(0) : 1;
        for (std::int64_t left = dims[axis]; size > 0 && left > 0; left -= size) {
            sizes.push_back(std::min(size, left));
        }
    }
    if (std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) != dims[axis]) {
        context.refuse("the parts do not add up");
    }
    std::vector<Held> items;
    std::uint32_t begin = 0;
    for (const std::int64_t size : sizes) {
        const auto count = static_cast<std::uint32_t>(size);
        Value part = graph::sliceAxis(context.emitter(), context.in(0), axis, begin, count);
        if (!hasSizes && context.integer("keepdims", 1) == 0) {
            Dims shape = part.dims;
            shape.erase(shape.begin() + axis);
            part = graph::reshape(context.emitter(), part, shape);
        }
        items.push_back({part, context.type(0)});
        begin += count;
    }
    context.outHeld(0, sequenceOf(items));
}

/// The body for each item of the first sequence.
void importSequenceMap(Context& context) {
    const Graph& body = context.subgraph("body");
    const std::size_t count = itemsOf(context, 0).size();
    std::vector<std::vector<Held>> outputs(body.outputs.size());
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<Held> inputs;
        for (std::size_t k = 0; k < context.inputCount(); ++k) {
            const Held& held = context.heldOrSequence(k);
            if (held.isSequence && i >= held.items.size()) {
                context.refuse("the sequences differ in length");
            }
            inputs.push_back(held.isSequence ? held.items[i] : tensorHeld(context, k));
        }
        const std::vector<Held> results = inlineGraph(context.graph(), body, inputs);
        for (std::size_t k = 0; k < results.size(); ++k) {
            outputs[k].push_back(results[k]);
        }
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        context.outHeld(k, sequenceOf(outputs[k]));
    }
}

/// The optional value must be present: an absent one has no tensor.
void importOptional(Context& context) {
    if (!context.has(0)) {
        context.refuse("an optional value that is not there");
    }
    context.outHeld(0, context.heldOrSequence(0));
}

void importOptionalHasElement(Context& context) {
    context.outHeld(0, heldTruth(context.has(0)));
}

constexpr Operator kSequence[] = {
        {"ConcatFromSequence", 11, Status::kImported, "CONCATENATION", importConcatFromSequence},
        {"Optional", 15, Status::kFolded, "its input", importOptional},
        {"OptionalGetElement", 15, Status::kFolded, "its input", importOptional},
        {"OptionalHasElement", 15, Status::kFolded, "a truth", importOptionalHasElement},
        {"SequenceAt", 11, Status::kFolded, "a tensor of the sequence", importSequenceAt},
        {"SequenceConstruct", 11, Status::kFolded, "sequences exist during import",
         importSequenceConstruct},
        {"SequenceEmpty", 11, Status::kFolded, "sequences exist during import",
         importSequenceEmpty},
        {"SequenceErase", 11, Status::kFolded, "sequences exist during import",
         importSequenceErase},
        {"SequenceInsert", 11, Status::kFolded, "sequences exist during import",
         importSequenceInsert},
        {"SequenceLength", 11, Status::kFolded, "a number", importSequenceLength},
        {"SequenceMap", 17, Status::kComposed, "its body for each tensor", importSequenceMap},
        {"SplitToSequence", 11, Status::kImported, "SLICE", importSplitToSequence},
};

}  // namespace

std::span<const Operator> sequenceOperators() {
    return kSequence;
}

}  // namespace vnpu::sim::onnx
