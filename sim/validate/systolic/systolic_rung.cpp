// SPDX-License-Identifier: Apache-2.0
// The active cycles of the MAC array compared with those of SCALE-Sim, layer by layer, from the
// closed form and from the running device; and complete layers at limited bandwidth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/config/load_config.h"
#include "sim/validate/device_time.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"
#include "sim/validate/systolic/systolic_table.h"

namespace vnpu::sim {

namespace {

constexpr const char* kSystolicRung = "systolic";
constexpr double kTotalTolerance = 0.10;      // of limited totals; source: the ladder's own demand
constexpr std::uint64_t kWordsPerCycle = 16;  // source: the tables' user mode, each interface
constexpr double kInterfaceTolerance =
        0.05;                             // chosen: twice the largest deviation of the closed form
constexpr double kArrayTolerance = 0.10;  // chosen: further tiles; up to 0.05 was measured
constexpr double kMostLost = 0.75;        // chosen: as for Ethos-U
constexpr double kBytesTolerance = 0.10;  // chosen: what halos of tiles read again
constexpr double kLatencyCycles = 100.0;  // source: sim/configs, ws16 to os128

/// The device of a table, as TOML.
std::string deviceOf(const SystolicTable& table, bool hasLatency = true) {
    std::string text = fmt::format("base = \"{}\"\n", table.configName());
    if (table.isLimited) {
        // Scratchpads of 512, 512 and 256 KB and three interfaces of 16 words per cycle: one DMA
        // channel each, and a memory that serves all three.
        text += fmt::format(
                "[sram]\nkib = 1280\nbanks = 20\n[dma]\nbytes_per_cycle = {}\n"
                "[dram]\nbytes_per_cycle = {}\n",
                kWordsPerCycle, 3 * kWordsPerCycle);
        text += hasLatency ? "" : "latency_cycles = 0\n";  // of the DRAM
    } else {
        // Limits so high that no layer is divided to hide transfers, or for its results to leave
        // early.
        text += "[mac]\noutput_lanes = 4095\n[sram]\nport_bytes = 32768\n"
                "[dma]\nbytes_per_cycle = 32768\n[dram]\n"
                "bytes_per_cycle = 32768\nlatency_cycles = 0\n[interconnect]\n"
                "bytes_per_cycle = 65536\n";
    }
    return text;
}

/// A layer with the words that the reference moves for it; a word is a byte here.
SyntheticWork workOf(const SystolicLayer& layer) {
    const hw::GemmShape gemm = layer.shape.gemm();
    return {.layers = {{.macCycles = layer.macCycles,
                        .results = gemm.m * gemm.n,
                        .inputBytes = layer.inputWords,
                        .filterBytes = layer.filterWords,
                        .outputBytes = layer.outputWords}},
            .inLargestTiles = true};
}

std::string subjectOf(const SystolicTable& table) {
    return fmt::format("{} on {}{}", table.network, table.configName(),
                       table.isLimited ? fmt::format(", {} words/cycle", kWordsPerCycle) : "");
}

/// Sums over the layers of a table, which must all be equal.
class LayerSum {
  public:
    void add(const SystolicLayer& layer, std::uint64_t model, std::uint64_t reference) {
        model_ += real(model * layer.repeat);
        reference_ += real(reference * layer.repeat);
        ++layers_;
        if (model == reference) {
            ++equal_;
        } else if (firstDifference_.empty()) {
            firstDifference_ = fmt::format(", first {}: {} for {}", layer.name, model, reference);
        }
    }
    void addFailure(const SystolicLayer& layer, const std::string& error) {
        ++layers_;
        firstDifference_ = fmt::format(", {}: {}", layer.name, error);
    }

    Check check(const SystolicTable& table, const char* quantity) const {
        return {.kind = CheckKind::kRules,
                .rung = kSystolicRung,
                .subject = subjectOf(table),
                .quantity = quantity,
                .model = model_,
                .reference = reference_,
                .note = fmt::format("{} of {} layers equal{}", equal_, layers_, firstDifference_),
                .isBroken = equal_ != layers_};
    }

  private:
    double model_ = 0, reference_ = 0;
    std::size_t layers_ = 0, equal_ = 0;
    std::string firstDifference_;
};

Check closedFormCheck(const SystolicTable& table) {
    const hw::MacConfig mac = loadConfig(table.configName()).mac;
    LayerSum sum;
    for (const SystolicLayer& layer : table.layers) {
        sum.add(layer, hw::gemmCycles(mac, layer.shape.gemm()), layer.macCycles);
    }
    return sum.check(table, "MAC cycles, closed form");
}

Row deviceRow(const SystolicTable& table) {
    Row row{subjectOf(table), {}, nullptr};
    for (const SystolicLayer& layer : table.layers) {
        row.probes.push_back({deviceOf(table), layer.shape});
    }
    row.evaluate = [table](const std::vector<Measurement>& runs, RungResult& result) {
        LayerSum sum;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const SystolicLayer& layer = table.layers[i];
            if (runs[i].error.empty()) {
                sum.add(layer, runs[i].macActiveCycles, layer.macCycles);
            } else {
                sum.addFailure(layer, runs[i].error);
            }
        }
        result.checks.push_back(sum.check(table, "MAC cycles, device"));
    };
    return row;
}

/// Cycles from the first read to the last write with the words of the reference at three such
/// interfaces: the first half of each scratchpad is filled, the array runs in parallel with the
/// rest, and the last half is drained.
double cyclesOfTraffic(const SystolicLayer& layer) {
    constexpr std::uint64_t kInputHalf = 262'144;  // words. source: the tables' scratchpads, 512 KB
    constexpr std::uint64_t kOutputHalf = 131'072;  // words. source: likewise, 256 KB
    const std::uint64_t firstInput = std::min(layer.inputWords, kInputHalf);
    const std::uint64_t firstFilter = std::min(layer.filterWords, kInputHalf);
    const std::uint64_t last = std::min(layer.outputWords, kOutputHalf);
    const std::uint64_t beside = std::max(
            {layer.inputWords - firstInput, layer.filterWords - firstFilter, layer.outputWords});
    return real(std::max(firstInput, firstFilter) + last) / kWordsPerCycle +
           std::max(real(layer.macCycles), real(beside) / kWordsPerCycle);
}

/// The words or bytes of a layer on the three interfaces.
struct Streams {
    double input = 0.0, filter = 0.0, output = 0.0;

    double all() const { return input + filter + output; }
    /// The rate at which all of them move, if the longest one decides.
    double bytesPerCycle() const {
        return kWordsPerCycle * all() / std::max({input, filter, output});
    }
};

/// Every operand once; a bias of 32 bits for each filter belongs to our filters.
Streams operandsOf(const SystolicLayer& layer) {
    const LayerShape& shape = layer.shape;
    const hw::GemmShape gemm = shape.gemm();
    const double input = shape.isProduct()
                                 ? real(gemm.m * gemm.k)
                                 : real(shape.inputHeight) * shape.inputWidth * shape.channels;
    return {input, real((gemm.k + 4) * gemm.n), real(gemm.m * gemm.n)};
}

WorkFigures figuresOf(const SystolicTable& table, const SystolicLayer& layer,
                      const Streams& streams) {
    const hw::GemmShape gemm = layer.shape.gemm();
    return {.operations = {{.arrayCycles = real(layer.macCycles),
                            .outputCycles = real(gemm.m * gemm.n) / table.size}},
            .leastBytes = streams.all(),
            .mostBytes = streams.all()};
}

ReferenceTime limitedTime(const SystolicTable& table) {
    ReferenceTime time{.rules = "the three interfaces' closed form with the table's words",
                       .rulesTolerance = kInterfaceTolerance};
    for (const SystolicLayer& layer : table.layers) {
        const double repeat = real(layer.repeat);
        time.published += repeat * real(layer.totalCycles);
        time.array += repeat * real(layer.macCycles);
        time.transfers += repeat * (cyclesOfTraffic(layer) - real(layer.macCycles));
    }
    return time;
}

/// The total cycles of a limited table; `gapOf` gets the runs of its layers.
template <typename GapOf>
Row limitedRow(const SystolicTable& table, CheckKind kind, const char* quantity,
               std::vector<Probe> probes, const GapOf& gapOf) {
    return {subjectOf(table), std::move(probes),
            [=](const std::vector<Measurement>& runs, RungResult& result) {
                Check check{.kind = kind,
                            .rung = kSystolicRung,
                            .subject = subjectOf(table),
                            .quantity = quantity,
                            .tolerance = kTotalTolerance,
                            .deviceClass = "SCALE-Sim, 16 words/cycle"};
                for (std::size_t i = 0; i < runs.size(); ++i) {
                    const SystolicLayer& layer = table.layers[i];
                    if (!runs[i].error.empty()) {
                        result.checks.push_back(
                                check.broken(fmt::format("{}: {}", layer.name, runs[i].error)));
                        return;
                    }
                    check.model += real(layer.repeat * runs[i].cycles);
                    check.reference += real(layer.repeat * layer.totalCycles);
                }
                check.gap = gapOf(runs);
                result.checks.push_back(check);
            }};
}

/// The layers as our compiler lays them out.
Row compiledRow(const SystolicTable& table) {
    std::vector<Probe> probes;
    for (const SystolicLayer& layer : table.layers) {
        probes.push_back(
                {.config = deviceOf(table), .model = layer.shape, .hasCheckpoints = false});
    }
    return limitedRow(table, CheckKind::kNetwork, "total cycles, device", std::move(probes),
                      [table](const std::vector<Measurement>& runs) {
                          DeviceTime device;
                          for (std::size_t i = 0; i < runs.size(); ++i) {
                              const SystolicLayer& layer = table.layers[i];
                              const Streams operands = operandsOf(layer);
                              device.add(runs[i], figuresOf(table, layer, operands),
                                         {operands.bytesPerCycle(), kLatencyCycles},
                                         real(layer.repeat));
                          }
                          return std::optional(device.gapTo(limitedTime(table),
                                                            {.array = "the table's MAC cycles",
                                                             .arrayTolerance = kArrayTolerance,
                                                             .bytesTolerance = kBytesTolerance,
                                                             .mostLost = kMostLost,
                                                             .restTolerance = kTotalTolerance}));
                      });
}

/// The words of the reference: whether channels and array overlap as there.
Row wordsRow(const SystolicTable& table) {
    constexpr bool kHasLatency = false;  // as in the reference
    std::vector<Probe> probes;
    for (const SystolicLayer& layer : table.layers) {
        probes.push_back({deviceOf(table, kHasLatency), workOf(layer)});
    }
    return limitedRow(table, CheckKind::kSynthetic, "total cycles, device, reference's words",
                      std::move(probes),
                      [](const std::vector<Measurement>&) { return std::optional<Gap>(); });
}

}  // namespace

RowList systolicRows(const References& references) {
    RowList list;
    std::vector<SystolicTable> tables;
    if (references.folder.empty()) {
        tables = builtInSystolicTables();
        list.notes.emplace_back(
                "systolic: the tables are not here (VNPU_SHARED), so a few layers worked out by "
                "hand stand for them");
    } else {
        tables = loadSystolicTables(references.folder);
    }
    for (const SystolicTable& table : tables) {
        if (table.isLimited) {
            list.rows.push_back(wordsRow(table));
            list.rows.push_back(compiledRow(table));
        } else {
            list.rows.push_back(rowOf(closedFormCheck(table)));
            list.rows.push_back(deviceRow(table));
        }
    }
    return list;
}

}  // namespace vnpu::sim
