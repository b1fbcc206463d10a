// SPDX-License-Identifier: Apache-2.0
// Branches and loops. Graphs within the graph are put in their place.
#include <fmt/format.h>

#include <algorithm>

#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/onnx/graph_import.h"
#include "sim/import/onnx/operator_table.h"

namespace vnpu::sim::onnx {

namespace {

/// A known condition chooses the branch; else both are computed, which have no effects, and one
/// result is selected.
void importIf(Context& context) {
    const Held condition = context.held(0);
    const auto run = [&](const char* branch) {
        return inlineGraph(context.graph(), context.subgraph(branch), {});
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

/// Unrolled while the condition is known to be true.
void importLoop(Context& context) {
    constexpr std::int64_t kMostPasses = 4096;  // chosen: bounds the size of the model
    const Graph& body = context.subgraph("body");
    std::int64_t passes =
            context.has(0) ? context.integers(0, "the number of passes").at(0) : kMostPasses;
    bool isTrue = !context.has(1) || context.scalar(1, "the condition") != 0.0;
    std::vector<Held> states;
    for (std::size_t i = 2; i < context.inputCount(); ++i) {
        states.push_back(context.heldOrSequence(i));
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
        std::vector<Held> inputs = {heldNumber(static_cast<std::int32_t>(pass)), heldTruth(true)};
        inputs.insert(inputs.end(), states.begin(), states.end());
        const std::vector<Held> results = inlineGraph(context.graph(), body, inputs);
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
        context.out(states.size() + i, graph::stack(context.emitter(), scanned[i], 0), types[i]);
    }
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
            given.push_back({graph::partAt(context.emitter(), inputs[i].value, axes[i], at),
                             inputs[i].type});
        }
        const std::vector<Held> made = inlineGraph(context.graph(), body, given);
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
        states.push_back({graph::stack(context.emitter(), results[i], axis), types[i]});
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
                    held.value = graph::partAt(context.emitter(), held.value, 0, b);
                }
                return all;
            };
            perBatch.push_back(scan(context, body, take(states), take(inputs)));
        }
        for (std::size_t i = 0; i < perBatch.at(0).size(); ++i) {
            std::vector<Value> parts;
            parts.reserve(perBatch.size());
            for (const auto& of : perBatch) {
                parts.push_back(of[i].value);
            }
            results.push_back({graph::stack(context.emitter(), parts, 0), perBatch[0][i].type});
        }
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        context.outHeld(i, results[i]);
    }
}

constexpr Operator kControl[] = {
        {"If", 1, Status::kComposed, "the branch, or both and SELECT", importIf},
        {"Loop", 1, Status::kComposed, "its passes, where their number is constant", importLoop},
        {"Scan", 8, Status::kComposed, "its steps", importScan},
};

}  // namespace

std::span<const Operator> controlOperators() {
    return kControl;
}

}  // namespace vnpu::sim::onnx
