// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace vnpu::sim {

struct VelaMemory {
    double bytesPerCycle;
    double readLatency, writeLatency;  // cycles
    std::uint64_t burstBytes;
};

/// An accelerator and its memories in the description of Vela.
struct VelaAccelerator {
    const char* config;  // our configuration of that class
    std::uint64_t microRows;
    std::uint64_t cores;
    std::uint64_t banks;               // of the shared buffer, 1 KiB each
    std::uint64_t inputGranule;        // banks
    std::uint64_t accumulatorGranule;  // banks, 32-bit accumulators
    double outputCycles;               // for an element, with or without ReLU
    double sumCycles;                  // for an element of a sum of differently scaled tensors
    VelaMemory sram;
    VelaMemory external;      // flash or DRAM: weights
    bool holdsMapsInSram;     // the network's input and result too; else they are in `external`
    std::uint64_t sramBytes;  // for staged weights; 0: no limit
};

inline constexpr std::uint64_t kVelaMicroColumns = 2;   // source: accelerator_configs, ofm_ublock
inline constexpr std::uint64_t kVelaMicroChannels = 8;  // likewise

// source: Vela, vela.ini, Ethos_U55_High_End_Embedded and Ethos_U65_High_End: bandwidths, latencies
// and bursts; a port of 64 bits in Ethos-U55, 128 in Ethos-U65 (architecture_features.py)
inline constexpr VelaMemory kU55Sram = {8.0, 32.0, 32.0, 32};
inline constexpr VelaMemory kU55Flash = {1.0, 64.0, 64.0, 128};
inline constexpr VelaMemory kU65Sram = {16.0, 32.0, 32.0, 32};
inline constexpr VelaMemory kU65Dram = {3.75, 500.0, 250.0, 128};

/// source: Vela, architecture_features.py: accelerator_configs, output_cycles_per_elem,
/// activation_cycles_per_elem; vela.ini, memory modes Shared_Sram and Dedicated_Sram
inline constexpr std::array<VelaAccelerator, 4> kVelaAccelerators = {{
        {"u55-128", 1, 1, 24, 4, 8, 0.5, 1.5, kU55Sram, kU55Flash, true, 0},
        {"u55-256", 2, 1, 48, 8, 16, 0.25, 0.75, kU55Sram, kU55Flash, true, 0},
        {"u65-256", 2, 1, 48, 8, 16, 0.25, 0.75, kU65Sram, kU65Dram, false, 393'216},
        {"u65-512", 2, 2, 48, 8, 16, 0.125, 0.375, kU65Sram, kU65Dram, false, 393'216},
}};

}  // namespace vnpu::sim
