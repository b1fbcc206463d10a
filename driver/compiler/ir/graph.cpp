// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/graph.h"

#include <vector>

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

std::vector<TensorId> inputsOf(const Node& node) {
    std::vector<TensorId> inputs;
    if (const ImageNode* image = imageNodeOf(node)) {
        inputs.push_back(image->input);
    }
    if (const auto* conv = std::get_if<ConvNode>(&node.work)) {
        inputs.insert(inputs.end(), {conv->filter, conv->bias});
    } else if (const auto* block = std::get_if<BlockNode>(&node.work)) {
        for (std::size_t i = 0; !block->isOutput(i); ++i) {
            inputs.push_back(block->operands[i].tensor);
        }
    } else if (const auto* copy = std::get_if<CopyNode>(&node.work)) {
        inputs.push_back(copy->input);
    } else if (const auto* whole = std::get_if<OperatorNode>(&node.work)) {
        inputs = whole->inputs;
    } else if (const auto* control = std::get_if<ControlNode>(&node.work)) {
        inputs.push_back(control->condition);
    }
    std::erase(inputs, kNoTensor);
    return inputs;
}

std::vector<TensorId> outputsOf(const Node& node) {
    if (const auto* whole = std::get_if<OperatorNode>(&node.work)) {
        return whole->outputs;
    }
    if (std::holds_alternative<ControlNode>(node.work)) {
        return {};
    }
    if (const auto* block = std::get_if<BlockNode>(&node.work)) {
        std::vector<TensorId> outputs;
        for (std::size_t i = 0; i < block->operands.size(); ++i) {
            if (block->isOutput(i)) {
                outputs.push_back(block->operands[i].tensor);
            }
        }
        return outputs;
    }
    return {outputOf(node)};
}

std::vector<TensorId> tensorsOf(const Node& node) {
    std::vector<TensorId> tensors = inputsOf(node);
    const std::vector<TensorId> outputs = outputsOf(node);
    tensors.insert(tensors.end(), outputs.begin(), outputs.end());
    return tensors;
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
