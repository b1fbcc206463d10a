// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/graph.h"

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

std::uint64_t Tensor::sizeBytes() const {
    std::uint64_t element = 4;
    switch (type) {
        case OperandType::BOOL:
        case OperandType::TENSOR_BOOL8:
        case OperandType::TENSOR_QUANT8_ASYMM:
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            element = 1;
            break;
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
        case OperandType::TENSOR_QUANT16_ASYMM:
        case OperandType::TENSOR_QUANT16_SYMM:
            element = 2;
            break;
        default:
            break;
    }
    return elementCount(shape) * element;
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
        for (std::size_t i = 0; i + 1 < block->operands.size(); ++i) {
            inputs.push_back(block->operands[i].tensor);
        }
        return inputs;
    }
    if (const auto* copy = std::get_if<CopyNode>(&node.work)) {
        return {copy->input};
    }
    return {};
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
