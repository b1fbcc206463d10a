// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/frontend/base/mac_operation.h"
#include "driver/compiler/frontend/operators/convolution.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

Checked<void> lowerFullyConnected(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(4, 4));
    VNPU_TRY_ASSIGN(const auto activation, operation.activation(3));
    VNPU_TRY_ASSIGN(const auto operands, readMacOperands(builder, operation, false));
    const Shape& filter = builder.tensor(operands.filter).shape;
    const Shape& input = builder.tensor(operands.input).shape;
    if (filter.size() != 2 || elementCount(input) % filter[1] != 0) {
        return unsupported(
                fmt::format("weights have shape {}, the input {}", toText(filter), toText(input)));
    }
    const auto rows = static_cast<std::uint32_t>(elementCount(input) / filter[1]);
    VNPU_TRY(requireBias(builder, operands.bias, filter[0]));

    ConvNode node;
    node.input = operands.input;
    node.filter = operands.filter;
    node.bias = operands.bias;
    WindowGeometry& g = node.geometry;
    g.inputHeight = g.outputHeight = rows;
    g.inputChannels = filter[1];
    g.outputChannels = filter[0];
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, {rows, filter[0]}));
    addConvolution(builder, operation, node, output, {activation});
    return {};
}

}  // namespace

LoweringRows fullyConnectedRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::FULLY_CONNECTED, {lowerFullyConnected}},
    };
    return kRows;
}

}  // namespace vnpu::driver
