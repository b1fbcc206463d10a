// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/nvdla/nvdla_figures.h"

#include <algorithm>
#include <cmath>

#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

// source: NVDLA unit description, image input mode and channel post-extension
constexpr std::uint32_t kImageChannels = 4;
constexpr double kStepsPerTile = 16.0;  // source: Lavin and Gray (2015), F(2x2, 3x3)

// source: NVDLA hardware specification nv_large, PRIMARY_MEMIF_WIDTH 512: what pools and sums read
// and write in a cycle at least
constexpr double kPortBytes = 64.0;

double folds(double extent, double side) {
    return std::ceil(extent / side);
}

/// Steps for one output pixel and one group of kernels.
double stepsPerPixel(const LayerParameters& layer, const NvdlaArray& array) {
    if (layer.channels > kImageChannels) {
        return real(layer.taps()) * folds(real(layer.channels), array.channels);
    }
    const auto row = real(layer.filterColumns * layer.channels);
    const double together = row * 4 <= array.channels ? 4.0 : row * 2 <= array.channels ? 2.0 : 1.0;
    return folds(real(layer.filterRows), together) * folds(row, array.channels);
}

}  // namespace

double nvdlaArrayCycles(const LayerParameters& layer, const NvdlaArray& array) {
    if (layer.kernels == 0) {
        return 0.0;
    }
    const auto groups = real(layer.groups);
    const double kernelFolds = groups * folds(real(layer.kernels) / groups, array.kernels);
    const auto rows = real(layer.rows);
    const auto columns = real(layer.columns);
    if (layer.filterRows == 3 && layer.filterColumns == 3 && layer.hasUnitStride() &&
        layer.channels > kImageChannels) {
        const double tiles = folds(rows, 2.0) * folds(columns, 2.0);
        return kStepsPerTile * folds(real(layer.channels), array.channels) * kernelFolds * tiles;
    }
    return stepsPerPixel(layer, array) * kernelFolds * rows * columns;
}

WorkFigures nvdlaWorkFigures(const Network& network, const NvdlaPoint& point, double frames) {
    const std::vector<LayerParameters> layers = layerParametersOf(network);
    const TrafficBounds traffic = trafficBoundsOf(network, layers);
    WorkFigures figures{.leastBytes = traffic.leastBytes, .mostBytes = traffic.mostBytes};
    for (const LayerParameters& layer : layers) {
        const bool isOther = layer.kernels == 0;
        // A result for each kernel and cycle.
        figures.operations.push_back(
                {.arrayCycles = frames * nvdlaArrayCycles(layer, point.array),
                 .outputCycles = frames * real(layer.results()) / point.array.kernels,
                 .vectorCycles = isOther ? real(layer.mapBytes) / kPortBytes : 0.0});
    }
    return figures;
}

double nvdlaSheetBytes(const std::vector<NvdlaLayer>& layers, const NvdlaPoint& point) {
    double bytes = 0.0;
    for (const NvdlaLayer& layer : layers) {
        const NvdlaLayerWork work = nvdlaLayerWork(layer, point);
        bytes += work.inputBytes + work.filterBytes + work.outputBytes + work.pooledBytes;
    }
    return bytes;
}

ReferenceTime nvdlaReferenceTime(const NvdlaNetwork& network, const NvdlaPoint& point,
                                 double framesPerSecond) {
    constexpr double kRulesTolerance = 0.02;  // source: the ladder's own demand
    ReferenceTime time{.published = kNvdlaHz / framesPerSecond,
                       .rules = "the sheet's rules",
                       .rulesTolerance = kRulesTolerance};
    for (const NvdlaLayer& layer : network.layers) {
        const NvdlaLayerCycles cycles = nvdlaLayerCycles(layer, point);
        time.array += cycles.mac;
        time.transfers += std::max(cycles.dram - cycles.mac, 0.0) + cycles.poolDram;
    }
    return time;
}

}  // namespace vnpu::sim
