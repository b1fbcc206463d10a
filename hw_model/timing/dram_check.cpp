// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/dram_check.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>

namespace vnpu::hw {

namespace {

struct Timing {
    const char* key;
    double cycles;
    bool mayBeZero;
};

// Refresh, rows and background load; each may be absent.
std::string checkAggregates(const DramConfig& c) {
    // chosen: above this the device stalls for longer than drivers wait
    constexpr double kMostBackground = 0.95;
    if (c.refreshCycles > 0 && c.refreshCycles >= c.refreshIntervalCycles) {
        return fmt::format(
                "dram.refreshCycles is {}, expected less than the {} of refresh_interval_cycles",
                c.refreshCycles, c.refreshIntervalCycles);
    }
    if (c.banks == 0 && (c.rowBytes != 0 || c.rowMissCycles != 0)) {
        return fmt::format("dram.banks is 0, expected some for rows of {} bytes and {} cycles",
                           c.rowBytes, c.rowMissCycles);
    }
    if (c.banks != 0 && !std::has_single_bit(c.rowBytes)) {
        return fmt::format("dram.rowBytes is {}, expected a power of two", c.rowBytes);
    }
    // The comparison is written so that a NaN fails it.
    if (!(c.background >= 0.0 && c.background <= kMostBackground)) {
        return fmt::format("dram.background is {}, expected 0 to {}", c.background,
                           kMostBackground);
    }
    return {};
}

std::string checkTimings(const DramBankConfig& c) {
    constexpr double kMost = 10'000;  // chosen: beyond any DRAM, short of overflow
    const Timing timings[] = {
            {"tRcdCycles", c.tRcdCycles, false},  {"tRpCycles", c.tRpCycles, false},
            {"tClCycles", c.tClCycles, false},    {"tCwlCycles", c.tCwlCycles, true},
            {"tRasCycles", c.tRasCycles, false},  {"tRrdCycles", c.tRrdCycles, true},
            {"tRrdLCycles", c.tRrdLCycles, true}, {"tFawCycles", c.tFawCycles, true},
            {"tCcdLCycles", c.tCcdLCycles, true}, {"tRtpCycles", c.tRtpCycles, true},
            {"tWrCycles", c.tWrCycles, true},     {"tWtrCycles", c.tWtrCycles, true},
            {"tRtwCycles", c.tRtwCycles, true},
    };
    for (const Timing& timing : timings) {
        const bool isThere = timing.cycles > 0 || (timing.mayBeZero && timing.cycles == 0);
        if (!isThere || !(timing.cycles <= kMost)) {
            return fmt::format("dram.{} is {}, expected {} {} with model = \"banked\"", timing.key,
                               timing.cycles, timing.mayBeZero ? "0 to" : "more than 0, up to",
                               kMost);
        }
    }
    return {};
}

// What divides an address.
std::string checkGeometry(const DramConfig& c) {
    const DramBankConfig& bank = c.bank;
    if (!std::has_single_bit(c.banks)) {
        return fmt::format("dram.banks is {}, expected a power of two with model = \"banked\"",
                           c.banks);
    }
    if (!std::has_single_bit(bank.bankGroups) || bank.bankGroups > c.banks) {
        return fmt::format("dram.bankGroups is {}, expected a power of two up to the {} banks",
                           bank.bankGroups, c.banks);
    }
    if (!std::has_single_bit(bank.burstBytes) || bank.burstBytes > c.rowBytes) {
        return fmt::format(
                "dram.burstBytes is {}, expected a power of two up to the {} of row_bytes",
                bank.burstBytes, c.rowBytes);
    }
    if (!std::has_single_bit(bank.interleaveBytes) || bank.interleaveBytes < bank.burstBytes) {
        return fmt::format(
                "dram.interleaveBytes is {}, expected a power of two from the {} of burst_bytes on",
                bank.interleaveBytes, bank.burstBytes);
    }
    return {};
}

std::string checkBanked(const DramConfig& c) {
    if (c.rowMissCycles != 0) {
        return fmt::format(
                "dram.rowMissCycles is {}, expected 0 with model = \"banked\", whose misses follow "
                "from t_rp_cycles and t_rcd_cycles",
                c.rowMissCycles);
    }
    std::string error = checkGeometry(c);
    if (error.empty()) {
        error = checkTimings(c.bank);
    }
    if (!error.empty() || c.refreshIntervalCycles == 0) {
        return error;
    }
    // A bank must close, be refreshed, open and deliver a burst before the next refresh is due.
    const DramBankConfig& bank = c.bank;
    const double burst = bank.burstBytes * bank.channels / c.bytesPerCycle;
    const double least = c.refreshCycles + bank.tRpCycles + bank.tRasCycles + bank.tRcdCycles +
                         bank.tCwlCycles + bank.tWrCycles + bank.tWtrCycles + bank.tFawCycles +
                         bank.tRtwCycles + bank.tClCycles + 2 * burst;
    if (c.refreshIntervalCycles < 2 * least) {
        return fmt::format(
                "dram.refreshIntervalCycles is {}, expected 0 or at least {:g}, twice a refresh "
                "and the timings of a row",
                c.refreshIntervalCycles, 2 * least);
    }
    return {};
}

}  // namespace

std::string findDramError(const DramConfig& config) {
    std::string error = checkAggregates(config);
    return error.empty() && config.model == DramModel::kBanked ? checkBanked(config) : error;
}

}  // namespace vnpu::hw
