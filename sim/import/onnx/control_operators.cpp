// SPDX-License-Identifier: Apache-2.0
// Branches, loops and sequences. Graphs within the graph are put in their place; sequences exist
// only during import.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/import/graph/movement.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

const Held& anyHeld(Context& context, std::size_t i) {
    const Held* held = context.has(i) ? context.graph().find(context.node().inputs[i]) : nullptr;
    if (held == nullptr) {
        context.refuse(fmt::format("input {} is left out", i));
    }
    return *held;
}

/// A known condition chooses the branch; else both are computed, which have no effects, and one
/// result is selected.
void importIf(Context& context) {
    const Held condition = context.held(0);
    const auto run = [&](const char* branch) {
        return context.graph().inlineGraph(context.subgraph(branch), {});
    };
    if (condition.value.isConstant()) {
        const auto results =
                run(graph::realsOf(condition.value).at(0) != 0.0 ? "then_branch" : "else_branch");
        for (std::size_t i = 0; i < results.size(); ++i) {
            context.outHeld(i, results[i]);
        }
        return;
    }
    const auto ifTrue = run("then_branch"), ifFalse = run("else_branch");
    for (std::size_t i = 0; i < std::min(ifTrue.size(), ifFalse.size()); ++i) {
        if (ifTrue[i].isSequence || ifFalse[i].isSequence ||
            ifTrue[i].value.dims != ifFalse[i].value.dims || ifTrue[i].type != ifFalse[i].type) {
            context.graph().state().wantedConstants.insert(condition.origins.begin(),
                                                           condition.origins.end());
            context.refuse(
                    "the branches' results differ in their shape, and the condition is known only "
                    "at run time");
        }
        const Value truth = graph::reshape(context.emitter(), context.in(0), {});
        context.out(i,
                    graph::select(context.emitter(), truth, ifTrue[i].value, ifFalse[i].value,
                                  ifTrue[i].value.form),
                    ifTrue[i].type);
    }
}

Held numberHeld(std::int32_t number) {
    return {graph::integerConstant({}, {number}), ElementType::kInt64};
}

Held truthHeld(bool truth) {
    return {graph::truthConstant({}, {truth ? std::uint8_t{1} : std::uint8_t{0}}),
            ElementType::kBool};
}

/// Results of the passes in a new dimension.
Value stacked(Context& context, const std::vector<Value>& parts, std::uint32_t axis) {
    std::vector<Value> raised;
    for (const Value& part : parts) {
        Dims dims = part.dims;
        if (axis > dims.size()) {
            context.refuse("the axis of a scan is beyond the result");
        }
        dims.insert(dims.begin() + axis, 1);
        raised.push_back(graph::reshape(context.emitter(), part, dims));
    }
    return raised.size() == 1 ? raised[0]
                              : graph::concatenate(context.emitter(), raised, axis, raised[0].form);
}

/// Unrolled while the condition is known to be true.
void importLoop(Context& context) {
    constexpr std::int64_t kMostPasses = 4096;  // chosen: bounds the size of the model
    const Graph& body = context.subgraph("body");
    std::int64_t passes =
            context.has(0) ? context.integers(0, "the number of passes").at(0) : kMostPasses;
    bool isTrue = !context.has(1) || context.scalar(1, "the condition") != 0.0;
    std::vector<Held> states;
    for (std::size_t i = 2; i < context.inputCount(); ++i) {
        states.push_back(anyHeld(context, i));
    }
    if (body.inputs.size() != states.size() + 2 || body.outputs.size() < states.size() + 1) {
        context.refuse("a body with another number of inputs than the loop has");
    }
    std::vector<std::vector<Value>> scanned(body.outputs.size() - states.size() - 1);
    std::vector<ElementType> types(scanned.size(), ElementType::kFloat);
    std::int64_t pass = 0;
    for (; pass < passes && isTrue; ++pass) {
        if (pass >= kMostPasses) {
            context.refuse(fmt::format("more than {} passes", kMostPasses));
        }
        std::vector<Held> inputs = {numberHeld(static_cast<std::int32_t>(pass)), truthHeld(true)};
        inputs.insert(inputs.end(), states.begin(), states.end());
        const std::vector<Held> results = context.graph().inlineGraph(body, inputs);
        if (!results[0].value.isConstant()) {
            context.graph().state().wantedConstants.insert(results[0].origins.begin(),
                                                           results[0].origins.end());
            context.refuse("the condition of the next pass is known only at run time");
        }
        isTrue = graph::realsOf(results[0].value).at(0) != 0.0;
        std::copy_n(results.begin() + 1, states.size(), states.begin());
        for (std::size_t i = 0; i < scanned.size(); ++i) {
            scanned[i].push_back(results[states.size() + 1 + i].value);
            types[i] = results[states.size() + 1 + i].type;
        }
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
        context.outHeld(i, states[i]);
    }
    for (std::size_t i = 0; i < scanned.size(); ++i) {
        if (scanned[i].empty()) {
            context.refuse("a loop without a pass, whose results have no shape");
        }
        context.out(states.size() + i, stacked(context, scanned[i], 0), types[i]);
    }
}

/// Part `at` of a dimension, which is dropped.
Value elementOf(Context& context, const Value& value, std::uint32_t axis, std::uint32_t at) {
    const Value part = graph::sliceAxis(context.emitter(), value, axis, at, 1);
    Dims dims = part.dims;
    dims.erase(dims.begin() + axis);
    return graph::reshape(context.emitter(), part, dims);
}

std::vector<std::int64_t> perScan(Context& context, const char* name, std::size_t count) {
    std::vector<std::int64_t> list = context.list(name);
    list.resize(count, 0);
    return list;
}

/// One scan over all steps; states first, then the results of the steps.
std::vector<Held> scan(Context& context, const Graph& body, std::vector<Held> states,
                       const std::vector<Held>& inputs) {
    const std::size_t outputs = body.outputs.size() - std::min(body.outputs.size(), states.size());
    const bool isOld = context.opset() < 9;
    const auto inputAxes = perScan(context, "scan_input_axes", inputs.size()),
               outputAxes = perScan(context, "scan_output_axes", outputs);
    const auto inputReverse =
            perScan(context, isOld ? "directions" : "scan_input_directions", inputs.size());
    const auto outputReverse = perScan(context, "scan_output_directions", outputs);
    std::vector<std::uint32_t> axes;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        axes.push_back(graph::axisOf(inputAxes[i], inputs[i].value.rank()));
    }
    const std::uint32_t steps = inputs.at(0).value.dims[axes[0]];
    if (steps == 0 || steps > 4096) {
        context.refuse(fmt::format("{} steps, expected 1 to 4096", steps));
    }
    std::vector<std::vector<Value>> results(outputs);
    std::vector<ElementType> types(outputs, ElementType::kFloat);
    for (std::uint32_t step = 0; step < steps; ++step) {
        std::vector<Held> given = states;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (inputs[i].value.dims[axes[i]] != steps) {
                context.refuse("the inputs differ in their number of steps");
            }
            const std::uint32_t at = inputReverse[i] != 0 ? steps - 1 - step : step;
            given.push_back({elementOf(context, inputs[i].value, axes[i], at), inputs[i].type});
        }
        const std::vector<Held> made = context.graph().inlineGraph(body, given);
        std::copy_n(made.begin(), states.size(), states.begin());
        for (std::size_t i = 0; i < outputs; ++i) {
            results[i].push_back(made[states.size() + i].value);
            types[i] = made[states.size() + i].type;
        }
    }
    for (std::size_t i = 0; i < outputs; ++i) {
        if (outputReverse[i] != 0) {
            std::reverse(results[i].begin(), results[i].end());
        }
        const std::uint32_t axis = graph::axisOf(outputAxes[i], results[i][0].rank() + 1);
        states.push_back({stacked(context, results[i], axis), types[i]});
    }
    return states;
}

void importScan(Context& context) {
    const Graph& body = context.subgraph("body");
    const bool isOld = context.opset() < 9;  // with lengths and a batch before everything
    const std::size_t first = isOld ? 1 : 0;
    const auto scans = static_cast<std::size_t>(
            std::clamp<std::int64_t>(context.integer("num_scan_inputs", 1), 1, 64));
    if (context.inputCount() < first + scans || (isOld && context.has(0))) {
        context.refuse(
                "another number of inputs than num_scan_inputs says, or lengths of sequences");
    }
    const std::size_t count = context.inputCount() - scans - first;
    std::vector<Held> states, inputs;
    for (std::size_t i = first; i < context.inputCount(); ++i) {
        Held held{context.in(i), context.type(i)};
        (i < first + count ? states : inputs).push_back(held);
    }
    if (body.outputs.size() < count) {
        context.refuse("the body has fewer outputs than states");
    }
    std::vector<Held> results;
    if (!isOld) {
        results = scan(context, body, states, inputs);
    } else {
        const std::uint32_t batch = inputs[0].value.dims.at(0);
        std::vector<std::vector<Held>> perBatch;
        for (std::uint32_t b = 0; b < batch; ++b) {
            const auto take = [&](std::vector<Held> all) {
                for (Held& held : all) {
                    held.value = elementOf(context, held.value, 0, b);
                }
                return all;
            };
            perBatch.push_back(scan(context, body, take(states), take(inputs)));
        }
        for (std::size_t i = 0; i < perBatch.at(0).size(); ++i) {
            std::vector<Value> parts;
            for (const auto& of : perBatch) {
                parts.push_back(of[i].value);
            }
            results.push_back({stacked(context, parts, 0), perBatch[0][i].type});
        }
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        context.outHeld(i, results[i]);
    }
}

// Sequences

Held sequenceOf(std::vector<Held> items) {
    return {graph::integerConstant({}, {0}), ElementType::kNone, false, true, std::move(items)};
}

const std::vector<Held>& itemsOf(Context& context, std::size_t i) {
    const Held& held = anyHeld(context, i);
    if (!held.isSequence) {
        context.refuse(fmt::format("input {} is no sequence", i));
    }
    return held.items;
}

/// A position counted from the front; a new tensor may go behind all.
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
    const std::size_t at = context.has(2) ? positionOf(context, 2, items.size(), true) : items.size();
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
    context.outHeld(0, numberHeld(static_cast<std::int32_t>(itemsOf(context, 0).size())));
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
                isNew ? stacked(context, parts, axis)
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
            const Held& held = anyHeld(context, k);
            if (held.isSequence && i >= held.items.size()) {
                context.refuse("the sequences differ in length");
            }
            inputs.push_back(held.isSequence ? held.items[i] : tensorHeld(context, k));
        }
        const std::vector<Held> results = context.graph().inlineGraph(body, inputs);
        for (std::size_t k = 0; k < results.size(); ++k) {
            outputs[k].push_back(results[k]);
        }
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        context.outHeld(k, sequenceOf(outputs[k]));
    }
}

/// An optional value that is there; what is not there has no tensor.
void importOptional(Context& context) {
    if (!context.has(0)) {
        context.refuse("an optional value that is not there");
    }
    context.outHeld(0, anyHeld(context, 0));
}

void importOptionalHasElement(Context& context) {
    context.outHeld(0, truthHeld(context.has(0)));
}

constexpr Operator kControl[] = {
        {"ConcatFromSequence", 11, Status::kImported, "CONCATENATION", importConcatFromSequence},
        {"If", 1, Status::kComposed, "the branch, or both and SELECT", importIf},
        {"Loop", 1, Status::kComposed, "its passes, where their number is constant", importLoop},
        {"Optional", 15, Status::kFolded, "its input", importOptional},
        {"OptionalGetElement", 15, Status::kFolded, "its input", importOptional},
        {"OptionalHasElement", 15, Status::kFolded, "a truth", importOptionalHasElement},
        {"Scan", 8, Status::kComposed, "its steps", importScan},
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

std::span<const Operator> controlOperators() {
    return kControl;
}

}  // namespace vnpu::sim::onnx
