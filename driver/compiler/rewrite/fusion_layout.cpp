// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "driver/compiler/ir/graph_users.h"
#include "driver/compiler/ir/node_tensors.h"
#include "driver/compiler/rewrite/fusion.h"

namespace vnpu::driver {
namespace {

/// Elements between pixels that the producer of an image must leave to write it in place; 0 if any
/// producer can.
std::uint64_t strideFor(const CopyNode& part) {
    return part.axes.front().extent == 1 ? 0 : part.axes.front().outputStride;
}

/// Sets the pixel stride of the node's output; false if it cannot have one.
bool setOutputStride(Node& node, std::uint64_t stride) {
    ImageNode* image = imageNodeOf(node);
    if (stride != 0 && image != nullptr) {
        image->outputPixelStride = stride;
    }
    return stride == 0 || image != nullptr;
}

bool isPart(const Node& node) {
    const auto* copy = std::get_if<CopyNode>(&node.work);
    return copy != nullptr && copy->isPart;
}

/// The convolutions that read `tensor` as their image; empty if another node reads it too.
std::vector<ConvNode*> convolutionsOn(Graph& graph, TensorId tensor) {
    std::vector<ConvNode*> readers;
    for (Node& node : graph.nodes) {
        const std::vector<TensorId> inputs = inputsOf(node);
        if (std::find(inputs.begin(), inputs.end(), tensor) == inputs.end()) {
            continue;
        }
        auto* conv = std::get_if<ConvNode>(&node.work);
        if (conv == nullptr || conv->input != tensor || conv->filter == tensor) {
            return {};
        }
        readers.push_back(conv);
    }
    return readers;
}

/// Rows and columns in front of the image within its padded copy; false if other dimensions are
/// padded too.
bool readPadding(const Graph& graph, const CopyNode& copy, std::uint32_t& top,
                 std::uint32_t& left) {
    const Shape& from = graph.tensors[copy.input].shape;
    const Shape& to = graph.tensors[copy.output].shape;
    if (from.size() != 4 || from[0] != to[0] || from[3] != to[3]) {
        return false;
    }
    const std::uint64_t pixels = copy.outputOffset / to[3];
    top = static_cast<std::uint32_t>(pixels / to[2]);
    left = static_cast<std::uint32_t>(pixels % to[2]);
    return true;
}

}  // namespace

void writePartsInPlace(Graph& graph) {
    std::vector<bool> isDropped(graph.nodes.size(), false);
    const GraphUsers users(graph);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        if (!isPart(graph.nodes[n])) {
            continue;
        }
        const auto& part = std::get<CopyNode>(graph.nodes[n].work);
        Tensor& input = graph.tensors[part.input];
        const std::size_t maker = users.writer[part.input];
        const bool isOwn = isIntermediate(graph, part.input) && liesAlone(graph, part.input) &&
                           users.reader[part.input] == n && maker < n;
        // A row of the copy must be one pixel of the part.
        const bool isPixelwise =
                part.axes.front().extent == 1 || part.axes.back().extent == input.shape.back();
        if (isOwn && isPixelwise && setOutputStride(graph.nodes[maker], strideFor(part))) {
            const Tensor& output = graph.tensors[part.output];
            input.storage = output.storage;
            input.byteOffset = output.byteOffset + part.outputOffset * input.elementBytes();
            isDropped[n] = true;
        }
    }
    dropNodes(graph, isDropped);
}

void foldPads(Graph& graph) {
    std::vector<bool> isDropped(graph.nodes.size(), false);
    for (std::size_t n = 0; n + 1 < graph.nodes.size(); ++n) {
        const auto* fill = std::get_if<FillNode>(&graph.nodes[n].work);
        const auto* copy = std::get_if<CopyNode>(&graph.nodes[n + 1].work);
        if (fill == nullptr || !fill->isZero || copy == nullptr || copy->output != fill->output) {
            continue;
        }
        std::uint32_t top = 0;
        std::uint32_t left = 0;
        if (!isIntermediate(graph, copy->output) || !liesAlone(graph, copy->output) ||
            !readPadding(graph, *copy, top, left)) {
            continue;
        }
        const std::vector<ConvNode*> readers = convolutionsOn(graph, copy->output);
        for (ConvNode* conv : readers) {
            const Shape& image = graph.tensors[copy->input].shape;
            conv->input = copy->input;
            conv->geometry.inputHeight = image[1];
            conv->geometry.inputWidth = image[2];
            conv->geometry.padTop += static_cast<std::int32_t>(top);
            conv->geometry.padLeft += static_cast<std::int32_t>(left);
        }
        isDropped[n] = isDropped[n + 1] = !readers.empty();
    }
    dropNodes(graph, isDropped);
}

}  // namespace vnpu::driver
