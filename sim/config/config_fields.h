// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "hw_model/timing/npu_config.h"

namespace vnpu::sim {

/// Names of `mac.dataflow`, in the order of hw::Dataflow.
inline constexpr std::string_view kDataflowNames[] = {"weight-stationary", "output-stationary",
                                                      "broadcast"};

constexpr std::string_view nameOf(hw::Dataflow dataflow) {
    return kDataflowNames[static_cast<std::size_t>(dataflow)];
}

/// Names of `dram.model` and `dram.mapping`, in the order of hw::DramModel and hw::DramMapping.
inline constexpr std::string_view kDramModelNames[] = {"flat", "banked"};
inline constexpr std::string_view kDramMappingNames[] = {"row-bank-column", "row-column-bank",
                                                         "row-bank-column-xor"};

constexpr std::string_view nameOf(hw::DramModel model) {
    return kDramModelNames[static_cast<std::size_t>(model)];
}

constexpr std::string_view nameOf(hw::DramMapping mapping) {
    return kDramMappingNames[static_cast<std::size_t>(mapping)];
}

/// All names of an enumerator's type.
constexpr const auto& choicesOf(hw::Dataflow) {
    return kDataflowNames;
}

constexpr const auto& choicesOf(hw::DramModel) {
    return kDramModelNames;
}

constexpr const auto& choicesOf(hw::DramMapping) {
    return kDramMappingNames;
}

/// Whether a key has an effect only with dram.model = "banked".
inline bool isBankedKey(std::string_view table, std::string_view key) {
    constexpr std::string_view kKeys[] = {"model",       "channels",         "bank_groups",
                                          "burst_bytes", "interleave_bytes", "queue_bursts",
                                          "mapping"};
    const bool isNamed = std::ranges::find(kKeys, key) != std::end(kKeys);
    return (table == "dram" && (isNamed || key.starts_with("t_"))) ||
           (table == "mmu" && key == "walk_cache_lines");
}

/// Tables that a complete file may leave out.
inline bool isOptionalTable(std::string_view table) {
    return table == "energy" || table == "decoder";
}

/// Keys that a complete file may leave out.
inline bool isOptionalKey(std::string_view table, std::string_view key) {
    return isBankedKey(table, key) || key == "loads_ahead" || key == "pixel_reads" ||
           key == "keeps_results" || key == "taps_apart" ||
           (table == "dram" && (key.starts_with("refresh_") || key.starts_with("row_") ||
                                key == "banks" || key == "background"));
}

/// Calls `visit(table, key, value, unit)` for every number and flag of a configuration in the order
/// of the files; table is "" for the file's top level. This is the only place that pairs keys with
/// fields: loading and printing both use it. `Config` is hw::NpuConfig or const hw::NpuConfig.
template <typename Config, typename Visitor>
void visitConfigFields(Config& config, Visitor&& visit) {
    visit("", "name", config.name, "");
    visit("", "clock_khz", config.clockKhz, "kHz");
    visit("mac", "rows", config.mac.rows, "");
    visit("mac", "columns", config.mac.columns, "");
    visit("mac", "dataflow", config.mac.dataflow, "");
    visit("mac", "weight_double_buffer", config.mac.weightDoubleBuffer, "");
    visit("mac", "winograd", config.mac.winograd, "");
    visit("mac", "taps_apart", config.mac.tapsApart, "");
    visit("mac", "float_divisor", config.mac.floatDivisor, "cycles per 8-bit cycle");
    visit("mac", "output_lanes", config.mac.outputLanes, "elements/cycle");
    visit("mac", "accumulator_kib", config.mac.accumulatorKib, "KiB");
    visit("mac", "depthwise_columns", config.mac.depthwiseColumns, "channels, 0: as columns");
    visit("sram", "kib", config.sram.kib, "KiB");
    visit("sram", "banks", config.sram.banks, "");
    visit("sram", "port_bytes", config.sram.portBytes, "bytes/cycle");
    visit("sram", "resident_kib", config.sram.residentKib, "KiB");
    visit("sram", "keeps_results", config.sram.keepsResults, "");
    visit("vector", "lanes8", config.vector.lanes8, "elements/cycle");
    visit("vector", "lanes32", config.vector.lanes32, "elements/cycle");
    visit("vector", "startup_cycles", config.vector.startupCycles, "cycles");
    visit("vector", "exponential_cycles", config.vector.exponentialCycles, "cycles");
    visit("dsp", "lanes8", config.dsp.lanes8, "elements/cycle");
    visit("dsp", "lanes32", config.dsp.lanes32, "elements/cycle");
    visit("dsp", "macs8", config.dsp.macs8, "MACs/cycle");
    visit("dsp", "macs_float", config.dsp.macsFloat, "MACs/cycle");
    visit("dsp", "startup_cycles", config.dsp.startupCycles, "cycles");
    visit("dsp", "exponential_cycles", config.dsp.exponentialCycles, "cycles");
    visit("dsp", "scalar_cycles", config.dsp.scalarCycles, "cycles");
    visit("dsp", "bytes_per_cycle", config.dsp.bytesPerCycle, "bytes/cycle");
    visit("dsp", "yield_cycles", config.dsp.yieldCycles, "cycles, 0: never");
    visit("dsp", "state_bytes", config.dsp.stateBytes, "bytes");
    visit("dma", "bytes_per_cycle", config.dma.bytesPerCycle, "bytes/cycle");
    visit("dma", "chunk_bytes", config.dma.chunkBytes, "bytes");
    visit("dma", "startup_cycles", config.dma.startupCycles, "cycles");
    visit("dma", "burst_bytes", config.dma.burstBytes, "bytes");
    visit("dma", "loads_ahead", config.dma.loadsAhead, "operations");
    visit("dma", "pixel_reads", config.dma.pixelReads, "");
    visit("decoder", "bytes_per_cycle", config.decoder.bytesPerCycle, "bytes/cycle, 0: none");
    visit("decoder", "startup_cycles", config.decoder.startupCycles, "cycles");
    visit("dram", "model", config.dram.model, "");
    visit("dram", "bytes_per_cycle", config.dram.bytesPerCycle, "bytes/cycle");
    visit("dram", "latency_cycles", config.dram.latencyCycles, "cycles");
    visit("dram", "mib", config.dram.mib, "MiB");
    visit("dram", "refresh_interval_cycles", config.dram.refreshIntervalCycles, "cycles, 0: none");
    visit("dram", "refresh_cycles", config.dram.refreshCycles, "cycles");
    visit("dram", "banks", config.dram.banks, "0: rows are not modeled");
    visit("dram", "row_bytes", config.dram.rowBytes, "bytes");
    visit("dram", "row_miss_cycles", config.dram.rowMissCycles, "cycles");
    visit("dram", "background", config.dram.background, "share of the bandwidth");
    visit("dram", "channels", config.dram.bank.channels, "");
    visit("dram", "bank_groups", config.dram.bank.bankGroups, "of a channel");
    visit("dram", "burst_bytes", config.dram.bank.burstBytes, "bytes");
    visit("dram", "interleave_bytes", config.dram.bank.interleaveBytes, "bytes of a channel");
    visit("dram", "queue_bursts", config.dram.bank.queueBursts, "bursts");
    visit("dram", "mapping", config.dram.bank.mapping, "");
    visit("dram", "t_rcd_cycles", config.dram.bank.tRcdCycles, "cycles");
    visit("dram", "t_rp_cycles", config.dram.bank.tRpCycles, "cycles");
    visit("dram", "t_cl_cycles", config.dram.bank.tClCycles, "cycles");
    visit("dram", "t_cwl_cycles", config.dram.bank.tCwlCycles, "cycles");
    visit("dram", "t_ras_cycles", config.dram.bank.tRasCycles, "cycles");
    visit("dram", "t_rrd_cycles", config.dram.bank.tRrdCycles, "cycles");
    visit("dram", "t_rrd_l_cycles", config.dram.bank.tRrdLCycles, "cycles");
    visit("dram", "t_faw_cycles", config.dram.bank.tFawCycles, "cycles, 0: no limit");
    visit("dram", "t_ccd_l_cycles", config.dram.bank.tCcdLCycles, "cycles");
    visit("dram", "t_rtp_cycles", config.dram.bank.tRtpCycles, "cycles");
    visit("dram", "t_wr_cycles", config.dram.bank.tWrCycles, "cycles");
    visit("dram", "t_wtr_cycles", config.dram.bank.tWtrCycles, "cycles");
    visit("dram", "t_rtw_cycles", config.dram.bank.tRtwCycles, "cycles");
    visit("interconnect", "bytes_per_cycle", config.interconnect.bytesPerCycle, "bytes/cycle");
    visit("interconnect", "latency_cycles", config.interconnect.latencyCycles, "cycles");
    visit("mmu", "tlb_entries", config.mmu.tlbEntries, "");
    visit("mmu", "walk_level_cycles", config.mmu.walkLevelCycles, "cycles");
    visit("mmu", "walk_cache_lines", config.mmu.walkCacheLines, "lines of dma.burst_bytes");
    visit("controller", "register_cycles", config.controller.registerCycles, "cycles");
    visit("controller", "local_memory_kib", config.controller.localMemoryKib, "KiB");
    visit("controller", "engine_queue_depth", config.controller.engineQueueDepth, "commands");
    visit("controller", "interrupt_cycles", config.controller.interruptCycles, "cycles");
    visit("power", "level1_khz", config.power.level1Khz, "kHz, 0: none");
    visit("power", "level2_khz", config.power.level2Khz, "kHz, 0: none");
    visit("power", "level3_khz", config.power.level3Khz, "kHz, 0: none");
    visit("power", "sustained_level", config.power.sustainedLevel, "");
    visit("power", "switch_ns", config.power.switchNs, "ns");
    visit("power", "autosuspend_us", config.power.autosuspendUs, "us, 0: never");
    visit("power", "suspend_ns", config.power.suspendNs, "ns");
    visit("power", "resume_ns", config.power.resumeNs, "ns");
    visit("energy", "mac8_pj", config.energy.mac8Pj, "pJ per 8-bit product and sum");
    visit("energy", "mac_float_pj", config.energy.macFloatPj, "pJ per float32 product and sum");
    visit("energy", "vector_op8_pj", config.energy.vectorOp8Pj, "pJ per operation and byte");
    visit("energy", "vector_op_float_pj", config.energy.vectorOpFloatPj,
          "pJ per float32 operation");
    visit("energy", "dsp_op8_pj", config.energy.dspOp8Pj, "pJ per operation and byte");
    visit("energy", "dsp_op_float_pj", config.energy.dspOpFloatPj, "pJ per float32 operation");
    visit("energy", "dsp_cycle_pj", config.energy.dspCyclePj, "pJ per cycle");
    visit("energy", "accumulator_byte_pj", config.energy.accumulatorBytePj, "pJ per byte");
    visit("energy", "sram_byte_pj", config.energy.sramBytePj, "pJ per byte");
    visit("energy", "resident_byte_pj", config.energy.residentBytePj, "pJ per byte");
    visit("energy", "interconnect_byte_pj", config.energy.interconnectBytePj, "pJ per byte");
    visit("energy", "dram_byte_pj", config.energy.dramBytePj, "pJ per byte");
    visit("energy", "controller_cycle_pj", config.energy.controllerCyclePj, "pJ per cycle");
    visit("energy", "awake_mw", config.energy.awakeMw, "mW");
    visit("energy", "clock_mw", config.energy.clockMw, "mW at level 0");
    visit("energy", "asleep_mw", config.energy.asleepMw, "mW");
    visit("host", "register_read_ns", config.host.registerReadNs, "ns");
    visit("host", "register_write_ns", config.host.registerWriteNs, "ns");
    visit("host", "interrupt_ns", config.host.interruptNs, "ns");
    visit("host", "submit_ns", config.host.submitNs, "ns");
    visit("host", "complete_ns", config.host.completeNs, "ns");
}

/// The same without the fields that have no effect in this configuration.
template <typename Visitor>
void visitUsedFields(const hw::NpuConfig& config, Visitor&& visit) {
    const bool isBanked = config.dram.model == hw::DramModel::kBanked;
    visitConfigFields(config,
                      [&](const char* table, const char* key, const auto& value, const char* unit) {
                          if (isBanked || !isBankedKey(table, key)) {
                              visit(table, key, value, unit);
                          }
                      });
}

}  // namespace vnpu::sim
