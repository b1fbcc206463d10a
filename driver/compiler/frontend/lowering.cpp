// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/lowering.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/compiler/frontend/base/lowering_row.h"
#include "driver/compiler/frontend/control_flow.h"
#include "driver/compiler/frontend/operators/convolution.h"
#include "driver/compiler/frontend/operators/data_movement.h"
#include "driver/compiler/frontend/operators/elementwise.h"
#include "driver/compiler/frontend/operators/images.h"
#include "driver/compiler/frontend/operators/reduction.h"

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperationType;

namespace {

constexpr LoweringRows (*kFamilies[])() = {
        activationRows,
        concatenationRows,
        convolutionRows,
        elementwiseRows,
        fullyConnectedRows,
        normalizationRows,
        paddingRows,
        poolingRows,
        quantizationRows,
        reductionRows,
        reshapingRows,
        resizingRows,
        selectionRows,
        slicingRows,
        spaceRows,
        transpositionRows,
        transposeConvolutionRows,
};

Checked<void> lowerTiled(GraphBuilder& builder, const OperationReader& operation) {
    Checked<void> result = unsupported("no tiles are made of it");
    for (const auto family : kFamilies) {
        const LoweringRows rows = family();
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const LoweringRow& candidate) {
            return candidate.type == operation.type();
        });
        if (row == rows.end()) {
            continue;
        }
        for (const Lowering lower : row->attempts) {
            const bool isNext = !result && result.error().kind == Refusal::Kind::kUnsupported;
            if (isNext && lower != nullptr) {
                result = builder.attempt(operation, lower);
            }
        }
        break;
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
    const std::vector<std::byte> room(operands * sizeof(hw::DspOperand));
    node.descriptor = builder.addConstant(room, alignof(hw::DspOperand));
    builder.add(operation.index(), std::move(node));
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
