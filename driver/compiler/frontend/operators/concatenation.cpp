// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/vector_block.h"
#include "driver/compiler/frontend/operators/families.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// Moves one input of CONCATENATION to its place, with a new scale where it differs.
void placePart(GraphBuilder& builder, const OperationReader& operation, TensorId input,
               TensorId output, std::uint32_t axis, std::uint64_t start) {
    const Tensor& from = builder.tensor(input);
    const Tensor& to = builder.tensor(output);
    const AxisSplit view = splitAt(to.shape, axis);
    const std::uint32_t rowElements = from.shape[axis] * view.inner;
    const std::uint64_t outputRow = std::uint64_t{to.shape[axis]} * view.inner;
    if (isSameQuantization(from, to)) {
        CopyNode copy{input, output, {{view.outer, rowElements, outputRow}, {rowElements, 1, 1}}};
        copy.outputOffset = start * view.inner;
        copy.isPart = true;
        builder.add(operation.index(), std::move(copy));
        return;
    }
    BlockNode node = makeUnary(builder, input, output, requantization(from, to, Activation::kNone));
    node.dims = {1, 1, view.outer, rowElements};
    node.operands[0].strides[2] = rowElements;
    node.operands[1].strides[2] = outputRow;
    node.operands[1].offset = start * view.inner;
    builder.add(operation.index(), std::move(node));
}

Checked<void> lowerConcatenation(GraphBuilder& builder, const OperationReader& operation) {
    std::vector<TensorId> inputs;
    for (std::size_t i = 0; i + 1 < operation.inputCount(); ++i) {
        VNPU_TRY_ASSIGN(const auto input, builder.input(operation, i));
        inputs.push_back(input);
    }
    Shape shape = builder.tensor(inputs.front()).shape;
    VNPU_TRY_ASSIGN(const auto axis, operation.axis(inputs.size(), shape.size()));
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        Shape other = builder.tensor(inputs[i]).shape;
        if (other.size() != shape.size()) {
            return untiled();
        }
        shape[axis] += other[axis];
        other[axis] = shape[axis];
        if (other != shape) {
            return untiled();
        }
    }
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, shape));
    std::uint64_t start = 0;
    for (const TensorId input : inputs) {
        placePart(builder, operation, input, output, axis, start);
        start += builder.tensor(input).shape[axis];
    }
    return {};
}

}  // namespace

LoweringRows concatenationRows() {
    return {{OperationType::CONCATENATION, lowerConcatenation}};
}

}  // namespace vnpu::driver
