// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/fusion.h"

#include <algorithm>

#include "driver/compiler/ir/graph_users.h"
#include "driver/compiler/ir/node_tensors.h"

namespace vnpu::driver {
namespace {

/// References to a node's output tensor and clamp, if it has a clamp of its own.
struct Clamped {
    TensorId* output = nullptr;
    std::int32_t* min = nullptr;
    std::int32_t* max = nullptr;
};

Clamped clampOf(Node& node) {
    if (auto* conv = std::get_if<ConvNode>(&node.work)) {
        hw::OutputStage& stage = conv->prototype.outputStage;
        return {&conv->output, &stage.clampMin, &stage.clampMax};
    }
    if (auto* pool = std::get_if<PoolNode>(&node.work)) {
        return {&pool->output, &pool->prototype.clampMin, &pool->prototype.clampMax};
    }
    if (auto* block = std::get_if<BlockNode>(&node.work)) {
        if (auto* eltwise = std::get_if<hw::VecEltwise>(&block->prototype)) {
            return {&block->operands.back().tensor, &eltwise->outputStage.clampMin,
                    &eltwise->outputStage.clampMax};
        }
    }
    return {};
}

/// The clamp of a node that does nothing else, or null.
const hw::VecUnary* pureClamp(const Node& node) {
    const auto* block = std::get_if<BlockNode>(&node.work);
    const auto* unary = block != nullptr ? std::get_if<hw::VecUnary>(&block->prototype) : nullptr;
    return unary != nullptr && unary->kind == hw::UnaryKind::kClamp ? unary : nullptr;
}

/// Moves all tensors of storage `from` to storage `to`.
void moveTensors(Graph& graph, StorageId from, StorageId to) {
    for (Tensor& tensor : graph.tensors) {
        if (tensor.storage == from) {
            tensor.storage = to;
        }
    }
}

}  // namespace

void foldActivations(Graph& graph) {
    std::vector<bool> isDropped(graph.nodes.size(), false);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const hw::VecUnary* clamp = pureClamp(graph.nodes[n]);
        if (clamp == nullptr) {
            continue;
        }
        const GraphUsers users(graph);
        const TensorId input = inputsOf(graph.nodes[n]).front();
        const std::size_t maker = users.writer[input];
        if (!isIntermediate(graph, input) || users.reader[input] != n || maker >= n) {
            continue;
        }
        const Clamped target = clampOf(graph.nodes[maker]);
        if (target.output == nullptr) {
            continue;
        }
        const ClampRange range =
                intersect(clamp->outputType, {*target.min, *target.max},
                          {clamp->outputStage.clampMin, clamp->outputStage.clampMax});
        *target.min = range.min;
        *target.max = range.max;
        *target.output = outputOf(graph.nodes[n]);
        isDropped[n] = true;
    }
    dropNodes(graph, isDropped);
}

void aliasReshapes(Graph& graph) {
    std::vector<bool> isDropped(graph.nodes.size(), false);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const auto* copy = std::get_if<CopyNode>(&graph.nodes[n].work);
        if (copy == nullptr || !copy->isReshape) {
            continue;
        }
        const StorageId from = graph.tensors[copy->input].storage;
        const StorageId to = graph.tensors[copy->output].storage;
        if (graph.storages[to].kind == StorageKind::kScratch) {
            moveTensors(graph, to, from);
        } else if (graph.storages[from].kind == StorageKind::kScratch) {
            moveTensors(graph, from, to);
        } else {
            continue;
        }
        isDropped[n] = true;
    }
    dropNodes(graph, isDropped);
}

void flattenPointwise(Graph& graph) {
    for (Node& node : graph.nodes) {
        auto* conv = std::get_if<ConvNode>(&node.work);
        if (conv == nullptr || conv->isDepthwise()) {
            continue;
        }
        WindowGeometry& g = conv->geometry;
        const bool isPointwise = g.filterHeight == 1 && g.filterWidth == 1 && g.strideHeight == 1 &&
                                 g.strideWidth == 1 && g.inputHeight == g.outputHeight &&
                                 g.inputWidth == g.outputWidth && g.padTop == 0 && g.padLeft == 0 &&
                                 conv->outputRowStride == 0;
        if (isPointwise) {
            g.inputHeight = g.outputHeight = g.batches * g.outputHeight * g.outputWidth;
            g.inputWidth = g.outputWidth = 1;
            g.batches = 1;
        }
    }
}

Graph flattened(Graph graph) {
    flattenPointwise(graph);
    return graph;
}

void sizeStorages(Graph& graph) {
    for (const Tensor& tensor : graph.tensors) {
        if (tensor.storage != kNoStorage) {
            Storage& storage = graph.storages[tensor.storage];
            storage.sizeBytes = std::max(storage.sizeBytes, tensor.byteOffset + tensor.sizeBytes());
        }
    }
}

}  // namespace vnpu::driver
