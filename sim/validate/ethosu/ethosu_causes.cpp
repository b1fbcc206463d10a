// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/ethosu/ethosu_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "hw_model/timing/mac_timing.h"
#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

constexpr double kBiasBytes = 4.0;  // source: NNAPI, biases are TENSOR_INT32
constexpr std::size_t kCostsNamed = 3;

std::string_view limitOf(const OperationParts& parts) {
    return parts.engine > parts.memory ? "our array" : "our transfers";
}

/// Differences of operations, by the part that determines the longer of the two.
class Costs {
  public:
    void add(std::string_view name, double cycles) {
        const auto found = std::find_if(costs_.begin(), costs_.end(),
                                        [&](const auto& cost) { return cost.first == name; });
        if (found == costs_.end()) {
            costs_.emplace_back(name, cycles);
        } else {
            found->second += cycles;
        }
    }
    std::string largest(double ofCycles) {
        std::stable_sort(costs_.begin(), costs_.end(), [](const auto& a, const auto& b) {
            return std::abs(a.second) > std::abs(b.second);
        });
        std::string text;
        for (std::size_t i = 0; i < std::min(kCostsNamed, costs_.size()); ++i) {
            const double percent = 100.0 * costs_[i].second / ofCycles;
            if (std::abs(percent) >= 1.0) {
                text += fmt::format("{}{} {:+.0f} %", i == 0 ? "" : ", ", costs_[i].first, percent);
            }
        }
        return text;
    }

  private:
    std::vector<std::pair<std::string_view, double>> costs_;
};

std::string costsOf(const EthosUNetwork& network, const std::vector<VelaCycles>& vela,
                    const std::vector<OperationParts>& parts, double runCycles) {
    Costs costs;
    for (std::size_t i = 0; i < vela.size(); ++i) {
        const OperationParts& part = parts[network.velaLayers[i].operation];
        const double theirs = vela[i].total();
        costs.add(theirs > part.cycles() ? velaLimitName(vela[i].limit()) : limitOf(part),
                  theirs - part.cycles());
    }
    return costs.largest(runCycles);
}

/// What a device moves that loads everything once.
double leastBytes(const EthosUNetwork& network) {
    auto bytes = real(network.borderBytes);
    for (const LayerParameters& layer : network.layers) {
        bytes += real(layer.weightBytes()) * network.codedShare + kBiasBytes * real(layer.kernels);
    }
    return bytes;
}

}  // namespace

double ethosUArrayCycles(const LayerParameters& layer, const hw::MacConfig& mac) {
    if (layer.kernels == 0) {
        return 0.0;
    }
    hw::MacConfig array = mac;
    if (layer.isDepthwise && mac.depthwiseColumns != 0) {
        array.columns = mac.depthwiseColumns;
    }
    return real(hw::gemmCycles(array, {.m = layer.rows * layer.columns,
                                       .n = layer.kernels,
                                       .k = layer.channels * layer.taps()}));
}

EthosUCauses explainEthosU(const EthosUNetwork& network, const std::vector<VelaCycles>& vela,
                           const hw::NpuConfig& device, const Measurement& run) {
    EthosUCauses causes;
    if (run.operations.size() != network.layers.size()) {
        return causes;
    }
    double serial = 0.0, engine = 0.0, memory = 0.0, array = 0.0;
    std::vector<OperationParts> parts;
    for (std::size_t i = 0; i < run.operations.size(); ++i) {
        parts.push_back(partsOf(run.operations[i], device.dram.bytesPerCycle));
        serial += parts.back().cycles();
        engine += parts.back().engine;
        memory += parts.back().memory;
        array += ethosUArrayCycles(network.layers[i], device.mac);
    }
    const auto cycles = real(run.cycles);
    causes.serialRatio = serial / cycles;
    causes.overlappedRatio = std::max(engine, memory) / cycles;
    causes.arrayRatio = real(run.macActiveCycles) / array;
    causes.bytesRatio = real(run.bytesRead + run.bytesWritten) / leastBytes(network);
    causes.byVelaRules = velaTotal(vela) / causes.serialRatio;
    causes.isAccounted = causes.serialRatio >= 1.0 - kPartsTolerance &&
                         causes.overlappedRatio <= 1.0 + kPartsTolerance &&
                         std::abs(causes.arrayRatio - 1.0) <= kArrayExcess &&
                         std::abs(causes.bytesRatio - 1.0) <= kBytesExcess;
    causes.costs = costsOf(network, vela, parts, cycles);
    return causes;
}

}  // namespace vnpu::sim
