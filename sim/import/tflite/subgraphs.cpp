// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/subgraphs.h"

#include "sim/import/tflite/graph_import.h"

namespace vnpu::sim::tflite {

namespace {

constexpr int kDeepest = 8;  // chosen: deeper than any converter's models

/// Raises a nesting depth by one while it exists.
class Level {
  public:
    Level(int& depth, int most) : depth_(depth) {
        if (depth_ >= most) {
            throw Refusal(fmt::format("graphs call each other more than {} deep", most));
        }
        ++depth_;
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

  private:
    int& depth_;
};

}  // namespace

std::vector<Value> runInPlace(Call& call, std::int32_t graph, const std::vector<Value>& inputs,
                              Emitter& emitter) {
    Session& session = call.session();
    const Level level(session.depth, kDeepest);
    if (graph < 0 || static_cast<std::size_t>(graph) >= session.file.graphCount()) {
        throw Refusal(fmt::format("there is no subgraph {}, the file has {}", graph,
                                  session.file.graphCount()));
    }
    GraphImport source(session, static_cast<std::size_t>(graph));
    const std::vector<std::int32_t> ports = source.file().inputs();
    if (ports.size() != inputs.size()) {
        throw Refusal(fmt::format("subgraph {} has {} inputs, expected {}", graph, ports.size(),
                                  inputs.size()));
    }
    graph::Scope scope;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        scope[ports[i]] = inputs[i];
    }
    const std::vector<std::int32_t> outputs = source.file().outputs();
    graph::Report report;
    graph::walk(source, scope, emitter, outputs, report);
    session.countSteps(report.operators);
    if (!report.isComplete()) {
        throw Refusal(fmt::format("subgraph {}: {}", graph, graph::summarize(report)));
    }
    std::vector<Value> results;
    results.reserve(outputs.size());
    for (const std::int32_t output : outputs) {
        results.push_back(graph::valueOf(source, scope, output));
    }
    return results;
}

Subgraph buildSubgraph(Call& call, std::int32_t graph, const std::vector<Value>& inputs,
                       const std::vector<bool>& isFixed, const ChooseResults& choose) {
    Session& session = call.session();
    const Level level(session.nesting, kDeepest);
    ModelBuilder& outer = call.emitter().builder();
    ModelBuilder builder = outer.subgraphBuilder(fmt::format("subgraph {}", graph));
    Emitter emitter(builder);
    std::vector<Value> inner;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inner.push_back(isFixed[i] ? inputs[i]
                                   : emitter.input(inputs[i].name, inputs[i].form, inputs[i].dims));
    }
    const std::vector<Value> values = choose(emitter, runInPlace(call, graph, inner, emitter));
    Subgraph subgraph;
    for (const Value& value : values) {
        const bool isFree = value.operand && builder.lifetime(*value.operand) ==
                                                     nn::OperandLifeTime::TEMPORARY_VARIABLE;
        // Another shape of the same elements needs an operand of that shape.
        const bool fits =
                isFree && builder.spec(*value.operand).dimensions == Emitter::modelDims(value.dims);
        builder.markOutput(fits ? *value.operand : *emitter.copy(value).operand);
        subgraph.results.push_back({value.form, value.dims});
    }
    subgraph.number = outer.addReferenced(builder);
    return subgraph;
}

}  // namespace vnpu::sim::tflite
