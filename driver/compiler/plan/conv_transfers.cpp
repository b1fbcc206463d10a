// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/conv_transfers.h"

#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

/// Of an input tile.
std::uint64_t inputChannels(const ConvNode& node, const ConvLoops& loops) {
    return node.isDepthwise()  ? loops.channels / node.depthMultiplier
           : loops.splitsInput ? loops.depth
                               : node.geometry.inputChannels;
}

}  // namespace

void sizeSlots(const ConvNode& node, ConvPlan& plan) {
    const WindowGeometry& g = node.geometry;
    const std::uint64_t inputElement = hw::elementBytes(node.prototype.inputType);
    const std::uint64_t height = spanOf(g.rows(), plan.rows);
    const std::uint64_t width = spanOf(g.columns(), plan.columns);
    const std::uint64_t filterDepth = node.isDepthwise() ? 1 : plan.depth;
    const std::uint64_t taps = std::uint64_t{g.filterHeight} * g.filterWidth;
    const std::uint64_t pixels = std::uint64_t{plan.rows} * plan.columns;
    plan.input.slotBytes = height * width * inputChannels(node, plan) * inputElement;
    plan.filter.slotBytes = taps * filterDepth * plan.channels * inputElement;
    plan.output.slotBytes = pixels * (plan.storesWhole ? g.outputChannels : plan.channels) *
                            hw::elementBytes(node.prototype.outputType);
}

ConvTransfers::ConvTransfers(const ConvNode& node, const CostModel& costs, bool readsPixels)
    : node_(node),
      g_(node.geometry),
      costs_(costs),
      readsPixels_(readsPixels),
      taps_(std::uint64_t{g_.filterHeight} * g_.filterWidth),
      inputElement_(hw::elementBytes(node.prototype.inputType)),
      outputElement_(hw::elementBytes(node.prototype.outputType)) {}

TileTransfers ConvTransfers::of(const ConvPlan& plan) const {
    const double decoded = isCoded() ? static_cast<double>(plan.filter.slotBytes) : 0;
    return {TileTransfer(costs_, inputBusBytes(plan)),
            TileTransfer(costs_, filterBusBytes(plan), filterStrideCycles(plan), decoded),
            TileTransfer(costs_, outputBusBytes(plan))};
}

double ConvTransfers::inputBusBytes(const ConvPlan& plan) const {
    const std::uint64_t channels = inputChannels(node_, plan);
    const std::uint64_t rowBytes = channels * inputElement_;
    const std::uint64_t pixels = plan.input.slotBytes / rowBytes;
    if (channels < g_.inputChannels || readsPixels_) {
        return CostModel::busBytes(pixels, rowBytes);
    }
    if (plan.columns < g_.outputWidth) {
        const std::uint64_t width = spanOf(g_.columns(), plan.columns);
        return CostModel::busBytes(pixels / width, width * rowBytes);
    }
    return CostModel::busBytes(1, plan.input.slotBytes);
}

double ConvTransfers::filterBusBytes(const ConvPlan& plan) const {
    if (isCoded()) {  // one block, whatever the tile
        return CostModel::busBytes(
                1, hw::divideUp(plan.filter.slotBytes * node_.codedShare, kPlainShare));
    }
    if (node_.isDepthwise() && plan.channels < g_.outputChannels) {
        return CostModel::busBytes(taps_, std::uint64_t{plan.channels} * inputElement_);
    }
    if (plan.depth < node_.groupInputs()) {
        return CostModel::busBytes(taps_ * plan.channels,
                                   std::uint64_t{plan.depth} * inputElement_);
    }
    return CostModel::busBytes(1, plan.filter.slotBytes);
}

double ConvTransfers::filterStrideCycles(const ConvPlan& plan) const {
    const std::uint64_t depth = node_.groupInputs();
    return plan.depth == depth || node_.isDepthwise() || isCoded()
                   ? 0
                   : CostModel::strideCycles(taps_ * plan.channels,
                                             std::uint64_t{plan.depth} * inputElement_,
                                             depth * inputElement_);
}

double ConvTransfers::outputBusBytes(const ConvPlan& plan) const {
    const bool isWhole = plan.channels == g_.outputChannels || plan.storesWhole;
    const bool isSlice = !isWhole || node_.outputPixelStride != 0;
    const std::uint64_t rowBytes =
            std::uint64_t{isWhole ? g_.outputChannels : plan.channels} * outputElement_;
    if (isSlice) {
        return CostModel::busBytes(plan.output.slotBytes / rowBytes, rowBytes);
    }
    const bool isNarrow = plan.columns < g_.outputWidth;
    return CostModel::busBytes(isNarrow ? plan.rows : 1,
                               plan.output.slotBytes / (isNarrow ? plan.rows : 1));
}

}  // namespace vnpu::driver
