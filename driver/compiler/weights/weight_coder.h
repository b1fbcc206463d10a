// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "driver/compiler/ir/compile_options.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/cost_model.h"
#include "driver/compiler/plan/filter_tiles.h"

namespace vnpu::driver {

/// Codes constants of 8-bit types. Keeps the blocks, because the plans among which a compilation
/// chooses have most of them in common. One thread at a time.
class WeightCoder {
  public:
    /// `constants` are those before any is coded; all outlive this.
    WeightCoder(const CostModel& costs, std::span<const PoolView> pools,
                std::span<const std::byte> constants)
        : costs_(costs), pools_(pools), constants_(constants) {}

    /// The coded tile of a constant; empty if it is not shorter than the tile, or takes longer to
    /// load, because the decoder is slow against the memory.
    const std::vector<std::byte>& code(const Graph& graph, TensorId constant,
                                       const FilterTile& tile);

    /// For the estimates of plans: what share of each constant filter's bytes its code takes
    /// (ConvNode::codedShare and Tensor::codedShare).
    void estimateShares(Graph& graph) const;

  private:
    /// Places of the tile's bytes among all constants.
    struct Key {
        StorageKind kind = StorageKind::kConstants;
        std::uint32_t pool = 0;
        std::uint64_t begin = 0, rows = 0, run = 0, step = 0;

        auto operator<=>(const Key&) const = default;
    };

    std::span<const std::byte> bytesOf(const Graph& graph, TensorId constant) const;

    /// Whether a block in place of the tile takes fewer bytes and no more time.
    bool isWorthwhile(const FilterTile& tile, std::uint64_t blockBytes) const;

    const CostModel& costs_;
    std::span<const PoolView> pools_;
    std::span<const std::byte> constants_;
    std::map<Key, std::vector<std::byte>> blocks_;
};

/// Whether the tensor's bytes can be coded: a constant of an 8-bit type.
bool isCodable(const Graph& graph, TensorId tensor);

}  // namespace vnpu::driver
