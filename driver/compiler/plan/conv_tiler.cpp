// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "driver/compiler/plan/conv_plan.h"
#include "driver/compiler/plan/conv_transfers.h"
#include "driver/compiler/plan/superiors.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

/// A stream of equal DMA commands.
struct Stream {
    double commands = 0;
    const TileTransfer& each;

    double cycles() const { return commands * each.cycles; }
    double dramCycles() const { return commands * each.dramCycles; }
    double end() const { return commands > 0 ? each.ends : 0; }
    /// Whether each transfer has a buffer of its own.
    bool fills(const SlotSet& set) const { return commands <= set.slots; }
    /// With one buffer the transfers stand between the computations.
    double unhidden(const SlotSet& set) const {
        return set.slots == 1 && commands > 1 ? cycles() : 0;
    }
};

/// Tries tile sizes for one node and estimates every plan that the whole SRAM could hold.
class ConvTiler {
  public:
    ConvTiler(const ConvNode& node, const CostModel& costs, const ConvSurroundings& surroundings)
        : node_(node),
          g_(node.geometry),
          costs_(costs),
          resident_(surroundings.resident),
          aheadBytes_(surroundings.aheadBytes),
          transfers_(node, costs, surroundings.readsPixels),
          commandDramCycles_(costs.dramCycles(CostModel::kCommandBytes)) {}

    /// Cheapest first, equal ones in the order in which they were tried. Without those that cost
    /// as much as another and take at least as many bytes, in tiles that are at least as large.
    std::vector<ConvCandidate> run(TileDivision division) {
        const std::uint32_t arrayColumns = costs_.device().macColumns;
        const std::uint32_t arrayRows = costs_.device().macRows;
        rows_ = dividedExtents(g_.outputHeight, 1);
        const std::uint32_t unit = channelUnit(arrayColumns);
        channels_ = dividedExtents(node_.groupOutputs(), unit);
        if (division == TileDivision::kRowsAndChannels || division == TileDivision::kDepth) {
            std::erase_if(channels_, [unit](std::uint32_t channels) { return channels < unit; });
        }
        const std::vector<std::uint32_t> wholeDepth{node_.groupInputs()};
        const std::vector<std::uint32_t> depths =
                node_.isDepthwise() ? wholeDepth : dividedExtents(node_.groupInputs(), arrayRows);
        switch (division) {
            case TileDivision::kRowsAndChannels:
            case TileDivision::kFewChannels:
                tryAll({g_.outputWidth}, wholeDepth);
                break;
            case TileDivision::kDepth:
                tryAll({g_.outputWidth}, {depths.begin() + 1, depths.end()});
                break;
            case TileDivision::kColumns:
                tryAll(dividedExtents(g_.outputWidth, 1), depths);
                break;
        }
        return sorted();
    }

    void estimate(ConvPlan& plan) {
        blockChannels_ = blockChannels(plan.channels);
        beginTile(plan);
        estimate(plan, loadsOf(plan), transfers_.of(plan));
    }

  private:
    std::uint32_t channelUnit(std::uint32_t arrayColumns) const {
        const std::uint32_t multiplier = std::max<std::uint32_t>(node_.depthMultiplier, 1);
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(
                hw::roundUp(arrayColumns, multiplier), node_.groupOutputs()));
    }

    void tryAll(const std::vector<std::uint32_t>& columns,
                const std::vector<std::uint32_t>& depths) {
        for (const std::uint32_t column : columns) {
            for (const std::uint32_t depth : depths) {
                for (const std::uint32_t channel : channels_) {
                    if (node_.isDepthwise() && channel % node_.depthMultiplier != 0) {
                        continue;
                    }
                    blockChannels_ = blockChannels(channel);
                    for (const std::uint32_t row : rows_) {
                        tryTile(row, column, channel, depth);
                    }
                }
            }
        }
    }

    void tryTile(std::uint32_t rows, std::uint32_t columns, std::uint32_t channels,
                 std::uint32_t depth) {
        const bool isSplit = depth < node_.groupInputs();
        // A chunk of a resident filter would not be dense.
        if (isSplit && (resident_.filter || std::uint64_t{rows} * columns * channels >
                                                    accumulatorsPerBlock(costs_.device()))) {
            return;
        }
        ConvPlan plan;
        plan.rows = rows;
        plan.columns = columns;
        plan.channels = channels;
        plan.depth = depth;
        beginTile(plan);
        if (plan.cut.blocks == 0) {
            return;
        }
        for (const bool isWeightsOuter : {false, true}) {
            for (const bool splitsInput : {false, true}) {
                for (const bool storesWhole : {false, true}) {
                    const bool canSplit = isSplit || node_.groups > 1;
                    if ((splitsInput && (!canSplit || resident_.input)) ||
                        (storesWhole && (isWeightsOuter || channelTiles_ == 1)) ||
                        (isWeightsOuter && channelTiles_ * places_ == 1)) {
                        continue;
                    }
                    plan.isWeightsOuter = isWeightsOuter;
                    plan.splitsInput = splitsInput;
                    plan.storesWhole = storesWhole;
                    tryBuffers(plan);
                }
            }
        }
    }

    /// Counts the tiles of the plan's extents and cuts one into blocks.
    void beginTile(ConvPlan& plan) {
        places_ = std::uint64_t{g_.batches} * hw::divideUp(g_.outputHeight, plan.rows) *
                  hw::divideUp(g_.outputWidth, plan.columns);
        channelTiles_ = node_.groups * hw::divideUp(node_.groupOutputs(), plan.channels);
        depthChunks_ = hw::divideUp(node_.groupInputs(), plan.depth);
        plan.cut = cutTile({.rows = plan.rows,
                            .columns = plan.columns,
                            .blockChannels = blockChannels_,
                            .depth = node_.isDepthwise() ? 1 : plan.depth,
                            .commands = places_ * channelTiles_,
                            .isOneBlock = depthChunks_ > 1},
                           node_, costs_);
    }

    std::vector<std::uint32_t> blockChannels(std::uint32_t channels) const {
        return dividedExtents(channels, costs_.device().macColumns);
    }

    /// Fewer buffers where more do not fit; more only where that saves loads. Numbers of buffers
    /// that save nothing are left out.
    void tryBuffers(ConvPlan& plan) {
        const Loads once = loadsOf(plan);
        sizeSlots(node_, plan);
        const SlotChoices filters(once.filterKept, resident_.filter ? 0 : once.filter);
        const SlotChoices inputs(once.inputKept, resident_.input ? 0 : once.input);
        const std::uint64_t outputs =
                resident_.output ? 0 : places_ * (plan.storesWhole ? 1 : channelTiles_);
        const std::uint64_t least = (resident_.filter ? 0 : plan.filter.slotBytes) +
                                    (resident_.input ? 0 : plan.input.slotBytes) +
                                    (resident_.output ? 0 : plan.output.slotBytes);
        largestSlot_ = std::max({resident_.filter ? 0 : plan.filter.slotBytes,
                                 resident_.input ? 0 : plan.input.slotBytes,
                                 resident_.output ? 0 : plan.output.slotBytes});
        if (least > costs_.device().sramBytes ||
            superiors_.haveBetter(leastCycles(plan), least, largestSlot_)) {
            return;
        }
        const TileTransfers transfers = transfers_.of(plan);
        const std::size_t first = candidates_.size();
        for (std::size_t f = 0; f < filters.count; ++f) {
            for (std::size_t i = 0; i < inputs.count; ++i) {
                plan.filter.slots = filters.slots[f];
                plan.input.slots = inputs.slots[i];
                plan.output.slots = static_cast<std::uint32_t>(std::min<std::uint64_t>(2, outputs));
                considerPlan(plan, once, transfers, first);
                if (plan.filter.slots <= 1 && plan.input.slots <= 1 && plan.output.slots == 2) {
                    plan.output.slots = 1;
                    considerPlan(plan, once, transfers, first);
                }
            }
        }
    }

    /// With any number of buffers.
    double leastCycles(const ConvPlan& plan) const {
        const auto steps = static_cast<double>(places_ * channelTiles_ * depthChunks_);
        return steps * (plan.cut.arrayCycles + CostModel::kCommandPenaltyCycles);
    }

    /// The numbers of buffers worth a try: two, as many as keep all tiles, one.
    struct SlotChoices {
        std::array<std::uint32_t, 3> slots{};
        std::size_t count = 0;

        SlotChoices(std::uint64_t kept, std::uint64_t loads) {
            // chosen: bounds the search for places; a candidate holds the number in a byte
            constexpr std::uint64_t kMostSlots = 64;
            for (const std::uint64_t wanted : {std::uint64_t{2}, kept, std::uint64_t{1}}) {
                const auto next = static_cast<std::uint32_t>(std::min({wanted, loads, kMostSlots}));
                if (std::find(slots.begin(), slots.begin() + count, next) ==
                    slots.begin() + count) {
                    slots[count++] = next;
                }
            }
        }
    };

    static std::uint64_t bytesOf(const ConvPlan& plan) {
        return plan.input.totalBytes() + plan.filter.totalBytes() + plan.output.totalBytes();
    }

    /// How often tiles are loaded with two buffers, and how many buffers keep them all.
    struct Loads {
        std::uint64_t input = 0, inputKept = 0, inputDistinct = 0;
        std::uint64_t filter = 0, filterKept = 0, filterDistinct = 0;
    };

    Loads loadsOf(const ConvPlan& plan) const {
        const bool hasChannelSlices = node_.isDepthwise() && channelTiles_ > 1;
        const std::uint64_t steps = places_ * channelTiles_ * depthChunks_;
        Loads loads;
        loads.inputDistinct = places_ * (plan.splitsInput ? node_.groups * depthChunks_ : 1) *
                              (hasChannelSlices ? channelTiles_ : 1);
        loads.filterDistinct = channelTiles_ * depthChunks_;
        loads.input = loads.inputDistinct;
        if (plan.splitsInput) {
            loads.input = steps;
        } else if (plan.isWeightsOuter && !hasChannelSlices && places_ > 1) {
            loads.input = places_ * channelTiles_;
        }
        loads.inputKept = loads.inputDistinct;
        loads.filter = depthChunks_ == 1 && (plan.isWeightsOuter || channelTiles_ == 1)
                               ? loads.filterDistinct
                               : steps;
        loads.filterKept = plan.isWeightsOuter ? depthChunks_ : loads.filterDistinct;
        return loads;
    }

    /// `first`: where the candidates with the same tiles and loops begin.
    void considerPlan(ConvPlan& plan, const Loads& loads, const TileTransfers& transfers,
                      std::size_t first) {
        const std::uint64_t bytes = bytesOf(plan);
        if (bytes > costs_.device().sramBytes) {
            return;
        }
        estimate(plan, loads, transfers);
        for (std::size_t i = first; i < candidates_.size(); ++i) {
            if (candidates_[i].bytes <= bytes && candidates_[i].cycles <= plan.cycles) {
                return;
            }
        }
        superiors_.add(plan.cycles, bytes, largestSlot_);
        candidates_.push_back({static_cast<const ConvLoops&>(plan),
                               static_cast<std::uint8_t>(plan.input.slots),
                               static_cast<std::uint8_t>(plan.filter.slots),
                               static_cast<std::uint8_t>(plan.output.slots), bytes, plan.cycles});
        largest_.push_back(largestSlot_);
    }

    std::vector<ConvCandidate> sorted() const {
        std::vector<std::pair<double, std::size_t>> order;
        LeastBySize byBytes, byTile;
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            byBytes.add(candidates_[i].bytes, candidates_[i].cycles);
            byTile.add(largest_[i], candidates_[i].cycles);
        }
        byBytes.finish();
        byTile.finish();
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const double cycles = candidates_[i].cycles;
            if (!byBytes.haveBetter(candidates_[i].bytes, cycles) ||
                !byTile.haveBetter(largest_[i], cycles)) {
                order.emplace_back(cycles, i);
            }
        }
        std::sort(order.begin(), order.end());
        std::vector<ConvCandidate> kept;
        std::uint64_t fewestBytes = std::numeric_limits<std::uint64_t>::max();
        std::uint64_t smallestTile = std::numeric_limits<std::uint64_t>::max();
        for (const auto& [cycles, i] : order) {
            if (candidates_[i].bytes < fewestBytes || largest_[i] < smallestTile) {
                kept.push_back(candidates_[i]);
                fewestBytes = std::min(fewestBytes, candidates_[i].bytes);
                smallestTile = std::min(smallestTile, largest_[i]);
            }
        }
        return kept;
    }

    void estimate(ConvPlan& plan, const Loads& loads, const TileTransfers& transfers) const {
        const std::uint64_t steps = places_ * channelTiles_ * depthChunks_;
        Stream input{0, transfers.input}, filter{0, transfers.filter}, output{0, transfers.output};
        if (!resident_.input) {
            const bool isKept = plan.input.slots >= loads.inputKept;
            input.commands = static_cast<double>(isKept ? loads.inputDistinct : loads.input);
        }
        if (!resident_.filter) {
            const bool isKept = plan.filter.slots >= loads.filterKept;
            filter.commands = static_cast<double>(isKept ? loads.filterDistinct : loads.filter);
        }
        if (!resident_.output) {
            output.commands = static_cast<double>(places_ * (plan.storesWhole ? 1 : channelTiles_));
        }
        const double tile = plan.cut.arrayCycles;
        const double mac = tile * static_cast<double>(steps) +
                           CostModel::kExposedTailShare * plan.cut.tailCycles;
        plan.commands =
                static_cast<std::uint64_t>(input.commands + filter.commands + output.commands) +
                steps + 2;
        const auto commands = static_cast<double>(plan.commands);
        const double dram = input.dramCycles() + filter.dramCycles() + output.dramCycles() +
                            commands * commandDramCycles_;
        const bool isAhead = bytesOf(plan) <= aheadBytes_ && input.fills(plan.input) &&
                             filter.fills(plan.filter);
        const double ends = (isAhead ? 0 : std::max(input.end(), filter.end())) + output.end();
        const double lastTile = isAhead ? 0 : tile;
        // Where memory limits the node, the last tile's work runs alone; where the array does, the
        // first loads and the last store.
        const double slowest = std::max({input.cycles(), filter.cycles(), output.cycles(), dram});
        plan.cycles = std::max({mac + CostModel::kExposedShare * ends,
                                slowest + CostModel::kExposedTileShare * lastTile,
                                commands * CostModel::kDispatchCycles}) +
                      input.unhidden(plan.input) + filter.unhidden(plan.filter) +
                      output.unhidden(plan.output) + commands * CostModel::kCommandPenaltyCycles;
    }

    const ConvNode& node_;
    const WindowGeometry& g_;
    const CostModel& costs_;
    const ResidentTensors resident_;
    const std::uint64_t aheadBytes_;
    const ConvTransfers transfers_;
    const double commandDramCycles_;  // to fetch one command
    std::vector<std::uint32_t> rows_, channels_;
    std::vector<std::uint32_t> blockChannels_;                       // of the tile being tried
    std::uint64_t places_ = 1, channelTiles_ = 1, depthChunks_ = 1;  // of the tile being tried
    std::uint64_t largestSlot_ = 0;  // bytes of the largest buffer of the tile being tried
    Superiors superiors_;
    std::vector<ConvCandidate> candidates_;
    std::vector<std::uint64_t> largest_;  // bytes of a candidate's largest buffer
};

}  // namespace

std::vector<ConvCandidate> convCandidates(const ConvNode& node, const CostModel& costs,
                                          const ConvSurroundings& surroundings,
                                          TileDivision division) {
    return ConvTiler(node, costs, surroundings).run(division);
}

void setBuffers(const ConvCandidate& candidate, const ConvNode& node, ConvPlan& plan) {
    static_cast<ConvLoops&>(plan) = candidate.loops;
    sizeSlots(node, plan);
    plan.filter.slots = candidate.filterSlots;
    plan.input.slots = candidate.inputSlots;
    plan.output.slots = candidate.outputSlots;
}

void estimatePlan(const ConvNode& node, const CostModel& costs,
                  const ConvSurroundings& surroundings, ConvPlan& plan) {
    ConvTiler(node, costs, surroundings).estimate(plan);
}

}  // namespace vnpu::driver
