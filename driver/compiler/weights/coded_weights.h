// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/filter_tiles.h"
#include "driver/compiler/plan/memory_planner.h"
#include "driver/compiler/weights/weight_coder.h"

namespace vnpu::driver {

/// A coded tile among CompiledModel::constants.
struct CodedBlock {
    std::uint64_t offset = 0;
    std::uint32_t sizeBytes = 0;
};

/// The coded tiles of a planned graph.
class CodedWeights {
  public:
    /// Nothing if the tile is loaded as it is. `tensor` may be a copy in SRAM.
    std::optional<CodedBlock> find(const Graph& graph, TensorId tensor,
                                   const FilterTile& tile) const;
    void add(TensorId constant, const FilterTile& tile, const CodedBlock& block);
    /// Where the blocks begin: offsets count from there.
    void setBase(std::uint64_t base) { base_ = base; }

  private:
    struct Key {
        TensorId constant = kNoTensor;
        std::uint64_t first = 0, rows = 0, run = 0, step = 0;

        auto operator<=>(const Key&) const = default;
    };

    static Key keyOf(TensorId constant, const FilterTile& tile);

    std::map<Key, CodedBlock> blocks_;
    std::uint64_t base_ = 0;
};

/// Codes the constants that the plan's nodes load into SRAM: the filters' tiles, and copies that
/// stay there. Appends the blocks to `constants`; removes from these what no command reads any
/// more, and moves there the rest of a pool of the model that is small against what was coded, so
/// that the job does without the pool. Changes the offsets of the graph's storages accordingly.
CodedWeights codeWeights(Graph& graph, const MemoryPlan& plan, std::span<const PoolView> pools,
                         WeightCoder& coder, std::vector<std::byte>& constants);

}  // namespace vnpu::driver
