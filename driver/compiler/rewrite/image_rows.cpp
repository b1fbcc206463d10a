// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/image_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/compiler/ir/graph_users.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_3::OperandType;

constexpr std::uint64_t kMostImageBytes = 0x7FFFFFFF;  // chosen: that of a tensor (graph_builder)

/// The two sides of an argument in an image, as bytes.
struct ImageSides {
    TensorId image = kNoTensor;
    TensorId dense = kNoTensor;
};

TensorId addBytes(Graph& graph, StorageId storage, std::uint64_t count) {
    Tensor bytes;
    bytes.type = OperandType::TENSOR_QUANT8_ASYMM;
    bytes.shape = {static_cast<std::uint32_t>(count)};
    bytes.storage = storage;
    graph.tensors.push_back(std::move(bytes));
    return static_cast<TensorId>(graph.tensors.size() - 1);
}

/// Moves a model's input or output to scratch memory of its own. Nothing if no node uses it.
Checked<std::optional<ImageSides>> separate(Graph& graph, TensorId argument,
                                            const ImageRows& rows) {
    if (rows.sizeBytes() > kMostImageBytes) {
        return exhausted(fmt::format("an image takes {} bytes, the device takes up to {}",
                                     rows.sizeBytes(), kMostImageBytes));
    }
    const StorageId image = graph.tensors[argument].storage;
    if (livesOf(graph)[image].end == 0) {
        return std::nullopt;
    }
    const auto dense = static_cast<StorageId>(graph.storages.size());
    graph.storages.push_back({});
    for (Tensor& tensor : graph.tensors) {
        if (tensor.storage == image) {
            tensor.storage = dense;
        }
    }
    const Tensor& tensor = graph.tensors[argument];
    const std::uint64_t roomBytes = rows.rowCount * rows.rowBytes;
    const std::uint64_t denseBytes =
            tensor.isDynamic() ? roomBytes : std::min(roomBytes, tensor.sizeBytes());
    graph.storages[dense].sizeBytes = denseBytes;
    graph.storages[image].isImage = true;
    return ImageSides{addBytes(graph, image, rows.sizeBytes()), addBytes(graph, dense, denseBytes)};
}

/// Copies from the image to dense memory: whole rows, and the part of a row that may be left.
std::vector<CopyNode> copiesOf(const Graph& graph, const ImageSides& sides, const ImageRows& rows) {
    const std::uint64_t bytes = graph.tensors[sides.dense].sizeBytes();
    const std::uint64_t whole = bytes / rows.rowBytes;
    std::vector<CopyNode> copies;
    if (whole > 0) {
        copies.push_back({sides.image,
                          sides.dense,
                          {{whole, rows.strideBytes, rows.rowBytes}, {rows.rowBytes, 1, 1}}});
    }
    if (const std::uint64_t rest = bytes % rows.rowBytes; rest > 0) {
        CopyNode copy = copyOf(sides.image, sides.dense, rest);
        copy.inputOffset = whole * rows.strideBytes;
        copy.outputOffset = whole * rows.rowBytes;
        copies.push_back(std::move(copy));
    }
    return copies;
}

}  // namespace

Checked<void> addImageCopies(Graph& graph, const CompileOptions& options) {
    if (graph.nodes.empty()) {
        return {};
    }
    std::vector<Node> before, after;
    for (std::size_t i = 0; i < options.inputImages.size(); ++i) {
        if (const auto& rows = options.inputImages[i]) {
            VNPU_TRY_ASSIGN(const auto sides, separate(graph, graph.inputs.at(i), *rows));
            for (const CopyNode& copy :
                 sides ? copiesOf(graph, *sides, *rows) : std::vector<CopyNode>()) {
                before.push_back({graph.nodes.front().operation, copy});
            }
        }
    }
    for (std::size_t i = 0; i < options.outputImages.size(); ++i) {
        if (const auto& rows = options.outputImages[i]) {
            VNPU_TRY_ASSIGN(const auto sides, separate(graph, graph.outputs.at(i), *rows));
            if (!sides) {
                continue;
            }
            // The device may write less of it than is copied, but no bytes of another job.
            if (graph.tensors[graph.outputs[i]].isDynamic()) {
                before.push_back({graph.nodes.front().operation, FillNode{sides->dense}});
            }
            for (const CopyNode& copy : copiesOf(graph, *sides, *rows)) {
                after.push_back({graph.nodes.back().operation, reversed(copy)});
            }
        }
    }
    graph.nodes.insert(graph.nodes.begin(), before.begin(), before.end());
    graph.nodes.insert(graph.nodes.end(), after.begin(), after.end());
    return {};
}

}  // namespace vnpu::driver
