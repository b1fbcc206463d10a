// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// Tensors that a node reads, those that it writes, and both.
std::vector<TensorId> inputsOf(const Node& node);
std::vector<TensorId> outputsOf(const Node& node);
std::vector<TensorId> tensorsOf(const Node& node);

/// Calls `visit` with each tensor that a node reads, in the order of inputsOf(), without a list.
template <typename Visit>
void forEachInput(const Node& node, Visit visit) {
    const auto visitTensor = [&visit](TensorId tensor) {
        if (tensor != kNoTensor) {
            visit(tensor);
        }
    };
    if (const ImageNode* image = imageNodeOf(node)) {
        visitTensor(image->input);
    }
    if (const auto* conv = std::get_if<ConvNode>(&node.work)) {
        visitTensor(conv->filter);
        visitTensor(conv->bias);
    } else if (const auto* block = std::get_if<BlockNode>(&node.work)) {
        for (std::size_t i = 0; !block->isOutput(i); ++i) {
            visitTensor(block->operands[i].tensor);
        }
    } else if (const auto* copy = std::get_if<CopyNode>(&node.work)) {
        visitTensor(copy->input);
    } else if (const auto* whole = std::get_if<OperatorNode>(&node.work)) {
        for (const TensorId tensor : whole->inputs) {
            visitTensor(tensor);
        }
    } else if (const auto* control = std::get_if<ControlNode>(&node.work)) {
        visitTensor(control->condition);
    }
}

/// Likewise each tensor that a node writes, in the order of outputsOf().
template <typename Visit>
void forEachOutput(const Node& node, Visit visit) {
    if (const auto* whole = std::get_if<OperatorNode>(&node.work)) {
        for (const TensorId tensor : whole->outputs) {
            visit(tensor);
        }
    } else if (const auto* block = std::get_if<BlockNode>(&node.work)) {
        for (std::size_t i = 0; i < block->operands.size(); ++i) {
            if (block->isOutput(i)) {
                visit(block->operands[i].tensor);
            }
        }
    } else if (!std::holds_alternative<ControlNode>(node.work)) {
        visit(outputOf(node));
    }
}

/// Both, in the order of tensorsOf().
template <typename Visit>
void forEachTensor(const Node& node, Visit visit) {
    forEachInput(node, visit);
    forEachOutput(node, visit);
}

}  // namespace vnpu::driver
