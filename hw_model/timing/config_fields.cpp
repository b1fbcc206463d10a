// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/config_fields.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <type_traits>
#include <utility>

#include "hw_model/regs/page_table.h"

namespace vnpu::hw {
namespace {

// The first value out of its range. A NaN is in no range.
std::string checkRanges(const NpuConfig& config) {
    std::string error;
    visitConfigFields(config, [&](const ConfigField& field, const auto& value) {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_enum_v<Value>) {
            const auto& choices = choicesOf(value);
            const auto number = static_cast<std::size_t>(value);
            if (error.empty() && number >= std::size(choices)) {
                error = fmt::format("{} is number {}, expected one of {}", field.path(), number,
                                    fmt::join(choices, ", "));
            }
        } else if constexpr (std::is_arithmetic_v<Value>) {
            const auto number = static_cast<double>(value);
            const bool isWithin = number >= field.range.least && number <= field.range.most;
            if (error.empty() && !isWithin) {
                error = fmt::format("{} is {}, expected {} to {}", field.path(), value,
                                    field.range.least, field.range.most);
            }
        }
    });
    return error;
}

// Refresh and rows; each may be absent.
std::string checkDramAggregates(const DramConfig& c) {
    if (c.refreshCycles > 0 && c.refreshCycles >= c.refreshIntervalCycles) {
        return fmt::format(
                "dram.refresh_cycles is {}, expected less than the {} of refresh_interval_cycles",
                c.refreshCycles, c.refreshIntervalCycles);
    }
    if (c.banks == 0 && (c.rowBytes != 0 || c.rowMissCycles != 0)) {
        return fmt::format("dram.banks is 0, expected some for rows of {} bytes and {} cycles",
                           c.rowBytes, c.rowMissCycles);
    }
    if (c.banks != 0 && !std::has_single_bit(c.rowBytes)) {
        return fmt::format("dram.row_bytes is {}, expected a power of two", c.rowBytes);
    }
    return {};
}

std::string checkDramTimings(const DramBankConfig& c) {
    const std::pair<const char*, double> timings[] = {{"t_rcd_cycles", c.tRcdCycles},
                                                      {"t_rp_cycles", c.tRpCycles},
                                                      {"t_cl_cycles", c.tClCycles},
                                                      {"t_ras_cycles", c.tRasCycles}};
    for (const auto& [key, cycles] : timings) {
        if (cycles == 0) {
            return fmt::format("dram.{} is 0, expected more with model = \"banked\"", key);
        }
    }
    return {};
}

// The powers of two that divide an address.
std::string checkDramGeometry(const DramConfig& c) {
    const DramBankConfig& bank = c.bank;
    if (!std::has_single_bit(c.banks)) {
        return fmt::format("dram.banks is {}, expected a power of two with model = \"banked\"",
                           c.banks);
    }
    if (!std::has_single_bit(bank.bankGroups) || bank.bankGroups > c.banks) {
        return fmt::format("dram.bank_groups is {}, expected a power of two up to the {} banks",
                           bank.bankGroups, c.banks);
    }
    if (!std::has_single_bit(bank.burstBytes) || bank.burstBytes > c.rowBytes) {
        return fmt::format(
                "dram.burst_bytes is {}, expected a power of two up to the {} of row_bytes",
                bank.burstBytes, c.rowBytes);
    }
    if (!std::has_single_bit(bank.interleaveBytes) || bank.interleaveBytes < bank.burstBytes) {
        return fmt::format(
                "dram.interleave_bytes is {}, expected a power of two from the {} of "
                "burst_bytes on",
                bank.interleaveBytes, bank.burstBytes);
    }
    return {};
}

std::string checkBankedDram(const DramConfig& c) {
    if (c.rowMissCycles != 0) {
        return fmt::format(
                "dram.row_miss_cycles is {}, expected 0 with model = \"banked\", whose misses "
                "follow from t_rp_cycles and t_rcd_cycles",
                c.rowMissCycles);
    }
    std::string error = checkDramGeometry(c);
    if (error.empty()) {
        error = checkDramTimings(c.bank);
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
                "dram.refresh_interval_cycles is {}, expected 0 or at least {:g}, twice a refresh "
                "and the timings of a row",
                c.refreshIntervalCycles, 2 * least);
    }
    return {};
}

std::string checkDram(const DramConfig& c) {
    std::string error = checkDramAggregates(c);
    return error.empty() && c.model == DramModel::kBanked ? checkBankedDram(c) : error;
}

// Levels must decrease, to not less than a hundredth: this keeps the model's arithmetic far from
// its limits, and real clocks are within that range, too.
std::string checkLevels(const NpuConfig& c) {
    constexpr std::uint32_t kMostRatio = 100;
    const std::pair<const char*, std::uint32_t> levels[] = {
            {"power.level1_khz", c.power.level1Khz},
            {"power.level2_khz", c.power.level2Khz},
            {"power.level3_khz", c.power.level3Khz}};
    std::uint32_t above = c.clockKhz;
    for (const auto& [key, khz] : levels) {
        if (khz != 0 && above == 0) {
            return fmt::format("{} is {}, expected 0 behind a level that is not there", key, khz);
        }
        if (khz != 0 && (khz >= above || khz < c.clockKhz / kMostRatio)) {
            return fmt::format("{} is {}, expected 0 or {} to {}", key, khz,
                               c.clockKhz / kMostRatio, above - 1);
        }
        above = khz;
    }
    const std::size_t count = clockLevelsKhz(c).size();
    if (c.power.sustainedLevel >= count) {
        return fmt::format("power.sustained_level is {}, expected 0 to {}, the slowest level",
                           c.power.sustainedLevel, count - 1);
    }
    return {};
}

// Checks relations that single ranges do not cover.
std::string checkRelations(const NpuConfig& c) {
    if (c.name.empty()) {
        return "name is empty, expected the configuration's name";
    }
    const std::uint64_t sramBytes = std::uint64_t{c.sram.kib} * 1024;
    if (sramBytes % c.sram.banks != 0) {
        return fmt::format("sram.banks is {}, expected a divisor of the {} bytes of sram.kib",
                           c.sram.banks, sramBytes);
    }
    constexpr std::uint32_t kPageKib = kPageBytes / 1024;
    if (c.sram.residentKib % kPageKib != 0) {
        return fmt::format(
                "sram.resident_kib is {}, expected a multiple of the MMU's page of {} KiB",
                c.sram.residentKib, kPageKib);
    }
    if (c.mac.tapsApart && c.mac.dataflow != Dataflow::kWeightStationary) {
        return "mac.taps_apart is true, expected false where mac.dataflow is not weight-stationary";
    }
    if (c.mac.winograd && c.mac.dataflow != Dataflow::kBroadcast) {
        return "mac.winograd is true, expected false where mac.dataflow is not broadcast";
    }
    if (!std::has_single_bit(c.dma.burstBytes)) {
        return fmt::format("dma.burst_bytes is {}, expected a power of two", c.dma.burstBytes);
    }
    if (c.dma.chunkBytes % c.dma.burstBytes != 0) {
        return fmt::format(
                "dma.chunk_bytes is {}, expected a multiple of the {} of dma.burst_bytes",
                c.dma.chunkBytes, c.dma.burstBytes);
    }
    std::string error = checkDram(c.dram);
    if (error.empty() && c.energy.asleepMw > c.energy.awakeMw + c.energy.clockMw) {
        error = fmt::format(
                "energy.asleep_mw is {}, expected at most the {} of awake_mw and clock_mw",
                c.energy.asleepMw, c.energy.awakeMw + c.energy.clockMw);
    }
    return error.empty() ? checkLevels(c) : error;
}

}  // namespace

std::string findConfigError(const NpuConfig& config) {
    std::string error = checkRanges(config);
    return error.empty() ? checkRelations(config) : error;
}

}  // namespace vnpu::hw
