// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/weights/coded_weights.h"

#include <algorithm>
#include <variant>

#include "driver/compiler/ir/node_tensors.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

constexpr std::uint64_t kBlockAlignment = 16;  // chosen: one beat of a DMA channel
// Constants move by multiples of this, so that each keeps its alignment and its neighbors.
constexpr std::uint64_t kMoveUnit = 64;

/// Collects blocks and the uses of storages, node by node.
class Collector {
  public:
    Collector(const Graph& graph, const MemoryPlan& plan, WeightCoder& coder,
              std::vector<std::byte>& blocks)
        : graph_(graph),
          plan_(plan),
          coder_(coder),
          blocks_(blocks),
          codedBytes_(graph.storages.size(), 0),
          isReadPlain_(graph.storages.size(), false) {}

    void add(const Node& node, const NodePlan& plan) {
        const auto* conv = std::get_if<ConvNode>(&node.work);
        const auto* copy = std::get_if<CopyNode>(&node.work);
        if (conv != nullptr && isLoaded(conv->filter)) {
            addFilter(*conv, planAs<ConvPlan>(plan));
        } else if (copy != nullptr && isCodableCopy(*copy)) {
            if (isResident(copy->output)) {
                addTile(copy->input, wholeTile(*copy));
            }
            return;  // otherwise the readers take the original
        }
        for (const TensorId tensor : tensorsOf(node)) {
            const bool isFilter = conv != nullptr && tensor == conv->filter;
            if (!isFilter || !isCodable(graph_, graph_.originalOf(tensor))) {
                readPlain(graph_.originalOf(tensor));
            }
        }
    }

    CodedWeights takeCoded() { return std::move(coded_); }
    /// Bytes of the storage that are coded, if no command reads any of it as it is.
    std::uint64_t replacedBytes(StorageId storage) const {
        return isReadPlain_[storage] ? 0 : codedBytes_[storage];
    }
    bool isReadPlain(StorageId storage) const { return isReadPlain_[storage]; }

  private:
    bool isResident(TensorId tensor) const {
        return plan_.residentAt[graph_.tensors[tensor].storage].has_value();
    }

    /// Whether a convolution loads its filter itself.
    bool isLoaded(TensorId filter) const {
        return isCodable(graph_, graph_.originalOf(filter)) && !isResident(filter);
    }

    /// A copy of a constant in SRAM, in one row.
    bool isCodableCopy(const CopyNode& copy) const {
        const CopyAxes axes = joined(copy.axes);
        return graph_.storageOf(copy.output).kind == StorageKind::kSramCopy &&
               isCodable(graph_, copy.input) && axes.size() == 1 && axes[0].inputStride == 1 &&
               axes[0].outputStride == 1;
    }

    static FilterTile wholeTile(const CopyNode& copy) {
        const std::uint64_t elements = elementsOf(copy.axes);
        return {copy.inputOffset, 1, elements, elements};
    }

    void addFilter(const ConvNode& conv, const ConvPlan& plan) {
        for (std::uint32_t i = 0; i < channelTiles(conv, plan); ++i) {
            for (std::uint32_t k = 0; k < depthChunks(conv, plan); ++k) {
                addTile(graph_.originalOf(conv.filter),
                        filterTile(conv, channelTile(conv, plan, i), depthChunk(conv, plan, k)));
            }
        }
    }

    void addTile(TensorId constant, const FilterTile& tile) {
        if (coded_.find(graph_, constant, tile)) {
            return;  // another node loads it, too
        }
        const std::vector<std::byte>& block = coder_.code(graph_, constant, tile);
        if (block.empty()) {
            readPlain(constant);
            return;
        }
        blocks_.resize(hw::roundUp(blocks_.size(), kBlockAlignment));
        coded_.add(constant, tile, {blocks_.size(), static_cast<std::uint32_t>(block.size())});
        blocks_.insert(blocks_.end(), block.begin(), block.end());
        codedBytes_[graph_.tensors[constant].storage] += tile.elements();
    }

    void readPlain(TensorId tensor) {
        if (graph_.tensors[tensor].storage != kNoStorage) {
            isReadPlain_[graph_.tensors[tensor].storage] = true;
        }
    }

    const Graph& graph_;
    const MemoryPlan& plan_;
    WeightCoder& coder_;
    std::vector<std::byte>& blocks_;
    CodedWeights coded_;                     // offsets among blocks_
    std::vector<std::uint64_t> codedBytes_;  // by storage
    std::vector<bool> isReadPlain_;          // by storage
};

/// Bytes [begin, end) that are taken out.
struct Gap {
    std::uint64_t begin = 0, end = 0;
};

/// Removes the constants that only coded tiles replace.
void removeReplaced(Graph& graph, const Collector& collector, std::vector<std::byte>& constants) {
    std::vector<Gap> gaps;
    for (StorageId s = 0; s < graph.storages.size(); ++s) {
        const Storage& storage = graph.storages[s];
        if (storage.kind == StorageKind::kConstants && collector.replacedBytes(s) != 0) {
            const Gap gap{hw::roundUp(storage.offset, kMoveUnit),
                          (storage.offset + storage.sizeBytes) / kMoveUnit * kMoveUnit};
            if (gap.begin < gap.end) {
                gaps.push_back(gap);
            }
        }
    }
    std::sort(gaps.begin(), gaps.end(),
              [](const Gap& a, const Gap& b) { return a.begin < b.begin; });
    for (Storage& storage : graph.storages) {
        if (storage.kind != StorageKind::kConstants) {
            continue;
        }
        std::uint64_t removed = 0;
        for (const Gap& gap : gaps) {
            removed += gap.end <= storage.offset ? gap.end - gap.begin : 0;
        }
        storage.offset -= removed;
    }
    for (auto gap = gaps.rbegin(); gap != gaps.rend(); ++gap) {
        constants.erase(constants.begin() + static_cast<std::ptrdiff_t>(gap->begin),
                        constants.begin() + static_cast<std::ptrdiff_t>(gap->end));
    }
}

/// Moves the rest of pools that are mostly coded among the driver's constants. What is coded has no
/// place of its own any more.
void movePoolRests(Graph& graph, std::span<const PoolView> pools, const Collector& collector,
                   std::vector<std::byte>& constants) {
    // chosen: biases are a few percent of their filters; what is not coded for another reason
    // stays where the client has put it
    constexpr std::uint64_t kLeastCodedPerMoved = 8;
    for (std::uint32_t pool = 0; pool < pools.size(); ++pool) {
        std::vector<StorageId> replaced;
        std::vector<StorageId> rest;
        std::uint64_t coded = 0;
        std::uint64_t plain = 0;
        for (StorageId s = 0; s < graph.storages.size(); ++s) {
            const Storage& storage = graph.storages[s];
            if (storage.kind == StorageKind::kPool && storage.index == pool) {
                coded += collector.replacedBytes(s);
                if (collector.replacedBytes(s) != 0) {
                    replaced.push_back(s);
                } else if (collector.isReadPlain(s)) {
                    plain += storage.sizeBytes;
                    rest.push_back(s);
                }
            }
        }
        if (plain * kLeastCodedPerMoved > coded) {
            continue;
        }
        for (const StorageId s : replaced) {
            graph.storages[s] = {StorageKind::kConstants, 0, 0, graph.storages[s].sizeBytes};
        }
        for (const StorageId s : rest) {
            Storage& storage = graph.storages[s];
            const auto bytes = pools[pool].subspan(storage.offset, storage.sizeBytes);
            constants.resize(hw::roundUp(constants.size(), kMoveUnit));
            storage.kind = StorageKind::kConstants;
            storage.index = 0;
            storage.offset = constants.size();
            constants.insert(constants.end(), bytes.begin(), bytes.end());
        }
    }
}

}  // namespace

CodedWeights::Key CodedWeights::keyOf(TensorId constant, const FilterTile& tile) {
    return {constant, tile.first, tile.rows, tile.run, tile.rows == 1 ? 0 : tile.step};
}

std::optional<CodedBlock> CodedWeights::find(const Graph& graph, TensorId tensor,
                                             const FilterTile& tile) const {
    const auto found = blocks_.find(keyOf(graph.originalOf(tensor), tile));
    if (found == blocks_.end()) {
        return std::nullopt;
    }
    return CodedBlock{base_ + found->second.offset, found->second.sizeBytes};
}

void CodedWeights::add(TensorId constant, const FilterTile& tile, const CodedBlock& block) {
    blocks_[keyOf(constant, tile)] = block;
}

CodedWeights codeWeights(Graph& graph, const MemoryPlan& plan, std::span<const PoolView> pools,
                         WeightCoder& coder, std::vector<std::byte>& constants) {
    std::vector<std::byte> blocks;
    Collector collector(graph, plan, coder, blocks);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        collector.add(graph.nodes[n], plan.nodes[n]);
    }
    CodedWeights coded = collector.takeCoded();
    if (blocks.empty()) {
        return coded;
    }
    removeReplaced(graph, collector, constants);
    movePoolRests(graph, pools, collector, constants);
    constants.resize(hw::roundUp(constants.size(), kBlockAlignment));
    coded.setBase(constants.size());
    constants.insert(constants.end(), blocks.begin(), blocks.end());
    return coded;
}

}  // namespace vnpu::driver
