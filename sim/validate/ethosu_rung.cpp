// SPDX-License-Identifier: Apache-2.0
// Cycles of small networks against those that Arm's compiler expects on Ethos-U.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "sim/config/load_config.h"
#include "sim/models/source.h"
#include "sim/validate/ethosu_causes.h"
#include "sim/validate/measurement.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr const char* kRung = "ethos-u";
constexpr double kTolerance = 0.30;  // source: the ladder's own demand

constexpr std::array kConfigs = {"u55-128", "u55-256", "u65-256", "u65-512"};

/// source: Vela, architecture_features.py: ofm_ublock, cores
struct MicroBlock {
    std::uint64_t rows, columns, cores;
};
constexpr std::array<MicroBlock, kConfigs.size()> kMicroBlocks = {
        {{1, 2, 1}, {2, 2, 1}, {2, 2, 1}, {2, 2, 2}}};

struct Row {
    const char* network;  // of the zoo
    std::array<std::uint64_t, kConfigs.size()> cycles;
    /// What a lossless code leaves of the weights at best: their entropy over 8 bits. source:
    /// counted in the published files of MLPerf Tiny and TensorFlow (README.md); 1: no file at hand
    double codedShare;
};

/// source: Arm Vela 3.10, performance estimates of its public model zoo's networks, total cycles;
/// system configurations Ethos_U55_High_End_Embedded and Ethos_U65_High_End
constexpr std::array<Row, 6> kRows = {
        {{"autoencoder", {201'248, 201'248, 67'591, 61'377}, 0.644},
         {"ds_cnn", {84'604, 51'430, 52'274, 35'172}, 0.944},
         {"mobilenet_v1_025_96", {220'831, 158'938, 250'129, 203'127}, 0.187},
         {"resnet8", {201'794, 141'623, 107'368, 72'020}, 0.914},
         {"mobilenet_v1_05_160", {1'870'506, 1'506'705, 1'164'348, 894'882}, 1.0},
         {"mobilenet_v2", {7'615'863, 5'417'955, 4'183'763, 3'061'837}, 0.785}}};

/// The runs of one device, in the order of kRows, with Vela's rules in the place of ours; 0 where
/// one has failed.
std::vector<double> velaCycles(const std::vector<std::vector<LayerParameters>>& layers,
                               std::size_t config, const std::vector<Measurement>& runs) {
    const hw::NpuConfig device = loadConfig(kConfigs.at(config));
    std::vector<double> cycles(runs.size());
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (runs[r].error.empty()) {
            cycles[r] = cyclesByVelaRules(
                    runs[r], layers[r],
                    {.codedShare = kRows.at(r).codedShare,
                     .bytesPerCycle = device.dram.bytesPerCycle,
                     .latencyCycles = static_cast<double>(device.dram.latencyCycles),
                     .microRows = kMicroBlocks.at(config).rows,
                     .microColumns = kMicroBlocks.at(config).columns,
                     .cores = kMicroBlocks.at(config).cores});
        }
    }
    return cycles;
}

Check cyclesCheck(const Row& row, std::size_t config, const Measurement& run, double byVelaRules) {
    Check check{.rung = kRung,
                .subject = fmt::format("{} on {}", row.network, kConfigs.at(config)),
                .quantity = "cycles",
                .model = static_cast<double>(run.cycles),
                .reference = static_cast<double>(row.cycles.at(config)),
                .tolerance = kTolerance};
    if (!run.error.empty()) {
        check.isBroken = true;
        check.note = run.error;
        return check;
    }
    check.note = fmt::format("array {:.0f} %, DRAM {} KB",
                             100.0 * static_cast<double>(run.macActiveCycles) / check.model,
                             (run.bytesRead + run.bytesWritten) / 1000);
    if (check.verdict() == Verdict::kFail) {
        const double ratio = byVelaRules / check.reference;
        check.isExplained = std::abs(ratio - 1.0) <= kTolerance;
        check.note += fmt::format(
                "; with weights coded to {:.2f} of their bytes and Vela's array and biases {:.2f} "
                "of the reference",
                row.codedShare, ratio);
    }
    return check;
}

/// So near each other in the reference that its own rounding may decide.
bool isTie(const Row& a, const Row& b, std::size_t config) {
    constexpr double kTie = 0.01;  // chosen: far below what separates models of one device
    const auto one = static_cast<double>(a.cycles.at(config));
    const auto other = static_cast<double>(b.cycles.at(config));
    return std::abs(one - other) <= kTie * std::max(one, other);
}

/// Pairs of networks that stand in the reference's order.
Check rankCheck(std::size_t config, const std::vector<Measurement>& runs,
                const std::vector<double>& byVelaRules) {
    Check check{.rung = kRung,
                .subject = fmt::format("pairs of networks on {}", kConfigs.at(config)),
                .quantity = "in the reference's order"};
    std::size_t inOrderByRules = 0;
    for (std::size_t a = 0; a < kRows.size(); ++a) {
        for (std::size_t b = a + 1; b < kRows.size(); ++b) {
            const bool isLess = kRows.at(a).cycles.at(config) < kRows.at(b).cycles.at(config);
            check.reference += 1.0;
            const bool isSame = (byVelaRules[a] < byVelaRules[b]) == isLess;
            inOrderByRules += isSame || isTie(kRows.at(a), kRows.at(b), config) ? 1 : 0;
            if ((runs[a].cycles < runs[b].cycles) == isLess) {
                check.model += 1.0;
            } else {
                check.note += fmt::format("{}{} and {}", check.note.empty() ? "not " : ", ",
                                          kRows.at(a).network, kRows.at(b).network);
            }
        }
    }
    check.isExplained = static_cast<double>(inOrderByRules) == check.reference;
    if (check.verdict() != Verdict::kPass) {
        check.note += fmt::format("; {} by Vela's rules, or ties within 1 %", inOrderByRules);
    }
    return check;
}

}  // namespace

RungResult runEthosURung(const RungContext& context) {
    std::vector<MeasureRequest> requests;
    for (const char* config : kConfigs) {
        requests.push_back({fmt::format("base = \"{}\"\n", config), {}});
        for (const Row& row : kRows) {
            requests.back().models.emplace_back(ZooModel{row.network, 1});
        }
    }
    const auto runs = measureAll(requests, context.pool, context.onProgress);
    std::vector<std::vector<LayerParameters>> layers;
    layers.reserve(kRows.size());
    for (const Row& row : kRows) {
        layers.push_back(layerParametersOf(
                loadNetwork(fmt::format("zoo:{}", row.network), {.zeroWeights = true})));
    }
    RungResult result;
    for (std::size_t config = 0; config < kConfigs.size(); ++config) {
        const std::vector<double> byVelaRules = velaCycles(layers, config, runs[config]);
        for (std::size_t row = 0; row < kRows.size(); ++row) {
            result.checks.push_back(
                    cyclesCheck(kRows.at(row), config, runs[config][row], byVelaRules[row]));
        }
        result.checks.push_back(rankCheck(config, runs[config], byVelaRules));
    }
    return result;
}

}  // namespace vnpu::sim
