// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operations/cost_formula.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw_model/timing/memory_timing.h"
#include "hw_model/timing/operator_timing.h"

namespace vnpu::sim {

namespace {

// The formulas below are those of hw_model/timing: mac_timing.h, vector_timing.h, memory_timing.h.

std::string productFormula(const hw::MacConfig& mac) {
    const bool overlaps = mac.weightDoubleBuffer;
    switch (mac.dataflow) {
        case hw::Dataflow::kWeightStationary:
            return overlaps ? "2R + C + p - 2 + (d/R*c/C - 1)*max(p, R)"
                            : "d/R*c/C*(2R + C + p - 2)";
        case hw::Dataflow::kOutputStationary:
            return overlaps ? "R + C + d - 2 + (p/R*c/C - 1)*max(d, R)" : "p/R*c/C*(R + C + d - 2)";
        case hw::Dataflow::kBroadcast:
            return "d/R*c/C*p";
    }
    return "?";
}

std::string macFormula(const hw::MacConfig& mac, const hw::MacConv& work) {
    const std::string product = productFormula(mac);
    const bool isFloat = work.inputType == hw::ElementType::kFloat32;
    return (isFloat ? "F*(" + product + ")" : product) + " + p*c/O";
}

std::string poolFormula(const hw::VecPool& work) {
    return work.kind == hw::PoolKind::kAverage ? "m*window/L + m/L*E" : "m*window/L";
}

std::string unaryFormula(const hw::VecUnary& work) {
    return work.kind == hw::UnaryKind::kLogistic ? "m/L*(1 + 2E)" : "m/L";
}

double slowestTransfer(const hw::NpuConfig& config) {
    return std::min({static_cast<double>(config.dma.bytesPerCycle),
                     hw::dramSustainedRate(config.dram),
                     static_cast<double>(config.interconnect.bytesPerCycle),
                     static_cast<double>(config.sram.portBytes)});
}

std::uint32_t lanes16(std::uint32_t lanes8) {
    return std::max(1U, lanes8 / 2);
}

}  // namespace

std::string costFormula(const hw::NpuConfig& config, const hw::CommandView& command) {
    using hw::Opcode;
    switch (command.header->opcode) {
        case Opcode::kDmaTransfer:
        case Opcode::kDmaFill:
            return "rows*bursts/W";
        case Opcode::kMacConv:
            return macFormula(config.mac, command.as<hw::MacConv>());
        case Opcode::kVecPool:
            return poolFormula(command.as<hw::VecPool>());
        case Opcode::kVecEltwise:
            return "m/L";
        case Opcode::kVecUnary:
            return unaryFormula(command.as<hw::VecUnary>());
        case Opcode::kVecSoftmax:
            return "n/L*(3 + E) + n/axis/L*E";
        case Opcode::kVecReduce:
            return "n/L + m/L*E";
        case Opcode::kVecOperator:
            return std::string(hw::operatorCostFormula(command.as<hw::VecOperator>().op));
        case Opcode::kDspOperator:
            return std::string(hw::operatorCostFormula(command.as<hw::DspOperator>().op));
        case Opcode::kBranch:
        case Opcode::kLoop:
        case Opcode::kSegment:
            return "until all engines are idle";
        default:
            return "";
    }
}

std::string costLegend(const hw::NpuConfig& config) {
    const hw::MacConfig& mac = config.mac;
    const hw::VectorConfig& vector = config.vector;
    const hw::DspConfig& dsp = config.dsp;
    std::string text = fmt::format(
            "Cycles of one command on {}, start-up to be added; quotients by R, C, L, M and O "
            "round up.\n"
            "n: elements of the data input, m: of the outputs\n",
            config.name);
    text += fmt::format(
            "mac: p output pixels, c output channels, d taps * input channels{}; R = {} rows, C = "
            "{} columns{}, O = {} results a cycle, F = {} for "
            "floats\n",
            mac.dataflow == hw::Dataflow::kBroadcast ? ", d/R for each tap" : "", mac.rows,
            mac.columns,
            mac.depthwiseColumns == 0 ? ""
                                      : fmt::format(" ({} for depthwise)", mac.depthwiseColumns),
            mac.outputLanes, mac.floatDivisor);
    text += fmt::format(
            "vector: start-up {}, L = {} (8 bits), {} (16), {} (32), E = {}, M = L, S = 1\n",
            vector.startupCycles, vector.lanes8, lanes16(vector.lanes8), vector.lanes32,
            vector.exponentialCycles);
    text += fmt::format(
            "dsp: start-up {}, L = {} (8 bits), {} (16), {} (32), M = {} (8 bits; half of it for "
            "16, "
            "a quarter for 32), {} (floats), "
            "E = {}, S = {}\n",
            dsp.startupCycles, dsp.lanes8, lanes16(dsp.lanes8), dsp.lanes32, dsp.macs8,
            dsp.macsFloat, dsp.exponentialCycles, dsp.scalarCycles);
    text += fmt::format(
            "dma: start-up {}, latency {}, bursts: a row's bytes in whole bursts of {}, W = {}\n"
            "alias: nothing runs; a new shape alone is copied only from a model's input to its "
            "output.\n",
            config.dma.startupCycles, config.dram.latencyCycles + config.interconnect.latencyCycles,
            config.dma.burstBytes, slowestTransfer(config));
    return text;
}

}  // namespace vnpu::sim
