// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/graph_import.h"

#include <fmt/format.h>

#include <utility>

#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

constexpr std::int32_t kCustom = 32;  // source: TensorFlow Lite schema

/// Whether the operator runs even if no output needs it.
bool hasEffect(const OperatorView& op) {
    return op.code == kCallOnce || op.code == kAssignVariable;
}

}  // namespace

GraphImport::GraphImport(Session& session, std::size_t graph) : GraphTensors(session, graph) {
    for (const OperatorView& op : operators()) {
        std::string name = op.code == kCustom ? fmt::format("CUSTOM \"{}\"", op.customName)
                                              : operatorName(op.code);
        nodes_.push_back({op.index, std::move(name), op.inputs, op.outputs, hasEffect(op)});
    }
}

void GraphImport::run(const graph::Node& node, graph::Scope& scope, graph::Emitter& emitter) {
    const OperatorView& op = operators()[node.index];
    const Row* row = findRow(op.code);
    if (row == nullptr) {
        throw graph::Refusal("is an operator that the format did not have when this was written");
    }
    if (row->import == nullptr) {
        throw graph::Refusal(std::string(row->how));
    }
    Call call(op, *this, scope, emitter);
    row->import(call);
    for (const std::int32_t output : op.outputs) {
        if (const auto found = scope.find(output); found != scope.end()) {
            session().folded.add(found->second);
        }
    }
}

}  // namespace vnpu::sim::tflite
