// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/stripes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "driver/compiler/ir/window_reach.h"
#include "driver/compiler/rewrite/channel_parts.h"
#include "driver/compiler/rewrite/shared_filters.h"
#include "driver/compiler/rewrite/stripe_plan.h"

namespace vnpu::driver {
namespace {

/// A sum or product without broadcasting.
bool isDenseEltwise(const BlockNode& block) {
    if (!std::holds_alternative<hw::VecEltwise>(block.prototype) || block.operands.size() != 3) {
        return false;
    }
    return std::all_of(block.operands.begin(), block.operands.end(), [&](const BlockOperand& o) {
        std::uint64_t run = 1;
        for (std::size_t d = 4; d-- > 0;) {
            if (block.dims[d] != 1 && o.strides[d] != run) {
                return false;
            }
            run *= block.dims[d];
        }
        return o.offset == 0;
    });
}

bool isOf(const Tensor& tensor, const Shape& shape) {
    return !tensor.isDynamic() && tensor.shape == shape;
}

bool areImages(const Graph& graph, const ImageNode& node, std::uint32_t images) {
    const WindowGeometry& g = node.geometry;
    return g.batches == images &&
           isOf(graph.tensors[node.input],
                {images, g.inputHeight, g.inputWidth, g.inputChannels}) &&
           isOf(graph.tensors[node.output],
                {images, g.outputHeight, g.outputWidth, g.outputChannels});
}

/// Writes the nodes of a plan, and adds the tensors that they need to the graph.
class StripeWriter {
  public:
    StripeWriter(Graph& graph, const StripePlan& plan) : graph_(graph), plan_(plan) {}

    std::vector<Node> run() {
        makePieces();
        emit();
        return std::move(nodes_);
    }

  private:
    TensorId addTensor(TensorId like, Shape shape, StorageId storage, std::uint64_t offset) {
        Tensor tensor = graph_.tensors[like];
        tensor.shape = std::move(shape);
        tensor.storage = storage;
        tensor.byteOffset = offset;
        graph_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(graph_.tensors.size() - 1);
    }

    StorageId addStorage(StorageKind kind, std::uint64_t bytes, TensorId original) {
        Storage storage;
        storage.kind = kind;
        storage.sizeBytes = bytes;
        storage.original = original;
        storage.isPiece = kind == StorageKind::kScratch;
        graph_.storages.push_back(storage);
        return static_cast<StorageId>(graph_.storages.size() - 1);
    }

    TensorId addRows(TensorId tensor, const Rows& rows, StorageId storage, std::uint64_t offset) {
        const StripedImage& image = plan_.images.at(tensor);
        return addTensor(tensor, {1, rows.count(), image.width, image.channels}, storage, offset);
    }

    /// The rows of an image where they lie outside of the region.
    TensorId viewOutside(TensorId tensor, const Rows& rows) {
        const Tensor& whole = graph_.tensors[tensor];
        return addRows(tensor, rows, whole.storage,
                       whole.byteOffset + rows.begin * plan_.images.at(tensor).rowBytes);
    }

    TensorId viewPiece(TensorId tensor, std::uint32_t stripe, const Rows& rows) {
        const StripedImage& image = plan_.images.at(tensor);
        return addRows(tensor, rows, graph_.tensors[pieces_.at(tensor)[stripe]].storage,
                       (rows.begin - image.pieces[stripe].begin) * image.rowBytes);
    }

    TensorId view(TensorId tensor, std::uint32_t stripe, const Rows& rows) {
        const StripedImage& image = plan_.images.at(tensor);
        return image.isInternal || image.isShared ? viewPiece(tensor, stripe, rows)
                                                  : viewOutside(tensor, rows);
    }

    /// Whether a piece of a tensor has been read before the next one is made: in the same step, and
    /// by the engine that makes it, or in a serial plan.
    bool isReadAtOnce(TensorId tensor) const {
        const StripedNode& maker = *std::ranges::find(plan_.nodes, tensor, &StripedNode::output);
        return std::ranges::all_of(plan_.nodes, [&](const StripedNode& member) {
            return !member.reads(tensor) ||
                   (member.delay == maker.delay &&
                    (plan_.form.isSerial || member.engine == maker.engine));
        });
    }

    /// One place for all pieces of a tensor that are read at once. Rows that are kept move to the
    /// front, unless source and destination overlap.
    std::optional<StorageId> commonStorage(TensorId tensor, const StripedImage& image) {
        if (image.isShared || !isReadAtOnce(tensor)) {
            return std::nullopt;
        }
        std::uint32_t most = 0;
        for (std::size_t s = 0; s < image.pieces.size(); ++s) {
            most = std::max(most, image.pieces[s].count());
            if (s > 0 && image.pieces[s].begin < image.pieces[s - 1].end) {
                const std::uint32_t kept = image.pieces[s - 1].end - image.pieces[s].begin;
                if (2 * kept > image.pieces[s - 1].count()) {
                    return std::nullopt;
                }
            }
        }
        return addStorage(StorageKind::kScratch, most * image.rowBytes, kNoTensor);
    }

    void makePieces() {
        for (const auto& [tensor, image] : plan_.images) {
            if (!image.isInternal && !image.isShared) {
                continue;
            }
            const std::optional<StorageId> common = commonStorage(tensor, image);
            for (const Rows& rows : image.pieces) {
                std::optional<StorageId> storage = common;
                if (!common) {
                    const TensorId original =
                            image.isShared ? viewOutside(tensor, rows) : kNoTensor;
                    storage = addStorage(
                            image.isShared ? StorageKind::kSramCopy : StorageKind::kScratch,
                            rows.count() * image.rowBytes, original);
                }
                pieces_[tensor].push_back(addRows(tensor, rows, *storage, 0));
            }
        }
    }

    void addCopy(std::uint32_t operation, TensorId from, TensorId to) {
        const Tensor& part = graph_.tensors[to];
        nodes_.push_back({operation, copyOf(from, to, elementCount(part.shape))});
    }

    void emit() {
        std::uint32_t last = 0;
        for (const StripedNode& member : plan_.nodes) {
            last = std::max(last, member.delay);
        }
        for (std::uint32_t step = 0; step < plan_.stripes + last; ++step) {
            for (const auto& [tensor, image] : plan_.images) {
                if (image.isShared && step < plan_.stripes) {
                    loadPiece(tensor, step);
                }
            }
            for (const StripedNode& member : plan_.nodes) {
                if (step >= member.delay && step - member.delay < plan_.stripes) {
                    emitStripe(member, step - member.delay);
                }
            }
        }
    }

    /// Loads a piece of a shared tensor; rows that the piece before has come from there.
    void loadPiece(TensorId tensor, std::uint32_t stripe) {
        const std::uint32_t operation = firstReader(tensor).operation;
        const std::vector<Rows>& pieces = plan_.images.at(tensor).pieces;
        Rows fresh = pieces[stripe];
        if (stripe > 0 && pieces[stripe - 1].begin <= fresh.begin &&
            fresh.begin < pieces[stripe - 1].end) {
            const Rows kept{fresh.begin, std::min(fresh.end, pieces[stripe - 1].end)};
            addCopy(operation, viewPiece(tensor, stripe - 1, kept),
                    viewPiece(tensor, stripe, kept));
            fresh.begin = kept.end;
        }
        if (fresh.begin < fresh.end) {
            addCopy(operation, viewOutside(tensor, fresh), viewPiece(tensor, stripe, fresh));
        }
    }

    const Node& firstReader(TensorId tensor) const {
        return *std::find_if(plan_.nodes.begin(), plan_.nodes.end(),
                             [tensor](const StripedNode& member) { return member.reads(tensor); })
                        ->node;
    }

    void emitStripe(const StripedNode& member, std::uint32_t stripe) {
        keepRows(member, stripe);
        const Rows& fresh = member.newRows[stripe];
        const Reach reach = reachOf(member.walk, {fresh.begin, fresh.count()});
        const Rows read = readRows(reach);
        Node node = *member.node;
        node.isStripe = true;
        if (ImageNode* work = imageNodeOf(node)) {
            work->geometry.inputHeight = reach.input.count;
            work->geometry.padTop = reach.pad;
            work->geometry.outputHeight = fresh.count();
            work->input = view(member.inputs.front(), stripe, read);
            work->output = view(member.output, stripe, fresh);
            if (auto* conv = std::get_if<ConvNode>(&node.work)) {
                conv->filter = keptFilter(node.operation, *conv);
            }
        } else {
            auto& block = std::get<BlockNode>(node.work);
            const StripedImage& image = plan_.images.at(member.output);
            const std::uint64_t row = std::uint64_t{image.width} * image.channels;
            block.dims = {1, fresh.count(), image.width, image.channels};
            for (std::size_t k = 0; k < 3; ++k) {
                BlockOperand& operand = block.operands[k];
                operand.tensor = view(k < 2 ? member.inputs[k] : member.output, stripe, fresh);
                operand.strides = {fresh.count() * row, row, image.channels, 1};
            }
        }
        nodes_.push_back(std::move(node));
    }

    /// Copies rows that the stripe before has computed into this stripe's piece.
    void keepRows(const StripedNode& member, std::uint32_t stripe) {
        const StripedImage& image = plan_.images.at(member.output);
        if (!image.isInternal || stripe == 0) {
            return;
        }
        const Rows kept{image.pieces[stripe].begin, member.newRows[stripe].begin};
        if (kept.begin < kept.end && kept.begin < image.pieces[stripe - 1].end) {
            const TensorId from = viewPiece(member.output, stripe - 1, kept);
            addCopy(member.node->operation, from, viewPiece(member.output, stripe, kept));
        }
    }

    /// Several stripes of a convolution may find its filter in SRAM.
    TensorId keptFilter(std::uint32_t operation, const ConvNode& conv) {
        if (plan_.stripes == 1 || conv.isDepthwise() || !graph_.isConstant(conv.filter)) {
            return conv.filter;
        }
        const auto known = filters_.find(conv.filter);
        if (known != filters_.end()) {
            return known->second;
        }
        const TensorId kept = addFilterCopy(graph_, conv.filter);
        addCopy(operation, conv.filter, kept);
        filters_[conv.filter] = kept;
        return kept;
    }

    Graph& graph_;
    const StripePlan& plan_;
    std::map<TensorId, std::vector<TensorId>> pieces_;  // tensors by image and stripe
    std::map<TensorId, TensorId> filters_;              // constants and their copies in SRAM
    std::vector<Node> nodes_;
};

bool areCuttable(const Graph& graph, std::span<const std::size_t> region) {
    return std::all_of(region.begin(), region.end(),
                       [&](std::size_t n) { return isCuttable(graph, graph.nodes[n]); });
}

std::optional<std::vector<Node>> stripesOf(Graph& graph, std::span<const std::size_t> region,
                                           const StripeForm& form) {
    const std::optional<StripePlan> plan = planStripes(graph, region, form);
    return plan ? std::optional(StripeWriter(graph, *plan).run()) : std::nullopt;
}

}  // namespace

bool worksOnImages(const Graph& graph, const Node& node, std::uint32_t images) {
    if (node.construct != kNoConstruct) {
        return false;
    }
    if (const auto* conv = std::get_if<ConvNode>(&node.work);
        conv != nullptr && (conv->outputRowStride != 0 || conv->outputImageStride != 0)) {
        return false;
    }
    if (const ImageNode* image = imageNodeOf(node)) {
        return areImages(graph, *image, images);
    }
    const auto* block = std::get_if<BlockNode>(&node.work);
    if (block == nullptr || !isDenseEltwise(*block)) {
        return false;
    }
    const Shape& shape = graph.tensors[outputOf(node)].shape;
    return shape.size() == 4 && shape[0] == images &&
           std::all_of(block->operands.begin(), block->operands.end(),
                       [&](const BlockOperand& operand) {
                           return isOf(graph.tensors[operand.tensor], shape);
                       });
}

bool isCuttable(const Graph& graph, const Node& node) {
    return worksOnImages(graph, node, 1) && graph.tensors[outputOf(node)].shape[1] > 1;
}

std::uint32_t stripedRows(const Graph& graph, std::span<const std::size_t> region) {
    return areCuttable(graph, region) ? narrowestOutput(graph, region) : 0;
}

std::optional<std::vector<Node>> cutIntoStripes(Graph& graph, std::span<const std::size_t> region,
                                                const StripeForm& form) {
    if (!areCuttable(graph, region)) {
        return std::nullopt;
    }
    if (form.channels == 0 || form.channels >= divisibleChannels(graph, region)) {
        return stripesOf(graph, region, form);
    }
    if (narrowestOutput(graph, region) == 0) {  // a part alone does not show other readers
        return std::nullopt;
    }
    std::vector<Node> all;
    for (std::vector<Node>& part : divideChannels(graph, region, form.channels)) {
        std::vector<std::size_t> whole(part.size());
        std::iota(whole.begin(), whole.end(), 0);
        graph.nodes.swap(part);  // the users of the part's tensors
        auto stripes = stripesOf(graph, whole, form);
        graph.nodes.swap(part);
        if (!stripes) {
            return std::nullopt;
        }
        std::move(stripes->begin(), stripes->end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace vnpu::driver
