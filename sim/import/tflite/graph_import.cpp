// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/graph_import.h"

#include <fmt/format.h>

#include <utility>

#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

constexpr std::int32_t kCustom = 32;

/// Operators that run even if no output needs them: CALL_ONCE and ASSIGN_VARIABLE.
bool hasEffect(const OperatorView& op) {
    return op.code == 129 || op.code == 144;
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
}

}  // namespace vnpu::sim::tflite
