// SPDX-License-Identifier: Apache-2.0
// Control flow, variables, and custom operators.
#include <algorithm>

#include "sim/import/graph/conversion.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"
#include "sim/import/tflite/operators/custom.h"
#include "sim/import/tflite/subgraphs.h"

namespace vnpu::sim::tflite {

namespace {

using Type = nn::OperationType;

void setAll(Call& call, const std::vector<Value>& values) {
    if (values.size() < call.outputCount()) {
        throw Refusal(fmt::format("a subgraph has {} results, expected {}", values.size(),
                                  call.outputCount()));
    }
    for (std::size_t i = 0; i < call.outputCount(); ++i) {
        if (call.hasOutput(i)) {
            call.setRaw(i, values[i]);
        }
    }
}

void importCall(Call& call) {
    const auto& options = call.options<schema::CallOptions>();
    setAll(call, runInPlace(call, static_cast<std::int32_t>(options.subgraph()), call.inputs(),
                            call.emitter()));
}

/// A branch whose condition is known runs in place.
void importIf(Call& call) {
    call.requireInputs(1, call.inputCount());
    const auto& options = call.options<schema::IfOptions>();
    const Value condition = call.in(0);
    if (condition.count() != 1 || !condition.form.isTruth()) {
        throw Refusal("the condition is not one truth");
    }
    std::vector<Value> inputs = call.inputs();
    inputs.erase(inputs.begin());
    if (condition.isConstant()) {
        const bool isTrue = graph::realsOf(condition)[0] != 0.0;
        setAll(call, runInPlace(call, isTrue ? options.then_subgraph() : options.else_subgraph(),
                                inputs, call.emitter()));
        return;
    }
    std::vector<bool> isFixed;
    isFixed.reserve(inputs.size());
    for (const Value& input : inputs) {
        isFixed.push_back(input.isConstant());
    }
    const auto choose = [&](Emitter& emitter, const std::vector<Value>& results) {
        std::vector<Value> values;
        for (std::size_t i = 0; i < std::min(results.size(), call.outputCount()); ++i) {
            values.push_back(graph::convert(emitter, results[i], call.form(i)));
        }
        return values;
    };
    const Subgraph ifTrue = buildSubgraph(call, options.then_subgraph(), inputs, isFixed, choose);
    const Subgraph ifFalse = buildSubgraph(call, options.else_subgraph(), inputs, isFixed, choose);
    for (std::size_t i = 0; i < call.outputCount(); ++i) {
        if (i >= ifTrue.results.size() || i >= ifFalse.results.size() ||
            ifTrue.results[i].dims != ifFalse.results[i].dims) {
            throw Refusal(fmt::format("result {} has another shape in the other branch", i));
        }
    }
    Emitter& emitter = call.emitter();
    std::vector<Index> operands = {emitter.operandAs(condition, {1}),
                                   emitter.builder().addSubgraph(ifTrue.number),
                                   emitter.builder().addSubgraph(ifFalse.number)};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!isFixed[i]) {
            operands.push_back(emitter.operand(inputs[i]));
        }
    }
    setAll(call, emitter.emit(Type::IF, operands, ifTrue.results));
}

/// The loop as an NNAPI operation, which requires that no shape changes.
std::vector<Value> importLoop(Call& call, const schema::WhileOptions& options,
                              const std::vector<Value>& variables) {
    const Graph body(call.session().file, static_cast<std::size_t>(options.body_subgraph()));
    const std::vector<std::int32_t> entering = body.inputs(), leaving = body.outputs();
    if (entering.size() != variables.size() || leaving.size() != variables.size()) {
        throw Refusal(fmt::format("the body has {} inputs and {} results, expected {}",
                                  entering.size(), leaving.size(), variables.size()));
    }
    std::vector<bool> isFixed;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        isFixed.push_back(variables[i].isConstant() && entering[i] == leaving[i]);
    }
    const Subgraph condition = buildSubgraph(
            call, options.cond_subgraph(), variables, isFixed,
            [](Emitter&, const std::vector<Value>& results) {
                if (results.size() != 1 || results[0].count() != 1 || !results[0].form.isTruth()) {
                    throw Refusal("the condition is not one truth");
                }
                Value truth = results[0];
                truth.dims = {1};
                return std::vector{truth};
            });
    const Subgraph step = buildSubgraph(
            call, options.body_subgraph(), variables, isFixed,
            [&](Emitter& emitter, const std::vector<Value>& results) {
                std::vector<Value> kept;
                for (std::size_t i = 0; i < variables.size(); ++i) {
                    if (isFixed[i]) {
                        continue;
                    }
                    if (results[i].dims != variables[i].dims) {
                        throw Refusal(fmt::format("variable {} is {} and becomes {}", i,
                                                  describeDimensions(variables[i].dims),
                                                  describeDimensions(results[i].dims)));
                    }
                    kept.push_back(graph::convert(emitter, results[i], variables[i].form));
                }
                return kept;
            });
    Emitter& emitter = call.emitter();
    std::vector<Index> operands = {emitter.builder().addSubgraph(condition.number),
                                   emitter.builder().addSubgraph(step.number)};
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (!isFixed[i]) {
            operands.push_back(emitter.operand(variables[i]));
        }
    }
    std::vector<Value> values = variables;
    const std::vector<Value> results = emitter.emit(Type::WHILE, operands, step.results);
    for (std::size_t i = 0, k = 0; i < values.size(); ++i) {
        if (!isFixed[i]) {
            values[i] = results[k++];
        }
    }
    return values;
}

/// A loop whose number of steps is known, one step after the other.
std::vector<Value> unroll(Call& call, const schema::WhileOptions& options,
                          std::vector<Value> variables, const std::string& whyUnrolled) {
    constexpr int kMostSteps = 1024;  // chosen: longer than the sequences of unrolled models
    for (int i = 0; i < kMostSteps; ++i) {
        const std::vector<Value> condition =
                runInPlace(call, options.cond_subgraph(), variables, call.emitter());
        if (condition.size() != 1 || !condition[0].isConstant() || condition[0].count() != 1) {
            throw Refusal(
                    fmt::format("its end is known only at run time, and it is no loop of "
                                "NNAPI: {}",
                                whyUnrolled));
        }
        if (graph::realsOf(condition[0])[0] == 0.0) {
            return variables;
        }
        variables = runInPlace(call, options.body_subgraph(), variables, call.emitter());
    }
    throw Refusal(fmt::format("has more than {} steps, and it is no loop of NNAPI: {}", kMostSteps,
                              whyUnrolled));
}

void importWhile(Call& call) {
    const auto& options = call.options<schema::WhileOptions>();
    const std::vector<Value> variables = call.inputs();
    std::string reason;
    try {
        setAll(call, importLoop(call, options, variables));
        return;
    } catch (const Refusal& refusal) {
        reason = refusal.what();
    }
    setAll(call, unroll(call, options, variables, reason));
}

void importCallOnce(Call& call) {
    const auto& options = call.options<schema::CallOnceOptions>();
    Session& session = call.session();
    session.isInitializing = true;
    try {
        runInPlace(call, options.init_subgraph(), {}, call.emitter());
    } catch (...) {
        session.isInitializing = false;
        throw;
    }
    session.isInitializing = false;
}

/// A handle is a value whose name is the variable's key. No operation reads it.
void importVarHandle(Call& call) {
    Value handle = graph::constantOf(graph::kTruth, {1}, {std::byte{0}});
    handle.name = Session::variableKey(call.op());
    call.setRaw(0, handle);
}

void importReadVariable(Call& call) {
    call.requireInputs(1, 1);
    const TensorView output = call.outputTensor(0);
    const Value declared = {.form = call.form(), .dims = output.dimensions};
    call.set(0, call.session().read(call.in(0).name, call.in(0).name, declared));
}

void importAssignVariable(Call& call) {
    call.requireInputs(2, 2);
    call.session().write(call.in(0).name, call.in(0).name, call.in(1));
}

constexpr Row kControlRows[] = {
        {31, "CALL", kComposed, "the operators of the subgraph, in place", importCall},
        {32, "CUSTOM", kImported, "TFLite_Detection_PostProcess as DETECTION_POSTPROCESSING",
         importCustomOperator},
        {118, "IF", kImported, "IF; in place where the condition is constant", importIf},
        {119, "WHILE", kImported, "WHILE; unrolled where shapes change", importWhile},
        {129, "CALL_ONCE", kFolded, "the first values of variables", importCallOnce},
        {142, "VAR_HANDLE", kFolded, "the name of a variable", importVarHandle},
        {143, "READ_VARIABLE", kImported, "a model input with the state", importReadVariable},
        {144, "ASSIGN_VARIABLE", kImported, "a model output with the state", importAssignVariable},
};

}  // namespace

std::span<const Row> controlRows() {
    return kControlRows;
}

}  // namespace vnpu::sim::tflite
