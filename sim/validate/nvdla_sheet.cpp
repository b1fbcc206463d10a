// SPDX-License-Identifier: Apache-2.0
// The rules of the public performance spreadsheet (nvdla/hw,
// perf/NVDLA_OpenSource_Performance.xlsx), as published formulas of it and its results tell them;
// README.md says how they were found.
#include "sim/validate/nvdla_sheet.h"

#include <algorithm>
#include <cmath>

#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

constexpr double kFcBatch = 16.0;  // source: the sheet, "FC batch size"
// The sheet counts kilobytes of 1024 bytes against gigabytes a second of 10^9 as if they were 1000.
constexpr double kBytesPerUnit = 1.024;
constexpr double kLeastKernels = 32.0;          // source: the sheet, least weight data
constexpr double kWinogradSpeedup = 2.25;       // source: the sheet
constexpr double kWinogradFilter = 16.0 / 9.0;  // source: the sheet, 4 x 4 for 3 x 3
constexpr double kGigahertz = 1e9;

double ceil16(double value) {
    return std::ceil(value / 16.0) * 16.0;
}

/// A strided layer is seen as one of stride 1 over stride * stride as many channels.
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

double macCycles(const NvdlaLayer& layer, const Folded& folded, const NvdlaPoint& point) {
    if (layer.isFullyConnected) {
        return folded.kernelChannels * ceil16(layer.kernels * kFcBatch) / kFcBatch / point.macs;
    }
    const double taps =
            static_cast<double>(layer.kernelSize) * layer.kernelSize / layer.stride / layer.stride;
    const double cycles = folded.kernelChannels * layer.outputSize * layer.outputSize *
                          ceil16(layer.kernels) * taps / point.macs;
    return layer.isWinograd ? cycles / kWinogradSpeedup : cycles;
}

double dramBytes(const NvdlaLayer& layer, const Folded& folded, const NvdlaPoint& point) {
    const double buffer = point.bufferKib * 1024.0;
    const double widening = layer.hasWideFilters ? kWinogradFilter : 1.0;
    const double weights = folded.kernelBytes() * layer.kernels * widening;
    const double output =
            static_cast<double>(layer.pooledSize) * layer.pooledSize * ceil16(layer.kernels);
    const double input = layer.sharesInput ? 0.0 : folded.inputBytes();
    if (layer.isFullyConnected) {
        return weights / kFcBatch + input + output;
    }
    // An input that does not fit beside the least weights comes in slices, each with all weights.
    const double least = std::min(folded.kernelBytes() * kLeastKernels, buffer / 2.0);
    const double slices = std::ceil(folded.inputBytes() / (buffer - least));
    return slices * weights + input + (layer.addsElementwise ? 3.0 : 1.0) * output;
}

}  // namespace

NvdlaLayerCycles nvdlaLayerCycles(const NvdlaLayer& layer, const NvdlaPoint& point) {
    const Folded folded(layer);
    const double bytesPerCycle = kBytesPerUnit * point.dramGBps;
    return {.mac = macCycles(layer, folded, point),
            .dram = dramBytes(layer, folded, point) / bytesPerCycle,
            .poolDram = layer.poolsInput ? folded.inputBytes() / bytesPerCycle : 0.0};
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
