// SPDX-License-Identifier: Apache-2.0
// The rules of the public performance spreadsheet (nvdla/hw,
// perf/NVDLA_OpenSource_Performance.xlsx), derived from its published formulas and results;
// README.md describes how.
#include "sim/validate/nvdla/nvdla_sheet.h"

#include <algorithm>
#include <cmath>

#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

// The sheet counts kilobytes of 1024 bytes against gigabytes a second of 10^9 as if they were 1000.
constexpr double kBytesPerUnit = 1.024;
constexpr double kLeastKernels = 32.0;          // source: the sheet, least weight data
constexpr double kWinogradSpeedup = 2.25;       // source: the sheet
constexpr double kWinogradFilter = 16.0 / 9.0;  // source: the sheet, 4 x 4 for 3 x 3
constexpr double kGigahertz = 1e9;

double ceil16(double value) {
    return std::ceil(value / 16.0) * 16.0;
}

/// A strided layer counts as one of stride 1 over stride * stride as many channels.
struct Folded {
    double kernelChannels, inputChannels, size, kernelSize;

    explicit Folded(const NvdlaLayer& layer)
        : kernelChannels(ceil16(layer.channels * layer.stride * layer.stride)),
          inputChannels(ceil16((layer.inputChannels != 0 ? layer.inputChannels : layer.channels) *
                               layer.stride * layer.stride)),
          size(divideUp(layer.inputSize, layer.stride)),
          kernelSize(divideUp(layer.kernelSize, layer.stride)) {}

    double inputBytes() const { return inputChannels * size * size; }
    double kernelBytes() const { return kernelChannels * kernelSize * kernelSize; }
};

double macProducts(const NvdlaLayer& layer, const Folded& folded) {
    if (layer.isFullyConnected) {
        return folded.kernelChannels * ceil16(real(layer.kernels) * kNvdlaDenseFrames) /
               kNvdlaDenseFrames;
    }
    const double taps = real(layer.kernelSize) * layer.kernelSize / layer.stride / layer.stride;
    const double products = folded.kernelChannels * layer.outputSize * layer.outputSize *
                            ceil16(layer.kernels) * taps;
    return layer.isWinograd ? products / kWinogradSpeedup : products;
}

/// How often all filters move: an input that does not fit beside the smallest number of kernels
/// comes in slices.
double slicesOf(const Folded& folded, const NvdlaPoint& point) {
    const double buffer = point.bufferKib * 1024.0;
    const double least = std::min(folded.kernelBytes() * kLeastKernels, buffer / 2.0);
    return std::ceil(folded.inputBytes() / (buffer - least));
}

}  // namespace

NvdlaLayerWork nvdlaLayerWork(const NvdlaLayer& layer, const NvdlaPoint& point) {
    const Folded folded(layer);
    const double widening = layer.hasWideFilters ? kWinogradFilter : 1.0;
    const double filters = folded.kernelBytes() * layer.kernels * widening;
    const double output = real(layer.pooledSize) * layer.pooledSize * ceil16(layer.kernels);
    const double sum = layer.addsElementwise ? output : 0.0;
    NvdlaLayerWork work;
    work.products = macProducts(layer, folded);
    work.results = real(layer.outputSize) * layer.outputSize * ceil16(layer.kernels);
    work.inputBytes = (layer.sharesInput ? 0.0 : folded.inputBytes()) + sum;
    work.filterBytes = layer.isFullyConnected ? filters / kNvdlaDenseFrames
                                              : filters * slicesOf(folded, point);
    work.outputBytes = output + sum;
    work.pooledBytes = layer.poolsInput ? folded.inputBytes() : 0.0;
    return work;
}

NvdlaLayerCycles nvdlaLayerCycles(const NvdlaLayer& layer, const NvdlaPoint& point) {
    const NvdlaLayerWork work = nvdlaLayerWork(layer, point);
    const double bytesPerCycle = kBytesPerUnit * point.dramGBps;
    return {.mac = work.products / point.macs,
            .dram = (work.inputBytes + work.filterBytes + work.outputBytes) / bytesPerCycle,
            .poolDram = work.pooledBytes / bytesPerCycle};
}

double nvdlaFramesPerSecond(const std::vector<NvdlaLayer>& layers, const NvdlaPoint& point) {
    double cycles = 0.0;
    for (const NvdlaLayer& layer : layers) {
        const NvdlaLayerCycles layerCycles = nvdlaLayerCycles(layer, point);
        cycles += std::max(layerCycles.mac, layerCycles.dram) + layerCycles.poolDram;
    }
    return kGigahertz / cycles;
}

}  // namespace vnpu::sim
