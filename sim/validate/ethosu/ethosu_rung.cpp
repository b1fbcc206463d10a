// SPDX-License-Identifier: Apache-2.0
// Cycles of small networks compared with those that Arm's compiler expects on Ethos-U.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/validate/ethosu/ethosu_causes.h"
#include "sim/validate/ethosu/ethosu_reference.h"
#include "sim/validate/measurement.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr const char* kEthosURung = "ethos-u";
constexpr double kTolerance = 0.30;       // source: the ladder's own demand
constexpr double kRulesTolerance = 0.10;  // chosen: as for NVDLA's device
constexpr double kWeightBits = 8.0;

EthosUNetwork networkOf(const EthosURow& row) {
    const Network network = loadNetwork(fmt::format("zoo:{}", row.network), {.zeroWeights = true});
    EthosUNetwork result{layerParametersOf(network), velaLayersOf(network), 0, row.codedShare};
    for (const auto* tensors : {&network.inputs, &network.outputs}) {
        for (const TensorDescription& tensor : *tensors) {
            result.borderBytes += tensor.sizeBytes;
        }
    }
    return result;
}

Check rulesCheck(const EthosURow& row, std::size_t config, const std::vector<VelaCycles>& vela) {
    return {.rung = kEthosURung,
            .subject = fmt::format("{}, {}", row.network, kVelaAccelerators.at(config).config),
            .quantity = "cycles, Vela's rules",
            .model = velaTotal(vela),
            .reference = real(row.cycles.at(config)),
            .tolerance = kRulesTolerance};
}

Check cyclesCheck(const EthosURow& row, std::size_t config, const Measurement& run,
                  const EthosUCauses& causes) {
    Check check{
            .rung = kEthosURung,
            .subject = fmt::format("{} on {}", row.network, kVelaAccelerators.at(config).config),
            .quantity = "cycles, device",
            .model = real(run.cycles),
            .reference = real(row.cycles.at(config)),
            .tolerance = kTolerance};
    if (!run.error.empty()) {
        return check.broken(run.error);
    }
    check.note = fmt::format("array {:.0f} %, DRAM {} KB",
                             100.0 * real(run.macActiveCycles) / check.model,
                             (run.bytesRead + run.bytesWritten) / 1000);
    if (check.verdict() == Verdict::kFail) {
        const double ratio = causes.byVelaRules / check.reference;
        check.isExplained = causes.isAccounted && std::abs(ratio - 1.0) <= kTolerance;
        check.note += fmt::format(
                "; with Vela's costs {:.2f} of the reference: {} of the cycles; parts take {:.2f} "
                "to "
                "{:.2f} of them, array {:.2f} and bytes {:.2f} of the closed form",
                ratio, causes.costs, causes.overlappedRatio, causes.serialRatio, causes.arrayRatio,
                causes.bytesRatio);
    }
    return check;
}

/// Whether two numbers of the reference are so close that its rounding may decide their order.
bool isTie(const EthosURow& a, const EthosURow& b, std::size_t config) {
    constexpr double kTie = 0.01;  // chosen: far below what separates models of one device
    const auto one = real(a.cycles.at(config));
    const auto other = real(b.cycles.at(config));
    return std::abs(one - other) <= kTie * std::max(one, other);
}

/// Pairs of networks in the order of the reference.
Check rankCheck(std::size_t config, const std::vector<Measurement>& runs,
                const std::vector<EthosUCauses>& causes) {
    Check check{
            .rung = kEthosURung,
            .subject = fmt::format("pairs of networks on {}", kVelaAccelerators.at(config).config),
            .quantity = "in the reference's order"};
    std::size_t inOrderByRules = 0;
    bool areAccounted = true;  // the runs of pairs that are not in order
    for (std::size_t a = 0; a < kEthosURows.size(); ++a) {
        for (std::size_t b = a + 1; b < kEthosURows.size(); ++b) {
            const bool isLess =
                    kEthosURows.at(a).cycles.at(config) < kEthosURows.at(b).cycles.at(config);
            check.reference += 1.0;
            const bool isSame = (causes[a].byVelaRules < causes[b].byVelaRules) == isLess;
            inOrderByRules += isSame || isTie(kEthosURows.at(a), kEthosURows.at(b), config) ? 1 : 0;
            if ((runs[a].cycles < runs[b].cycles) == isLess) {
                check.model += 1.0;
            } else {
                areAccounted = areAccounted && causes[a].isAccounted && causes[b].isAccounted;
                check.note += fmt::format("{}{} and {}", check.note.empty() ? "not " : ", ",
                                          kEthosURows.at(a).network, kEthosURows.at(b).network);
            }
        }
    }
    check.isExplained = areAccounted && real(inOrderByRules) == check.reference;
    if (check.verdict() != Verdict::kPass) {
        check.note += fmt::format("; {} by Vela's rules, or ties within 1 %", inOrderByRules);
    }
    return check;
}

}  // namespace

RungResult runEthosURung(const RungContext& context) {
    std::vector<MeasureRequest> requests;
    for (const VelaAccelerator& accelerator : kVelaAccelerators) {
        requests.push_back({fmt::format("base = \"{}\"\n", accelerator.config), {}});
        for (const EthosURow& row : kEthosURows) {
            requests.back().models.emplace_back(
                    ZooModel{row.network, 1, kWeightBits * row.codedShare});
        }
    }
    const auto runs = measureAll(requests, context.pool, context.onProgress);
    std::vector<EthosUNetwork> networks;
    networks.reserve(kEthosURows.size());
    for (const EthosURow& row : kEthosURows) {
        networks.push_back(networkOf(row));
    }
    RungResult result;
    std::vector<Check> deviceChecks;
    for (std::size_t config = 0; config < kVelaAccelerators.size(); ++config) {
        const hw::NpuConfig device = loadConfig(kVelaAccelerators.at(config).config);
        std::vector<EthosUCauses> causes;
        for (std::size_t row = 0; row < kEthosURows.size(); ++row) {
            const Measurement& run = runs[config][row];
            const auto vela = velaCyclesOf(networks[row].velaLayers, kVelaAccelerators.at(config),
                                           kEthosURows.at(row).codedShare);
            result.checks.push_back(rulesCheck(kEthosURows.at(row), config, vela));
            causes.push_back(explainEthosU(networks[row], vela, device, run));
            deviceChecks.push_back(cyclesCheck(kEthosURows.at(row), config, run, causes.back()));
        }
        deviceChecks.push_back(rankCheck(config, runs[config], causes));
    }
    result.checks.insert(result.checks.end(), deviceChecks.begin(), deviceChecks.end());
    return result;
}

}  // namespace vnpu::sim
