// SPDX-License-Identifier: Apache-2.0
// source of all rules and constants: Vela, architecture_allocator.py, architecture_features.py
#include "sim/validate/ethosu/vela_block.h"

#include <algorithm>
#include <limits>

#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

constexpr VelaExtent kLargest = {32, 64, 128};  // ofm_block_max
constexpr std::uint64_t kBankBytes = 1024;
constexpr std::uint64_t kOutputBanks = 2, kReservedBanks = 2;
constexpr std::uint64_t kAccumulatorBytes = 4;
constexpr std::uint64_t kSmallSide = 4;  // of blocks that compete by coverage

double ratio(std::uint64_t a, std::uint64_t b) {
    return real(a) / real(b);
}

/// Each output channel needs one input channel.
bool isByChannel(VelaKind kind) {
    return kind == VelaKind::kDepthwise || kind == VelaKind::kPool || kind == VelaKind::kSum;
}

bool isConvolution(VelaKind kind) {
    return kind == VelaKind::kConvolution || kind == VelaKind::kDepthwise;
}

/// The inputs of the results of a block.
VelaExtent inputOf(const VelaExtent& output, const VelaLayer& layer, bool takesTapsTogether,
                   const VelaAccelerator& accelerator) {
    const std::uint64_t rows = std::min(layer.filter.rows, kVelaFilterSide);
    const std::uint64_t columns = std::min(layer.filter.columns, kVelaFilterSide);
    const std::uint64_t channels =
            std::min<std::uint64_t>(layer.input.channels, takesTapsTogether ? 16 : 32);
    return {roundUp((output.rows - 1) * layer.rowStride + rows, accelerator.microRows),
            roundUp((output.columns - 1) * layer.columnStride + columns, kVelaMicroColumns),
            isByChannel(layer.kind) ? output.channels : roundUp(channels, kVelaMicroChannels)};
}

/// A single row of results needs the accumulators of one row only.
VelaExtent accumulated(const VelaExtent& block, const VelaLayer& layer) {
    const bool isRow = layer.output.rows == 1 && layer.filter.rows == 1;
    return {isRow ? 1 : block.rows, block.columns, block.channels};
}

/// Elements fetched for one result: the input of the block, again for each group of output
/// channels, and the filters, again for each block of pixels. For a sum: the number of blocks.
double fetchesOf(const VelaBlock& block, const VelaLayer& layer) {
    const VelaExtent unit = accumulated(block.output, layer);
    const VelaExtent& out = layer.output;
    if (layer.kind == VelaKind::kSum) {
        return std::max(1.0, ratio(out.elements(), block.output.elements()));
    }
    const double parts = real(divideUp(layer.filter.rows, kVelaFilterSide) *
                              divideUp(layer.filter.columns, kVelaFilterSide));
    double inputs = real(block.input.pixels() * layer.input.channels) * parts *
                    ratio(out.rows, unit.rows) * ratio(out.columns, unit.columns);
    if (!isByChannel(layer.kind)) {
        inputs *= real(divideUp(out.channels, unit.channels));
    }
    double weights = 0.0;
    if (isConvolution(layer.kind)) {
        weights = real(layer.filter.pixels() * layer.input.channels *
                       divideUp(out.rows, unit.rows) * divideUp(out.columns, unit.columns));
        weights *= layer.kind == VelaKind::kConvolution ? real(out.channels) : 1.0;
    }
    return (inputs + weights) / real(out.elements());
}

/// The best block so far; of equal blocks the one that covers more of a small input.
class Choice {
  public:
    void offer(const VelaBlock& block, const VelaLayer& layer) {
        double cost = fetchesOf(block, layer);
        if (layer.input.elements() < 2 * block.input.elements()) {
            cost /= 2.0;  // both buffers hold all of the input
        }
        if (cost > cost_) {
            return;
        }
        const double covers = ratio(layer.input.pixels(),
                                    std::min(layer.input.rows, block.input.rows) *
                                            std::min(layer.input.columns, block.input.columns));
        const bool isSmall = block.output.rows <= kSmallSide && block.output.columns <= kSmallSide;
        if (cost == cost_ && (!isSmall || covers > covers_)) {
            return;
        }
        covers_ = cost == cost_ ? covers : std::numeric_limits<double>::infinity();
        cost_ = cost;
        block_ = block;
    }
    const VelaBlock& block() const { return block_; }

  private:
    VelaBlock block_{};
    double cost_ = std::numeric_limits<double>::infinity();
    double covers_ = std::numeric_limits<double>::infinity();
};

/// The next number of channels to try: in groups of 16 if more follow.
std::uint64_t splitChannels(std::uint64_t channels, std::uint64_t all) {
    return channels < all ? roundUp(channels, kVelaSplitChannels) : channels;
}

}  // namespace

bool velaTakesTapsTogether(const VelaLayer& layer) {
    if (!isConvolution(layer.kind)) {
        return false;
    }
    const std::uint64_t channels = layer.input.channels, taps = layer.filter.pixels();
    const double together = ratio(channels * taps, roundUp(channels, kVelaChannelsTogether) *
                                                           roundUp(taps, kVelaTapsTogether));
    return channels <= 8 || together > ratio(channels, roundUp(channels, 32));
}

bool velaFits(const VelaBlock& block, const VelaLayer& layer, const VelaAccelerator& accelerator) {
    const std::uint64_t inputBytes =
            block.input.pixels() * roundUp(block.input.channels, kVelaMicroChannels);
    const std::uint64_t inputBanks =
            roundUp(2 * divideUp(inputBytes, kBankBytes), accelerator.inputGranule);
    const std::uint64_t banks = accelerator.banks - kOutputBanks - kReservedBanks;
    if (layer.kind == VelaKind::kSum) {
        return 2 * inputBanks <= banks;  // two inputs, no accumulators
    }
    const VelaExtent unit = accumulated(block.output, layer);
    const std::uint64_t bytes =
            unit.pixels() * roundUp(unit.channels, kVelaMicroChannels) * kAccumulatorBytes;
    return inputBanks + roundUp(2 * divideUp(bytes, kBankBytes), accelerator.accumulatorGranule) <=
           banks;
}

VelaBlock velaBlockOf(const VelaLayer& layer, const VelaAccelerator& accelerator) {
    const VelaExtent limit = {
            roundUp(std::min(layer.output.rows, kLargest.rows), accelerator.microRows),
            roundUp(std::min(layer.output.columns, kLargest.columns), kVelaMicroColumns),
            roundUp(std::min(layer.output.channels, kLargest.channels), kVelaMicroChannels)};
    const bool isTogether = velaTakesTapsTogether(layer);
    const std::uint64_t all = layer.output.channels;
    Choice choice;
    for (std::uint64_t channels = splitChannels(std::min(limit.channels, kVelaSplitChannels), all);
         channels <= limit.channels; channels = splitChannels(channels + kVelaMicroChannels, all)) {
        for (std::uint64_t rows = accelerator.microRows; rows <= limit.rows;
             rows += accelerator.microRows) {
            for (std::uint64_t columns = kVelaMicroColumns; columns <= limit.columns;
                 columns += kVelaMicroColumns) {
                const VelaExtent output = {rows, columns, channels};
                const VelaBlock block = {output, inputOf(output, layer, isTogether, accelerator),
                                         isTogether};
                if (velaFits(block, layer, accelerator)) {
                    choice.offer(block, layer);
                }
            }
        }
    }
    return choice.block();
}

}  // namespace vnpu::sim
