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

double bankedBurstCycles(const DramConfig& config) {
    return config.bank.burstBytes * config.bank.channels / config.bytesPerCycle;
}

// From the first to the last activation if all banks open a row.
double allActivationsCycles(const DramConfig& config) {
    const DramBankConfig& bank = config.bank;
    const std::uint32_t fours = (config.banks - 1) / 4;
    return fours * std::max(bank.tFawCycles, 4 * bank.tRrdCycles) +
           (config.banks - 1) % 4 * bank.tRrdCycles;
}

// Device cycles in which a channel streams the rows of all its banks once, without refresh.
double bankedSweepCycles(const DramConfig& config) {
    const DramBankConfig& bank = config.bank;
    const double burst = bankedBurstCycles(config);
    const double bursts = static_cast<double>(config.rowBytes) / bank.burstBytes;
    const double banks = config.banks;
    if (bank.mapping == DramMapping::kRowColumnBank) {
        // All banks change their rows at once: from the last burst of the first bank's old row to
        // the first one of the last bank's new row, against the bursts that lie between them.
        const double change =
                bank.tRtpCycles + bank.tRpCycles + bank.tRcdCycles + allActivationsCycles(config);
        return banks * bursts * burst + std::max(0.0, change - (2 * banks - 1) * burst);
    }
    const double pitch = bank.bankGroups > 1 ? std::max(burst, bank.tCcdLCycles) : burst;
    return banks * ((bursts - 1) * pitch + burst);
}

// Device cycles that a stream loses to a refresh.
double bankedRefreshCycles(const DramConfig& config) {
    const DramBankConfig& bank = config.bank;
    const double lost = config.refreshCycles + bank.tRpCycles + bank.tRcdCycles;
    if (bank.mapping != DramMapping::kRowColumnBank) {
        return lost;
    }
    return lost + std::max(0.0, allActivationsCycles(config) -
                                        (config.banks - 1) * bankedBurstCycles(config));
}

double bankedStreamRate(const DramConfig& config) {
    const double bytes = static_cast<double>(config.banks) * config.rowBytes * config.bank.channels;
    const double lost = config.refreshIntervalCycles == 0
                                ? 0.0
                                : bankedRefreshCycles(config) / config.refreshIntervalCycles;
    return bytes / bankedSweepCycles(config) * (1.0 - lost);
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
