// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/npu_config.h"

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <utility>

#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::hw {
namespace {

struct Range {
    const char* key;
    std::uint64_t value;
    std::uint64_t low;
    std::uint64_t high;
};

std::string checkRanges(const NpuConfig& c) {
    constexpr std::uint64_t kLatency = 1'000'000;  // chosen: beyond any memory, short of overflow
    constexpr std::uint64_t kWidth = 65'536;  // chosen: bytes or lanes per cycle of any bus or unit
    constexpr std::uint64_t kDspWidth = 4095;         // fields of CONFIG_DSP and CONFIG_DSP_MACS
    constexpr std::uint64_t kCostNs = 1'000'000'000;  // chosen: one second for one host step
    constexpr std::uint64_t kPowerNs =
            10'000'000;  // chosen: a tenth of the silence after which drivers assume a dead device
    const Range ranges[] = {
            {"clockKhz", c.clockKhz, 1, 10'000'000},
            {"mac.rows", c.mac.rows, 1, 4095},
            {"mac.columns", c.mac.columns, 1, 4095},
            {"mac.dataflow", static_cast<std::uint64_t>(c.mac.dataflow), 0, 2},
            {"mac.floatDivisor", c.mac.floatDivisor, 1, 1024},
            {"mac.outputLanes", c.mac.outputLanes, 1, kWidth},
            {"mac.accumulatorKib", c.mac.accumulatorKib, 1, 1'048'576},
            {"mac.depthwiseColumns", c.mac.depthwiseColumns, 0, 4095},
            {"sram.kib", c.sram.kib, 1, 2'097'152},
            {"sram.banks", c.sram.banks, 1, 1024},
            {"sram.portBytes", c.sram.portBytes, 1, kWidth},
            {"sram.residentKib", c.sram.residentKib, 0, 65'535},  // CONFIG_RESIDENT.KIB
            {"vector.lanes8", c.vector.lanes8, 1, kWidth},
            {"vector.lanes32", c.vector.lanes32, 1, kWidth},
            {"vector.startupCycles", c.vector.startupCycles, 0, kLatency},
            {"vector.exponentialCycles", c.vector.exponentialCycles, 1, 1024},
            {"dsp.lanes8", c.dsp.lanes8, 1, kDspWidth},
            {"dsp.lanes32", c.dsp.lanes32, 1, kDspWidth},
            {"dsp.macs8", c.dsp.macs8, 1, kDspWidth},
            {"dsp.macsFloat", c.dsp.macsFloat, 1, kDspWidth},
            {"dsp.startupCycles", c.dsp.startupCycles, 0, kLatency},
            {"dsp.exponentialCycles", c.dsp.exponentialCycles, 1, 1024},
            {"dsp.scalarCycles", c.dsp.scalarCycles, 1, 1024},
            {"dsp.bytesPerCycle", c.dsp.bytesPerCycle, 1, 65'535},  // CONFIG_DSP_PORT
            {"dsp.yieldCycles", c.dsp.yieldCycles, 0, 1'000'000'000},
            {"dsp.stateBytes", c.dsp.stateBytes, 0, kMaxDspStateBytes},
            {"dma.bytesPerCycle", c.dma.bytesPerCycle, 1, kWidth},
            {"dma.chunkBytes", c.dma.chunkBytes, 16, 1U << 24},
            {"dma.startupCycles", c.dma.startupCycles, 0, kLatency},
            {"dma.burstBytes", c.dma.burstBytes, 1, 4096},
            {"dma.loadsAhead", c.dma.loadsAhead, 0, 255},                // CONFIG_SRAM
            {"decoder.bytesPerCycle", c.decoder.bytesPerCycle, 0, 255},  // CONFIG_DMA
            {"decoder.startupCycles", c.decoder.startupCycles, 0, kLatency},
            {"dram.latencyCycles", c.dram.latencyCycles, 0, kLatency},
            {"dram.mib", c.dram.mib, 1, 1'048'576},
            {"dram.refreshIntervalCycles", c.dram.refreshIntervalCycles, 0, kLatency},
            {"dram.refreshCycles", c.dram.refreshCycles, 0, kLatency},
            {"dram.banks", c.dram.banks, 0, 1024},
            {"dram.rowBytes", c.dram.rowBytes, 0, 1'048'576},
            {"dram.rowMissCycles", c.dram.rowMissCycles, 0, kLatency},
            {"dram.channels", c.dram.bank.channels, 1, 64},
            {"dram.bankGroups", c.dram.bank.bankGroups, 1, 64},
            {"dram.burstBytes", c.dram.bank.burstBytes, 1, 4096},
            {"dram.interleaveBytes", c.dram.bank.interleaveBytes, 1, 1'048'576},
            {"dram.queueBursts", c.dram.bank.queueBursts, 1, 1024},
            {"interconnect.bytesPerCycle", c.interconnect.bytesPerCycle, 1, kWidth},
            {"interconnect.latencyCycles", c.interconnect.latencyCycles, 0, kLatency},
            {"mmu.tlbEntries", c.mmu.tlbEntries, 1, 1'048'576},
            {"mmu.walkLevelCycles", c.mmu.walkLevelCycles, 0, kLatency},
            {"mmu.walkCacheLines", c.mmu.walkCacheLines, 1, 1024},
            {"controller.registerCycles", c.controller.registerCycles, 0, kLatency},
            {"controller.localMemoryKib", c.controller.localMemoryKib, 1, 1'048'576},
            {"controller.engineQueueDepth", c.controller.engineQueueDepth, 1, 1024},
            {"controller.interruptCycles", c.controller.interruptCycles, 0, kLatency},
            {"power.level1Khz", c.power.level1Khz, 0, 10'000'000},
            {"power.level2Khz", c.power.level2Khz, 0, 10'000'000},
            {"power.level3Khz", c.power.level3Khz, 0, 10'000'000},
            {"power.sustainedLevel", c.power.sustainedLevel, 0, kMaxClockLevels - 1},
            {"power.switchNs", c.power.switchNs, 0, kPowerNs},
            {"power.autosuspendUs", c.power.autosuspendUs, 0, 1'000'000'000},
            {"power.suspendNs", c.power.suspendNs, 0, kPowerNs},
            {"power.resumeNs", c.power.resumeNs, 0, kPowerNs},
            {"host.registerReadNs", c.host.registerReadNs, 0, kCostNs},
            {"host.registerWriteNs", c.host.registerWriteNs, 0, kCostNs},
            {"host.interruptNs", c.host.interruptNs, 0, kCostNs},
            {"host.submitNs", c.host.submitNs, 0, kCostNs},
            {"host.completeNs", c.host.completeNs, 0, kCostNs},
    };
    for (const Range& range : ranges) {
        if (range.value < range.low || range.value > range.high) {
            return fmt::format("{} is {}, expected {} to {}", range.key, range.value, range.low,
                               range.high);
        }
    }
    return {};
}

// The comparisons are written so that a NaN fails them.
std::string checkEnergy(const EnergyConfig& c) {
    constexpr double kMost = 1e6;  // chosen: a microjoule for one step, a kilowatt; short of slips
    const std::pair<const char*, double> prices[] = {
            {"energy.mac8Pj", c.mac8Pj},
            {"energy.macFloatPj", c.macFloatPj},
            {"energy.vectorOp8Pj", c.vectorOp8Pj},
            {"energy.vectorOpFloatPj", c.vectorOpFloatPj},
            {"energy.dspOp8Pj", c.dspOp8Pj},
            {"energy.dspOpFloatPj", c.dspOpFloatPj},
            {"energy.dspCyclePj", c.dspCyclePj},
            {"energy.accumulatorBytePj", c.accumulatorBytePj},
            {"energy.sramBytePj", c.sramBytePj},
            {"energy.residentBytePj", c.residentBytePj},
            {"energy.interconnectBytePj", c.interconnectBytePj},
            {"energy.dramBytePj", c.dramBytePj},
            {"energy.controllerCyclePj", c.controllerCyclePj},
            {"energy.awakeMw", c.awakeMw},
            {"energy.clockMw", c.clockMw},
            {"energy.asleepMw", c.asleepMw},
    };
    for (const auto& [key, price] : prices) {
        if (!(price >= 0.0 && price <= kMost)) {
            return fmt::format("{} is {}, expected 0 to {}", key, price, kMost);
        }
    }
    if (c.asleepMw > c.awakeMw + c.clockMw) {
        return fmt::format(
                "energy.asleepMw is {}, expected at most the {} of awake_mw and clock_mw",
                c.asleepMw, c.awakeMw + c.clockMw);
    }
    return {};
}

struct DramTiming {
    const char* key;
    double cycles;
    bool mayBeZero;
};

// Refresh, rows and background load; each may be absent.
std::string checkDramAggregates(const DramConfig& c) {
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

std::string checkDramTimings(const DramBankConfig& c) {
    constexpr double kMost = 10'000;  // chosen: beyond any DRAM, short of overflow
    const DramTiming timings[] = {
            {"tRcdCycles", c.tRcdCycles, false},  {"tRpCycles", c.tRpCycles, false},
            {"tClCycles", c.tClCycles, false},    {"tCwlCycles", c.tCwlCycles, true},
            {"tRasCycles", c.tRasCycles, false},  {"tRrdCycles", c.tRrdCycles, true},
            {"tRrdLCycles", c.tRrdLCycles, true}, {"tFawCycles", c.tFawCycles, true},
            {"tCcdLCycles", c.tCcdLCycles, true}, {"tRtpCycles", c.tRtpCycles, true},
            {"tWrCycles", c.tWrCycles, true},     {"tWtrCycles", c.tWtrCycles, true},
            {"tRtwCycles", c.tRtwCycles, true},
    };
    for (const DramTiming& timing : timings) {
        const bool isThere = timing.cycles > 0 || (timing.mayBeZero && timing.cycles == 0);
        if (!isThere || !(timing.cycles <= kMost)) {
            return fmt::format("dram.{} is {}, expected {} {} with model = \"banked\"", timing.key,
                               timing.cycles, timing.mayBeZero ? "0 to" : "more than 0, up to",
                               kMost);
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

std::string checkBankedDram(const DramConfig& c) {
    if (c.rowMissCycles != 0) {
        return fmt::format(
                "dram.rowMissCycles is {}, expected 0 with model = \"banked\", whose misses follow "
                "from t_rp_cycles and t_rcd_cycles",
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
                "dram.refreshIntervalCycles is {}, expected 0 or at least {:g}, twice a refresh "
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
    const std::pair<const char*, std::uint32_t> levels[] = {{"power.level1Khz", c.power.level1Khz},
                                                            {"power.level2Khz", c.power.level2Khz},
                                                            {"power.level3Khz", c.power.level3Khz}};
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
        return fmt::format("power.sustainedLevel is {}, expected 0 to {}, the slowest level",
                           c.power.sustainedLevel, count - 1);
    }
    return {};
}

// Checks relations that single ranges do not cover.
std::string checkRelations(const NpuConfig& c) {
    if (c.name.empty()) {
        return "name is empty, expected the configuration's name";
    }
    // The comparison is written so that a NaN fails it.
    if (!(c.dram.bytesPerCycle >= 0.001 && c.dram.bytesPerCycle <= 65'536.0)) {
        return fmt::format("dram.bytesPerCycle is {}, expected 0.001 to 65536",
                           c.dram.bytesPerCycle);
    }
    const std::uint64_t sramBytes = std::uint64_t{c.sram.kib} * 1024;
    if (sramBytes % c.sram.banks != 0) {
        return fmt::format("sram.banks is {}, expected a divisor of the {} bytes of sram.kib",
                           c.sram.banks, sramBytes);
    }
    constexpr std::uint32_t kPageKib = kPageBytes / 1024;
    if (c.sram.residentKib % kPageKib != 0) {
        return fmt::format(
                "sram.residentKib is {}, expected a multiple of the MMU's page of {} KiB",
                c.sram.residentKib, kPageKib);
    }
    if (c.mac.tapsApart && c.mac.dataflow != Dataflow::kWeightStationary) {
        return "mac.tapsApart is true, expected false where mac.dataflow is not weight_stationary";
    }
    if (c.mac.winograd && c.mac.dataflow != Dataflow::kBroadcast) {
        return "mac.winograd is true, expected false where mac.dataflow is not broadcast";
    }
    if (!std::has_single_bit(c.dma.burstBytes)) {
        return fmt::format("dma.burstBytes is {}, expected a power of two", c.dma.burstBytes);
    }
    if (c.dma.chunkBytes % c.dma.burstBytes != 0) {
        return fmt::format("dma.chunkBytes is {}, expected a multiple of the {} of dma.burstBytes",
                           c.dma.chunkBytes, c.dma.burstBytes);
    }
    std::string error = checkDram(c.dram);
    if (error.empty()) {
        error = checkEnergy(c.energy);
    }
    return error.empty() ? checkLevels(c) : error;
}

}  // namespace

std::vector<std::uint32_t> clockLevelsKhz(const NpuConfig& config) {
    std::vector<std::uint32_t> levels = {config.clockKhz};
    for (const std::uint32_t khz :
         {config.power.level1Khz, config.power.level2Khz, config.power.level3Khz}) {
        if (khz == 0) {
            break;
        }
        levels.push_back(khz);
    }
    return levels;
}

std::uint64_t deviceCycles(const NpuConfig& config, std::uint64_t nanoseconds) {
    constexpr std::uint64_t kKhzNs = 1'000'000;  // duration of a cycle at 1 kHz
    return divideUp(nanoseconds * config.clockKhz, kKhzNs);
}

std::string findConfigError(const NpuConfig& config) {
    std::string error = checkRanges(config);
    return error.empty() ? checkRelations(config) : error;
}

}  // namespace vnpu::hw
