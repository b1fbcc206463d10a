// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/weights/weight_coder.h"

#include <algorithm>

#include "driver/compiler/weights/weight_encoder.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

/// The tile's rows one behind the other, as they lie in SRAM.
std::vector<std::byte> gathered(std::span<const std::byte> bytes, const FilterTile& tile) {
    std::vector<std::byte> dense(tile.elements());
    for (std::uint64_t row = 0; row < tile.rows; ++row) {
        const auto from = bytes.subspan(tile.first + row * tile.step, tile.run);
        std::copy(from.begin(), from.end(),
                  dense.begin() + static_cast<std::ptrdiff_t>(row * tile.run));
    }
    return dense;
}

}  // namespace

bool isCodable(const Graph& graph, TensorId tensor) {
    return graph.isConstant(tensor) && graph.tensors[tensor].elementBytes() == 1;
}

std::span<const std::byte> WeightCoder::bytesOf(const Graph& graph, TensorId constant) const {
    const Tensor& tensor = graph.tensors[constant];
    const Storage& storage = graph.storages[tensor.storage];
    const std::span<const std::byte> all =
            storage.kind == StorageKind::kPool ? pools_[storage.index] : constants_;
    return all.subspan(storage.offset + tensor.byteOffset, tensor.sizeBytes());
}

const std::vector<std::byte>& WeightCoder::code(const Graph& graph, TensorId constant,
                                                const FilterTile& tile) {
    const Tensor& tensor = graph.tensors[constant];
    const Storage& storage = graph.storages[tensor.storage];
    const Key key{storage.kind, storage.index, storage.offset + tensor.byteOffset + tile.first,
                  tile.rows,    tile.run,      tile.rows == 1 ? 0 : tile.step};
    const auto [place, isNew] = blocks_.try_emplace(key);
    if (isNew) {
        const auto bytes = bytesOf(graph, constant);
        std::vector<std::byte> block =
                tile.isDense() ? encodeWeights(bytes.subspan(tile.first, tile.elements()))
                               : encodeWeights(gathered(bytes, tile));
        if (isWorthwhile(tile, block.size())) {
            place->second = std::move(block);
        }
    }
    return place->second;
}

bool WeightCoder::isWorthwhile(const FilterTile& tile, std::uint64_t blockBytes) const {
    const double coded = costs_.dmaCycles(CostModel::busBytes(1, blockBytes),
                                          static_cast<double>(tile.elements()));
    const double plain =
            costs_.dmaCycles(tile.isDense() ? CostModel::busBytes(1, tile.elements())
                                            : CostModel::busBytes(tile.rows, tile.run));
    return blockBytes < tile.elements() && coded <= plain;
}

void WeightCoder::estimateShares(Graph& graph) const {
    std::map<TensorId, std::uint32_t> shares;
    for (Node& node : graph.nodes) {
        auto* conv = std::get_if<ConvNode>(&node.work);
        if (conv == nullptr || !isCodable(graph, conv->filter)) {
            continue;
        }
        const auto [share, isNew] = shares.try_emplace(conv->filter, kPlainShare);
        if (isNew) {
            const auto bytes = bytesOf(graph, conv->filter);
            const std::uint64_t blockBytes = encodedSize(bytes);
            if (isWorthwhile({0, 1, bytes.size(), bytes.size()}, blockBytes)) {
                share->second = static_cast<std::uint32_t>(
                        hw::divideUp(blockBytes * kPlainShare, bytes.size()));
            }
        }
        conv->codedShare = graph.tensors[conv->filter].codedShare = share->second;
    }
}

}  // namespace vnpu::driver
