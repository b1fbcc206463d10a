// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "driver/compiler/plan/conv_plan.h"

namespace vnpu::driver {

/// Sets the sizes of the buffers, each of one tile of input, filter and output.
void sizeSlots(const ConvNode& node, ConvPlan& plan);

/// A DMA command that loads or stores a tile.
struct TileTransfer {
    double cycles = 0;      // alone
    double dramCycles = 0;  // of the memory that all share
    double ends = 0;        // cycles without page walks of rows far apart

    /// `decodedBytes`: 0 if nothing is coded.
    TileTransfer(const CostModel& costs, double busBytes, double strideCycles = 0,
                 double decodedBytes = 0)
        : cycles(costs.dmaCycles(busBytes, decodedBytes) + strideCycles),
          dramCycles(costs.dramCycles(busBytes)),
          ends(costs.dmaCycles(busBytes, decodedBytes)) {}
};

/// Of a tile. They do not depend on the numbers of buffers.
struct TileTransfers {
    TileTransfer input, filter, output;
};

/// The transfers of a node's tiles. `node` and `costs` must outlive this.
class ConvTransfers {
  public:
    ConvTransfers(const ConvNode& node, const CostModel& costs, bool readsPixels);

    /// The plan has its loops and the sizes of its buffers.
    TileTransfers of(const ConvPlan& plan) const;

  private:
    double inputBusBytes(const ConvPlan& plan) const;
    double filterBusBytes(const ConvPlan& plan) const;
    double filterStrideCycles(const ConvPlan& plan) const;
    double outputBusBytes(const ConvPlan& plan) const;
    bool isCoded() const { return node_.codedShare < kPlainShare; }

    const ConvNode& node_;
    const WindowGeometry& g_;
    const CostModel& costs_;
    const bool readsPixels_;
    const std::uint64_t taps_;
    const std::uint32_t inputElement_;
    const std::uint32_t outputElement_;
};

}  // namespace vnpu::driver
