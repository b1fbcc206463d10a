// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/nvdla/nvdla_causes.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

// source: NVDLA unit description, image input mode and channel post-extension
constexpr std::uint32_t kImageChannels = 4;
constexpr double kStepsPerTile = 16.0;  // source: Lavin and Gray (2015), F(2x2, 3x3)

double folds(double extent, double side) {
    return std::ceil(extent / side);
}

/// Steps for one output pixel and one group of kernels.
double stepsPerPixel(const LayerParameters& layer, const hw::MacConfig& mac) {
    if (layer.channels > kImageChannels) {
        return real(layer.taps()) * folds(real(layer.channels), mac.rows);
    }
    const auto row = real(layer.filterColumns * layer.channels);
    const double together = row * 4 <= mac.rows ? 4.0 : row * 2 <= mac.rows ? 2.0 : 1.0;
    return folds(real(layer.filterRows), together) * folds(row, mac.rows);
}

}  // namespace

double nvdlaArrayCycles(const LayerParameters& layer, const hw::MacConfig& mac) {
    if (layer.kernels == 0) {
        return 0.0;
    }
    const double kernelFolds = folds(real(layer.kernels), mac.columns);
    const auto rows = real(layer.rows);
    const auto columns = real(layer.columns);
    if (mac.winograd && layer.filterRows == 3 && layer.filterColumns == 3 &&
        layer.hasUnitStride() && layer.channels > kImageChannels) {
        const double tiles = folds(rows, 2.0) * folds(columns, 2.0);
        return kStepsPerTile * folds(real(layer.channels), mac.rows) * kernelFolds * tiles;
    }
    return stepsPerPixel(layer, mac) * kernelFolds * rows * columns;
}

double nvdlaPlainBytes(const NvdlaLayer& layer) {
    const double channels = layer.inputChannels != 0 ? layer.inputChannels : layer.channels;
    const double input = channels * layer.inputSize * layer.inputSize;
    const double filters = real(layer.channels) * layer.kernelSize * layer.kernelSize;
    const double output = real(layer.pooledSize) * layer.pooledSize;
    return (layer.sharesInput ? 0.0 : input) + filters * layer.kernels +
           (layer.addsElementwise ? 2.0 : 1.0) * output * layer.kernels;
}

NvdlaCauses explainNvdla(const NvdlaNetwork& network, const std::vector<LayerParameters>& layers,
                         const NvdlaPoint& point, const hw::MacConfig& mac, const Measurement& run,
                         double batch) {
    NvdlaCauses causes;
    for (const OperationWork& work : run.operations) {
        const OperationParts parts = partsOf(work, point.dramGBps);
        causes.fillCycles += parts.fill;
        causes.ruleCycles += parts.cycles();
    }
    double array = 0.0, plainBytes = 0.0;
    for (const LayerParameters& layer : layers) {
        array += nvdlaArrayCycles(layer, mac);
    }
    for (const NvdlaLayer& layer : network.layers) {
        plainBytes += nvdlaPlainBytes(layer);
    }
    causes.arrayRatio = real(run.macActiveCycles) / batch / array;
    const double ruleRatio = causes.ruleCycles / real(run.cycles);
    causes.isExplained = std::abs(ruleRatio - 1.0) <= kRuleTolerance &&
                         std::abs(causes.arrayRatio - 1.0) <= kArrayTolerance;
    causes.note = fmt::format(
            "the rule with what was measured takes {:.3f} of the cycles; array {:.3f} of the "
            "closed "
            "form of {} x {}, bytes {:.2f} of each operand once",
            ruleRatio, causes.arrayRatio, mac.rows, mac.columns,
            real(run.bytesRead + run.bytesWritten) / batch / plainBytes);
    return causes;
}

}  // namespace vnpu::sim
