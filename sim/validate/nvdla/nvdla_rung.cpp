// SPDX-License-Identifier: Apache-2.0
// NVDLA's published frames per second, compared with the rules of their spreadsheet, with the
// running device that does the work counted by the sheet, and with our own networks.
#include <fmt/format.h>

#include <cmath>

#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/validate/measurement.h"
#include "sim/validate/nvdla/nvdla_causes.h"
#include "sim/validate/nvdla/nvdla_sheet.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr const char* kNvdlaRung = "nvdla";
constexpr double kSheetTolerance = 0.02;   // source: the ladder's own demand
constexpr double kDeviceTolerance = 0.10;  // likewise
constexpr double kHz = 1e9;                // source: nvdla.org primer, all columns at 1 GHz
// source: the sheet batches fully connected layers; a network with most of its weights in them runs
// in batches, the others frame by frame
constexpr std::uint32_t kDenseBatch = 16;

std::uint32_t batchOf(const NvdlaNetwork& network) {
    double dense = 0.0, all = 0.0;
    for (const NvdlaLayer& layer : network.layers) {
        const double weights =
                real(layer.channels) * layer.kernels * layer.kernelSize * layer.kernelSize;
        all += weights;
        dense += layer.isFullyConnected ? weights : 0.0;
    }
    return dense > all / 2.0 ? kDenseBatch : 1;
}

/// A frame of the sheet as work for the device.
SyntheticWork sheetWork(const NvdlaNetwork& network, const NvdlaPoint& point) {
    const auto whole = [](double value) { return static_cast<std::uint64_t>(std::llround(value)); };
    SyntheticWork work;
    for (const NvdlaLayer& layer : network.layers) {
        const NvdlaLayerWork sheet = nvdlaLayerWork(layer, point);
        work.layers.push_back({.macCycles = whole(sheet.products / point.macs),
                               .results = whole(sheet.results),
                               .inputBytes = whole(sheet.inputBytes),
                               .filterBytes = whole(sheet.filterBytes),
                               .outputBytes = whole(sheet.outputBytes),
                               .pooledBytes = whole(sheet.pooledBytes)});
    }
    return work;
}

std::string configOf(const NvdlaPoint& point) {
    return fmt::format("nvdla-{}", point.macs);
}

/// The computation and the traffic for `frames`, relative to the sheet's.
std::string noteOn(const NvdlaNetwork& network, const NvdlaPoint& point, const Measurement& run,
                   double frames) {
    double macCycles = 0.0, bytes = 0.0;
    for (const NvdlaLayer& layer : network.layers) {
        const NvdlaLayerWork work = nvdlaLayerWork(layer, point);
        macCycles += work.products / point.macs;
        bytes += work.inputBytes + work.filterBytes + work.outputBytes + work.pooledBytes;
    }
    return fmt::format("array {:.2f} of the sheet's MAC cycles, DRAM bytes {:.2f} of the sheet's",
                       real(run.macActiveCycles) / frames / macCycles,
                       real(run.bytesRead + run.bytesWritten) / frames / bytes);
}

/// The check of a run of `frames` frames.
Check runCheck(const NvdlaNetwork& network, std::size_t column, const Measurement& run,
               double frames) {
    const NvdlaPoint& point = kNvdlaPoints.at(column);
    Check check{.rung = kNvdlaRung,
                .subject = fmt::format("{} on {}", network.name, configOf(point)),
                .quantity = "frames/s, device",
                .reference = network.framesPerSecond.at(column),
                .tolerance = kDeviceTolerance};
    if (!run.error.empty()) {
        return check.broken(run.error);
    }
    check.model = kHz * frames / real(run.cycles);
    check.note = noteOn(network, point, run, frames);
    return check;
}

/// The rules of the sheet alone.
Check sheetRulesCheck(const NvdlaNetwork& network, std::size_t column) {
    const NvdlaPoint& point = kNvdlaPoints.at(column);
    return {.rung = kNvdlaRung,
            .subject = fmt::format("{}, {} MACs", network.name, point.macs),
            .quantity = "frames/s, sheet's rules",
            .model = nvdlaFramesPerSecond(network.layers, point),
            .reference = network.framesPerSecond.at(column),
            .tolerance = kSheetTolerance};
}

/// The device with the sheet's own work: whether its engines overlap as the sheet assumes.
Check sheetWorkCheck(const NvdlaNetwork& network, std::size_t column, const Measurement& run) {
    Check check = runCheck(network, column, run, 1.0);
    check.quantity += ", sheet's work";
    return check;
}

Check deviceCheck(const NvdlaNetwork& network, const std::vector<LayerParameters>& layers,
                  std::size_t column, const Measurement& run) {
    const std::uint32_t batch = batchOf(network);
    Check check = runCheck(network, column, run, batch);
    if (check.isBroken) {
        return check;
    }
    if (batch != 1) {
        check.note += fmt::format(", batch {}", batch);
    }
    if (check.verdict() == Verdict::kFail) {
        const NvdlaPoint& point = kNvdlaPoints.at(column);
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
            requests.back().models.emplace_back(sheetWork(network, point));
            requests.back().models.emplace_back(ZooModel{network.name, batchOf(network)});
        }
    }
    const auto runs = measureAll(requests, context.pool, context.onProgress);
    RungResult result;
    const auto addChecks = [&](const auto& checkOf) {
        for (std::size_t n = 0; n < networks.size(); ++n) {
            for (std::size_t column = 0; column < kNvdlaPoints.size(); ++column) {
                result.checks.push_back(checkOf(n, column));
            }
        }
    };
    addChecks([&](std::size_t n, std::size_t column) {
        return sheetRulesCheck(networks[n], column);
    });
    addChecks([&](std::size_t n, std::size_t column) {
        return sheetWorkCheck(networks[n], column, runs[column][2 * n]);
    });
    std::vector<std::vector<LayerParameters>> layers;
    for (const NvdlaNetwork& network : networks) {
        layers.push_back(
                layerParametersOf(loadNetwork("zoo:" + network.name, {.zeroWeights = true})));
    }
    addChecks([&](std::size_t n, std::size_t column) {
        return deviceCheck(networks[n], layers[n], column, runs[column][2 * n + 1]);
    });
    return result;
}

}  // namespace vnpu::sim
