// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/lowering.h"

#include <fmt/format.h>

#include <map>

#include "driver/compiler/frontend/control_flow.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperationType;

namespace {

constexpr LoweringRows (*kFamilies[])() = {
        concatenationRows, convolutionRows,
        elementwiseRows,   normalizationRows,
        paddingRows,       poolingRows,
        quantizationRows,  reductionRows,
        reshapingRows,     resizingRows,
        selectionRows,     slicingRows,
        spaceRows,         transposeConvolutionRows,
        transpositionRows,
};

std::map<OperationType, LoweringRow> allRows() {
    std::map<OperationType, LoweringRow> all;
    for (const auto family : kFamilies) {
        for (const LoweringRow& row : family()) {
            all.emplace(row.type, row);
        }
    }
    return all;
}

Checked<void> lowerTiled(GraphBuilder& builder, const OperationReader& operation) {
    static const std::map<OperationType, LoweringRow> kRows = allRows();
    const auto row = kRows.find(operation.type());
    if (row == kRows.end()) {
        return untiled();
    }
    auto result = builder.attempt(operation, row->second.first);
    if (!result && result.error().kind == Refusal::Kind::kUnsupported &&
        row->second.second != nullptr) {
        result = builder.attempt(operation, row->second.second);
    }
    return result;
}

/// As a node for the DSP.
Checked<void> lowerWhole(GraphBuilder& builder, const OperationReader& operation) {
    OperatorNode node;
    node.op = operation.op();
    for (std::size_t i = 0; i < operation.inputCount(); ++i) {
        VNPU_TRY_ASSIGN(const auto tensor, builder.useWhole(operation.inputOperand(i)));
        node.inputs.push_back(tensor);
    }
    for (std::size_t o = 0; o < operation.outputCount(); ++o) {
        VNPU_TRY_ASSIGN(const auto tensor, builder.outputWhole(operation.outputOperand(o)));
        node.outputs.push_back(tensor);
    }
    const std::size_t operands = node.inputs.size() + node.outputs.size();
    if (operands > hw::kMaxDspOperands) {
        return unsupported(
                fmt::format("{} operands, expected up to {}", operands, hw::kMaxDspOperands));
    }
    builder.addWhole(operation.index(), std::move(node));
    return {};
}

}  // namespace

Checked<void> lowerOperation(GraphBuilder& builder, const OperationReader& operation) {
    const OperationType type = operation.type();
    if (type == OperationType::IF || type == OperationType::WHILE) {
        return builder.attempt(operation, [](GraphBuilder& b, const OperationReader& o) {
            return lowerControlFlow(b, o, lowerOperation);
        });
    }
    if (!hw::isOperator(static_cast<std::uint32_t>(type))) {
        return unsupported("the device has no such operation");
    }
    if (builder.isForcedWhole(operation.index())) {
        return lowerWhole(builder, operation);
    }
    auto tiled = lowerTiled(builder, operation);
    const bool mayRunWhole = !tiled && (tiled.error().kind == Refusal::Kind::kUnsupported ||
                                        tiled.error().kind == Refusal::Kind::kUndetermined);
    return mayRunWhole ? lowerWhole(builder, operation) : tiled;
}

}  // namespace vnpu::driver
