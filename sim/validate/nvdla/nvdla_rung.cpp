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
constexpr double kMostLost = 0.15;        // chosen: up to 0.11 was measured
// chosen: what slices of an input that does not fit the buffer read again
constexpr double kBytesTolerance = 0.10;

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
        return row(check, {sheetWork(network_, point_)}, {1},
                   [](const std::vector<Measurement>&) { return std::optional<Gap>(); });
    }

    /// A frame of the layers before the fully connected ones, and a share of these for several
    /// frames, as the sheet counts it.
    Row deviceRow() const {
        Check check = this->check(CheckKind::kNetwork, "frames/s, device", kDeviceTolerance);
        check.deviceClass = "NVDLA";
        check.note = fmt::format("fully connected layers for {} frames", kNvdlaDenseFrames);
        const ReferenceTime time = nvdlaReferenceTime(network_, point_, published_);
        return row(check, {NvdlaModel{network_.name, false}, NvdlaModel{network_.name, true}},
                   {1, kNvdlaDenseFrames},
                   [trunk = figures(false), dense = figures(true), time,
                    point = point_](const std::vector<Measurement>& runs) {
                       const MemoryFigures memory{point.dramGBps, kLatencyCycles};
                       DeviceTime device;
                       device.add(runs[0], trunk, memory);
                       device.add(runs[1], dense, memory, 1.0 / kNvdlaDenseFrames);
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

    /// The work of a part of the network on the point's array.
    WorkFigures figures(bool isDense) const {
        const std::uint32_t frames = isDense ? kNvdlaDenseFrames : 1;
        std::vector<NvdlaLayer> layers = network_.layers;
        std::erase_if(layers, [isDense](const NvdlaLayer& layer) {
            return layer.isFullyConnected != isDense;
        });
        WorkFigures figures =
                nvdlaWorkFigures(nvdlaModelNetwork({network_.name, isDense}), point_, frames);
        figures.mostBytes = std::max(figures.mostBytes, frames * nvdlaSheetBytes(layers, point_));
        return figures;
    }

    /// `frames`: that each of the models computes; a frame takes its share of the cycles of each.
    template <typename GapOf>
    Row row(const Check& check, const std::vector<MeasuredModel>& models,
            const std::vector<std::uint32_t>& frames, const GapOf& gapOf) const {
        Row row;
        row.subject = check.subject;
        for (const MeasuredModel& model : models) {
            row.probes.push_back({.config = fmt::format("base = \"{}\"\n", configOf(point_)),
                                  .model = model,
                                  .hasCheckpoints = false});
        }
        row.evaluate = [check, frames, gapOf](const std::vector<Measurement>& runs,
                                              RungResult& result) {
            double cycles = 0.0;
            for (std::size_t i = 0; i < runs.size(); ++i) {
                if (!runs[i].error.empty()) {
                    result.checks.push_back(check.broken(runs[i].error));
                    return;
                }
                cycles += real(runs[i].cycles) / frames[i];
            }
            Check done = check;
            done.model = kNvdlaHz / cycles;
            done.gap = gapOf(runs);
            result.checks.push_back(done);
        };
        return row;
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
