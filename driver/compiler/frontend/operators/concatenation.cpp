// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/frontend/base/vector_block.h"
#include "driver/compiler/frontend/operators/data_movement.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperationType;

/// Parts of any type are moved unchanged; only the 8-bit types may get a new scale.
Checked<void> requirePart(const Tensor& part, const Tensor& output) {
    if (part.type != output.type || !part.channelScales.empty()) {
        return unsupported(fmt::format("part is {}, the output {}", typeName(part.type),
                                       typeName(output.type)));
    }
    return isSameQuantization(part, output) ? Checked<void>{}
                                            : requireType(part, "part", dataTypes());
}

/// Moves one input of CONCATENATION to its place, with a new scale where it differs.
void placePart(GraphBuilder& builder, const OperationReader& operation, TensorId input,
               TensorId output, std::uint32_t axis, std::uint64_t start) {
    const Tensor& from = builder.tensor(input);
    const Tensor& to = builder.tensor(output);
    const AxisSplit view = splitAt(to.shape, axis);
    const std::uint32_t rowElements = from.shape[axis] * view.inner;
    const std::uint64_t outputRow = std::uint64_t{to.shape[axis]} * view.inner;
    if (isSameQuantization(from, to)) {
        CopyNode copy;
        copy.input = input;
        copy.output = output;
        copy.dims = {view.outer, rowElements};
        copy.inputStrides = {rowElements, 1};
        copy.outputStrides = {outputRow, 1};
        copy.outputOffset = start * view.inner;
        copy.isPart = true;
        builder.add(operation.index(), std::move(copy));
        return;
    }
    hw::VecUnary work{};
    work.inputType = from.elementType();
    work.outputType = to.elementType();
    work.kind = hw::UnaryKind::kRequantize;
    work.inputZeroPoint = from.zeroPoint;
    work.outputStage = outputStage(to, Activation::kNone,
                                   quantizeMultiplier(double{from.scale} / double{to.scale}));
    builder.add(operation.index(), makeUnary(builder, input, output, work,
                                             {view.outer, outputRow, start * view.inner}));
}

Checked<void> lowerConcatenation(GraphBuilder& builder, const OperationReader& operation) {
    const std::size_t count = operation.inputCount();
    if (count < 2 || operation.outputCount() != 1) {
        return unsupported(fmt::format("{} inputs, expected at least 2", count));
    }
    std::vector<TensorId> inputs;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        VNPU_TRY_ASSIGN(const auto input, builder.input(operation, i, "part"));
        VNPU_TRY(requirePart(builder.tensor(input), builder.declaredOutput(operation)));
        inputs.push_back(input);
    }
    Shape shape = builder.tensor(inputs.front()).shape;
    VNPU_TRY_ASSIGN(const auto axis, operation.axis(count - 1, shape.size()));
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        Shape other = builder.tensor(inputs[i]).shape;
        const std::uint32_t extent = axis < other.size() ? other[axis] : 0;
        shape[axis] += extent;
        if (other.size() == shape.size()) {
            other[axis] = shape[axis];
        }
        if (other != shape) {
            return unsupported(fmt::format("part {} has shape {}, the first {}", i,
                                           toText(builder.tensor(inputs[i]).shape),
                                           toText(builder.tensor(inputs.front()).shape)));
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
    static constexpr LoweringRow kRows[] = {
            {OperationType::CONCATENATION, {lowerConcatenation}},
    };
    return kRows;
}

}  // namespace vnpu::driver
