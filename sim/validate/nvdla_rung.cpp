// SPDX-License-Identifier: Apache-2.0
// NVDLA's published frames per second: by the rules of the sheet they come from, and from the
// running device with our own networks.
#include <fmt/format.h>

#include "sim/config/load_config.h"
#include "sim/models/source.h"
#include "sim/validate/measurement.h"
#include "sim/validate/nvdla_causes.h"
#include "sim/validate/nvdla_sheet.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr const char* kRung = "nvdla";
constexpr double kSheetTolerance = 0.02;   // source: the ladder's own demand
constexpr double kDeviceTolerance = 0.10;  // likewise
constexpr double kHz = 1e9;                // source: nvdla.org primer, all columns at 1 GHz
// source: the sheet batches fully connected layers; a network with most of its weights there is run
// so, the others frame by frame
constexpr std::uint32_t kFcBatch = 16;

std::uint32_t batchOf(const NvdlaNetwork& network) {
    double dense = 0.0, all = 0.0;
    for (const NvdlaLayer& layer : network.layers) {
        const double weights = static_cast<double>(layer.channels) * layer.kernels *
                               layer.kernelSize * layer.kernelSize;
        all += weights;
        dense += layer.isFullyConnected ? weights : 0.0;
    }
    return dense > all / 2.0 ? kFcBatch : 1;
}

std::string configOf(const NvdlaPoint& point) {
    return fmt::format("nvdla-{}", point.macs);
}

Check deviceCheck(const NvdlaNetwork& network, const std::vector<LayerParameters>& layers,
                  std::size_t column, const Measurement& run) {
    const NvdlaPoint& point = kNvdlaPoints.at(column);
    Check check{.rung = kRung,
                .subject = fmt::format("{} on {}", network.name, configOf(point)),
                .quantity = "frames/s, device",
                .reference = network.framesPerSecond.at(column),
                .tolerance = kDeviceTolerance};
    if (!run.error.empty()) {
        check.isBroken = true;
        check.note = run.error;
        return check;
    }
    const std::uint32_t batch = batchOf(network);
    check.model = kHz * batch / static_cast<double>(run.cycles);
    double sheetMac = 0.0, sheetBytes = 0.0;
    for (const NvdlaLayer& layer : network.layers) {
        const NvdlaLayerCycles cycles = nvdlaLayerCycles(layer, point);
        sheetMac += cycles.mac;
        sheetBytes += (cycles.dram + cycles.poolDram) * point.dramGBps;
    }
    check.note = fmt::format(
            "array {:.2f} of the sheet's MAC cycles, DRAM bytes {:.2f} of the sheet's{}",
            static_cast<double>(run.macActiveCycles) / batch / sheetMac,
            static_cast<double>(run.bytesRead + run.bytesWritten) / batch / sheetBytes,
            batch == 1 ? "" : fmt::format(", batch {}", batch));
    if (check.verdict() == Verdict::kFail) {
        const NvdlaCauses causes =
                explainNvdla(network, layers, point, loadConfig(configOf(point)).mac, run, batch);
        check.isExplained = causes.isExplained;
        check.note += "; " + causes.note;
    }
    return check;
}

}  // namespace

RungResult runNvdlaRung(const RungContext& context) {
    const std::vector<NvdlaNetwork> networks = nvdlaNetworks();
    std::vector<MeasureRequest> requests;
    for (const NvdlaPoint& point : kNvdlaPoints) {
        requests.push_back({fmt::format("base = \"{}\"\n", configOf(point)), {}});
        for (const NvdlaNetwork& network : networks) {
            requests.back().models.emplace_back(ZooModel{network.name, batchOf(network)});
        }
    }
    const auto runs = measureAll(requests, context.pool, context.onProgress);
    RungResult result;
    for (const NvdlaNetwork& network : networks) {
        for (std::size_t column = 0; column < kNvdlaPoints.size(); ++column) {
            const NvdlaPoint& point = kNvdlaPoints.at(column);
            result.checks.push_back(
                    {.rung = kRung,
                     .subject = fmt::format("{}, {} MACs", network.name, point.macs),
                     .quantity = "frames/s, sheet's rules",
                     .model = nvdlaFramesPerSecond(network.layers, point),
                     .reference = network.framesPerSecond.at(column),
                     .tolerance = kSheetTolerance});
        }
    }
    for (std::size_t n = 0; n < networks.size(); ++n) {
        const std::vector<LayerParameters> layers =
                layerParametersOf(loadNetwork("zoo:" + networks[n].name, {.zeroWeights = true}));
        for (std::size_t column = 0; column < kNvdlaPoints.size(); ++column) {
            result.checks.push_back(deviceCheck(networks[n], layers, column, runs[column][n]));
        }
    }
    return result;
}

}  // namespace vnpu::sim
