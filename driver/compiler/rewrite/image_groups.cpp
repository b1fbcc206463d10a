// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/image_groups.h"

#include <algorithm>
#include <optional>

#include "driver/compiler/ir/node_tensors.h"
#include "driver/compiler/rewrite/stripes.h"

namespace vnpu::driver {
namespace {

/// Images of the node's result; 1 if it has no batch of them.
std::uint32_t imagesOf(const Graph& graph, const Node& node) {
    const std::vector<TensorId> outputs = outputsOf(node);
    if (outputs.size() != 1 || graph.tensors[outputs.front()].shape.size() != 4) {
        return 1;
    }
    return graph.tensors[outputs.front()].shape.front();
}

/// Tensors that have a part for each image, unlike filters and biases.
std::vector<TensorId> imageTensorsOf(const Node& node) {
    if (const ImageNode* image = imageNodeOf(node)) {
        return {image->input, image->output};
    }
    return tensorsOf(node);
}

/// Bytes from one image of the node's tensor to the next.
std::uint64_t imageStep(const Graph& graph, const Node& node, TensorId id) {
    const Tensor& tensor = graph.tensors[id];
    const ImageNode* image = imageNodeOf(node);
    if (image == nullptr || id != image->output || image->outputPixelStride == 0) {
        return tensor.sizeBytes() / tensor.shape.front();
    }
    return image->outputPixelStride * tensor.shape[1] * tensor.shape[2] * tensor.elementBytes();
}

/// Whether a group's bytes are a part of each tensor's storage, and the filter is not computed.
bool isDivisible(const Graph& graph, const Node& node, std::uint32_t images) {
    const auto* conv = std::get_if<ConvNode>(&node.work);
    if (conv != nullptr && !graph.isConstant(conv->filter)) {
        return false;
    }
    const std::vector<TensorId> tensors = imageTensorsOf(node);
    return std::all_of(tensors.begin(), tensors.end(), [&](TensorId tensor) {
        const Storage& storage = graph.storageOf(tensor);
        const std::uint64_t step = imageStep(graph, node, tensor);
        return !graph.isConstant(tensor) && !storage.isImage &&
               storage.sizeBytes == step * images && graph.tensors[tensor].byteOffset < step;
    });
}

/// Whether one image in and one out have more bytes than the filter.
bool hasLargeImages(const Graph& graph, const Node& node, std::uint32_t images) {
    std::uint64_t bytes = 0;
    for (const TensorId tensor : imageTensorsOf(node)) {
        bytes += graph.tensors[tensor].sizeBytes() / images;
    }
    const auto* conv = std::get_if<ConvNode>(&node.work);
    return conv != nullptr && !conv->isDepthwise() &&
           bytes > graph.tensors[conv->filter].sizeBytes();
}

void setImages(Graph& graph, Node& node, std::uint32_t count) {
    if (ImageNode* image = imageNodeOf(node)) {
        image->geometry.batches = count;
    } else {
        auto& block = std::get<BlockNode>(node.work);
        const Shape shape = graph.tensors[outputOf(node)].shape;
        block.dims = {count, shape[1], shape[2], shape[3]};
        for (BlockOperand& operand : block.operands) {
            const std::uint64_t row = std::uint64_t{shape[2]} * shape[3];
            operand.strides = {shape[1] * row, row, shape[3], 1};
        }
    }
    for (const TensorId tensor : imageTensorsOf(node)) {
        graph.tensors[tensor].shape.front() = count;
    }
}

}  // namespace

ImageGroups::ImageGroups(const Graph& graph, Extent extent) : graph_(graph) {
    if (graph.nodes.empty() || graph.hasControlFlow()) {
        return;
    }
    const std::uint32_t images = imagesOf(graph, graph.nodes.front());
    if (images < 2) {
        return;
    }
    while (leading_ < graph.nodes.size() && worksOnImages(graph, graph.nodes[leading_], images) &&
           isDivisible(graph, graph.nodes[leading_], images)) {
        ++leading_;
    }
    while (extent == Extent::kLargeImages && leading_ > 0 &&
           !hasLargeImages(graph, graph.nodes[leading_ - 1], images)) {
        --leading_;
    }
    images_ = leading_ == 0 ? 1 : images;
    findLocalStorages();
}

void ImageGroups::findLocalStorages() {
    isLocal_.assign(graph_.storages.size(), false);
    for (std::size_t s = 0; s < graph_.storages.size(); ++s) {
        isLocal_[s] = graph_.storages[s].kind == StorageKind::kScratch;
    }
    for (std::size_t n = leading_; n < graph_.nodes.size(); ++n) {
        for (const TensorId tensor : tensorsOf(graph_.nodes[n])) {
            isLocal_[graph_.tensors[tensor].storage] = false;
        }
    }
}

Graph ImageGroups::firstGroup(std::uint32_t count) const {
    Graph group = graph_;
    group.nodes.resize(leading_);
    for (Node& node : group.nodes) {
        setImages(group, node, count);
    }
    for (StorageId s = 0; s < group.storages.size(); ++s) {
        Storage& storage = group.storages[s];
        if (isLocal_[s]) {
            storage.sizeBytes = storage.sizeBytes / images_ * count;
        } else if (storage.kind == StorageKind::kScratch) {
            storage.kind = StorageKind::kOutput;
            storage.index = 0;
        }
    }
    return group;
}

/// Adds the nodes of a group for other images.
class ImageGroups::Repeater {
  public:
    /// `index`: of the group.
    Repeater(const ImageGroups& parts, const Graph& group, std::uint32_t count, std::uint32_t index,
             Graph& result)
        : parts_(parts),
          group_(group),
          count_(count),
          index_(index),
          result_(result),
          tensors_(group.tensors.size()),
          storages_(group.storages.size()) {}

    void run() {
        for (Node node : group_.nodes) {
            if (ImageNode* image = imageNodeOf(node)) {
                image->input = tensorFor(image->input);
                image->output = tensorFor(image->output);
            }
            if (auto* conv = std::get_if<ConvNode>(&node.work)) {
                conv->filter = tensorFor(conv->filter);
            } else if (auto* block = std::get_if<BlockNode>(&node.work)) {
                for (BlockOperand& operand : block->operands) {
                    operand.tensor = tensorFor(operand.tensor);
                }
            } else if (auto* copy = std::get_if<CopyNode>(&node.work)) {
                copy->input = tensorFor(copy->input);
                copy->output = tensorFor(copy->output);
            }
            result_.nodes.push_back(std::move(node));
        }
    }

  private:
    TensorId tensorFor(TensorId id) {
        if (group_.isConstant(id)) {
            return id;
        }
        if (!tensors_[id]) {
            Tensor tensor = group_.tensors[id];
            const StorageId storage = tensor.storage;
            tensor.storage = storageFor(storage);
            if (hasAllGroups(storage)) {
                tensor.byteOffset += parts_.graph_.storages[storage].sizeBytes / parts_.images_ *
                                     count_ * index_;
            }
            result_.tensors.push_back(std::move(tensor));
            tensors_[id] = static_cast<TensorId>(result_.tensors.size() - 1);
        }
        return *tensors_[id];
    }

    /// Whether a storage of the group has the parts of all groups.
    bool hasAllGroups(StorageId id) const {
        return id < parts_.isLocal_.size() && !parts_.isLocal_[id];
    }

    /// The same storage if it has the parts of all groups, else one for this group.
    StorageId storageFor(StorageId id) {
        if (hasAllGroups(id)) {
            return id;
        }
        if (!storages_[id]) {
            Storage storage = group_.storages[id];
            if (storage.original != kNoTensor) {
                storage.original = tensorFor(storage.original);
            }
            result_.storages.push_back(storage);
            storages_[id] = static_cast<StorageId>(result_.storages.size() - 1);
        }
        return *storages_[id];
    }

    const ImageGroups& parts_;
    const Graph& group_;
    const std::uint32_t count_, index_;
    Graph& result_;
    std::vector<std::optional<TensorId>> tensors_;
    std::vector<std::optional<StorageId>> storages_;
};

Graph ImageGroups::repeated(const Graph& group, std::uint32_t count) const {
    Graph result = graph_;
    result.nodes.clear();
    for (std::uint32_t index = 0; index < images_ / count; ++index) {
        Repeater(*this, group, count, index, result).run();
    }
    result.nodes.insert(result.nodes.end(),
                        graph_.nodes.begin() + static_cast<std::ptrdiff_t>(leading_),
                        graph_.nodes.end());
    return result;
}

}  // namespace vnpu::driver
