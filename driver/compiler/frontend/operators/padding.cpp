// SPDX-License-Identifier: Apache-2.0
// Operations that make elements of one value.
#include <fmt/format.h>

#include "driver/compiler/frontend/base/movement.h"
#include "driver/compiler/frontend/operators/data_movement.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;
using android::hardware::neuralnetworks::V1_3::OperationType;

/// The type of a scalar that gives a value to elements of `type`; stored integers for quantized
/// ones.
OperandType scalarOf(OperandType type) {
    switch (type) {
        case OperandType::TENSOR_FLOAT32:
            return OperandType::FLOAT32;
        case OperandType::TENSOR_FLOAT16:
            return OperandType::FLOAT16;
        case OperandType::TENSOR_BOOL8:
            return OperandType::BOOL;
        default:
            return OperandType::INT32;
    }
}

/// The value that surrounds the input: zero for PAD, the last argument of PAD_V2.
Checked<FillNode> readBackground(const GraphBuilder& builder, const OperationReader& operation,
                                 TensorId input) {
    const Tensor& tensor = builder.tensor(input);
    FillNode fill;
    fill.pattern = zeroPattern(tensor);
    fill.isZero = operation.type() == OperationType::PAD;
    if (fill.isZero) {
        return fill;
    }
    VNPU_TRY_ASSIGN(const auto bits,
                    operation.scalarBits(2, scalarOf(tensor.type), "padding value"));
    const auto value = static_cast<std::int32_t>(bits);
    const bool isByte = tensor.type == OperandType::TENSOR_QUANT8_ASYMM
                                ? value >= 0 && value <= UINT8_MAX
                                : value >= INT8_MIN && value <= INT8_MAX;
    if (tensor.elementBytes() == 1 && tensor.type != OperandType::TENSOR_BOOL8 && !isByte) {
        return unsupported(fmt::format("padding value is {}", value));
    }
    fill.isZero = fill.pattern == bits;
    fill.pattern = bits;
    return fill;
}

Checked<void> lowerPad(GraphBuilder& builder, const OperationReader& operation) {
    const bool hasValue = operation.type() == OperationType::PAD_V2;
    VNPU_TRY(operation.requireInputs(hasValue ? 3 : 2, hasValue ? 3 : 2));
    VNPU_TRY_ASSIGN(const auto input, movedInput(builder, operation));
    VNPU_TRY_ASSIGN(const auto paddings, operation.int32s(1, "paddings"));
    const Shape from = builder.tensor(input).shape;
    if (paddings.size() != 2 * from.size()) {
        return unsupported(fmt::format("input has shape {}, paddings {} values", toText(from),
                                       paddings.size()));
    }
    Shape to = from;
    for (std::size_t d = 0; d < from.size(); ++d) {
        const std::int32_t head = paddings[2 * d];
        const std::int32_t tail = paddings[2 * d + 1];
        constexpr std::int32_t kMost = 1 << 28;  // keeps the sum within 32 bits
        if (head < 0 || tail < 0 || head > kMost || tail > kMost || from[d] > kMost) {
            return unsupported(
                    fmt::format("paddings of dimension {} are {} and {}", d, head, tail));
        }
        to[d] += static_cast<std::uint32_t>(head) + static_cast<std::uint32_t>(tail);
    }
    VNPU_TRY_ASSIGN(const auto fill, readBackground(builder, operation, input));
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, to));
    const std::vector<std::uint64_t> inputStrides = stridesOf(from);
    const std::vector<std::uint64_t> outputStrides = stridesOf(to);
    Movement movement{input, output, {}, 0, 0};
    for (std::size_t d = 0; d < from.size(); ++d) {
        movement.axes.push_back({from[d], inputStrides[d], outputStrides[d]});
        movement.outputOffset += outputStrides[d] * static_cast<std::uint32_t>(paddings[2 * d]);
    }
    std::optional<FillNode> background;
    if (from != to) {
        background = fill;
        background->output = output;
    }
    return addMovements(builder, operation, {movement}, background);
}

Checked<void> lowerFill(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(2, 2));
    VNPU_TRY_ASSIGN(const auto extents, operation.int32s(0, "dimensions"));
    const OperandType type = builder.declaredOutput(operation).type;
    if (type != OperandType::TENSOR_INT32 && scalarOf(type) == OperandType::INT32) {
        return unsupported(fmt::format("output is {}", typeName(type)));
    }
    VNPU_TRY_ASSIGN(const auto bits, operation.scalarBits(1, scalarOf(type), "value"));
    Shape shape;
    for (const std::int32_t extent : extents) {
        if (extent < 1) {
            return unsupported(fmt::format("dimensions hold {}, expected 1 or more", extent));
        }
        shape.push_back(static_cast<std::uint32_t>(extent));
    }
    FillNode fill;
    VNPU_TRY_ASSIGN(fill.output, builder.output(operation, shape));
    fill.pattern = bits;
    builder.add(operation.index(), fill);
    return {};
}

}  // namespace

LoweringRows paddingRows() {
    static constexpr LoweringRow kRows[] = {
            {OperationType::PAD, {lowerPad}},
            {OperationType::PAD_V2, {lowerPad}},
            {OperationType::FILL, {lowerFill}},
    };
    return kRows;
}

}  // namespace vnpu::driver
