// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/graph.h"

#include <algorithm>
#include <iterator>

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperandType;

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

std::vector<TensorId> inputsOf(const Node& node) {
    if (const auto* conv = std::get_if<ConvNode>(&node.work)) {
        std::vector<TensorId> inputs{conv->input, conv->filter};
        if (conv->bias != kNoTensor) {
            inputs.push_back(conv->bias);
        }
        return inputs;
    }
    if (const auto* pool = std::get_if<PoolNode>(&node.work)) {
        return {pool->input};
    }
    if (const auto* block = std::get_if<BlockNode>(&node.work)) {
        std::vector<TensorId> inputs;
        for (std::size_t i = 0; !block->isOutput(i); ++i) {
            inputs.push_back(block->operands[i].tensor);
        }
        return inputs;
    }
    if (const auto* copy = std::get_if<CopyNode>(&node.work)) {
        return {copy->input};
    }
    if (const auto* whole = std::get_if<OperatorNode>(&node.work)) {
        std::vector<TensorId> inputs;
        std::copy_if(whole->inputs.begin(), whole->inputs.end(), std::back_inserter(inputs),
                     [](TensorId tensor) { return tensor != kNoTensor; });
        return inputs;
    }
    if (const auto* control = std::get_if<ControlNode>(&node.work)) {
        return control->condition == kNoTensor ? std::vector<TensorId>{}
                                               : std::vector<TensorId>{control->condition};
    }
    return {};
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

TensorId outputOf(const Node& node) {
    if (const auto* conv = std::get_if<ConvNode>(&node.work)) {
        return conv->output;
    }
    if (const auto* pool = std::get_if<PoolNode>(&node.work)) {
        return pool->output;
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
