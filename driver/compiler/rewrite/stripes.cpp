// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/stripes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "driver/compiler/ir/graph_users.h"
#include "driver/compiler/ir/window_reach.h"

namespace vnpu::driver {
namespace {

/// Rows [begin, end) of an image.
struct Rows {
    std::uint32_t begin = 0, end = 0;

    std::uint32_t count() const { return end - begin; }
};

Rows hull(const std::optional<Rows>& a, const Rows& b) {
    return a ? Rows{std::min(a->begin, b.begin), std::max(a->end, b.end)} : b;
}

enum class Worker : std::uint8_t { kDma, kMac, kVector };

/// An image that the region reads or writes.
struct StripedImage {
    std::uint32_t rows = 0;
    std::uint64_t rowBytes = 0;
    std::uint32_t width = 0, channels = 0;
    bool isInternal = false;   // made and read by the region alone
    bool isShared = false;     // read by several of its nodes, made outside
    std::vector<Rows> pieces;  // by stripe, of internal and shared ones
    std::vector<TensorId> pieceTensors;
};

/// A node of the region.
struct Member {
    const Node* node = nullptr;
    std::vector<TensorId> inputs;
    TensorId output = kNoTensor;
    WindowWalk walk;  // along the rows
    Worker worker = Worker::kMac;
    std::uint32_t delay = 0;      // steps behind the first
    std::vector<Rows> newRows{};  // by stripe: rows that it computes
};

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

/// One dense image of these extents.
bool isImage(const Tensor& tensor, std::uint32_t rows, std::uint32_t columns,
             std::uint32_t channels) {
    return !tensor.isDynamic() && tensor.shape == Shape{1, rows, columns, channels};
}

bool areImages(const Graph& graph, const WindowGeometry& g, TensorId input, TensorId output) {
    return g.batches == 1 && g.outputHeight > 1 &&
           isImage(graph.tensors[input], g.inputHeight, g.inputWidth, g.inputChannels) &&
           isImage(graph.tensors[output], g.outputHeight, g.outputWidth, g.outputChannels);
}

class StripeCutter {
  public:
    StripeCutter(const Graph& graph, std::span<const std::size_t> region) : graph_(graph) {
        std::vector<bool> isInside(graph.nodes.size(), false);
        for (const std::size_t n : region) {
            isInside[n] = true;
            addMember(graph.nodes[n]);
        }
        classify(isInside);
    }

    /// Of the narrowest output; 0: the region has none, or reads one.
    std::uint32_t outputRows() const {
        std::uint32_t rows = 0;
        for (const Member& member : members_) {
            const StripedImage& image = images_.at(member.output);
            if (!image.isInternal) {
                rows = rows == 0 ? image.rows : std::min(rows, image.rows);
            }
            for (const TensorId input : member.inputs) {
                const bool isMade =
                        std::any_of(members_.begin(), members_.end(),
                                    [input](const Member& other) { return other.output == input; });
                if (isMade && !images_.at(input).isInternal) {
                    return 0;
                }
            }
        }
        return rows;
    }

    /// `target` is the graph itself.
    std::optional<std::vector<Node>> run(Graph& target, std::uint32_t part) {
        target_ = &target;
        const std::uint32_t least = outputRows();
        if (least == 0 || part == 0) {
            return std::nullopt;
        }
        stripes_ = partsOf(least, part);
        for (std::uint32_t s = 0; s < stripes_; ++s) {
            const Part wanted = partOf(s, part, least);
            if (!walkBack({wanted.begin, wanted.begin + wanted.count}, least)) {
                return std::nullopt;
            }
        }
        makePieces();
        setDelays();
        emit();
        return std::move(nodes_);
    }

  private:
    void addMember(const Node& node) {
        Member member;
        member.node = &node;
        member.inputs = {inputsOf(node).front()};
        member.output = outputOf(node);
        if (const ImageNode* image = imageNodeOf(node)) {
            member.worker =
                    std::holds_alternative<ConvNode>(node.work) ? Worker::kMac : Worker::kVector;
            member.walk = image->geometry.rows();
        } else {
            member.inputs = inputsOf(node);
            member.worker = Worker::kVector;
            member.walk.input = graph_.tensors[member.output].shape[1];
        }
        for (const TensorId input : member.inputs) {
            addImage(input);
        }
        StripedImage& output = addImage(member.output);
        if (const ImageNode* image = imageNodeOf(node);
            image != nullptr && image->outputPixelStride != 0) {
            output.rowBytes = image->outputPixelStride * output.width *
                              graph_.tensors[member.output].elementBytes();
        }
        members_.push_back(std::move(member));
    }

    StripedImage& addImage(TensorId id) {
        const Tensor& tensor = graph_.tensors[id];
        StripedImage image;
        image.rows = tensor.shape[1];
        image.width = tensor.shape[2];
        image.channels = tensor.shape[3];
        image.rowBytes = std::uint64_t{image.width} * image.channels * tensor.elementBytes();
        return images_.try_emplace(id, image).first->second;
    }

    void classify(const std::vector<bool>& isInside) {
        struct Users {
            std::size_t readers = 0, makers = 0;  // inside
            bool isLocal = true;                  // none outside
        };
        std::map<TensorId, Users> users;
        const auto count = [&](TensorId tensor, std::size_t n, std::size_t Users::*kind) {
            if (images_.count(tensor) != 0) {
                Users& known = users[tensor];
                known.*kind += isInside[n] ? 1 : 0;
                known.isLocal = known.isLocal && isInside[n];
            }
        };
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
            for (const TensorId tensor : inputsOf(graph_.nodes[n])) {
                count(tensor, n, &Users::readers);
            }
            for (const TensorId tensor : outputsOf(graph_.nodes[n])) {
                count(tensor, n, &Users::makers);
            }
        }
        for (auto& [tensor, image] : images_) {
            const Users& known = users[tensor];
            image.isInternal = known.isLocal && known.makers == 1 && known.readers > 0 &&
                               isIntermediate(graph_, tensor) && liesAlone(graph_, tensor);
            image.isShared = known.makers == 0 && known.readers > 1;
        }
    }

    /// Determines the rows that each node computes for a stripe, from the outputs back.
    bool walkBack(const Rows& wanted, std::uint32_t least) {
        std::map<TensorId, Rows> needed;
        const auto scaled = [&](std::uint32_t row, std::uint32_t rows) {
            return static_cast<std::uint32_t>(std::uint64_t{row} * rows / least);
        };
        for (std::size_t m = members_.size(); m-- > 0;) {
            Member& member = members_[m];
            StripedImage& image = images_.at(member.output);
            Rows fresh{scaled(wanted.begin, image.rows), scaled(wanted.end, image.rows)};
            if (image.isInternal) {
                const auto found = needed.find(member.output);
                if (found == needed.end()) {
                    return false;
                }
                fresh = found->second;
                if (!image.pieces.empty()) {
                    fresh.begin = std::max(fresh.begin, image.pieces.back().end);
                }
            }
            if (fresh.end <= fresh.begin) {
                return false;
            }
            member.newRows.push_back(fresh);
            const Reach reach = reachOf(member.walk, {fresh.begin, fresh.count()});
            const Rows read{reach.input.begin, reach.input.begin + reach.input.count};
            for (const TensorId input : member.inputs) {
                const auto known = needed.find(input);
                needed[input] = hull(
                        known == needed.end() ? std::nullopt : std::optional<Rows>(known->second),
                        read);
            }
        }
        for (const auto& [tensor, rows] : needed) {
            StripedImage& image = images_.at(tensor);
            const bool goesBack =
                    !image.pieces.empty() &&
                    (rows.begin < image.pieces.back().begin || rows.end < image.pieces.back().end);
            if (image.isInternal && goesBack) {
                return false;
            }
            image.pieces.push_back(rows);
        }
        return true;
    }

    TensorId addTensor(TensorId like, Shape shape, StorageId storage, std::uint64_t offset) {
        Tensor tensor = graph_.tensors[like];
        tensor.shape = std::move(shape);
        tensor.storage = storage;
        tensor.byteOffset = offset;
        target_->tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(graph_.tensors.size() - 1);
    }

    StorageId addStorage(StorageKind kind, std::uint64_t bytes, TensorId original) {
        Storage storage;
        storage.kind = kind;
        storage.sizeBytes = bytes;
        storage.original = original;
        target_->storages.push_back(storage);
        return static_cast<StorageId>(graph_.storages.size() - 1);
    }

    TensorId addRows(TensorId tensor, const Rows& rows, StorageId storage, std::uint64_t offset) {
        const StripedImage& image = images_.at(tensor);
        return addTensor(tensor, {1, rows.count(), image.width, image.channels}, storage, offset);
    }

    /// The rows of an image where they lie outside of the region.
    TensorId viewOutside(TensorId tensor, const Rows& rows) {
        const Tensor& whole = graph_.tensors[tensor];
        return addRows(tensor, rows, whole.storage,
                       whole.byteOffset + rows.begin * images_.at(tensor).rowBytes);
    }

    TensorId viewPiece(TensorId tensor, std::uint32_t stripe, const Rows& rows) {
        const StripedImage& image = images_.at(tensor);
        return addRows(tensor, rows, graph_.tensors[image.pieceTensors[stripe]].storage,
                       (rows.begin - image.pieces[stripe].begin) * image.rowBytes);
    }

    TensorId view(TensorId tensor, std::uint32_t stripe, const Rows& rows) {
        const StripedImage& image = images_.at(tensor);
        return image.isInternal || image.isShared ? viewPiece(tensor, stripe, rows)
                                                  : viewOutside(tensor, rows);
    }

    /// One place for all pieces of a tensor that one engine writes and reads: it cannot write one
    /// piece while it reads another. Rows that are kept move to the front, unless source and
    /// destination overlap.
    std::optional<StorageId> commonStorage(TensorId tensor, const StripedImage& image) {
        std::optional<Worker> worker;
        for (const Member& member : members_) {
            const bool isUser = member.output == tensor ||
                                std::find(member.inputs.begin(), member.inputs.end(), tensor) !=
                                        member.inputs.end();
            if (isUser && worker && *worker != member.worker) {
                return std::nullopt;
            }
            worker = isUser ? member.worker : worker;
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
        if (image.isShared) {
            return std::nullopt;
        }
        return addStorage(StorageKind::kScratch, most * image.rowBytes, kNoTensor);
    }

    void makePieces() {
        for (auto& [tensor, image] : images_) {
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
                image.pieceTensors.push_back(addRows(tensor, rows, *storage, 0));
            }
        }
    }

    /// A stripe that reads another engine's tensor begins one step later, so that both engines
    /// work.
    void setDelays() {
        std::map<TensorId, std::pair<std::uint32_t, Worker>> makers;
        for (const auto& [tensor, image] : images_) {
            if (image.isShared) {
                makers[tensor] = {0, Worker::kDma};
            }
        }
        for (Member& member : members_) {
            for (const TensorId input : member.inputs) {
                if (const auto found = makers.find(input); found != makers.end()) {
                    const auto& [delay, worker] = found->second;
                    member.delay =
                            std::max(member.delay, delay + (worker == member.worker ? 0U : 1U));
                }
            }
            makers[member.output] = {member.delay, member.worker};
        }
    }

    void addCopy(std::uint32_t operation, TensorId from, TensorId to) {
        const Tensor& part = graph_.tensors[to];
        nodes_.push_back({operation, copyOf(from, to, elementCount(part.shape))});
    }

    void emit() {
        std::uint32_t last = 0;
        for (const Member& member : members_) {
            last = std::max(last, member.delay);
        }
        for (std::uint32_t step = 0; step < stripes_ + last; ++step) {
            for (const auto& [tensor, image] : images_) {
                if (image.isShared && step < stripes_) {
                    const TensorId piece = image.pieceTensors[step];
                    addCopy(firstReader(tensor).operation, graph_.storageOf(piece).original, piece);
                }
            }
            for (const Member& member : members_) {
                if (step >= member.delay && step - member.delay < stripes_) {
                    emitStripe(member, step - member.delay);
                }
            }
        }
    }

    const Node& firstReader(TensorId tensor) const {
        return *std::find_if(members_.begin(), members_.end(), [tensor](const Member& member) {
                    return std::find(member.inputs.begin(), member.inputs.end(), tensor) !=
                           member.inputs.end();
                })->node;
    }

    void emitStripe(const Member& member, std::uint32_t stripe) {
        keepRows(member, stripe);
        const Rows& fresh = member.newRows[stripe];
        const Reach reach = reachOf(member.walk, {fresh.begin, fresh.count()});
        const Rows read{reach.input.begin, reach.input.begin + reach.input.count};
        Node node = *member.node;
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
            const StripedImage& image = images_.at(member.output);
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
    void keepRows(const Member& member, std::uint32_t stripe) {
        const StripedImage& image = images_.at(member.output);
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
        if (stripes_ == 1 || conv.isDepthwise() || !graph_.isConstant(conv.filter)) {
            return conv.filter;
        }
        const auto known = filters_.find(conv.filter);
        if (known != filters_.end()) {
            return known->second;
        }
        const Tensor& filter = graph_.tensors[conv.filter];
        const StorageId storage =
                addStorage(StorageKind::kSramCopy, filter.sizeBytes(), conv.filter);
        const TensorId kept = addTensor(conv.filter, filter.shape, storage, 0);
        addCopy(operation, conv.filter, kept);
        filters_[conv.filter] = kept;
        return kept;
    }

    const Graph& graph_;
    Graph* target_ = nullptr;
    std::vector<Member> members_;
    std::map<TensorId, StripedImage> images_;
    std::map<TensorId, TensorId> filters_;
    std::uint32_t stripes_ = 0;
    std::vector<Node> nodes_;
};

bool areCuttable(const Graph& graph, std::span<const std::size_t> region) {
    return std::all_of(region.begin(), region.end(),
                       [&](std::size_t n) { return isCuttable(graph, graph.nodes[n]); });
}

}  // namespace

bool isCuttable(const Graph& graph, const Node& node) {
    if (node.construct != kNoConstruct) {
        return false;
    }
    if (const auto* conv = std::get_if<ConvNode>(&node.work);
        conv != nullptr && (conv->outputRowStride != 0 || conv->outputImageStride != 0)) {
        return false;
    }
    if (const ImageNode* image = imageNodeOf(node)) {
        return areImages(graph, image->geometry, image->input, image->output);
    }
    const auto* block = std::get_if<BlockNode>(&node.work);
    if (block == nullptr || !isDenseEltwise(*block)) {
        return false;
    }
    const Shape& shape = graph.tensors[outputOf(node)].shape;
    return shape.size() == 4 && shape[1] > 1 &&
           std::all_of(block->operands.begin(), block->operands.end(),
                       [&](const BlockOperand& operand) {
                           return isImage(graph.tensors[operand.tensor], shape[1], shape[2],
                                          shape[3]);
                       });
}

std::uint32_t stripedRows(const Graph& graph, std::span<const std::size_t> region) {
    return areCuttable(graph, region) ? StripeCutter(graph, region).outputRows() : 0;
}

std::optional<std::vector<Node>> cutIntoStripes(Graph& graph, std::span<const std::size_t> region,
                                                std::uint32_t rows) {
    if (!areCuttable(graph, region)) {
        return std::nullopt;
    }
    return StripeCutter(graph, region).run(graph, rows);
}

}  // namespace vnpu::driver
