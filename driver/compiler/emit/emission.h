// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/compiler/ir/graph.h"
#include "driver/compiler/plan/memory_planner.h"
#include "driver/compiler/stream/command_list.h"
#include "driver/compiler/weights/coded_weights.h"

namespace vnpu::driver {

/// Where every storage lies when commands are made: a region and an offset, or an address in SRAM.
struct StoragePlaces {
    std::vector<hw::MemoryRef> memory;               // by storage
    std::vector<std::optional<std::uint32_t>> sram;  // by storage: resident there
    hw::MemoryRef constants{};                       // the driver's
    hw::MemoryRef shapes{};                          // of the dynamic tensors' shapes
};

/// The state that all emitters share.
struct EmissionContext {
    const Graph& graph;
    const StoragePlaces& places;
    CommandList& list;
    const CodedWeights& coded;
    std::vector<std::byte>& constants;  // descriptors are filled in
    std::uint64_t commandCycles = 0;    // MAC commands that take longer are divided; 0: none are

    /// Where the tensor lies in SRAM, if it is resident there.
    std::optional<std::uint32_t> sramOf(TensorId tensor) const;
    /// Adds the load of a tile of a constant to `address` of the SRAM, from its coded block if it
    /// has one.
    void loadConstant(TensorId constant, const FilterTile& tile, std::uint64_t address);
    /// The tensor's first byte, in memory or in SRAM.
    hw::MemoryRef home(TensorId tensor) const;
    /// Bytes of the longest row in which the tensor is loaded.
    std::uint32_t longestRow(TensorId tensor) const;
};

/// The tile that each buffer of a stream holds. The oldest tile is replaced first.
class SlotCache {
  public:
    explicit SlotCache(const SlotSet& set) : set_(set), keys_(set.slots) {}

    struct Slot {
        std::uint32_t address = 0;
        bool isFresh = false;  // the tile must be loaded, or, for outputs, computed anew
    };

    /// The buffer of the tile `key`.
    Slot find(std::uint64_t key);

  private:
    const SlotSet& set_;
    std::vector<std::optional<std::uint64_t>> keys_;
    std::size_t oldest_ = 0;
};

// Adds the commands of a node, whose plan is of its kind.
void emit(EmissionContext& context, const ConvNode& node, const NodePlan& plan);
void emit(EmissionContext& context, const PoolNode& node, const NodePlan& plan);
void emit(EmissionContext& context, const BlockNode& node, const NodePlan& plan);
void emit(EmissionContext& context, const CopyNode& node, const NodePlan& plan);
void emit(EmissionContext& context, const FillNode& node, const NodePlan& plan);
void emit(EmissionContext& context, const OperatorNode& node, const NodePlan& plan);
void emit(EmissionContext& context, const ControlNode& node, const NodePlan& plan);

}  // namespace vnpu::driver
