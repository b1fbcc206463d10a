// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperandType;

namespace {

template <typename Image, typename SomeNode>
Image* findImage(SomeNode& node) {
    auto* conv = std::get_if<ConvNode>(&node.work);
    return conv != nullptr ? static_cast<Image*>(conv) : std::get_if<PoolNode>(&node.work);
}

}  // namespace

hw::ElementType Tensor::elementType() const {
    switch (type) {
        case OperandType::TENSOR_FLOAT32:
            return hw::ElementType::kFloat32;
        case OperandType::TENSOR_QUANT8_ASYMM:
            return hw::ElementType::kUint8;
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            return hw::ElementType::kInt8;
        default:
            return hw::ElementType::kInt32;
    }
}

std::uint32_t Tensor::elementBytes() const {
    return hw::elementBytes(static_cast<hw::TensorType>(type));
}

std::uint64_t Tensor::sizeBytes() const {
    return elementCount(shape) * elementBytes();
}

CopyNode reversed(CopyNode copy) {
    std::swap(copy.input, copy.output);
    std::swap(copy.inputOffset, copy.outputOffset);
    for (CopyAxis& axis : copy.axes) {
        std::swap(axis.inputStride, axis.outputStride);
    }
    return copy;
}

ImageNode* imageNodeOf(Node& node) {
    return findImage<ImageNode>(node);
}

const ImageNode* imageNodeOf(const Node& node) {
    return findImage<const ImageNode>(node);
}

TensorId outputOf(const Node& node) {
    if (const ImageNode* image = imageNodeOf(node)) {
        return image->output;
    }
    if (const auto* block = std::get_if<BlockNode>(&node.work)) {
        return block->operands.back().tensor;
    }
    if (const auto* copy = std::get_if<CopyNode>(&node.work)) {
        return copy->output;
    }
    return std::get<FillNode>(node.work).output;
}

}  // namespace vnpu::driver
