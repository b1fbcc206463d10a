// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/lowering.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;

/// The shape that RESHAPE's argument asks for: at most one -1, or left out where the output says it
/// all.
Checked<Shape> resolveShape(const std::vector<std::int32_t>& wanted, std::uint64_t elements) {
    Shape shape;
    std::uint64_t known = 1;
    std::ptrdiff_t open = -1;
    for (const std::int32_t extent : wanted) {
        if (extent < -1 || extent == 0 || (extent == -1 && open >= 0)) {
            return unsupported(fmt::format("shape holds {} where it cannot", extent));
        }
        if (extent == -1) {
            open = static_cast<std::ptrdiff_t>(shape.size());
        } else {
            known *= static_cast<std::uint32_t>(extent);
        }
        shape.push_back(extent == -1 ? 1 : static_cast<std::uint32_t>(extent));
    }
    if (open >= 0 && known != 0) {
        shape[static_cast<std::size_t>(open)] = static_cast<std::uint32_t>(elements / known);
    }
    if (elementCount(shape) != elements) {
        return unsupported(
                fmt::format("shape {} does not hold {} elements", toText(shape), elements));
    }
    return shape;
}

Checked<Shape> readShape(const GraphBuilder& builder, const OperationReader& operation,
                         std::uint64_t elements) {
    const auto wanted = operation.int32s(1, "shape");
    if (wanted) {
        return resolveShape(*wanted, elements);
    }
    const Shape& declared = builder.declaredOutput(operation).shape;
    if (!declared.empty() && isKnown(declared) && elementCount(declared) == elements) {
        return declared;  // the model says it all; the argument may even be a model input
    }
    return tl::unexpected(wanted.error());
}

/// A tensor seen as [outer][axis][inner].
struct AxisView {
    std::uint32_t outer = 1;
    std::uint32_t inner = 1;
};

AxisView viewAround(const Shape& shape, std::uint32_t axis) {
    const std::span<const std::uint32_t> dims(shape);
    return {static_cast<std::uint32_t>(elementCount(dims.first(axis))),
            static_cast<std::uint32_t>(elementCount(dims.subspan(axis + 1)))};
}

/// Moves one input of CONCATENATION to its place, with a new scale where it differs.
void addPart(GraphBuilder& builder, const OperationReader& operation, TensorId input,
             TensorId output, std::uint32_t axis, std::uint64_t start) {
    const Tensor& from = builder.tensor(input);
    const Tensor& to = builder.tensor(output);
    const AxisView view = viewAround(to.shape, axis);
    const std::uint32_t rowElements = from.shape[axis] * view.inner;
    const std::uint64_t outputRow = std::uint64_t{to.shape[axis]} * view.inner;
    if (isSameQuantisation(from, to)) {
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

}  // namespace

Checked<void> lowerReshape(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 2));
    const auto input = builder.input(operation, 0, "input");
    if (!input) {
        return tl::unexpected(input.error());
    }
    VNPU_TRY(requireType(builder.tensor(*input), "input", dataTypes()));
    if (!isSameQuantisation(builder.tensor(*input), builder.declaredOutput(operation))) {
        return unsupported("output differs from the input in type, scale or zero point");
    }
    const std::uint64_t elements = elementCount(builder.tensor(*input).shape);
    const auto shape = readShape(builder, operation, elements);
    if (!shape) {
        return tl::unexpected(shape.error());
    }
    const auto output = builder.output(operation, *shape);
    if (!output) {
        return tl::unexpected(output.error());
    }
    CopyNode copy;
    copy.input = *input;
    copy.output = *output;
    copy.dims = {static_cast<std::uint32_t>(elements)};
    copy.inputStrides = {1};
    copy.outputStrides = {1};
    copy.isReshape = true;
    builder.add(operation.index(), std::move(copy));
    return {};
}

Checked<void> lowerConcatenation(GraphBuilder& builder, const OperationReader& operation) {
    const std::size_t count = operation.inputCount();
    if (count < 2 || operation.outputCount() != 1) {
        return unsupported(fmt::format("{} inputs, expected at least 2", count));
    }
    std::vector<TensorId> inputs;
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const auto input = builder.input(operation, i, "part");
        if (!input) {
            return tl::unexpected(input.error());
        }
        VNPU_TRY(requireType(builder.tensor(*input), "part", dataTypes()));
        inputs.push_back(*input);
    }
    const OperandType type[] = {builder.tensor(inputs.front()).type};
    VNPU_TRY(requireType(builder.declaredOutput(operation), "output", type));
    const auto argument = operation.int32(count - 1, "axis");
    if (!argument) {
        return tl::unexpected(argument.error());
    }
    Shape shape = builder.tensor(inputs.front()).shape;
    const auto axis = resolveAxis(*argument, shape.size());
    if (!axis) {
        return tl::unexpected(axis.error());
    }
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        VNPU_TRY(requireType(builder.tensor(inputs[i]), "part", type));
        Shape other = builder.tensor(inputs[i]).shape;
        const std::uint32_t extent = *axis < other.size() ? other[*axis] : 0;
        shape[*axis] += extent;
        if (other.size() == shape.size()) {
            other[*axis] = shape[*axis];
        }
        if (other != shape) {
            return unsupported(fmt::format("part {} has shape {}, the first {}", i,
                                           toText(builder.tensor(inputs[i]).shape),
                                           toText(builder.tensor(inputs.front()).shape)));
        }
    }
    const auto output = builder.output(operation, shape);
    if (!output) {
        return tl::unexpected(output.error());
    }
    std::uint64_t start = 0;
    for (const TensorId input : inputs) {
        addPart(builder, operation, input, *output, *axis, start);
        start += builder.tensor(input).shape[*axis];
    }
    return {};
}

Checked<void> lowerPad(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 2));
    const auto input = builder.input(operation, 0, "input");
    if (!input) {
        return tl::unexpected(input.error());
    }
    VNPU_TRY(requireType(builder.tensor(*input), "input", dataTypes()));
    if (!isSameQuantisation(builder.tensor(*input), builder.declaredOutput(operation))) {
        return unsupported("output differs from the input in type, scale or zero point");
    }
    const auto paddings = operation.int32s(1, "paddings");
    if (!paddings) {
        return tl::unexpected(paddings.error());
    }
    const Shape from = builder.tensor(*input).shape;
    if (from.size() > 4 || paddings->size() != 2 * from.size()) {
        return unsupported(fmt::format("input has shape {}, paddings {} values", toText(from),
                                       paddings->size()));
    }
    Shape to = from;
    for (std::size_t d = 0; d < from.size(); ++d) {
        const std::int32_t head = (*paddings)[2 * d];
        const std::int32_t tail = (*paddings)[2 * d + 1];
        constexpr std::int32_t kMost = 1 << 28;  // keeps the sum within 32 bits
        if (head < 0 || tail < 0 || head > kMost || tail > kMost || from[d] > kMost) {
            return unsupported(
                    fmt::format("paddings of dimension {} are {} and {}", d, head, tail));
        }
        to[d] += static_cast<std::uint32_t>(head) + static_cast<std::uint32_t>(tail);
    }
    const auto output = builder.output(operation, to);
    if (!output) {
        return tl::unexpected(output.error());
    }
    FillNode fill;
    fill.output = *output;
    if (builder.tensor(*output).elementType() != hw::ElementType::kFloat32) {
        fill.pattern = static_cast<std::uint32_t>(builder.tensor(*output).zeroPoint) & 0xFF;
    }
    CopyNode copy;
    copy.input = *input;
    copy.output = *output;
    copy.dims = from;
    copy.inputStrides.resize(from.size());
    copy.outputStrides.resize(from.size());
    std::uint64_t inputStride = 1;
    std::uint64_t outputStride = 1;
    for (std::size_t d = from.size(); d-- > 0;) {
        copy.inputStrides[d] = inputStride;
        copy.outputStrides[d] = outputStride;
        copy.outputOffset += outputStride * static_cast<std::uint32_t>((*paddings)[2 * d]);
        inputStride *= from[d];
        outputStride *= to[d];
    }
    if (from != to) {
        builder.add(operation.index(), fill);
    }
    builder.add(operation.index(), std::move(copy));
    return {};
}

}  // namespace vnpu::driver
