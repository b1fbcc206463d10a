// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/ethosu/ethosu_figures.h"

#include <algorithm>
#include <cmath>

#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

constexpr double kRows = 16.0;  // chosen: of our array, sim/configs
// source: Vela, ethos_u55_regs and accelerator_configs: channels that a product reduces at once
constexpr double kVelaReduced = 8.0;
// source: Vela, npu_performance.py: a micro-block takes 4 cycles for 4 taps, so 12 for 3 x 3
constexpr double kDepthwiseCycles = 12.0;
// chosen: maps fit into SRAM or pass it in stripes, except for what a small SRAM spills
constexpr double kSpilledShare = 0.30;

/// Adds what Vela reads of memory for an image beyond its bytes: its pixels are runs shorter than a
/// burst. At least what its rule counts, the bytes times burst over run; at most a burst for each.
void addImage(const Network& network, const VelaAccelerator& accelerator, WorkFigures& figures) {
    const auto& model = network.model.main;
    const auto& dimensions = model.operands[model.inputIndexes[0]].dimensions;
    const bool isImage = dimensions.size() == 4 && dimensions[3] < kVelaMicroChannels;
    if (accelerator.holdsMapsInSram || !isImage) {
        return;
    }
    const double pixels = real(std::uint64_t{dimensions[0]} * dimensions[1] * dimensions[2]);
    const double bytes = pixels * real(std::uint64_t{dimensions[3]});
    const double burst = real(accelerator.external.burstBytes);
    figures.leastUnusedBytes = bytes * (burst / real(kVelaMicroChannels) - 1.0);
    figures.mostUnusedBytes = pixels * burst - bytes;
}

double columnsOf(const LayerParameters& layer, const EthosUArray& array) {
    return layer.isDepthwise ? array.depthwiseColumns : array.columns;
}

double microBlock(const VelaAccelerator& accelerator) {
    return real(accelerator.microRows * kVelaMicroColumns * kVelaMicroChannels * accelerator.cores);
}

}  // namespace

EthosUArray ethosUArrayOf(const VelaAccelerator& accelerator) {
    const double results = microBlock(accelerator);
    return {.rows = kRows,
            .columns = results * kVelaReduced / kRows,
            .depthwiseColumns = std::round(results / kDepthwiseCycles)};
}

double ethosUFillCycles(const LayerParameters& layer, const EthosUArray& array) {
    return 2.0 * array.rows + columnsOf(layer, array) - 2.0;
}

double ethosUArrayCycles(const LayerParameters& layer, const EthosUArray& array) {
    if (layer.kernels == 0) {
        return 0.0;
    }
    const double pixels = real(layer.rows * layer.columns);
    const double folds = std::ceil(real(layer.channels * layer.taps()) / array.rows) *
                         std::ceil(real(layer.kernels) / columnsOf(layer, array));
    // The first tile is loaded and leaves with its skew; the others are loaded meanwhile.
    return ethosUFillCycles(layer, array) + pixels + (folds - 1.0) * std::max(pixels, array.rows);
}

WorkFigures ethosUWorkFigures(const Network& network, const VelaAccelerator& accelerator,
                              double codedShare) {
    const std::vector<LayerParameters> layers = layerParametersOf(network);
    const EthosUArray array = ethosUArrayOf(accelerator);
    const double plainBytes = trafficBoundsOf(network, layers).leastBytes;
    WorkFigures figures{.leastBytes = plainBytes};
    for (const LayerParameters& layer : layers) {
        // Weights are bytes, of which memory has the codes.
        figures.leastBytes -=
                (1.0 - codedShare) * real(layer.kernels * layer.channels * layer.taps());
        // Another operation takes at most as long as a sum of all its elements.
        figures.operations.push_back(
                {.arrayCycles = ethosUArrayCycles(layer, array),
                 .fillCycles = ethosUFillCycles(layer, array),
                 .outputCycles = real(layer.results()) * accelerator.outputCycles,
                 .vectorCycles =
                         layer.kernels == 0 ? real(layer.mapBytes) * accelerator.sumCycles : 0.0});
    }
    figures.mostBytes = figures.leastBytes + kSpilledShare * plainBytes;
    addImage(network, accelerator, figures);
    return figures;
}

ReferenceTime ethosUReferenceTime(const std::vector<VelaCycles>& vela, double published) {
    constexpr double kRulesTolerance = 0.10;  // chosen: as for NVDLA's device
    ReferenceTime time{
            .published = published, .rules = "Vela's rules", .rulesTolerance = kRulesTolerance};
    for (const VelaCycles& layer : vela) {
        const double products = std::min(layer.block.products * layer.block.count, layer.blocks);
        time.array += products;
        time.outputs += layer.blocks - products;
        time.transfers += layer.total() - layer.blocks;
    }
    return time;
}

}  // namespace vnpu::sim
