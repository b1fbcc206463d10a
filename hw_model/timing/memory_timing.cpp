// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/memory_timing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "hw_model/regs/rounding.h"

namespace vnpu::hw {

std::uint64_t transferCycles(double bytesPerCycle, std::uint64_t bytes) {
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(bytes) / bytesPerCycle));
}

std::uint64_t busBytes(const DmaConfig& config, std::uint64_t rows, std::uint64_t rowBytes) {
    const std::uint64_t burst = config.burstBytes;
    return rows * roundUp(rowBytes, burst);
}

double dramRefreshShare(const DramConfig& config) {
    return config.refreshIntervalCycles == 0
                   ? 0.0
                   : static_cast<double>(config.refreshCycles) / config.refreshIntervalCycles;
}

namespace {

double bankedStreamRate(const DramConfig& config) {
    const DramBankConfig& bank = config.bank;
    double rate = config.bytesPerCycle;
    if (bank.bankGroups > 1 && bank.mapping != DramMapping::kRowColumnBank) {
        rate = std::min(rate, bank.burstBytes * bank.channels / bank.tCcdLCycles);
    }
    if (config.refreshIntervalCycles == 0) {
        return rate;
    }
    const double lost = config.refreshCycles + bank.tRpCycles + bank.tRcdCycles;
    return rate * (1.0 - lost / config.refreshIntervalCycles);
}

}  // namespace

double dramSustainedRate(const DramConfig& config) {
    return config.model == DramModel::kBanked
                   ? bankedStreamRate(config)
                   : config.bytesPerCycle * (1.0 - dramRefreshShare(config));
}

std::uint64_t dramLatencyCycles(const DramConfig& config) {
    const double opening = config.bank.tRcdCycles + config.bank.tClCycles;
    return config.latencyCycles + (config.model == DramModel::kBanked
                                           ? static_cast<std::uint64_t>(std::ceil(opening))
                                           : 0);
}

std::uint64_t dramRowVisits(const DramConfig& config, const DramRuns& runs) {
    if (config.banks == 0 || config.model == DramModel::kBanked || runs.runBytes == 0) {
        return 0;
    }
    std::uint64_t span = runs.runBytes;
    std::uint64_t times = 1;
    for (std::size_t d = 0; d < std::size(runs.counts); ++d) {
        const std::uint64_t count = runs.counts[d];
        const std::uint64_t stride = runs.strides[d];
        if (times == 1 && stride <= std::max<std::uint64_t>(config.rowBytes, span)) {
            span += (count - 1) * stride;
        } else {
            times *= count;
        }
    }
    return times * divideUp(span, config.rowBytes);
}

double dramRate(const DramConfig& config, std::uint64_t bytes, std::uint64_t visits) {
    if (config.model == DramModel::kBanked) {
        return config.bytesPerCycle;
    }
    const double sustained = dramSustainedRate(config);
    if (config.banks == 0 || visits <= 1) {
        return sustained;
    }
    const double data = static_cast<double>(bytes) / config.bytesPerCycle;
    const double misses = static_cast<double>(visits - 1) * config.rowMissCycles;
    return sustained * std::min(1.0, data * config.banks / (data + misses));
}

}  // namespace vnpu::hw
