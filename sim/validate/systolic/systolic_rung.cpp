// SPDX-License-Identifier: Apache-2.0
// The active cycles of the MAC array compared with those of SCALE-Sim, layer by layer, from the
// closed form and from the running device; and complete layers at limited bandwidth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/config/load_config.h"
#include "sim/validate/measurement.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"
#include "sim/validate/systolic/systolic_table.h"

namespace vnpu::sim {

namespace {

constexpr const char* kSystolicRung = "systolic";
constexpr double kTotalTolerance = 0.10;      // of limited totals; source: the ladder's own demand
constexpr std::uint64_t kWordsPerCycle = 16;  // source: the tables' user mode, each interface

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
        // A limit so high that no layer is divided to hide transfers.
        text += "[sram]\nport_bytes = 32768\n[dma]\nbytes_per_cycle = 32768\n[dram]\n"
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

/// Every distinct layer on each device, measured once; for limited tables also with the words of
/// the reference.
class SystolicRuns {
  public:
    SystolicRuns(const std::vector<SystolicTable>& tables, const RungContext& context) {
        for (const SystolicTable& table : tables) {
            auto& shapes = shapes_[deviceOf(table)];
            for (const SystolicLayer& layer : table.layers) {
                shapes.try_emplace(layer.shape);
            }
        }
        std::vector<MeasureRequest> requests;
        for (const auto& [config, shapes] : shapes_) {
            requests.push_back({config, {}});
            for (const auto& [shape, none] : shapes) {
                requests.back().models.emplace_back(shape);
            }
        }
        for (const SystolicTable& table : tables) {
            if (table.isLimited) {
                constexpr bool kHasLatency = false;  // as in the reference
                requests.push_back({deviceOf(table, kHasLatency), {}});
                for (const SystolicLayer& layer : table.layers) {
                    requests.back().models.emplace_back(workOf(layer));
                }
            }
        }
        const auto results = measureAll(requests, context.pool, context.onProgress);
        std::size_t request = 0;
        for (auto& [config, shapes] : shapes_) {
            std::size_t i = 0;
            for (auto& [shape, measurement] : shapes) {
                measurement = results[request][i++];
            }
            ++request;
        }
        wordRuns_.assign(results.begin() + static_cast<std::ptrdiff_t>(request), results.end());
    }

    const Measurement& of(const SystolicTable& table, const SystolicLayer& layer) const {
        return shapes_.at(deviceOf(table)).at(layer.shape);
    }

    /// Measurements with the words of the reference, layer by layer, for each limited table.
    const std::vector<std::vector<Measurement>>& wordRuns() const { return wordRuns_; }

  private:
    std::map<std::string, std::map<LayerShape, Measurement>> shapes_;
    std::vector<std::vector<Measurement>> wordRuns_;
};

std::string subjectOf(const SystolicTable& table) {
    return fmt::format("{} on {}{}", table.network, table.configName(),
                       table.isLimited ? fmt::format(", {} words/cycle", kWordsPerCycle) : "");
}

/// Sums over the layers of a table, and the number of equal layers.
class LayerSum {
  public:
    /// `cutCycles`: the additional cycles of a weight-stationary layer for each further tile of its
    /// rows, because each tile fills the array again; 0: no cut explains a difference.
    void add(const SystolicLayer& layer, std::uint64_t model, std::uint64_t reference,
             std::uint64_t cutCycles = 0) {
        model_ += real(model * layer.repeat);
        reference_ += real(reference * layer.repeat);
        ++layers_;
        if (model == reference) {
            ++equal_;
        } else if (cutCycles != 0 && model > reference && (model - reference) % cutCycles == 0) {
            ++cut_;
            cutLayers_ += fmt::format(", {} in {} tiles", layer.name,
                                      1 + (model - reference) / cutCycles);
        } else if (firstDifference_.empty()) {
            firstDifference_ = fmt::format(", first {}: {} for {}", layer.name, model, reference);
        }
    }
    void addFailure(const SystolicLayer& layer, const std::string& error) {
        ++layers_;
        firstDifference_ = fmt::format(", {}: {}", layer.name, error);
    }

    Check check(const SystolicTable& table, const char* quantity) const {
        return {.rung = kSystolicRung,
                .subject = subjectOf(table),
                .quantity = quantity,
                .model = model_,
                .reference = reference_,
                .isExplained = cut_ != 0,
                .note = fmt::format("{} of {} layers equal{}{}", equal_, layers_, cutLayers_,
                                    firstDifference_),
                .isBroken = equal_ + cut_ != layers_};
    }

  private:
    double model_ = 0, reference_ = 0;
    std::size_t layers_ = 0, equal_ = 0, cut_ = 0;
    std::string firstDifference_, cutLayers_;
};

Check closedFormCheck(const SystolicTable& table) {
    const hw::MacConfig mac = loadConfig(table.configName()).mac;
    LayerSum sum;
    for (const SystolicLayer& layer : table.layers) {
        sum.add(layer, hw::gemmCycles(mac, layer.shape.gemm()), layer.macCycles);
    }
    return sum.check(table, "MAC cycles, closed form");
}

/// The additional cycles of the fill of every fold.
std::uint64_t refillCycles(const hw::MacConfig& mac, const hw::GemmShape& gemm) {
    const std::uint64_t oneRow = hw::gemmCycles(mac, {.m = 1, .n = gemm.n, .k = gemm.k});
    const std::uint64_t twoRows = hw::gemmCycles(mac, {.m = 2, .n = gemm.n, .k = gemm.k});
    return oneRow - (twoRows - oneRow);
}

Check deviceCheck(const SystolicTable& table, const SystolicRuns& runs) {
    const hw::MacConfig mac = loadConfig(table.configName()).mac;
    const bool canPayForCuts = table.dataflow == hw::Dataflow::kWeightStationary;
    LayerSum sum;
    for (const SystolicLayer& layer : table.layers) {
        const Measurement& run = runs.of(table, layer);
        if (run.error.empty()) {
            sum.add(layer, run.macActiveCycles, layer.macCycles,
                    canPayForCuts ? refillCycles(mac, layer.shape.gemm()) : 0);
        } else {
            sum.addFailure(layer, run.error);
        }
    }
    return sum.check(table, "MAC cycles, device");
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

/// A check of the total cycles of a limited table; `runOf(i)` is the run of layer `i`, and
/// `account(layer, run, repeat)` sums up what the note needs.
template <typename RunOf, typename Account>
Check totalCheck(const SystolicTable& table, const char* quantity, const RunOf& runOf,
                 const Account& account) {
    Check check{.rung = kSystolicRung,
                .subject = subjectOf(table),
                .quantity = quantity,
                .tolerance = kTotalTolerance};
    for (std::size_t i = 0; i < table.layers.size(); ++i) {
        const SystolicLayer& layer = table.layers[i];
        const Measurement& run = runOf(i);
        if (!run.error.empty()) {
            return check.broken(fmt::format("{}: {}", layer.name, run.error));
        }
        const double repeat = real(layer.repeat);
        check.model += repeat * real(run.cycles);
        check.reference += repeat * real(layer.totalCycles);
        account(layer, run, repeat);
    }
    return check;
}

Check limitedCheck(const SystolicTable& table, const SystolicRuns& runs) {
    double words = 0.0, bytes = 0.0, ofTraffic = 0.0;
    Check check = totalCheck(
            table, "total cycles, device",
            [&](std::size_t i) -> const Measurement& { return runs.of(table, table.layers[i]); },
            [&](const SystolicLayer& layer, const Measurement& run, double repeat) {
                words += repeat * real(layer.inputWords + layer.filterWords + layer.outputWords);
                bytes += repeat * real(run.bytesRead + run.bytesWritten);
                ofTraffic += repeat * cyclesOfTraffic(layer);
            });
    if (check.isBroken) {
        return check;
    }
    const double explanation = ofTraffic / check.reference;
    check.isExplained = std::abs(explanation - 1.0) <= kTotalTolerance && words > bytes;
    check.note = fmt::format(
            "moves {:.1f} MB, the reference {:.1f} MB, which take {:.1f} % of its total at these "
            "interfaces",
            bytes * 1e-6, words * 1e-6, 100.0 * explanation);
    return check;
}

/// Compares the device on the words of the reference: whether channels and array overlap as in the
/// reference.
Check wordsCheck(const SystolicTable& table, const std::vector<Measurement>& runs) {
    double macCycles = 0.0;
    Check check = totalCheck(
            table, "total cycles, device, reference's words",
            [&](std::size_t i) -> const Measurement& { return runs[i]; },
            [&](const SystolicLayer& /*layer*/, const Measurement& run, double repeat) {
                macCycles += repeat * real(run.macActiveCycles);
            });
    if (!check.isBroken) {
        check.note = fmt::format("array {:.0f} % of the time", 100.0 * macCycles / check.model);
    }
    return check;
}

}  // namespace

RungResult runSystolicRung(const RungContext& context) {
    RungResult result;
    std::vector<SystolicTable> tables;
    if (context.references.empty()) {
        tables = builtInSystolicTables();
        result.notes.emplace_back(
                "systolic: the tables are not here (VNPU_SHARED), so a few layers worked out by "
                "hand stand for them");
    } else {
        tables = loadSystolicTables(context.references);
    }
    const SystolicRuns runs(tables, context);
    std::size_t limited = 0;
    for (const SystolicTable& table : tables) {
        if (table.isLimited) {
            result.checks.push_back(wordsCheck(table, runs.wordRuns()[limited++]));
            result.checks.push_back(limitedCheck(table, runs));
        } else {
            result.checks.push_back(closedFormCheck(table));
            result.checks.push_back(deviceCheck(table, runs));
        }
    }
    return result;
}

}  // namespace vnpu::sim
