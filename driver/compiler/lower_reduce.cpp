// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "driver/compiler/lowering.h"
#include "driver/compiler/reduction_axes.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;

BlockNode makeReduction(const Tensor& input, TensorId from, TensorId to, std::uint32_t mask) {
    BlockNode node;
    node.dims = padToFour(input.shape);
    hw::VecReduce work{};
    work.type = input.elementType();
    work.reduceMask = static_cast<std::uint8_t>(mask << (4 - input.shape.size()));
    if (work.type != hw::ElementType::kFloat32) {
        work.inputZeroPoint = input.zeroPoint;
    }
    Shape4 kept = node.dims;
    for (std::size_t d = 0; d < 4; ++d) {
        node.isWhole[d] = (work.reduceMask & (1U << d)) != 0;
        kept[d] = node.isWhole[d] ? 1 : kept[d];
    }
    BlockOperand read{from, 0, {}};
    BlockOperand written{to, 0, {}};
    const Shape4 readStrides = denseStrides(node.dims);
    const Shape4 writtenStrides = denseStrides(kept);
    for (std::size_t d = 0; d < 4; ++d) {
        read.strides[d] = readStrides[d];
        written.strides[d] = node.isWhole[d] ? 0 : writtenStrides[d];
    }
    node.operands = {read, written};
    node.prototype = work;
    return node;
}

}  // namespace

Checked<void> lowerMean(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(3, 3));
    const auto input = builder.input(operation, 0, "input");
    if (!input) {
        return tl::unexpected(input.error());
    }
    VNPU_TRY(requireType(builder.tensor(*input), "input", dataTypes()));
    if (!isSameQuantisation(builder.tensor(*input), builder.declaredOutput(operation))) {
        return unsupported("output differs from the input in type, scale or zero point");
    }
    const Shape& shape = builder.tensor(*input).shape;
    if (shape.size() > 4) {
        return unsupported(fmt::format("input has shape {}, expected rank up to 4", toText(shape)));
    }
    const auto mask = readReductionAxes(operation, shape.size());
    const auto keeps = operation.int32(2, "keep dimensions");
    if (!mask || !keeps) {
        return tl::unexpected(!mask ? mask.error() : keeps.error());
    }
    if (*mask == 0) {
        return unsupported("no axes are given");
    }
    const auto output = builder.output(operation, reducedShape(shape, *mask, *keeps > 0));
    if (!output) {
        return tl::unexpected(output.error());
    }
    builder.add(operation.index(), makeReduction(builder.tensor(*input), *input, *output, *mask));
    return {};
}

Checked<void> lowerQuantize(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 1));
    const auto input = builder.input(operation, 0, "input");
    if (!input) {
        return tl::unexpected(input.error());
    }
    constexpr OperandType kFrom[] = {OperandType::TENSOR_FLOAT32};
    constexpr OperandType kTo[] = {OperandType::TENSOR_QUANT8_ASYMM,
                                   OperandType::TENSOR_QUANT8_ASYMM_SIGNED};
    VNPU_TRY(requireType(builder.tensor(*input), "input", kFrom));
    VNPU_TRY(requireType(builder.declaredOutput(operation), "output", kTo));
    const auto output = builder.output(operation, builder.tensor(*input).shape);
    if (!output) {
        return tl::unexpected(output.error());
    }
    hw::VecUnary work{};
    work.inputType = hw::ElementType::kFloat32;
    work.outputType = builder.tensor(*output).elementType();
    work.kind = hw::UnaryKind::kQuantize;
    work.scale = builder.tensor(*output).scale;
    work.outputStage = outputStage(builder.tensor(*output), Activation::kNone, {});
    builder.add(operation.index(), makeUnary(builder, *input, *output, work));
    return {};
}

Checked<void> lowerDequantize(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY(operation.requireInputs(1, 1));
    const auto input = builder.input(operation, 0, "input");
    if (!input) {
        return tl::unexpected(input.error());
    }
    constexpr OperandType kFrom[] = {
            OperandType::TENSOR_QUANT8_ASYMM, OperandType::TENSOR_QUANT8_ASYMM_SIGNED,
            OperandType::TENSOR_QUANT8_SYMM, OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL};
    constexpr OperandType kTo[] = {OperandType::TENSOR_FLOAT32};
    VNPU_TRY(requireType(builder.tensor(*input), "input", kFrom));
    VNPU_TRY(requireType(builder.declaredOutput(operation), "output", kTo));
    const Tensor from = builder.tensor(*input);
    std::vector<float> scales = from.channelScales;
    std::uint32_t channelDimension = from.channelDimension;
    if (from.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        scales = {from.scale};
    } else if (channelDimension >= from.shape.size() ||
               scales.size() != from.shape[channelDimension]) {
        return unsupported(fmt::format("input of shape {} has {} scales along dimension {}",
                                       toText(from.shape), scales.size(), channelDimension));
    }
    for (const float scale : scales) {
        if (!(scale > 0.0F)) {
            return unsupported(fmt::format("input has a channel scale of {}", scale));
        }
    }
    const auto output = builder.output(operation, from.shape);
    if (!output) {
        return tl::unexpected(output.error());
    }
    hw::VecUnary work{};
    work.inputType = from.elementType();
    work.outputType = hw::ElementType::kFloat32;
    work.kind = hw::UnaryKind::kDequantize;
    work.inputZeroPoint = from.type == OperandType::TENSOR_QUANT8_ASYMM ||
                                          from.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED
                                  ? from.zeroPoint
                                  : 0;
    const std::span<const std::uint32_t> shape(from.shape);
    const bool isPerChannel = scales.size() > 1;
    const std::uint64_t inner =
            isPerChannel ? elementCount(shape.subspan(channelDimension + 1)) : 1;
    for (std::size_t c = 0; c < scales.size(); ++c) {
        work.scale = scales[c];
        BlockNode node = makeUnary(builder, *input, *output, work);
        if (isPerChannel) {
            const auto outer =
                    static_cast<std::uint32_t>(elementCount(shape.first(channelDimension)));
            node.dims = {1, 1, outer, static_cast<std::uint32_t>(inner)};
            for (BlockOperand& operand : node.operands) {
                operand.offset = c * inner;
                operand.strides = {0, 0, scales.size() * inner, 1};
            }
        }
        builder.add(operation.index(), std::move(node));
    }
    return {};
}

}  // namespace vnpu::driver
