// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/control_flow_relations.h"

#include <algorithm>

#include "driver/validation/broken_rule.h"
#include "driver/validation/operand_relations.h"
#include "driver/validation/operand_types.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using nn::V1_3::Operand;
using nn::V1_3::OperandType;
using nn::V1_3::Subgraph;
using Operands = std::vector<const Operand*>;

namespace {

// Inputs of IF: condition, two branches, what enters them. Of WHILE: condition, body, what enters.
constexpr std::size_t kThen = 1;
constexpr std::size_t kElse = 2;
constexpr std::size_t kIfFirst = 3;
constexpr std::size_t kLoopCondition = 0;
constexpr std::size_t kLoopBody = 1;
constexpr std::size_t kWhileFirst = 2;

const Subgraph& subgraphOf(const OperationView& operation, std::size_t input) {
    return operation.model->referenced[operation.inputs[input]->location.offset];
}

Operands operandsOf(const Subgraph& subgraph,
                    const android::hardware::hidl_vec<std::uint32_t>& indexes) {
    Operands operands;
    for (const std::uint32_t index : indexes) {
        operands.push_back(&subgraph.operands[index]);
    }
    return operands;
}

Result<void> compare(const Operand& inner, const Operand& outer, const std::string& what) {
    if (inner.type != outer.type) {
        return broken("{} is {}, expected {}", what, toString(inner.type), toString(outer.type));
    }
    if (inner.scale != outer.scale || inner.zeroPoint != outer.zeroPoint ||
        !(inner.extraParams == outer.extraParams)) {
        return broken("{} is quantized with {} and {}, expected {} and {}", what, inner.scale,
                      inner.zeroPoint, outer.scale, outer.zeroPoint);
    }
    if (!canBeEqual(inner.dimensions, outer.dimensions)) {
        return broken("{} has another shape than outside of the subgraph", what);
    }
    return {};
}

/// Compares operand by operand, as far as the shorter list goes.
Result<void> compareFirst(const Operands& inner, const Operands& outer, const std::string& what) {
    for (std::size_t i = 0; i < std::min(inner.size(), outer.size()); ++i) {
        VNPU_TRY(compare(*inner[i], *outer[i], fmt::format("{} {}", what, i)));
    }
    return {};
}

Result<void> compareAll(const Operands& inner, const Operands& outer, const std::string& what) {
    if (inner.size() != outer.size()) {
        return broken("there are {} of {}, expected {}", inner.size(), what, outer.size());
    }
    return compareFirst(inner, outer, what);
}

Operands entering(const OperationView& operation, std::size_t first) {
    return {operation.inputs.begin() + static_cast<std::ptrdiff_t>(first), operation.inputs.end()};
}

Result<void> checkTruth(const Operand& operand, const char* what) {
    if (operand.type != OperandType::TENSOR_BOOL8) {
        return broken("{} is {}, expected TENSOR_BOOL8", what, toString(operand.type));
    }
    if (operand.dimensions.size() != 1 || operand.dimensions[0] != 1) {
        return broken("{} has not the shape [1]", what);
    }
    return {};
}

}  // namespace

Result<void> conditionIsOneTruth(const OperationView& operation) {
    return checkTruth(*operation.inputs[0], "condition");
}

Result<void> branchesFit(const OperationView& operation) {
    for (const std::size_t branch : {kThen, kElse}) {
        const Subgraph& subgraph = subgraphOf(operation, branch);
        const std::string name = branch == kThen ? "\"then\"" : "\"else\"";
        VNPU_TRY(compareAll(operandsOf(subgraph, subgraph.inputIndexes),
                            entering(operation, kIfFirst), name + " input"));
        VNPU_TRY(compareAll(operandsOf(subgraph, subgraph.outputIndexes), operation.outputs,
                            name + " output"));
    }
    return {};
}

Result<void> loopConditionFits(const OperationView& operation) {
    const Subgraph& condition = subgraphOf(operation, kLoopCondition);
    VNPU_TRY(compareAll(operandsOf(condition, condition.inputIndexes),
                        entering(operation, kWhileFirst), "condition input"));
    if (condition.outputIndexes.size() != 1) {
        return broken("condition has {} outputs, expected 1", condition.outputIndexes.size());
    }
    return checkTruth(condition.operands[condition.outputIndexes[0]], "output of the condition");
}

Result<void> loopBodyFits(const OperationView& operation) {
    const Subgraph& body = subgraphOf(operation, kLoopBody);
    const Operands outer = entering(operation, kWhileFirst);
    const Operands results = operandsOf(body, body.outputIndexes);
    VNPU_TRY(compareAll(operandsOf(body, body.inputIndexes), outer, "body input"));
    if (results.size() < operation.outputs.size() || results.size() > outer.size()) {
        return broken("body has {} outputs, expected {} to {}", results.size(),
                      operation.outputs.size(), outer.size());
    }
    VNPU_TRY(compareFirst(results, outer, "body output"));
    return compareFirst(results, operation.outputs, "body output");
}

}  // namespace vnpu::driver
