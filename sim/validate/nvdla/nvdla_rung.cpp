// SPDX-License-Identifier: Apache-2.0
// NVDLA's published frames per second, compared with the rules of their spreadsheet, with the
// running device that does the work counted by the sheet, and with its networks as we compile them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/validate/nvdla/nvdla_figures.h"
#include "sim/validate/nvdla/nvdla_sheet.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr const char* kNvdlaRung = "nvdla";
constexpr double kSheetTolerance = 0.02;   // source: the ladder's own demand
constexpr double kDeviceTolerance = 0.10;  // likewise
// source: NVDLA hardware specification nv_large, SECONDARY_MEMIF_LATENCY
constexpr double kLatencyCycles = 128.0;
constexpr double kArrayTolerance = 0.05;  // chosen: up to 0.01 was measured
constexpr double kMostLost = 0.25;        // chosen: up to 0.18 was measured
// chosen: what slices of an input that does not fit the buffer read again
constexpr double kBytesTolerance = 0.10;
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

std::string configOf(const NvdlaPoint& point) {
    return fmt::format("nvdla-{}", point.macs);
}

GapLimits limitsOf(const NvdlaPoint& point) {
    return {.array = fmt::format("the closed form of {} x {}", point.array.channels,
                                 point.array.kernels),
            .arrayTolerance = kArrayTolerance,
            .bytesTolerance = kBytesTolerance,
            .mostLost = kMostLost,
            .restTolerance = kDeviceTolerance};
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

/// One network on one column of the table.
class NvdlaCase {
  public:
    NvdlaCase(const NvdlaNetwork& network, std::size_t column, const References& references)
        : network_(network),
          point_(kNvdlaPoints.at(column)),
          published_(references.figure(network.name, network.framesPerSecond.at(column))) {}

    Row rulesRow() const {
        Check check = this->check(CheckKind::kRules, "frames/s, sheet's rules", kSheetTolerance);
        check.model = nvdlaFramesPerSecond(network_.layers, point_);
        return rowOf(check);
    }

    /// The device with the sheet's own work: whether its engines overlap as the sheet assumes.
    Row sheetWorkRow() const {
        const Check check = this->check(CheckKind::kSynthetic, "frames/s, device, sheet's work",
                                        kDeviceTolerance);
        return row(check, sheetWork(network_, point_), 1,
                   [](const Measurement&) { return std::optional<Gap>(); });
    }

    Row deviceRow() const {
        const std::uint32_t batch = batchOf(network_);
        Check check = this->check(CheckKind::kNetwork, "frames/s, device", kDeviceTolerance);
        check.deviceClass = "NVDLA";
        check.note = batch == 1 ? "" : fmt::format("batch {}", batch);
        const NvdlaModel model{network_.name, batch};
        WorkFigures figures = nvdlaWorkFigures(nvdlaModelNetwork(model), point_, batch);
        figures.mostBytes = std::max(figures.mostBytes, nvdlaSheetBytes(network_, point_, batch));
        const ReferenceTime time = nvdlaReferenceTime(network_, point_, published_, batch);
        return row(check, model, batch, [figures, time, point = point_](const Measurement& run) {
            DeviceTime device;
            device.add(run, figures, {point.dramGBps, kLatencyCycles});
            return std::optional(device.gapTo(time, limitsOf(point)));
        });
    }

  private:
    Check check(CheckKind kind, const char* quantity, double tolerance) const {
        return {.kind = kind,
                .rung = kNvdlaRung,
                .subject = fmt::format("{} on {}", network_.name, configOf(point_)),
                .quantity = quantity,
                .reference = published_,
                .tolerance = tolerance};
    }

    template <typename GapOf>
    Row row(const Check& check, MeasuredModel model, std::uint32_t frames,
            const GapOf& gapOf) const {
        return {check.subject,
                {{fmt::format("base = \"{}\"\n", configOf(point_)), std::move(model)}},
                [check, frames, gapOf](const std::vector<Measurement>& runs, RungResult& result) {
                    const Measurement& run = runs.front();
                    Check done = check;
                    done.model = kNvdlaHz * frames / real(run.cycles);
                    done.gap = gapOf(run);
                    result.checks.push_back(run.error.empty() ? done : check.broken(run.error));
                }};
    }

    const NvdlaNetwork& network_;
    const NvdlaPoint& point_;
    double published_;
};

}  // namespace

RowList nvdlaRows(const References& references) {
    const std::vector<NvdlaNetwork> networks = nvdlaNetworks();
    RowList list;
    for (Row (NvdlaCase::*rowOfCase)() const :
         {&NvdlaCase::rulesRow, &NvdlaCase::sheetWorkRow, &NvdlaCase::deviceRow}) {
        for (const NvdlaNetwork& network : networks) {
            for (std::size_t column = 0; column < kNvdlaPoints.size(); ++column) {
                const NvdlaCase nvdlaCase(network, column, references);
                list.rows.push_back((nvdlaCase.*rowOfCase)());
            }
        }
    }
    return list;
}

}  // namespace vnpu::sim
